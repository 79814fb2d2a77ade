// SPDX-License-Identifier: MIT
// The rectangle around skinned vertices.
#pragma once

#include <pchr/character.hpp>
#include <pchr/geometry.hpp>

#include <span>

namespace pchr {

/// Makes `bounds` contain `vertices` as `palette` skins them, but for those that are not finite: nothing is drawn
/// there. Allocates nothing.
void include_skinned(std::span<const Vertex> vertices, std::span<const Affine> palette, Rect& bounds) noexcept;

}  // namespace pchr

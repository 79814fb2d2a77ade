// SPDX-License-Identifier: MIT
// The rectangle around skinned vertices.
#pragma once

#include "animation/skinning.hpp"

#include <cstddef>

namespace pchr {

/// Makes `bounds` contain `count` vertices from number `first` on as `palette` skins them, seen from the front, but for
/// those that are not finite: nothing is drawn there. Allocates nothing.
void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept;

}  // namespace pchr

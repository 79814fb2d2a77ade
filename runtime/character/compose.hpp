// SPDX-License-Identifier: MIT
// The functions of pose.hpp and 3d.hpp that building a character needs.
#pragma once

#include <pchr/character.hpp>

namespace PCHR_API pchr {

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Boxes around posed meshes that cost a few operations per bone, and what a camera sees of them.
#pragma once

#include "animation/skinning.hpp"
#include "character/contents.hpp"

namespace PCHR_API pchr {

/// Return the hulls of a character's meshes, or of blocks of their vertices. The first call computes them.
/// @{
[[nodiscard]] const Hulls& hulls_of(const Character& character);
[[nodiscard]] const BlockHulls& block_hulls_of(const Character& character);
/// @}

/// Returns a box that contains every finite vertex of a range in a 2D pose. The box can be infinite.
[[nodiscard]] Rect hull_in_2d(const Hulls& hulls, std::span<const Affine> palette, std::size_t range) noexcept;

/// Returns a box that contains every finite vertex of a mesh at a placement, or nothing if its hulls do not bound it.
[[nodiscard]] std::optional<Box> placed_hull(const Character& character, const Hulls& hulls, const Palette& palette,
                                             MeshId mesh, const Affine& placement) noexcept;

/// Return false only if the camera sees no part of the box.
/// @{
[[nodiscard]] bool sees(const Camera& camera, const Box& box) noexcept;
[[nodiscard]] bool sees(const SceneView& view, const Box& box) noexcept;
/// @}

}  // namespace pchr

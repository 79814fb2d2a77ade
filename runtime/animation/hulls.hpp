// SPDX-License-Identifier: MIT
// Boxes around posed meshes that cost a few operations per bone, and what a camera sees of them.
#pragma once

#include "animation/skinning.hpp"
#include "character/contents.hpp"

namespace PCHR_API pchr {

/// Returns the hulls of a character, which the first call computes.
[[nodiscard]] const Hulls& hulls_of(const Character& character);

/// Returns a box that contains every finite vertex of a mesh at a placement, or nothing if its hulls do not bound it.
[[nodiscard]] std::optional<Box> placed_hull(const Character& character, const Hulls& hulls, const Palette& palette,
                                             MeshId mesh, const Affine& placement) noexcept;

/// Return false only if the camera sees no part of the box.
/// @{
[[nodiscard]] bool sees(const Camera& camera, const Box& box) noexcept;
[[nodiscard]] bool sees(const SceneView& view, const Box& box) noexcept;
/// @}

}  // namespace pchr

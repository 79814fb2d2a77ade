// SPDX-License-Identifier: MIT
// Bones for meshes whose vertices move one by one: smooth skinning decomposition (Le and Deng 2012), with bones that
// turn, move and scale evenly.
#pragma once

#include <pchr/executor.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pchr {

/// Largest number of bones that one mesh gets.
inline constexpr std::uint32_t kMaxFittedBones = 32;

/// The vertices of a mesh that move. A transform is a row-major matrix of D rows and D + 1 columns.
struct Deformation {
  std::uint32_t dimensions = 2;    ///< D: 2 or 3.
  std::span<const double> rest;    ///< Positions in the rest pose: vertices * D.
  std::span<const double> frames;  ///< Positions in each frame: frames * vertices * D.
  /// Transforms of bones that exist already, from the rest pose to each frame: bones * frames * D * (D + 1).
  std::span<const double> fixed;
};

/// Influence of a vertex on its place.
struct Fit {
  std::uint32_t bones = 0;                ///< Number of added bones.
  std::vector<double> motions;            ///< Their transforms, like those of the fixed bones.
  std::vector<std::uint32_t> influences;  ///< Four bones per vertex: the fixed ones first, then the added ones.
  std::vector<float> weights;             ///< Four per vertex, which add up to 1. Unused ones are 0.
  double max_error = 0, mean_error = 0;   ///< Distances between vertices and where they must be, in all frames.
};

/// Adds as few bones as bring every vertex to within `tolerance` of its place in every frame, up to `max_bones`. Works
/// on the threads of `executor`, and returns the same on any number of them. There is at least one vertex, one frame
/// and one fixed bone.
[[nodiscard]] Fit fit_bones(const Deformation& deformation, double tolerance, std::uint32_t max_bones,
                            const Executor& executor = {});

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Bones for meshes whose vertices move one by one: smooth skinning decomposition (Le and Deng 2012), with bones that
// turn, move and scale evenly.
#pragma once

#include <pchr/callback.hpp>
#include <pchr/executor.hpp>
#include <pchr/load.hpp>

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
  bool is_cut = false;                    ///< More bones would have taken more operations than were left.
};

/// What all fits of a file share.
struct FitWork {
  /// Operations that are left: sums of products, about, of which a processor does a billion in a second.
  std::uint64_t operations = 0;
  std::uint32_t fits = 1, done = 0;                                    ///< Number of fits, and how many have begun.
  Callback<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< Gets the steps of all fits.

  /// Takes operations for something else than fits. Returns false if there are too few.
  [[nodiscard]] bool spend(std::uint64_t count) noexcept {
    if (count > operations) return false;
    operations -= count;
    return true;
  }
};

/// Returns the number of operations that all fits of a file with `keys` keys may take, so that a short file takes a few
/// seconds: four billion, and 262,144 for each key beyond 16,384, in proportion to the limit of samples.
[[nodiscard]] std::uint64_t max_fit_operations(const Limits& limits, std::uint64_t keys) noexcept;

/// Adds as few bones as bring every vertex to within `tolerance` of its place in every frame, up to `max_bones`. Works
/// on the threads of `executor`, and returns the same on any number of them. There is at least one vertex, one frame
/// and one fixed bone. Adds fewer bones if the operations of `work` do not suffice; if they do not even suffice for
/// none, the result has no influences.
[[nodiscard]] Fit fit_bones(const Deformation& deformation, double tolerance, std::uint32_t max_bones, FitWork& work,
                            const Executor& executor = {});

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Vertices with more than four influences.
#pragma once

#include "character/check.hpp"

namespace PCHR_API pchr {

/// Puts the four influences with the largest weights into `vertex`, in their order, scaled to the sum of all. Where the
/// four nearly cancel out or sum to the other sign, adds equal parts of the difference instead.
void keep_four(std::span<const AuthoredInfluence> influences, Vertex& vertex);

/// Returns the authored influences of `vertex`; none where it has at most four.
[[nodiscard]] std::span<const AuthoredInfluence> authored_influences(const CharacterData& data, std::uint32_t vertex);

/// Returns the influences of the first vertex in `influences`, which are in the order of vertices.
[[nodiscard]] std::span<const AuthoredInfluence> first_run(std::span<const AuthoredInfluence> influences);

/// The first mesh that has a vertex, and its number there.
struct MeshVertex {
  std::uint32_t mesh = 0, vertex = 0;
};
[[nodiscard]] MeshVertex find_vertex(const CharacterData& data, std::uint32_t vertex);

/// Checks that the authored influences are in order, more than four each, finite, and name bones.
[[nodiscard]] Check check_authored_influences(const CharacterData& data);

/// The error of one vertex when only four of its influences are used.
struct InfluenceError {
  std::uint32_t vertex = 0;
  std::uint32_t influences = 0;
  double pixels = 0;  ///< Max distance, in that frame of that clip.
  std::uint32_t clip = 0, frame = 0;
};

/// Measures each vertex with more than four influences, over the frames of all clips, or evenly spread ones of very
/// many.
[[nodiscard]] std::vector<InfluenceError> measure_influence_errors(const CharacterData& data,
                                                                   std::span<const Affine> inverse_bind);

}  // namespace pchr

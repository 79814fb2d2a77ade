// SPDX-License-Identifier: MIT
// Vertices with more than four influences.
#pragma once

#include "character/check.hpp"

namespace PCHR_API pchr {

/// Stores the four influences with the largest weights in `vertex`, in their original order, scaled to the sum of all.
/// If the four nearly cancel out or their sum has the opposite sign, adds equal shares of the difference instead.
void keep_four(std::span<const AuthoredInfluence> influences, Vertex& vertex);

/// Returns the authored influences of `vertex`, or none if it has at most four.
[[nodiscard]] std::span<const AuthoredInfluence> authored_influences(const CharacterData& data, std::uint32_t vertex);

/// Returns the influences of the first vertex. `influences` are sorted by vertex.
[[nodiscard]] std::span<const AuthoredInfluence> first_run(std::span<const AuthoredInfluence> influences);

/// First mesh that contains a vertex, and the index of the vertex in it.
struct MeshVertex {
  std::uint32_t mesh = 0, vertex = 0;
};
[[nodiscard]] MeshVertex find_vertex(const CharacterData& data, std::uint32_t vertex);

/// Checks that authored influences are sorted, more than four per vertex, and finite, and that their bones exist.
[[nodiscard]] Check check_authored_influences(const CharacterData& data);

/// Error of one vertex if only four of its influences are used.
struct InfluenceError {
  std::uint32_t vertex = 0;
  std::uint32_t influences = 0;
  double pixels = 0;  ///< Maximum distance, in the frame below.
  std::uint32_t clip = 0, frame = 0;
};

/// Measures each vertex with more than four influences in the frames of all clips, or in evenly spaced ones if there
/// are too many.
[[nodiscard]] std::vector<InfluenceError> measure_influence_errors(const CharacterData& data,
                                                                   std::span<const Affine> inverse_bind);

}  // namespace pchr

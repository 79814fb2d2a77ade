// SPDX-License-Identifier: MIT
// Vertices with more than four influences.
#pragma once

#include "character/check.hpp"

namespace PCHR_API pchr {

/// Puts the four of `influences` whose weights are farthest from 0 into `vertex`, in their order, scaled to the sum of
/// all. Where the four nearly cancel out or sum to the other sign, equal parts of the difference are added instead.
void keep_four(std::span<const AuthoredInfluence> influences, Vertex& vertex);

/// The authored influences of `vertex`; none where it has at most four.
[[nodiscard]] std::span<const AuthoredInfluence> authored_influences(const CharacterData& data, std::uint32_t vertex);

/// The influences of the first vertex in `influences`, which are in the order of vertices.
[[nodiscard]] std::span<const AuthoredInfluence> first_run(std::span<const AuthoredInfluence> influences);

/// Where a vertex stands: the first mesh that has it, and its number there.
struct MeshVertex {
  std::uint32_t mesh = 0, vertex = 0;
};
[[nodiscard]] MeshVertex find_vertex(const CharacterData& data, std::uint32_t vertex);

/// Whether the authored influences are in order, more than four each, finite, and name bones.
[[nodiscard]] Check check_authored_influences(const CharacterData& data);

/// What using four of more influences does to one vertex.
struct InfluenceError {
  std::uint32_t vertex = 0;
  std::uint32_t influences = 0;
  double pixels = 0;  ///< How far it is off at the worst.
  std::uint32_t clip = 0, frame = 0;
};

/// One for each vertex with more than four influences, over the frames of all clips; of very many over evenly spread
/// ones.
[[nodiscard]] std::vector<InfluenceError> measure_influence_errors(const CharacterData& data,
                                                                   std::span<const Affine> inverse_bind);

}  // namespace pchr

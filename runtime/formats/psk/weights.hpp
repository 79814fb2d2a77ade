// SPDX-License-Identifier: MIT
// The weights of an Unreal mesh as a vertex holds them.
#pragma once

#include "formats/psk/mesh.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr::psk {

/// What moves one point: weights that sum to 1, the largest first.
struct PointWeights {
  std::array<std::uint16_t, 4> bones{};
  std::array<float, 4> weights{1, 0, 0, 0};
};

/// The weights of each point: the four largest, and a remark where there are more. A point without any follows bone 0.
/// `number_of` says which bone of the character each of the file's is; there are at most 65,536.
[[nodiscard]] std::vector<PointWeights> point_weights(const Mesh& mesh, std::span<const std::uint32_t> number_of,
                                                      Remarks& remarks);

}  // namespace pchr::psk

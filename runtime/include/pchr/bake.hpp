// SPDX-License-Identifier: MIT
// What a character costs when its clips are baked for the GPU.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <vector>

namespace PCHR_API pchr {

/// What one clip costs.
struct ClipBakeCost {
  std::uint64_t palette_bytes = 0;  ///< At the clip's own rate; smooth play may take several times as much.
  std::uint32_t draw_calls = 0;     ///< Of an instance drawn alone, at most: a run of meshes of one image is one.
};

/// What a character costs.
struct BakeCost {
  std::uint32_t bones =
      0;  ///< That vertices use; the palette of a frame has 32 bytes for each, 48 where it is spatial.
  std::uint32_t draw_orders = 0;  ///< Distinct ones over all frames of all clips.
  std::uint64_t index_bytes = 0;  ///< Index lists of all draw orders.
  std::vector<ClipBakeCost> clips;
};

/// What drawing instances of `character` costs in GPU memory, beside its vertices and images. A clip's palettes are
/// made when the clip is first drawn.
[[nodiscard]] BakeCost bake_cost(const Character& character);

}  // namespace pchr

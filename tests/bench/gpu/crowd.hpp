// SPDX-License-Identifier: MIT
// Crowds of the sample character on a GPU, drawn through the public renderer.
#pragma once

#include "hardware.hpp"

#include <string_view>

namespace pchr::bench {

/// How the characters of a crowd move.
enum class Motion : std::uint8_t { baked, baked_smooth, crossfading, posed };

[[nodiscard]] std::string_view name_of(Motion motion);

struct CrowdCost {
  Motion motion{};
  std::size_t count = 0;
  Times times, vertices_only;
  std::uint64_t vertices = 0, triangles = 0, pixels = 0, uploaded_bytes = 0;
  std::uint32_t draw_calls = 0;
};

/// What limits a crowd, and the seconds that each part would take alone: work on the CPU and shading vertices as
/// measured, the others at the hardware's rates.
struct Limit {
  std::string_view name;
  double cpu = 0, vertices = 0, triangles = 0, pixels = 0, upload = 0;
};

[[nodiscard]] Limit find_limit(const CrowdCost& cost, const HardwareRates& rates);

/// The cost of filtering and of drawing over what is there, for a crowd of one size.
struct PixelCost {
  std::size_t count = 0;
  float height = 0;                                 ///< Height of a character in pixels.
  double trilinear = 0, bilinear = 0, nearest = 0;  ///< Seconds.
  double hook = 0;                                  ///< With a fragment hook that changes nothing.
  double skipping = 0;                              ///< With one that discards transparent pixels.
  std::uint64_t pixels = 0, transparent_pixels = 0, covered_pixels = 0;
};

struct CrowdCosts {
  std::vector<CrowdCost> crowds;
  std::vector<PixelCost> pixels;
  double upload_bytes = 0;  ///< Bytes per second of a model with mipmaps, from decoded images.
};

[[nodiscard]] CrowdCosts measure_crowds(Device& device, const Effort& effort);

}  // namespace pchr::bench

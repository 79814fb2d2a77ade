// SPDX-License-Identifier: MIT
// What a GPU can do at best: the simplest shaders and the largest uploads.
#pragma once

#include "device.hpp"

namespace pchr::bench {

/// Per second.
struct HardwareRates {
  double vertices = 0;         ///< Vertices of a grid that shares them, without pixels.
  double triangles = 0;        ///< Triangles of the same grid over the whole target, about a pixel each.
  double pixels = 0;           ///< Pixels blended with one color.
  double textured_pixels = 0;  ///< Pixels blended with a texture with mipmaps, one texel each.
  double buffer_bytes = 0;     ///< Uploaded into a buffer.
  double texture_bytes = 0;    ///< Uploaded into a texture.
  double mipmap_texels = 0;    ///< Texels whose mipmaps the driver makes.
};

[[nodiscard]] HardwareRates measure_hardware(const Device& device, const Effort& effort);

}  // namespace pchr::bench

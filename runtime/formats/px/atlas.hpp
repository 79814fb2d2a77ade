// SPDX-License-Identifier: MIT
// Pictures packed into few images.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pchr::px {

struct PictureSize {
  std::uint32_t width = 0, height = 0;
};

/// Where a picture's top left lies.
struct AtlasPlace {
  std::uint32_t page = 0;
  std::uint32_t x = 0, y = 0;
};

struct Atlas {
  std::vector<AtlasPlace> places{};  ///< One per picture.
  std::vector<PictureSize> pages{};
};

/// Packs pictures onto shelves, with a pixel between them. Pages have at most 4096 pixels on a side, but for one that
/// a larger picture has for itself.
[[nodiscard]] Atlas pack(std::span<const PictureSize> pictures);

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// A pixel artwork with two layers.
#pragma once

#include "support/px.hpp"

#include <filesystem>

namespace pchr::test {

inline constexpr PxColor kBlue{20, 40, 200, 255}, kGreen{20, 200, 40, 255}, kClear{0, 0, 0, 0};

inline PxPixels square(int side, int inset, PxColor color) {
  PxPixels pixels;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool inside = x >= inset && y >= inset && x < side - inset && y < side - inset;
      pixels.push_back(inside ? color : kClear);
    }
  }
  return pixels;
}

/// Writes a blue square behind a green one that changes over four frames, with two tags, to `folder`. Returns the path.
inline std::filesystem::path write_squares(const std::filesystem::path& folder) {
  constexpr int kSide = 16;
  PxArtwork artwork{.width = kSide, .height = kSide};
  const PxPixels back = square(kSide, 0, kBlue);
  artwork.add_layer("back", {back, back, back, back});
  artwork.add_layer("front", {square(kSide, 4, kGreen), square(kSide, 5, kGreen), square(kSide, 6, kGreen),
                              square(kSide, 5, kGreen)});
  artwork.palette = {kBlue, kGreen, {255, 255, 255, 255}, {250, 120, 30, 255}};
  artwork.tags = {{.name = "breathe", .first = 0, .last = 3}, {.name = "in", .first = 0, .last = 2, .direction = 2}};
  write_file(folder / "squares.px", write_px(artwork));
  return folder / "squares.px";
}

}  // namespace pchr::test

// SPDX-License-Identifier: MIT
// Pixels of frames: areas, colors of transparent pixels, and palettes.
#pragma once

#include <pchr/image.hpp>

#include <array>
#include <mutex>
#include <optional>
#include <span>

namespace pchr::exporting {

/// Rectangle in pixels, from the top left.
struct Area {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Area&) const = default;
};

[[nodiscard]] Area whole(const Bitmap& bitmap);
/// Returns the smallest area that contains all non-transparent pixels. Empty if there are none.
[[nodiscard]] Area visible_area(const Bitmap& bitmap);
/// Returns the smallest area that contains all differences between bitmaps of the same size. Empty if there are none.
[[nodiscard]] Area changed_area(const Bitmap& bitmap, const Bitmap& previous);
/// Copies a part of a bitmap.
[[nodiscard]] Bitmap part_of(const Bitmap& bitmap, const Area& area);
/// Copies a part of a premultiplied bitmap, converted to straight alpha.
[[nodiscard]] Bitmap straight_part(const Bitmap& bitmap, const Area& area);

/// Gives transparent pixels up to `distance` away from others the colors of these, so that a bitmap with straight alpha
/// can be filtered without dark edges. Their alpha stays 0.
void bleed(Bitmap& straight, std::uint32_t distance);

using Rgb = std::array<std::uint8_t, 3>;

/// Pixel that is either opaque or transparent.
struct Flat {
  Rgb color{};
  bool opaque = false;
};

/// Flattens a premultiplied pixel. With a matte, it is opaque unless fully transparent; without one, it is opaque if
/// its alpha is at least 50%.
[[nodiscard]] Flat flatten(const std::uint8_t* premultiplied, const std::optional<Rgb>& matte);

/// Counts the colors of an animation. Colors that share the upper 6 bits of each channel count as one, their mean.
class ColorCounts {
 public:
  /// Counts the pixels of a frame. Thread-safe; the result does not depend on the order.
  void add(const Bitmap& premultiplied, const std::optional<Rgb>& matte);
  [[nodiscard]] bool all_opaque() const noexcept { return all_opaque_; }
  /// Returns between 1 and `max` representative colors.
  [[nodiscard]] std::vector<Rgb> choose_palette(std::size_t max) const;

 private:
  struct Cell {
    std::uint64_t count = 0, red = 0, green = 0, blue = 0;
  };
  std::mutex mutex_;
  std::vector<Cell> cells_;
  bool all_opaque_ = true;
};

/// Finds the nearest colors of a palette. Equal colors always get equal indices, so nothing flickers.
class PaletteIndex {
 public:
  explicit PaletteIndex(std::vector<Rgb> palette);  ///< Takes 1 to 256 colors.
  [[nodiscard]] std::uint8_t nearest(Rgb color) const noexcept;

 private:
  /// Range of `candidates_`.
  struct Candidates {
    std::uint32_t first = 0, end = 0;
  };
  void add_blocks(const std::array<int, 3>& low, int side, std::span<const std::uint8_t> among);

  std::vector<Rgb> palette_;
  std::vector<std::uint8_t> candidates_;
  std::vector<Candidates> blocks_;  ///< For cubes of similar colors, the entries that are nearest to any of them.
};

}  // namespace pchr::exporting

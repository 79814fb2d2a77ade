// SPDX-License-Identifier: MIT
// The colours of a whole film, chosen by libimagequant.
#pragma once

#include "film/film.hpp"

#include <pchr/image.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace pchr::film {

/// A pixel without shades of alpha: its colour, or nothing.
struct Flat {
  Rgb colour{};
  bool opaque = false;
};

/// A premultiplied pixel on the matte: opaque wherever it is not quite transparent. Without a matte, its own colour
/// where it is at least half there.
[[nodiscard]] Flat flatten(const std::uint8_t* premultiplied, const std::optional<Rgb>& matte);

/// How often colours come in a film. What is similar counts as one colour, their mean: 64 shades of each channel.
class ColourCounts {
 public:
  /// Any thread may, at any time, in any order: the sums are the same.
  void add(const Bitmap& premultiplied, const std::optional<Rgb>& matte);
  /// Whether no pixel was transparent.
  [[nodiscard]] bool all_opaque() const noexcept { return all_opaque_; }
  /// At most `most` colours that stand for all of them; at least one.
  [[nodiscard]] Result<std::vector<Rgb>> choose_palette(int most) const;

 private:
  struct Cell {
    std::uint64_t count = 0, red = 0, green = 0, blue = 0;
  };
  std::mutex mutex_;
  std::vector<Cell> cells_;
  bool all_opaque_ = true;
};

/// The nearest colours of a palette. Equal colours become equal indices, whatever is around them, so that nothing
/// flickers.
class PaletteIndex {
 public:
  explicit PaletteIndex(const std::vector<Rgb>& palette);
  [[nodiscard]] std::uint8_t nearest(Rgb colour);

 private:
  const std::vector<Rgb>& palette_;
  struct Known {
    std::uint32_t colour;
    std::uint8_t index;
  };
  std::vector<Known> known_;
};

}  // namespace pchr::film

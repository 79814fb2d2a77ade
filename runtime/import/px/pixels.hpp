// SPDX-License-Identifier: MIT
// Pixels of .px files: cels on the canvas and tiles.
#pragma once

#include "import/px/file.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pchr::px {

/// A rectangle of the canvas, pixels from its top left; empty where it has no width or height.
struct Box {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool empty() const noexcept { return left >= right || top >= bottom; }
  [[nodiscard]] std::int32_t width() const noexcept { return right - left; }
  [[nodiscard]] std::int32_t height() const noexcept { return bottom - top; }
  [[nodiscard]] std::uint64_t pixels() const noexcept {
    return empty() ? 0 : static_cast<std::uint64_t>(width()) * static_cast<std::uint64_t>(height());
  }
  /// Grows until it contains the other.
  void include(const Box& other) noexcept;
  bool operator==(const Box&) const = default;
};

/// RGBA pixels; what is around them is transparent.
struct Cel {
  Box box;
  std::vector<std::uint8_t> rgba{};  ///< Of the box, row after row.

  /// The row `y` of the canvas, which is within the box, from its left on.
  [[nodiscard]] const std::uint8_t* row(std::int32_t y) const noexcept {
    return rgba.data() + static_cast<std::size_t>(y - box.top) * static_cast<std::size_t>(box.width()) * 4;
  }
};

/// What of `rgba`, in rows of `width` pixels, is not transparent. Its top left is at `left`, `top` of the canvas.
[[nodiscard]] Cel trimmed(std::span<const std::uint8_t> rgba, std::size_t width, std::int32_t left = 0,
                          std::int32_t top = 0);

/// Tiles of one size, inflated.
struct Tiles {
  std::uint32_t width = 0, height = 0;
  std::uint32_t count = 0;
  std::vector<std::uint8_t> rgba{};  ///< One after the other, multiplied by alpha; empty where they cannot be used.

  /// A row of a tile, which is there.
  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t tile, std::uint32_t y) const noexcept {
    return std::span(rgba).subspan((std::size_t{tile} * height + y) * width * 4, std::size_t{width} * 4);
  }
};

/// The tiles of each tileset, as far as they have at most `max_pixels` together. A tile that cannot be used is left
/// transparent, with a warning.
[[nodiscard]] std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t max_pixels, Warnings& warnings);

/// The canvas with a tile in each cell, clipped to it; `canvas` is room for it, and `tiles` has a size.
void lay_tiles(const TilemapContent& map, const Tiles& tiles, std::uint32_t canvas_width, std::uint32_t canvas_height,
               std::vector<std::uint8_t>& canvas);

/// Inflates one piece of data after another. Not for several threads at once.
class Inflater {
 public:
  Inflater();

  /// Inflates into `out` what begins like zlib's format, or without its two bytes. In these files the checksum at the
  /// end is missing, so whatever follows is ignored. Returns how many bytes there are; one more than `out` has room for
  /// where there are more, 0 where the data is broken.
  [[nodiscard]] std::size_t inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out);

 private:
  struct Stream;
  struct Free {
    void operator()(Stream* stream) const noexcept;
  };
  std::unique_ptr<Stream, Free> stream_;
};

/// One thread's memory for what is inflated.
struct CelScratch {
  Inflater inflater{};
  std::vector<std::uint8_t> canvas{};
};

inline constexpr std::int32_t kNoCel = -1;

/// The contents of a file as cels, their pixels multiplied by alpha. Each is inflated when it is first acquired, and
/// kept until it was released as often as announced, as long as all that is kept is within a budget. Acquire and
/// release on any thread.
class CelStore {
 public:
  /// `file` and its `tiles` must outlive it.
  CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels);

  /// The cel that `item` shows of `content`, or kNoCel.
  [[nodiscard]] std::int32_t find(const Item& item, std::string_view content);
  /// The number of a cel that is there already, and is kept until it was released.
  [[nodiscard]] std::int32_t add(std::shared_ptr<const Cel> cel);
  /// Says that the cel will be acquired and released once more.
  void announce(std::int32_t cel) noexcept { ++slots_[static_cast<std::size_t>(cel)].uses; }

  [[nodiscard]] std::shared_ptr<const Cel> acquire(std::int32_t cel, CelScratch& scratch);
  void release(std::int32_t cel);

  /// Warns about what was acquired and is unusable.
  void report_unusable(Warnings& warnings) const;

 private:
  /// Where a cel comes from, and what became of it.
  struct Slot {
    std::int32_t content = -1;  ///< Of the contents, or with a tileset of the tilemap contents.
    std::int32_t tileset = -1;
    std::uint32_t uses = 0;
    bool unusable = false;
    std::mutex mutex{};
    std::shared_ptr<const Cel> kept{};
  };

  [[nodiscard]] Cel make(Slot& slot, CelScratch& scratch) const;

  const File& file_;
  const std::vector<Tiles>& tiles_;
  const std::uint64_t budget_pixels_;
  std::unordered_map<std::string_view, std::int32_t> contents_{}, tilemaps_{}, tilesets_{};
  std::unordered_map<std::uint64_t, std::int32_t> slot_numbers_{};
  std::deque<Slot> slots_{};
  std::atomic<std::uint64_t> kept_pixels_ = 0;
};

}  // namespace pchr::px

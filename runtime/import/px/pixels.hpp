// SPDX-License-Identifier: MIT
// Pixels of .px files: cels and tiles.
#pragma once

#include "import/px/file.hpp"
#include "platform/parallel.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <unordered_map>

namespace pchr::px {

/// Rectangle on the canvas, in pixels from its top left corner.
struct Box {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool empty() const noexcept { return left >= right || top >= bottom; }
  [[nodiscard]] std::uint32_t width() const noexcept { return static_cast<std::uint32_t>(right - left); }
  [[nodiscard]] std::uint32_t height() const noexcept { return static_cast<std::uint32_t>(bottom - top); }
  [[nodiscard]] std::uint64_t pixels() const noexcept { return empty() ? 0 : std::uint64_t{width()} * height(); }
  void include(const Box& other) noexcept;
};

/// RGBA pixels of a box. The canvas outside of it is transparent.
struct Cel {
  Box box;
  std::vector<std::uint8_t> rgba{};

  /// Returns the pixels from canvas position `x`, `y`, which must be within the box.
  [[nodiscard]] const std::uint8_t* at(std::int32_t x, std::int32_t y) const noexcept {
    return rgba.data() +
           (static_cast<std::size_t>(y - box.top) * box.width() + static_cast<std::size_t>(x - box.left)) * 4;
  }
};
using CelPointer = std::shared_ptr<const Cel>;

/// Trims transparent borders of `rgba`, which has rows of `width` pixels and starts at canvas position `left`, `top`.
[[nodiscard]] Cel trimmed(std::span<const std::uint8_t> rgba, std::size_t width, std::int32_t left = 0,
                          std::int32_t top = 0);

/// A tileset with the pixels of its tiles.
struct Tiles : ArtworkTileset {
  std::vector<std::uint8_t> rgba{};  ///< Tile by tile, premultiplied; empty if unusable.

  [[nodiscard]] const std::uint8_t* row(std::uint32_t tile, std::uint32_t y) const noexcept {
    return rgba.data() + (std::size_t{tile} * tile_height + y) * tile_width * 4;
  }
};

/// Inflates the tilesets while they have at most `max_pixels` together. Unusable tiles become transparent, with a
/// warning.
[[nodiscard]] std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t max_pixels, Warnings& warnings);

inline constexpr std::int32_t kNoCel = -1;

/// The contents of a file as premultiplied cels. A cel is inflated when first acquired, and kept until it has been
/// released as often as announced or the budget is exceeded. acquire() and release() are thread-safe.
class CelStore {
 public:
  /// `file` and `tiles` must outlive the store.
  CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels);

  /// Returns the cel for a content of `item`, or kNoCel.
  [[nodiscard]] std::int32_t find(const Item& item, std::string_view content);
  [[nodiscard]] std::int32_t add(CelPointer cel);
  /// Announces one more acquire() and release() of the cel.
  void announce(std::int32_t cel) noexcept { ++slots_[static_cast<std::size_t>(cel)].uses; }

  /// `canvas` is scratch memory of the calling thread.
  [[nodiscard]] CelPointer acquire(std::int32_t cel, std::vector<std::uint8_t>& canvas);
  void release(std::int32_t cel);

  /// Warns about acquired contents that are unusable.
  void report_unusable(Warnings& warnings) const;

 private:
  struct Slot {
    std::int32_t content = -1;  ///< Index of a content, or of a tilemap content if `tileset` is set.
    std::int32_t tileset = -1;
    std::uint32_t uses = 0;
    bool unusable = false;
    Mutex mutex{};
    CelPointer kept{};
  };

  [[nodiscard]] Cel make(Slot& slot, std::vector<std::uint8_t>& canvas) const;

  const File& file_;
  const std::vector<Tiles>& tiles_;
  const std::uint64_t budget_pixels_;
  std::unordered_map<std::string_view, std::int32_t> contents_{}, tilemaps_{}, tilesets_{};
  std::unordered_map<std::uint64_t, std::int32_t> slot_numbers_{};
  std::deque<Slot> slots_{};
  std::atomic<std::uint64_t> kept_pixels_ = 0;
};

}  // namespace pchr::px

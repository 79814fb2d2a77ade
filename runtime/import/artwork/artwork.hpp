// SPDX-License-Identifier: MIT
// The model of a pixel artwork that its readers fill, and its conversion to a character.
#pragma once

#include "compiler/vectors.hpp"
#include "import/diagnose.hpp"
#include "platform/parallel.hpp"

#include <pchr/import/import.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <unordered_map>

namespace pchr::artwork {
/// The editor whose rules apply.
enum class Editor : std::uint8_t {
  pixquare,  ///< Colors blend as W3C defines it. A z-index sorts siblings.
  aseprite   ///< Pixels blend in bytes. A z-index moves by layers. A ping-pong tag counts each pass as a repeat.
};

/// How pixels are stored. Only those of the first are premultiplied.
enum class PixelFormat : std::uint8_t { rgba_or_index, rgba, gray_alpha, index };

/// Rectangle on the canvas, in pixels from its top left corner.
struct Box {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool empty() const noexcept { return left >= right || top >= bottom; }
  [[nodiscard]] std::uint32_t width() const noexcept { return static_cast<std::uint32_t>(right - left); }
  [[nodiscard]] std::uint32_t height() const noexcept { return static_cast<std::uint32_t>(bottom - top); }
  [[nodiscard]] std::uint64_t pixels() const noexcept { return empty() ? 0 : std::uint64_t{width()} * height(); }
  void include(const Box& other) noexcept {
    if (other.empty()) return;
    if (empty()) *this = other;
    left = std::min(left, other.left);
    top = std::min(top, other.top);
    right = std::max(right, other.right);
    bottom = std::max(bottom, other.bottom);
  }
  bool operator==(const Box&) const = default;
};

/// A layer's content in one frame of the artwork.
struct Frame {
  std::int32_t content = kEmpty;  ///< Index of a content, or of a tilemap content for a tilemap.
  std::uint32_t ms = 0;           ///< Unused if the model has the durations.
  float opacity = kInherited;     ///< 0 to 1, or kInherited to use the layer's.
  std::int16_t z_index = 0;
  std::uint16_t palette = 0;  ///< Index of a later palette plus 1, or 0 for the artwork's.

  static constexpr std::int32_t kEmpty = -1, kMissing = -2;
  static constexpr float kInherited = 2;
};

/// A layer of any kind, not yet placed in the tree. Reference layers have no frames.
struct Item : ArtworkLayer {
  std::vector<Frame> frames{};
  std::int32_t tileset = -1;         ///< Index of a tilemap's tileset, or -1 if it does not exist.
  std::span<const std::byte> png{};  ///< Reference layers only.
  bool background = false;           ///< Drawn before everything else, whatever the z-indices.
  std::uint64_t offset = 0;
};

/// An item at its place in the tree. An item that masks several others has a node for each.
struct Node {
  std::uint32_t item = 0;  ///< Index into Model::items.
  std::int32_t parent = -1;
  LayerUse use = LayerUse::drawn;
  bool drawn = true;
  std::vector<std::uint32_t> children{}, cropping{}, clipping{};  ///< From bottom to top.
};

/// Rows of pixels, from top to bottom, or cells of a tilemap.
struct Data {
  std::span<const std::byte> bytes{};
  bool deflated = true;
  std::uint64_t offset = 0;
};

/// Pixels that fill a box, part of which can be outside of the canvas.
struct Content {
  Data pixels{};
  Box box{};
  bool opaque = false;  ///< The transparent index is a color like any other.
  /// Left, top, width and height on the canvas that the pixels are stretched to.
  std::optional<std::array<double, 4>> stretched{};
};

struct TilemapContent {
  std::uint32_t tile_width = 0, tile_height = 0;
  Data cells{};
  std::int32_t left = 0, top = 0;
  std::uint32_t columns = 0, rows = 0;  ///< 0 if they follow from the canvas.
  std::uint32_t cell_bytes = 2;
  /// Bits of a cell: the tile's index, and whether to swap its axes, then mirror it.
  std::uint32_t tile_bits = 0xFFFF, swap_bits = 0, mirror_x_bits = 0, mirror_y_bits = 0;
  std::uint32_t no_tile = 0xFFFF;  ///< All bits of an empty cell.
};

struct Tileset : ArtworkTileset {
  std::vector<std::span<const std::byte>> tiles{};  ///< Deflated, each or all in one.
  bool in_one = false;
  std::uint64_t offset = 0;
};

/// An artwork as a reader delivers it. Views point into the bytes of the file; offsets are for diagnostics. The artwork
/// itself has no frames, layers or tilesets yet, and its tags can name frames that do not exist.
struct Model : Artwork {
  Editor editor = Editor::pixquare;
  PixelFormat pixel_format = PixelFormat::rgba_or_index;
  std::int32_t transparent_index = -1;
  bool isolates_groups = true;  ///< Otherwise members of groups are drawn as if there were no groups.
  std::optional<std::array<std::int32_t, 2>> origin{};  ///< Pixels from the top left corner, if not the center.
  std::vector<Item> items{};
  std::vector<Node> nodes{};           ///< From top to bottom, parents before their children and masks.
  std::vector<std::uint32_t> roots{};  ///< Nodes, from bottom to top.
  std::vector<Content> contents{};
  std::vector<TilemapContent> tilemap_contents{};
  std::vector<Tileset> deflated_tilesets{};
  std::vector<std::vector<Rgba>> later_palettes{};
};

/// Returns an item's place in the file, for diagnostics.
[[nodiscard]] At place_of(const Item& item) noexcept;

/// Makes a character of an artwork: composes the chosen layers of its frames. Fails if it exceeds the limits; damage is
/// a warning. `format` is its name in Imported.
[[nodiscard]] Expected<Imported, LoadError> import_artwork(Model model, const ImportOptions& options,
                                                           const char* format, Warnings warnings);

/// RGBA pixels of a box, premultiplied or straight as the editor has them. The canvas outside of it is transparent.
struct Cel {
  Box box;
  std::vector<std::uint8_t> rgba{};
  bool opaque = false;  ///< Whether every pixel is known to be opaque.

  /// Returns the pixels from canvas position `x`, `y`, which must be within the box.
  [[nodiscard]] const std::uint8_t* at(std::int32_t x, std::int32_t y) const noexcept {
    return rgba.data() +
           (static_cast<std::size_t>(y - box.top) * box.width() + static_cast<std::size_t>(x - box.left)) * 4;
  }
};
using CelPointer = std::shared_ptr<const Cel>;

/// Trims transparent borders of `rgba`, which fills `box`, and what lies outside of `canvas`. Takes the memory of
/// `rgba` if more than half of it remains.
[[nodiscard]] Cel trimmed(std::vector<std::uint8_t>& rgba, const Box& box, const Box& canvas);

/// Returns the whole canvas.
[[nodiscard]] Box canvas_of(const Model& model) noexcept;

/// A tileset with the pixels of its tiles.
struct Tiles : ArtworkTileset {
  std::vector<std::uint8_t> rgba{};  ///< Tile by tile, as in a Cel; empty if unusable.

  [[nodiscard]] const std::uint8_t* row(std::uint32_t tile, std::uint32_t y) const noexcept {
    return rgba.data() + (std::size_t{tile} * tile_height + y) * tile_width * 4;
  }
};

/// Inflates the tilesets while they have at most `max_pixels` together. Unusable tiles become transparent, with a
/// warning.
[[nodiscard]] std::vector<Tiles> inflate_tiles(const Model& model, std::uint64_t max_pixels, Warnings& warnings);

inline constexpr std::int32_t kNoCel = -1;

/// The contents of an artwork as cels. A cel is inflated when first acquired, and kept until it has been
/// released as often as announced or the budget is exceeded. acquire() and release() are thread-safe.
class CelStore {
 public:
  /// `model` and `tiles` must outlive the store.
  CelStore(const Model& model, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels)
      : model_(model), tiles_(tiles), budget_pixels_(budget_pixels) {}

  /// Returns the cel that a frame of `item` shows, or kNoCel.
  [[nodiscard]] std::int32_t find(const Item& item, const Frame& frame);
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
    std::uint16_t palette = 0;
    std::uint32_t uses = 0;
    bool unusable = false;
    Mutex mutex{};
    CelPointer kept{};
  };

  [[nodiscard]] Cel make(Slot& slot, std::vector<std::uint8_t>& canvas) const;

  const Model& model_;
  const std::vector<Tiles>& tiles_;
  const std::uint64_t budget_pixels_;
  std::unordered_map<std::uint64_t, std::int32_t> slot_numbers_{};
  std::deque<Slot> slots_{};
  std::atomic<std::uint64_t> kept_pixels_ = 0;
};

/// Returns the nodes with pixels that are drawn and whose parents are all drawn.
[[nodiscard]] std::vector<std::uint32_t> find_leaves(const Model& model);

/// Returns the cels of the drawn reference layers, indexed by item of `model` and null for all others. Their images
/// have at most `max_pixels` together, and so does the area that they cover. Skips unusable ones with a warning.
[[nodiscard]] std::vector<CelPointer> place_references(const Model& model, std::uint64_t max_pixels,
                                                       Warnings& warnings);

/// The image of one frame, and its place on the canvas.
struct FrameImage {
  std::int32_t image = -1;  ///< Index into Frames::images, or -1 for none.
  std::int32_t left = 0, top = 0;
};

struct Frames {
  std::vector<CelPointer> images{};  ///< Distinct and trimmed, straight alpha, in order of first use.
  std::vector<FrameImage> frames{};
};

/// Composes the drawn layers of each frame on the executor's threads. Composes equal frames once and shares equal
/// images. Fails if this would exceed the limits.
[[nodiscard]] Expected<Frames, Diagnostic> compose_frames(const Model& model, const std::vector<Tiles>& tiles,
                                                          std::span<const CelPointer> references, const Limits& limits,
                                                          const Executor& executor, Warnings& warnings);

// Two kinds of pixels are composed by the same functions: a Color by the rules of Pixquare, an Rgba by those of
// Aseprite.

/// Premultiplied red, green, blue and alpha, 0 to 1, in one vector register.
struct Color {
  Float4 lanes{};

  [[nodiscard]] float alpha() const noexcept { return lanes[3]; }
};

/// Blends `source`, scaled by `opacity`, onto a `backdrop` of the same size.
/// @{
void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept;
void blend(BlendMode mode, std::span<const Rgba> source, float opacity, std::span<Rgba> backdrop) noexcept;
/// @}

/// Does the same for a cel's pixels, one for each of `backdrop`.
/// @{
void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept;
void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Rgba> backdrop) noexcept;
/// @}

/// Fills `out` from a cel's pixels. Clamps premultiplied channels to alpha.
/// @{
void load(const std::uint8_t* rgba, std::span<Color> out) noexcept;
void load(const std::uint8_t* rgba, std::span<Rgba> out) noexcept;
/// @}

/// Scales a pixel's alpha by that of `mask`.
/// @{
inline void mask_by(Color& pixel, const Color& mask) noexcept { pixel.lanes *= mask.alpha(); }
inline void mask_by(Rgba& pixel, const Rgba& mask) noexcept {
  pixel.alpha = static_cast<std::uint8_t>((pixel.alpha * mask.alpha + 127) / 255);
}
/// @}

/// Stores pixels as RGBA with straight alpha, rounded to nearest. Transparent ones lose their color.
/// @{
void store_straight(std::span<const Color> pixels, std::uint8_t* rgba) noexcept;
void store_straight(std::span<const Rgba> pixels, std::uint8_t* rgba) noexcept;
/// @}

struct PixelSize {
  std::uint32_t width = 0, height = 0;
};

struct AtlasPlace {
  std::size_t page = 0;
  std::uint32_t x = 0, y = 0;
};

struct Atlas {
  std::vector<AtlasPlace> places{};  ///< One per image.
  std::vector<PixelSize> pages{};
};

/// Packs images onto shelves, one pixel apart. Pages are at most 4096 pixels on a side, except that a larger image gets
/// a larger page.
[[nodiscard]] Atlas pack(std::span<const PixelSize> images);

}  // namespace pchr::artwork

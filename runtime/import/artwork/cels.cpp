// SPDX-License-Identifier: MIT
// Inflates and draws the layers of an artwork, each for itself: cels, tiles and reference images.
#include "import/artwork/artwork.hpp"

#include "character/fail.hpp"

#include <pchr/image.hpp>

#include <libdeflate.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

namespace pchr::artwork {
namespace {

constexpr std::size_t kPixelBytes = 4;
constexpr std::uint32_t kMaxTileSide = 16384;

using Rgba8 = std::span<const std::uint8_t>;

/// Inflates data with or without the two-byte zlib header. Ignores everything after the data, because these files lack
/// the checksum. Returns the number of bytes, `out.size() + 1` if there are more than fit, or 0 if the data is damaged.
std::size_t inflate_raw(std::span<const std::byte> deflated, std::span<std::uint8_t> out) {
  if (deflated.size() >= 2) {
    const auto first = std::to_integer<unsigned>(deflated[0]), second = std::to_integer<unsigned>(deflated[1]);
    constexpr unsigned kDeflate = 8;
    if ((first & 0xF) == kDeflate && (first * 256 + second) % 31 == 0) deflated = deflated.subspan(2);
  }
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
  };
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  if (decompressor == nullptr) throw_out_of_memory();
  std::size_t size = 0;
  const libdeflate_result result = libdeflate_deflate_decompress(decompressor.get(), deflated.data(), deflated.size(),
                                                                 out.data(), out.size(), &size);
  if (result == LIBDEFLATE_SUCCESS) return size;
  return result == LIBDEFLATE_INSUFFICIENT_SPACE ? out.size() + 1 : 0;
}

/// Expands the indices at the start of `rgba` to pixels in place, last to first so that none is overwritten before it
/// is read.
void look_up(const std::array<Rgba, 256>& colors, std::span<std::uint8_t> rgba) noexcept {
  for (std::size_t pixel = rgba.size() / kPixelBytes; pixel-- > 0;) {
    const Rgba color = colors[rgba[pixel]];
    std::memcpy(rgba.data() + pixel * kPixelBytes, &color, kPixelBytes);
  }
}

/// Expands values with alpha in the same way.
void expand_gray(std::span<std::uint8_t> rgba) noexcept {
  for (std::size_t pixel = rgba.size() / kPixelBytes; pixel-- > 0;) {
    const std::uint8_t gray = rgba[pixel * 2], alpha = rgba[pixel * 2 + 1];
    const Rgba color{gray, gray, gray, alpha};
    std::memcpy(rgba.data() + pixel * kPixelBytes, &color, kPixelBytes);
  }
}

/// Returns the color of each index. Those without one are transparent.
std::array<Rgba, 256> index_colors(const Model& model, std::span<const Rgba> palette, bool opaque) noexcept {
  std::array<Rgba, 256> colors{};
  if (model.editor == Editor::aseprite) {
    std::ranges::copy(palette.first(std::min(palette.size(), colors.size())), colors.begin());
    if (!opaque) colors[static_cast<std::uint8_t>(model.transparent_index)] = {};
    return colors;
  }
  for (std::size_t i = 0; i < std::min(palette.size(), colors.size()); ++i) {
    const Rgba color = palette[i];
    const auto multiplied = [&](std::uint8_t channel) {
      return static_cast<std::uint8_t>((channel * color.alpha + 127) / 255);
    };
    colors[i] = {multiplied(color.red), multiplied(color.green), multiplied(color.blue), color.alpha};
  }
  return colors;
}

/// Copies or inflates exactly the bytes that fill `out`. Returns false if there are not as many.
bool unpack(const Data& data, std::span<std::uint8_t> out) {
  if (data.deflated) return inflate_raw(data.bytes, out) == out.size();
  if (data.bytes.size() < out.size()) return false;
  std::ranges::copy(data.bytes.first(out.size()), std::as_writable_bytes(out).begin());
  return true;
}

/// Whether data can have as many bytes. Deflate makes them at most 1032 times smaller.
bool can_have(const Data& data, std::uint64_t bytes) noexcept {
  return bytes / (data.deflated ? 1032 : 1) <= data.bytes.size();
}

std::span<const Rgba> palette_of(const Model& model, std::uint16_t number) noexcept {
  return number == 0 ? model.palette : model.later_palettes[number - std::size_t{1}];
}

/// Reads the pixels that fill `rgba`, of the model's format. Returns false if there are not as many.
bool read_pixels(const Model& model, const Data& data, std::span<const Rgba> palette, bool opaque,
                 std::span<std::uint8_t> rgba) {
  const std::size_t pixels = rgba.size() / kPixelBytes;
  switch (model.pixel_format) {
    case PixelFormat::rgba_or_index: {
      const std::size_t bytes = inflate_raw(data.bytes, rgba);
      if (bytes == rgba.size()) return true;
      if (bytes == 0 || bytes != pixels) return false;
      look_up(index_colors(model, palette, opaque), rgba);
      return true;
    }
    case PixelFormat::rgba:
      return unpack(data, rgba);
    case PixelFormat::gray_alpha:
      if (!unpack(data, rgba.first(pixels * 2))) return false;
      expand_gray(rgba);
      return true;
    case PixelFormat::index:
      if (!unpack(data, rgba.first(pixels))) return false;
      look_up(index_colors(model, palette, opaque), rgba);
      return true;
  }
  return false;
}

/// Whether every pixel is transparent. Compilers vectorize the inner loop.
bool is_transparent(Rgba8 row) noexcept {
  constexpr std::size_t kBlockBytes = 64 * kPixelBytes;
  while (!row.empty()) {
    const Rgba8 block = row.first(std::min(kBlockBytes, row.size()));
    row = row.subspan(block.size());
    std::uint32_t any = 0;
    for (std::size_t at = 0; at < block.size(); at += kPixelBytes) {
      std::uint32_t word = 0;
      std::memcpy(&word, block.data() + at, kPixelBytes);
      any |= word;
    }
    if ((any & 0xFF000000U) != 0) return false;
  }
  return true;
}

bool is_opaque(Rgba8 rgba) noexcept {
  for (std::size_t at = 3; at < rgba.size(); at += kPixelBytes) {
    if (rgba[at] != 255) return false;
  }
  return true;
}

Box find_content(Rgba8 rgba, std::size_t width) noexcept {
  const auto row = [&](std::size_t y) { return rgba.subspan(y * width * kPixelBytes, width * kPixelBytes); };
  std::size_t top = 0, bottom = width == 0 ? 0 : rgba.size() / kPixelBytes / width;
  while (top < bottom && is_transparent(row(top))) ++top;
  while (bottom > top && is_transparent(row(bottom - 1))) --bottom;
  if (top == bottom) return {};
  std::size_t left = width, right = 0;
  for (std::size_t y = top; y < bottom; ++y) {
    const auto is_clear = [&](std::size_t x) { return rgba[(y * width + x) * kPixelBytes + 3] == 0; };
    std::size_t first = 0, last = width;
    while (first < left && is_clear(first)) ++first;
    while (last > right && is_clear(last - 1)) --last;
    left = std::min(left, first);
    right = std::max(right, last);
  }
  return {static_cast<std::int32_t>(left), static_cast<std::int32_t>(top), static_cast<std::int32_t>(right),
          static_cast<std::int32_t>(bottom)};
}

Tiles inflate_tileset(const Model& model, const Tileset& set, std::uint64_t max_pixels, Warnings& warnings) {
  const At at{"tileset", set.name, set.offset};
  constexpr auto kUnusable = DiagnosticId::px_pixels_unusable;
  Tiles tiles{set};
  const std::uint64_t pixels = std::uint64_t{set.tile_width} * set.tile_height;
  if (pixels == 0 || std::max(set.tile_width, set.tile_height) > kMaxTileSide) {
    warn(warnings, kUnusable, at, "has tiles of {} x {} pixels, but each side must be 1 to {}", set.tile_width,
         set.tile_height, kMaxTileSide);
    return tiles;
  }
  if (set.tile_count > max_pixels / pixels) {
    warn(warnings, kUnusable, at, "has {} tiles of {} x {} pixels, which exceed the limit of image pixels",
         set.tile_count, set.tile_width, set.tile_height);
    return tiles;
  }
  if (set.tiles.empty()) return tiles;
  if (set.in_one && !can_have({set.tiles.front()}, set.tile_count * pixels)) {
    warn(warnings, kUnusable, at, "has {} bytes for {} tiles of {} x {} pixels, which are too few",
         set.tiles.front().size(), set.tile_count, set.tile_width, set.tile_height);
    return tiles;
  }
  tiles.rgba.resize(set.tile_count * pixels * kPixelBytes);
  std::size_t unusable = 0;
  const std::size_t at_once = set.in_one ? set.tile_count : 1;
  for (std::size_t i = 0; i < set.tiles.size(); ++i) {
    const std::size_t bytes = at_once * pixels * kPixelBytes;
    const auto place = std::span(tiles.rgba).subspan(i * bytes, bytes);
    if (read_pixels(model, {set.tiles[i]}, model.palette, false, place)) continue;
    std::ranges::fill(place, std::uint8_t{0});
    unusable += at_once;
  }
  if (unusable > 0) {
    warn(warnings, kUnusable, at, "has {} tiles (of {}) that are damaged or do not match the tile size", unusable,
         set.tile_count);
  }
  return tiles;
}

/// Returns the number of cells per row.
std::uint64_t columns_of(const TilemapContent& map, const Model& model) noexcept {
  if (map.columns > 0) return map.columns;
  const std::uint64_t cells = map.cells.bytes.size() / map.cell_bytes;
  const std::uint64_t columns = (std::uint64_t{model.width} + map.tile_width - 1) / map.tile_width;
  const std::uint64_t rows = (std::uint64_t{model.height} + map.tile_height - 1) / map.tile_height;
  return cells == columns * rows ? columns : model.width / map.tile_width;
}

/// Draws one tile with its top left corner at `left`, `top`, clipped to the canvas.
void lay_tile(const Model& model, const TilemapContent& map, const Tiles& tiles, std::uint32_t cell, std::int64_t left,
              std::int64_t top, std::vector<std::uint8_t>& canvas) {
  const std::uint32_t tile = cell & map.tile_bits;
  if (cell == map.no_tile || tile >= tiles.tile_count) return;
  const std::int64_t width = std::min(tiles.tile_width, map.tile_width);
  const std::int64_t height = std::min(tiles.tile_height, map.tile_height);
  const std::int64_t first = std::max<std::int64_t>(-left, 0), end = std::min(width, model.width - left);
  const bool swaps = (cell & map.swap_bits) != 0;
  const bool mirrors_x = (cell & map.mirror_x_bits) != 0, mirrors_y = (cell & map.mirror_y_bits) != 0;
  for (std::int64_t y = std::max<std::int64_t>(-top, 0); first < end && y < std::min(height, model.height - top); ++y) {
    std::uint8_t* const row = canvas.data() + ((top + y) * model.width + left + first) * std::int64_t{kPixelBytes};
    if (!swaps && !mirrors_x && !mirrors_y) {
      std::memcpy(row, tiles.row(tile, static_cast<std::uint32_t>(y)) + first * std::int64_t{kPixelBytes},
                  static_cast<std::size_t>(end - first) * kPixelBytes);
      continue;
    }
    for (std::int64_t x = first; x < end; ++x) {
      std::int64_t from_x = mirrors_x ? width - 1 - x : x, from_y = mirrors_y ? height - 1 - y : y;
      if (swaps) std::swap(from_x, from_y);
      if (from_x >= width || from_y >= height) continue;
      std::memcpy(row + (x - first) * std::int64_t{kPixelBytes},
                  tiles.row(tile, static_cast<std::uint32_t>(from_y)) + from_x * std::int64_t{kPixelBytes},
                  kPixelBytes);
    }
  }
}

/// Draws the tile of each cell. Returns false if the cells are damaged or exceed `max_cells`.
bool lay_tiles(const Model& model, const TilemapContent& map, const Tiles& tiles, std::uint64_t max_cells,
               std::vector<std::uint8_t>& canvas) {
  std::ranges::fill(canvas, std::uint8_t{0});
  if (map.tile_width == 0 || map.tile_height == 0 || tiles.rgba.empty()) return true;
  const std::uint64_t columns = columns_of(map, model);
  if (columns == 0) return true;
  std::vector<std::uint8_t> inflated;
  std::span<const std::byte> cells = map.cells.bytes;
  if (map.columns > 0) {
    const std::uint64_t count = std::uint64_t{map.columns} * map.rows;
    if (count > max_cells || !can_have(map.cells, count * map.cell_bytes)) return false;
    inflated.resize(count * map.cell_bytes);
    if (!unpack(map.cells, inflated)) return false;
    cells = std::as_bytes(std::span(inflated));
  }
  for (std::size_t i = 0; i < cells.size() / map.cell_bytes; ++i) {
    std::uint32_t cell = 0;
    std::memcpy(&cell, cells.data() + i * map.cell_bytes, map.cell_bytes);
    const auto left = static_cast<std::int64_t>(i % columns * map.tile_width) + map.left;
    const auto top = static_cast<std::int64_t>(i / columns * map.tile_height) + map.top;
    if (top >= model.height) break;
    lay_tile(model, map, tiles, cell, left, top, canvas);
  }
  return true;
}

/// Draws the part of `rgba`, which fills `box`, that its stretched copy shows within the canvas, without smoothing.
Cel stretch(const Model& model, std::span<const std::uint8_t> rgba, const Box& box,
            const std::array<double, 4>& place) {
  const auto [left, top, width, height] = place;
  const auto within = [](double value, std::uint32_t max) {
    return static_cast<std::int32_t>(std::clamp(value, 0.0, static_cast<double>(max)));
  };
  const Box covered{within(std::floor(left), model.width), within(std::floor(top), model.height),
                    within(std::ceil(left + width), model.width), within(std::ceil(top + height), model.height)};
  if (covered.empty()) return {};
  std::vector<std::uint8_t> pixels(covered.pixels() * kPixelBytes);
  std::uint8_t* pixel = pixels.data();
  for (std::int32_t y = covered.top; y < covered.bottom; ++y) {
    for (std::int32_t x = covered.left; x < covered.right; ++x, pixel += kPixelBytes) {
      const double u = (x + 0.5 - left) / width * box.width(), v = (y + 0.5 - top) / height * box.height();
      if (!(u >= 0 && u < box.width() && v >= 0 && v < box.height())) continue;
      const std::size_t from = static_cast<std::size_t>(v) * box.width() + static_cast<std::size_t>(u);
      std::memcpy(pixel, rgba.data() + from * kPixelBytes, kPixelBytes);
    }
  }
  return trimmed(pixels, covered, covered);
}

}  // namespace

Box canvas_of(const Model& model) noexcept {
  return {0, 0, static_cast<std::int32_t>(model.width), static_cast<std::int32_t>(model.height)};
}

Cel trimmed(std::vector<std::uint8_t>& rgba, const Box& box, const Box& canvas) {
  Box content = find_content(rgba, box.width());
  if (content.empty()) return {};
  content = {std::max(content.left + box.left, canvas.left), std::max(content.top + box.top, canvas.top),
             std::min(content.right + box.left, canvas.right), std::min(content.bottom + box.top, canvas.bottom)};
  if (content.empty()) return {};
  const auto row_at = [&](std::int32_t y) {
    return (static_cast<std::size_t>(y - box.top) * box.width() + static_cast<std::size_t>(content.left - box.left)) *
           kPixelBytes;
  };
  const std::size_t row_bytes = std::size_t{content.width()} * kPixelBytes;
  Cel cel{content};
  // A copy of a huge image would take its memory twice.
  if (content.pixels() > box.pixels() / 2) {
    for (std::int32_t y = content.top; y < content.bottom; ++y) {
      std::memmove(&rgba[static_cast<std::size_t>(y - content.top) * row_bytes], &rgba[row_at(y)], row_bytes);
    }
    rgba.resize(content.height() * row_bytes);
    cel.rgba = std::move(rgba);
    return cel;
  }
  cel.rgba.reserve(content.height() * row_bytes);
  for (std::int32_t y = content.top; y < content.bottom; ++y) {
    const Rgba8 row = Rgba8(rgba).subspan(row_at(y), row_bytes);
    cel.rgba.insert(cel.rgba.end(), row.begin(), row.end());
  }
  return cel;
}

std::vector<Tiles> inflate_tiles(const Model& model, std::uint64_t max_pixels, Warnings& warnings) {
  std::vector<Tiles> result;
  for (const Tileset& set : model.deflated_tilesets) {
    result.push_back(inflate_tileset(model, set, max_pixels, warnings));
    max_pixels -= result.back().rgba.size() / kPixelBytes;
  }
  return result;
}

std::int32_t CelStore::find(const Item& item, const Frame& frame) {
  const std::int32_t tileset = item.kind == LayerKind::tilemap ? item.tileset : -1;
  if (frame.content < 0 || (item.kind == LayerKind::tilemap && tileset < 0)) return kNoCel;
  const auto key = std::uint64_t{static_cast<std::uint32_t>(frame.content)} << 32 |
                   std::uint64_t{static_cast<std::uint16_t>(tileset)} << 16 | frame.palette;
  const auto [found, is_new] = slot_numbers_.emplace(key, static_cast<std::int32_t>(slots_.size()));
  if (is_new) slots_.emplace_back(frame.content, tileset, frame.palette);
  return found->second;
}

std::int32_t CelStore::add(CelPointer cel) {
  kept_pixels_ += cel->box.pixels();
  slots_.emplace_back().kept = std::move(cel);
  return static_cast<std::int32_t>(slots_.size() - 1);
}

CelPointer CelStore::acquire(std::int32_t cel, std::vector<std::uint8_t>& canvas) {
  Slot& slot = slots_[static_cast<std::size_t>(cel)];
  const std::lock_guard lock(slot.mutex);
  if (slot.kept) return slot.kept;
  Cel cel_made = make(slot, canvas);
  cel_made.opaque = is_opaque(cel_made.rgba);
  auto made = std::make_shared<const Cel>(std::move(cel_made));
  if (slot.uses > 1 && kept_pixels_ + made->box.pixels() <= budget_pixels_) {
    kept_pixels_ += made->box.pixels();
    slot.kept = made;
  }
  return made;
}

void CelStore::release(std::int32_t cel) {
  Slot& slot = slots_[static_cast<std::size_t>(cel)];
  const std::lock_guard lock(slot.mutex);
  if (--slot.uses > 0 || !slot.kept) return;
  kept_pixels_ -= slot.kept->box.pixels();
  slot.kept.reset();
}

Cel CelStore::make(Slot& slot, std::vector<std::uint8_t>& canvas) const {
  const auto number = static_cast<std::size_t>(slot.content);
  if (slot.tileset >= 0) {
    canvas.resize(std::size_t{model_.width} * model_.height * kPixelBytes);
    slot.unusable = !lay_tiles(model_, model_.tilemap_contents[number], tiles_[static_cast<std::size_t>(slot.tileset)],
                               budget_pixels_, canvas);
    return slot.unusable ? Cel{} : trimmed(canvas, canvas_of(model_), canvas_of(model_));
  }
  const Content& content = model_.contents[number];
  const std::uint64_t pixels = content.box.pixels();
  slot.unusable = pixels > budget_pixels_ || !can_have(content.pixels, pixels);
  if (slot.unusable) return {};
  canvas.resize(pixels * kPixelBytes);
  slot.unusable = !read_pixels(model_, content.pixels, palette_of(model_, slot.palette), content.opaque, canvas);
  if (slot.unusable) return {};
  if (content.stretched) return stretch(model_, canvas, content.box, *content.stretched);
  return trimmed(canvas, content.box, canvas_of(model_));
}

void CelStore::report_unusable(Warnings& warnings) const {
  for (const Slot& slot : slots_) {
    if (!slot.unusable) continue;
    const auto number = static_cast<std::size_t>(slot.content);
    const Data& data = slot.tileset >= 0 ? model_.tilemap_contents[number].cells : model_.contents[number].pixels;
    warn(warnings, DiagnosticId::px_pixels_unusable, {.offset = data.offset}, "the pixels of a {}",
         model_.editor == Editor::aseprite ? "cel are damaged or too few"
                                           : "frame are damaged or do not match the canvas size");
  }
}

namespace {

/// Maps between the canvas and a reference layer's image.
class Placement {
 public:
  explicit Placement(const ArtworkReference& reference) : reference_(reference) {
    const double radians = reference.rotation_degrees * (std::numbers::pi / 180);
    cosine_ = std::cos(radians);
    sine_ = std::sin(radians);
    center_x_ = reference.left + reference.width / 2.0;
    center_y_ = reference.top + reference.height / 2.0;
  }

  /// Returns the part of the canvas that the image covers.
  [[nodiscard]] Box box(const Model& model) const noexcept {
    const double width = reference_.width / 2.0, height = reference_.height / 2.0;
    const double across = std::abs(width * cosine_) + std::abs(height * sine_);
    const double down = std::abs(width * sine_) + std::abs(height * cosine_);
    const auto within = [](double value, std::uint32_t max) {
      return static_cast<std::int32_t>(std::clamp(value, 0.0, static_cast<double>(max)));
    };
    return {within(std::floor(center_x_ - across), model.width), within(std::floor(center_y_ - down), model.height),
            within(std::ceil(center_x_ + across), model.width), within(std::ceil(center_y_ + down), model.height)};
  }

  /// Returns the center of a canvas pixel as fractions of the image's width and height: in [0, 1) within the image.
  [[nodiscard]] std::pair<double, double> at(std::int32_t x, std::int32_t y) const noexcept {
    const double across = x + 0.5 - center_x_, down = y + 0.5 - center_y_;
    const double u = (across * cosine_ + down * sine_) / reference_.width + 0.5;
    const double v = (down * cosine_ - across * sine_) / reference_.height + 0.5;
    return {reference_.flipped_horizontally ? 1 - u : u, reference_.flipped_vertically ? 1 - v : v};
  }

 private:
  const ArtworkReference& reference_;
  double cosine_ = 1, sine_ = 0;
  double center_x_ = 0, center_y_ = 0;
};

/// Image downsampled by averaging blocks of texels.
class Texture {
 public:
  Texture(const Bitmap& image, std::uint32_t block_width, std::uint32_t block_height)
      : width_((image.width + block_width - 1) / block_width),
        height_((image.height + block_height - 1) / block_height),
        across_(static_cast<double>(image.width) / block_width),
        down_(static_cast<double>(image.height) / block_height) {
    rgba_.reserve(std::size_t{width_} * height_ * 4);
    for (std::uint32_t top = 0; top < image.height; top += block_height) {
      for (std::uint32_t left = 0; left < image.width; left += block_width) {
        add_average(image, left, top, std::min(block_width, image.width - left),
                    std::min(block_height, image.height - top));
      }
    }
  }

  /// Interpolates between the four texels around a point from Placement::at().
  void sample(double u, double v, std::uint8_t* rgba) const noexcept {
    const double x = std::clamp(u * across_ - 0.5, 0.0, width_ - 1.0);
    const double y = std::clamp(v * down_ - 0.5, 0.0, height_ - 1.0);
    const auto left = static_cast<std::uint32_t>(x), top = static_cast<std::uint32_t>(y);
    const std::uint32_t right = std::min(left + 1, width_ - 1), bottom = std::min(top + 1, height_ - 1);
    const double to_right = x - left, to_bottom = y - top;
    for (std::size_t channel = 0; channel < 4; ++channel) {
      const auto value = [&](std::uint32_t column, std::uint32_t row) {
        return static_cast<double>(rgba_[(std::size_t{row} * width_ + column) * 4 + channel]);
      };
      const double above = std::lerp(value(left, top), value(right, top), to_right);
      const double below = std::lerp(value(left, bottom), value(right, bottom), to_right);
      rgba[channel] = static_cast<std::uint8_t>(std::lround(std::lerp(above, below, to_bottom)));
    }
  }

 private:
  void add_average(const Bitmap& image, std::uint32_t left, std::uint32_t top, std::uint32_t width,
                   std::uint32_t height) {
    std::array<std::uint64_t, 4> sums{};
    for (std::uint32_t y = top; y < top + height; ++y) {
      const std::uint8_t* texel = &image.rgba[(std::size_t{y} * image.width + left) * 4];
      for (std::size_t i = 0; i < std::size_t{width} * 4; ++i) sums[i % 4] += texel[i];
    }
    const std::uint64_t count = std::uint64_t{width} * height;
    for (const std::uint64_t sum : sums) rgba_.push_back(static_cast<std::uint8_t>((sum + count / 2) / count));
  }

  std::uint32_t width_, height_;
  double across_, down_;  ///< In texels; fractional if the last blocks are partial.
  std::vector<std::uint8_t> rgba_;
};

/// Draws a premultiplied image at its layer's place, clipped to the canvas. Downsamples larger images by whole blocks,
/// then samples bilinearly. Copies pixels exactly if the image is neither scaled nor rotated.
Cel place_reference(const Model& model, const Bitmap& image, const ArtworkReference& reference) {
  if (reference.width == 0 || reference.height == 0) return {};
  const Placement place(reference);
  const Box box = place.box(model);
  if (box.empty()) return {};
  const Texture texture(image, std::max(image.width / reference.width, 1U),
                        std::max(image.height / reference.height, 1U));
  std::vector<std::uint8_t> rgba(box.pixels() * 4);
  std::uint8_t* pixel = rgba.data();
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    for (std::int32_t x = box.left; x < box.right; ++x, pixel += 4) {
      const auto [u, v] = place.at(x, y);
      if (u >= 0 && u < 1 && v >= 0 && v < 1) texture.sample(u, v, pixel);
    }
  }
  return trimmed(rgba, box, box);
}

/// Decodes the image of `item`, or returns a message.
Expected<Bitmap, std::string> decoded(const Item& item, std::uint64_t max_pixels) {
  const std::uint32_t width = item.reference->image_width, height = item.reference->image_height;
  if (width == 0 || height == 0) return Unexpected("has an image that is not a PNG");
  const Image image{item.name, width, height, ImageEncoding::png, {item.png.begin(), item.png.end()}};
  auto bitmap = decode(image, {.max_image_pixels = max_pixels});
  if (bitmap) return *std::move(bitmap);
  const Diagnostic& diagnostic = bitmap.error();
  return Unexpected(fmt::format("has an image of {} x {} pixels that {}", width, height, diagnostic.detail));
}

}  // namespace

std::vector<CelPointer> place_references(const Model& model, std::uint64_t max_pixels, Warnings& warnings) {
  std::vector<CelPointer> cels(model.items.size());
  std::vector<bool> tried(model.items.size());
  std::uint64_t pixels_left = max_pixels, covered_left = max_pixels;
  for (const std::uint32_t leaf : find_leaves(model)) {
    const std::uint32_t number = model.nodes[leaf].item;
    const Item& item = model.items[number];
    if (!item.reference || tried[number]) continue;
    tried[number] = true;
    const std::uint64_t covered = Placement(*item.reference).box(model).pixels();
    if (covered > covered_left) {
      warn(warnings, DiagnosticId::px_pixels_unusable, place_of(item),
           "makes the reference layers cover more than the limit of {} image pixels", max_pixels);
      continue;
    }
    const auto image = decoded(item, pixels_left);
    if (!image) {
      warn(warnings, DiagnosticId::px_pixels_unusable, place_of(item), "{}", image.error());
      continue;
    }
    covered_left -= covered;
    pixels_left -= std::uint64_t{image->width} * image->height;
    cels[number] = std::make_shared<const Cel>(place_reference(model, *image, *item.reference));
  }
  return cels;
}

}  // namespace pchr::artwork

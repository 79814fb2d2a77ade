// SPDX-License-Identifier: MIT
// Inflates the pixels of .px files and places them on the canvas.
#include "import/px/pixels.hpp"

#include "character/fail.hpp"

#include <libdeflate.h>

#include <array>
#include <cstring>
#include <memory>

namespace pchr::px {
namespace {

constexpr std::size_t kPixelBytes = 4;
constexpr std::uint16_t kNoTile = 0xFFFF;
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
/// is read. Indices without a color become transparent.
void look_up(std::span<const Rgba> palette, std::span<std::uint8_t> rgba) noexcept {
  std::array<std::array<std::uint8_t, kPixelBytes>, 256> colors{};
  for (std::size_t i = 0; i < std::min(palette.size(), colors.size()); ++i) {
    const Rgba color = palette[i];
    const auto multiplied = [&](std::uint8_t channel) {
      return static_cast<std::uint8_t>((channel * color.alpha + 127) / 255);
    };
    colors[i] = {multiplied(color.red), multiplied(color.green), multiplied(color.blue), color.alpha};
  }
  for (std::size_t pixel = rgba.size() / kPixelBytes; pixel-- > 0;) {
    const auto color = colors[rgba[pixel]];
    std::memcpy(rgba.data() + pixel * kPixelBytes, color.data(), kPixelBytes);
  }
}

/// Inflates exactly the pixels that fill `rgba`: premultiplied RGBA or palette indices, depending on their size.
/// Returns false if the size matches neither.
bool inflate_pixels(std::span<const std::byte> deflated, std::span<const Rgba> palette, std::span<std::uint8_t> rgba) {
  const std::size_t bytes = inflate_raw(deflated, rgba);
  if (bytes == rgba.size()) return true;
  if (bytes == 0 || bytes != rgba.size() / kPixelBytes) return false;
  look_up(palette, rgba);
  return true;
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

Tiles inflate_tileset(const File& file, const Tileset& set, std::uint64_t max_pixels, Warnings& warnings) {
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
  tiles.rgba.resize(set.tile_count * pixels * kPixelBytes);
  std::size_t unusable = 0;
  for (std::size_t i = 0; i < set.tile_count; ++i) {
    const auto place = std::span(tiles.rgba).subspan(i * pixels * kPixelBytes, pixels * kPixelBytes);
    if (inflate_pixels(set.tiles[i], file.palette, place)) continue;
    std::ranges::fill(place, std::uint8_t{0});
    ++unusable;
  }
  if (unusable > 0) {
    warn(warnings, kUnusable, at, "has {} tiles (of {}) that are damaged or do not match the tile size", unusable,
         set.tile_count);
  }
  return tiles;
}

/// Returns the number of cells per row.
std::uint32_t columns_of(const TilemapContent& map, const File& file) noexcept {
  const std::uint64_t cells = map.cells.size() / sizeof(std::uint16_t);
  const std::uint64_t columns = (std::uint64_t{file.width} + map.tile_width - 1) / map.tile_width;
  const std::uint64_t rows = (std::uint64_t{file.height} + map.tile_height - 1) / map.tile_height;
  return cells == columns * rows ? static_cast<std::uint32_t>(columns) : file.width / map.tile_width;
}

/// Draws the tile of each cell, clipped to the canvas.
void lay_tiles(const File& file, const TilemapContent& map, const Tiles& tiles, std::vector<std::uint8_t>& canvas) {
  std::ranges::fill(canvas, std::uint8_t{0});
  if (map.tile_width == 0 || map.tile_height == 0 || tiles.rgba.empty()) return;
  const std::uint32_t columns = columns_of(map, file);
  if (columns == 0) return;
  for (std::size_t cell = 0; cell < map.cells.size() / sizeof(std::uint16_t); ++cell) {
    std::uint16_t tile = kNoTile;
    std::memcpy(&tile, map.cells.data() + cell * sizeof(tile), sizeof(tile));
    const std::uint64_t left = cell % columns * map.tile_width, top = cell / columns * map.tile_height;
    if (top >= file.height) return;
    if (tile == kNoTile || tile >= tiles.tile_count || left >= file.width) continue;
    const std::uint64_t width = std::min<std::uint64_t>({tiles.tile_width, map.tile_width, file.width - left});
    const std::uint64_t height = std::min<std::uint64_t>({tiles.tile_height, map.tile_height, file.height - top});
    for (std::uint32_t y = 0; y < height; ++y) {
      std::memcpy(canvas.data() + ((top + y) * file.width + left) * kPixelBytes, tiles.row(tile, y),
                  width * kPixelBytes);
    }
  }
}

template <typename Items>
std::unordered_map<std::string_view, std::int32_t> numbers_of(const Items& items) {
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (const auto& item : items) numbers.emplace(item.id, static_cast<std::int32_t>(&item - items.data()));
  return numbers;
}

std::int32_t number_of(const std::unordered_map<std::string_view, std::int32_t>& numbers, std::string_view id) {
  const auto found = numbers.find(id);
  return found == numbers.end() ? -1 : found->second;
}

}  // namespace

void Box::include(const Box& other) noexcept {
  if (other.empty()) return;
  if (empty()) *this = other;
  left = std::min(left, other.left);
  top = std::min(top, other.top);
  right = std::max(right, other.right);
  bottom = std::max(bottom, other.bottom);
}

Cel trimmed(Rgba8 rgba, std::size_t width, std::int32_t left, std::int32_t top) {
  const Box box = find_content(rgba, width);
  if (box.empty()) return {};
  Cel cel{{box.left + left, box.top + top, box.right + left, box.bottom + top}};
  cel.rgba.reserve(box.pixels() * kPixelBytes);
  for (auto y = static_cast<std::size_t>(box.top); y < static_cast<std::size_t>(box.bottom); ++y) {
    const std::size_t start = (y * width + static_cast<std::size_t>(box.left)) * kPixelBytes;
    const Rgba8 row = rgba.subspan(start, box.width() * kPixelBytes);
    cel.rgba.insert(cel.rgba.end(), row.begin(), row.end());
  }
  return cel;
}

std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t max_pixels, Warnings& warnings) {
  std::vector<Tiles> result;
  for (const Tileset& set : file.deflated_tilesets) {
    result.push_back(inflate_tileset(file, set, max_pixels, warnings));
    max_pixels -= result.back().rgba.size() / kPixelBytes;
  }
  return result;
}

CelStore::CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels)
    : file_(file),
      tiles_(tiles),
      budget_pixels_(budget_pixels),
      contents_(numbers_of(file.contents)),
      tilemaps_(numbers_of(file.tilemap_contents)),
      tilesets_(numbers_of(file.deflated_tilesets)) {}

std::int32_t CelStore::find(const Item& item, std::string_view content) {
  const bool is_tiled = item.kind == LayerKind::tilemap;
  const std::int32_t number = number_of(is_tiled ? tilemaps_ : contents_, content);
  const std::int32_t tileset = is_tiled ? number_of(tilesets_, item.tileset) : -1;
  if (number < 0 || (is_tiled && tileset < 0)) return kNoCel;
  const auto key = std::uint64_t{static_cast<std::uint32_t>(number)} << 32 | static_cast<std::uint32_t>(tileset);
  const auto [found, is_new] = slot_numbers_.emplace(key, static_cast<std::int32_t>(slots_.size()));
  if (is_new) slots_.emplace_back(number, tileset);
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
  auto made = std::make_shared<const Cel>(make(slot, canvas));
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
  const auto content = static_cast<std::size_t>(slot.content);
  canvas.resize(std::size_t{file_.width} * file_.height * kPixelBytes);
  if (slot.tileset >= 0) {
    lay_tiles(file_, file_.tilemap_contents[content], tiles_[static_cast<std::size_t>(slot.tileset)], canvas);
  } else if (!inflate_pixels(file_.contents[content].deflated, file_.palette, canvas)) {
    slot.unusable = true;
    return {};
  }
  return trimmed(canvas, file_.width);
}

void CelStore::report_unusable(Warnings& warnings) const {
  for (const Slot& slot : slots_) {
    if (!slot.unusable) continue;
    warn(warnings, DiagnosticId::px_pixels_unusable,
         {.offset = file_.contents[static_cast<std::size_t>(slot.content)].offset},
         "the pixels of a frame are damaged or do not match the canvas size");
  }
}

}  // namespace pchr::px

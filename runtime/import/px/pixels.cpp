// SPDX-License-Identifier: MIT
// Inflates and places the pixels of .px files.
#include "import/px/pixels.hpp"

#include "import/diagnose.hpp"

#include <pchr/import/artwork.hpp>

#include <zlib.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>

namespace pchr::px {
namespace {

/// The two bytes with which zlib's format begins.
bool has_zlib_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 2) return false;
  const auto first = std::to_integer<unsigned>(bytes[0]), second = std::to_integer<unsigned>(bytes[1]);
  return (first & 0xF) == Z_DEFLATED && (first * 256 + second) % 31 == 0;
}

using Pixel = std::array<std::uint8_t, 4>;

std::uint8_t multiplied(std::uint8_t channel, std::uint8_t alpha) noexcept {
  return static_cast<std::uint8_t>((channel * alpha + 127) / 255);
}

Pixel premultiplied(const Rgba& color) noexcept {
  return {multiplied(color.red, color.alpha), multiplied(color.green, color.alpha), multiplied(color.blue, color.alpha),
          color.alpha};
}

/// Makes pixels of the indices at the start of `rgba`, from the last to the first: none is overwritten before it is
/// read. An index without a color is transparent.
void look_up(std::span<const Rgba> palette, std::span<std::uint8_t> rgba) noexcept {
  std::array<Pixel, 256> colors{};
  for (std::size_t i = 0; i < std::min(palette.size(), colors.size()); ++i) colors[i] = premultiplied(palette[i]);
  for (std::size_t pixel = rgba.size() / 4; pixel-- > 0;) {
    const Pixel color = colors[rgba[pixel]];
    std::memcpy(rgba.data() + pixel * 4, color.data(), color.size());
  }
}

/// Inflates exactly as many pixels as there is room for in `rgba`: four bytes each, multiplied by alpha, or one byte
/// each, an index into `palette`. Which of the two, their length tells. Returns whether they are there; what `rgba`
/// holds if not is of no use.
bool inflate_pixels(Inflater& inflater, std::span<const std::byte> deflated, std::span<const Rgba> palette,
                    std::span<std::uint8_t> rgba) {
  const std::size_t bytes = inflater.inflate(deflated, rgba);
  if (bytes == rgba.size()) return true;
  if (bytes == 0 || bytes != rgba.size() / 4) return false;
  look_up(palette, rgba);
  return true;
}

using Row = std::span<const std::uint8_t>;

constexpr std::size_t kPixelBytes = 4;

bool is_opaque_at(Row row, std::size_t pixel) noexcept { return row[pixel * kPixelBytes + 3] != 0; }

/// Whether every pixel is transparent. Compilers make vector instructions of the inner loop.
bool is_transparent(Row row) noexcept {
  constexpr std::size_t kBlockPixels = 64;
  std::size_t pixel = 0;
  const std::size_t count = row.size() / kPixelBytes;
  while (pixel < count) {
    const std::size_t end = std::min(pixel + kBlockPixels, count);
    std::uint32_t any = 0;
    for (; pixel < end; ++pixel) {
      std::uint32_t word = 0;
      std::memcpy(&word, row.data() + pixel * kPixelBytes, kPixelBytes);
      any |= word;
    }
    if ((any & 0xFF000000U) != 0) return false;
  }
  return true;
}

/// Of rows of `width` pixels.
Box find_content(std::span<const std::uint8_t> rgba, std::size_t width) noexcept {
  const auto row = [&](std::size_t y) { return rgba.subspan(y * width * kPixelBytes, width * kPixelBytes); };
  std::size_t top = 0, bottom = width == 0 ? 0 : rgba.size() / kPixelBytes / width;
  while (top < bottom && is_transparent(row(top))) ++top;
  while (bottom > top && is_transparent(row(bottom - 1))) --bottom;
  std::size_t left = width, right = 0;
  for (std::size_t y = top; y < bottom; ++y) {
    std::size_t first = 0, last = width;
    while (first < left && !is_opaque_at(row(y), first)) ++first;
    while (last > right && !is_opaque_at(row(y), last - 1)) --last;
    left = std::min(left, first);
    right = std::max(right, last);
  }
  if (top == bottom) return {};
  const auto signed_of = [](std::size_t value) { return static_cast<std::int32_t>(value); };
  return {signed_of(left), signed_of(top), signed_of(right), signed_of(bottom)};
}

constexpr std::uint16_t kNoTile = 0xFFFF;
constexpr std::uint32_t kMaxTileSide = 16384;

Tiles inflate_tileset(const File& file, const Tileset& set, std::uint64_t max_pixels, Inflater& inflater,
                      Warnings& warnings) {
  const auto report = [&](std::string detail) {
    warn(warnings, DiagnosticId::px_pixels_unusable, {.path = "tilesets", .name = set.name, .offset = set.offset}, "{}",
         detail);
  };
  Tiles tiles{set.tile_width, set.tile_height, static_cast<std::uint32_t>(set.tiles.size())};
  const std::uint64_t tile_pixels = std::uint64_t{tiles.width} * tiles.height;
  if (tile_pixels == 0 || std::max(tiles.width, tiles.height) > kMaxTileSide) {
    report(fmt::format("its tiles have {} x {} pixels", tiles.width, tiles.height));
    return tiles;
  }
  if (set.tiles.size() > max_pixels / tile_pixels) {
    report(fmt::format("its {} tiles of {} x {} pixels are more than is allowed", set.tiles.size(), tiles.width,
                       tiles.height));
    return tiles;
  }
  tiles.rgba.resize(set.tiles.size() * tile_pixels * 4);
  std::size_t unusable = 0;
  for (std::size_t i = 0; i < set.tiles.size(); ++i) {
    const auto place = std::span(tiles.rgba).subspan(i * tile_pixels * 4, tile_pixels * 4);
    if (!inflate_pixels(inflater, set.tiles[i], file.palette, place)) {
      std::ranges::fill(place, std::uint8_t{0});
      ++unusable;
    }
  }
  if (unusable > 0) report(fmt::format("{} of its {} tiles are broken or of another size", unusable, set.tiles.size()));
  return tiles;
}

/// How many cells lie side by side.
std::uint32_t columns_of(const TilemapContent& map, std::uint32_t canvas_width, std::uint32_t canvas_height) noexcept {
  const auto rounded_up = [](std::uint64_t size, std::uint64_t cell) { return (size + cell - 1) / cell; };
  const std::uint64_t cells = map.cells.size() / sizeof(std::uint16_t);
  const std::uint64_t more = rounded_up(canvas_width, map.tile_width);
  if (cells == more * rounded_up(canvas_height, map.tile_height)) return static_cast<std::uint32_t>(more);
  return canvas_width / map.tile_width;
}

template <typename Items>
std::unordered_map<std::string_view, std::int32_t> numbers_of(const Items& items) {
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (std::size_t i = 0; i < items.size(); ++i) numbers.emplace(items[i].id, static_cast<std::int32_t>(i));
  return numbers;
}

std::int32_t number_of(const std::unordered_map<std::string_view, std::int32_t>& numbers, std::string_view id) {
  const auto found = numbers.find(id);
  return found == numbers.end() ? -1 : found->second;
}

}  // namespace

struct Inflater::Stream {
  z_stream z{};
};

void Inflater::Free::operator()(Stream* stream) const noexcept {
  inflateEnd(&stream->z);
  delete stream;
}

Inflater::Inflater() : stream_(new Stream) {
  // Without zlib's frame, whose checksum these files do not have.
  inflateInit2(&stream_->z, -MAX_WBITS);
}

std::size_t Inflater::inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out) {
  if (has_zlib_header(deflated)) deflated = deflated.subspan(2);
  constexpr std::size_t kMax = std::numeric_limits<uInt>::max();
  z_stream& z = stream_->z;
  if (out.empty() || out.size() > kMax || inflateReset(&z) != Z_OK) return 0;
  // zlib does not write to what it reads.
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(deflated.data()));
  z.avail_in = static_cast<uInt>(std::min(deflated.size(), kMax));
  z.next_out = out.data();
  z.avail_out = static_cast<uInt>(out.size());
  const int result = ::inflate(&z, Z_FINISH);
  if (result == Z_STREAM_END) return out.size() - z.avail_out;
  return result == Z_BUF_ERROR && z.avail_out == 0 ? out.size() + 1 : 0;
}

/// Inflates exactly as many pixels as there is room for in `rgba`: four bytes each, multiplied by alpha, or one byte
/// each, an index into `palette`. Which of the two, their length tells. Returns whether they are there; what `rgba`
/// holds if not is of no use.
void Box::include(const Box& other) noexcept {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  left = std::min(left, other.left);
  top = std::min(top, other.top);
  right = std::max(right, other.right);
  bottom = std::max(bottom, other.bottom);
}

Cel trimmed(std::span<const std::uint8_t> rgba, std::size_t width, std::int32_t left, std::int32_t top) {
  const Box box = find_content(rgba, width);
  if (box.empty()) return {};
  Cel cel{{box.left + left, box.top + top, box.right + left, box.bottom + top}};
  cel.rgba.reserve(static_cast<std::size_t>(box.pixels()) * kPixelBytes);
  const std::size_t row_bytes = static_cast<std::size_t>(box.width()) * kPixelBytes;
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    const std::size_t start = (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(box.left)) * kPixelBytes;
    const Row row = rgba.subspan(start, row_bytes);
    cel.rgba.insert(cel.rgba.end(), row.begin(), row.end());
  }
  return cel;
}

std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t max_pixels, Warnings& warnings) {
  std::vector<Tiles> result;
  Inflater inflater;
  for (const Tileset& set : file.tilesets) {
    result.push_back(inflate_tileset(file, set, max_pixels, inflater, warnings));
    max_pixels -= result.back().rgba.size() / 4;
  }
  return result;
}

void lay_tiles(const TilemapContent& map, const Tiles& tiles, std::uint32_t canvas_width, std::uint32_t canvas_height,
               std::vector<std::uint8_t>& canvas) {
  std::ranges::fill(canvas, std::uint8_t{0});
  if (map.tile_width == 0 || map.tile_height == 0 || tiles.rgba.empty()) return;
  const std::uint32_t columns = columns_of(map, canvas_width, canvas_height);
  if (columns == 0) return;
  const std::size_t cells = map.cells.size() / sizeof(std::uint16_t);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::uint16_t tile = kNoTile;
    std::memcpy(&tile, map.cells.data() + cell * sizeof(tile), sizeof(tile));
    const std::uint64_t left = cell % columns * map.tile_width, top = cell / columns * map.tile_height;
    if (top >= canvas_height) return;
    if (tile == kNoTile || tile >= tiles.count || left >= canvas_width) continue;
    const std::uint64_t width =
        std::min({std::uint64_t{tiles.width}, std::uint64_t{map.tile_width}, canvas_width - left});
    const std::uint64_t height =
        std::min({std::uint64_t{tiles.height}, std::uint64_t{map.tile_height}, canvas_height - top});
    for (std::uint32_t y = 0; y < height; ++y) {
      std::memcpy(canvas.data() + ((top + y) * canvas_width + left) * 4, tiles.row(tile, y).data(), width * 4);
    }
  }
}

CelStore::CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels)
    : file_(file),
      tiles_(tiles),
      budget_pixels_(budget_pixels),
      contents_(numbers_of(file.contents)),
      tilemaps_(numbers_of(file.tilemap_contents)),
      tilesets_(numbers_of(file.tilesets)) {}

std::int32_t CelStore::find(const Item& item, std::string_view content) {
  const bool is_tiled = item.kind == LayerKind::tilemap;
  const std::int32_t number = number_of(is_tiled ? tilemaps_ : contents_, content);
  const std::int32_t tileset = is_tiled ? number_of(tilesets_, item.tileset) : -1;
  if (number < 0 || (is_tiled && tileset < 0)) return kNoCel;
  const auto key = std::uint64_t{static_cast<std::uint32_t>(number)} << 32 | static_cast<std::uint32_t>(tileset);
  const auto [found, is_new] = slot_numbers_.emplace(key, static_cast<std::int32_t>(slots_.size()));
  if (is_new) {
    Slot& slot = slots_.emplace_back();
    slot.content = number;
    slot.tileset = tileset;
  }
  return found->second;
}

std::int32_t CelStore::add(std::shared_ptr<const Cel> cel) {
  kept_pixels_ += cel->box.pixels();
  slots_.emplace_back().kept = std::move(cel);
  return static_cast<std::int32_t>(slots_.size() - 1);
}

std::shared_ptr<const Cel> CelStore::acquire(std::int32_t cel, CelScratch& scratch) {
  Slot& slot = slots_[static_cast<std::size_t>(cel)];
  const std::lock_guard lock(slot.mutex);
  if (slot.kept) return slot.kept;
  auto made = std::make_shared<const Cel>(make(slot, scratch));
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

Cel CelStore::make(Slot& slot, CelScratch& scratch) const {
  const auto content = static_cast<std::size_t>(slot.content);
  scratch.canvas.resize(std::size_t{file_.width} * file_.height * 4);
  if (slot.tileset >= 0) {
    lay_tiles(file_.tilemap_contents[content], tiles_[static_cast<std::size_t>(slot.tileset)], file_.width,
              file_.height, scratch.canvas);
  } else if (!inflate_pixels(scratch.inflater, file_.contents[content].deflated, file_.palette, scratch.canvas)) {
    slot.unusable = true;
    return {};
  }
  return trimmed(scratch.canvas, file_.width);
}

void CelStore::report_unusable(Warnings& warnings) const {
  for (const Slot& slot : slots_) {
    if (!slot.unusable) continue;
    warn(warnings, DiagnosticId::px_pixels_unusable,
         {.path = "frameContents", .offset = file_.contents[static_cast<std::size_t>(slot.content)].offset},
         "a frame's pixels are broken, or as many as the canvas does not have");
  }
}

}  // namespace pchr::px

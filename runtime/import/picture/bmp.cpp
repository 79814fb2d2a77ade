// SPDX-License-Identifier: MIT
// The BMP format of Windows and OS/2.
#include "import/picture/picture.hpp"

#include "character/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pchr {
namespace {

constexpr std::size_t kFileHeaderBytes = 14;
constexpr std::uint32_t kCoreHeaderBytes = 12, kInfoHeaderBytes = 40, kOs2HeaderBytes = 64;
constexpr std::int64_t kMaxSide = 65535;

enum Compression : std::uint32_t { kPlain = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3, kAlphaBitFields = 6 };

using Rgb = std::array<std::uint8_t, 3>;

struct Bmp {
  std::uint32_t width = 0, height = 0;
  bool top_down = false;
  std::uint32_t bits = 0;
  std::uint32_t compression = kPlain;
  std::array<std::uint32_t, 3> masks{};  ///< Red, green, blue.
  std::vector<Rgb> palette;
  std::span<const std::byte> pixels;

  [[nodiscard]] std::uint32_t row_from_top(std::uint32_t row) const noexcept {
    return top_down ? row : height - 1 - row;
  }
  [[nodiscard]] Rgb color(std::uint32_t index) const noexcept {
    return index < palette.size() ? palette[index] : Rgb{};
  }
};

std::unexpected<std::string> broken(std::string what) { return std::unexpected(std::move(what)); }

/// The fields that all versions of the second header have, and those of the newer ones.
struct Fields {
  std::uint32_t header_bytes = 0, pixel_offset = 0;
  std::int64_t width = 0, height = 0;
  std::uint32_t bits = 0, compression = kPlain, colors = 0;
  std::array<std::uint32_t, 3> masks{};
};

std::optional<Fields> read_fields(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  Fields fields;
  (void)reader.take(10);
  fields.pixel_offset = reader.read<std::uint32_t>();
  fields.header_bytes = reader.read<std::uint32_t>();
  if (fields.header_bytes == kCoreHeaderBytes) {
    fields.width = reader.read<std::uint16_t>();
    fields.height = reader.read<std::uint16_t>();
  } else {
    fields.width = reader.read<std::int32_t>();
    fields.height = reader.read<std::int32_t>();
  }
  (void)reader.take(2);
  fields.bits = reader.read<std::uint16_t>();
  if (fields.header_bytes >= kInfoHeaderBytes) {
    fields.compression = reader.read<std::uint32_t>();
    (void)reader.take(12);
    fields.colors = reader.read<std::uint32_t>();
    (void)reader.take(4);
    const bool has_masks = fields.compression == kBitFields || fields.compression == kAlphaBitFields;
    // They follow the oldest of these headers and are part of the others, in the same place.
    for (std::uint32_t& mask : fields.masks) mask = has_masks ? reader.read<std::uint32_t>() : 0;
  }
  if (reader.failed()) return std::nullopt;
  return fields;
}

bool is_supported(const Fields& fields) noexcept {
  if (fields.header_bytes < kCoreHeaderBytes) return false;
  const std::uint32_t bits = fields.bits;
  switch (fields.compression) {
    case kPlain:
      return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    case kRle8:
      return bits == 8 && fields.height > 0;
    case kRle4:
      return bits == 4 && fields.height > 0;
    case kBitFields:
    case kAlphaBitFields:
      return (bits == 16 || bits == 32) && fields.header_bytes != kOs2HeaderBytes;
    default:
      return false;
  }
}

std::size_t palette_offset(const Fields& fields) noexcept {
  std::size_t offset = kFileHeaderBytes + fields.header_bytes;
  if (fields.header_bytes != kInfoHeaderBytes) return offset;
  if (fields.compression == kBitFields) offset += 12;
  if (fields.compression == kAlphaBitFields) offset += 16;
  return offset;
}

std::vector<Rgb> read_palette(std::span<const std::byte> bytes, const Fields& fields) {
  std::vector<Rgb> palette;
  if (fields.bits > 8) return palette;
  const std::size_t most = std::size_t{1} << fields.bits;
  const std::size_t wanted = fields.colors == 0 ? most : std::min<std::size_t>(fields.colors, most);
  const std::size_t entry_bytes = fields.header_bytes == kCoreHeaderBytes ? 3 : 4;
  ByteReader reader(bytes);
  (void)reader.take(palette_offset(fields));
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto entry = reader.take(entry_bytes);
    if (entry.empty()) break;
    palette.push_back({std::to_integer<std::uint8_t>(entry[2]), std::to_integer<std::uint8_t>(entry[1]),
                       std::to_integer<std::uint8_t>(entry[0])});
  }
  return palette;
}

std::array<std::uint32_t, 3> masks_of(const Fields& fields) noexcept {
  if (fields.compression != kPlain) return fields.masks;
  if (fields.bits == 16) return {0x7C00, 0x03E0, 0x001F};
  return {0xFF0000, 0x00FF00, 0x0000FF};
}

std::expected<Bmp, std::string> read_header(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto fields = read_fields(bytes);
  if (!fields) return broken("the BMP file ends within its header");
  const std::int64_t height = fields->height < 0 ? -fields->height : fields->height;
  if (fields->width < 1 || fields->width > kMaxSide || height < 1 || height > kMaxSide) {
    return broken(fmt::format("the BMP is {} x {}; each side may be 1 to {}", fields->width, height, kMaxSide));
  }
  if (static_cast<std::uint64_t>(fields->width * height) > max_pixels) {
    return broken(
        fmt::format("the BMP is {} x {}; {} pixels are left of the limit", fields->width, height, max_pixels));
  }
  if (!is_supported(*fields)) {
    return broken(
        fmt::format("a BMP of {} bits with compression {} cannot be read", fields->bits, fields->compression));
  }
  Bmp bmp{static_cast<std::uint32_t>(fields->width),
          static_cast<std::uint32_t>(height),
          fields->height < 0,
          fields->bits,
          fields->compression,
          masks_of(*fields),
          read_palette(bytes, *fields),
          {}};
  const std::size_t min_offset = std::min(palette_offset(*fields), bytes.size());
  const bool is_plausible = fields->pixel_offset >= min_offset && fields->pixel_offset <= bytes.size();
  bmp.pixels = bytes.subspan(is_plausible ? fields->pixel_offset : min_offset);
  return bmp;
}

/// A part of a pixel, brought from the range of its mask to 0..255.
std::uint8_t channel(std::uint32_t pixel, std::uint32_t mask) noexcept {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift;
  return static_cast<std::uint8_t>((std::uint64_t{(pixel & mask) >> shift} * 255 + most / 2) / most);
}

Rgb plain_pixel(const Bmp& bmp, std::span<const std::byte> row, std::size_t x) noexcept {
  if (bmp.bits <= 8) {
    const std::size_t bit = x * bmp.bits;
    const auto byte = std::to_integer<std::uint32_t>(row[bit / 8]);
    return bmp.color(byte >> (8 - bmp.bits - bit % 8) & ((1U << bmp.bits) - 1));
  }
  std::uint32_t pixel = 0;
  std::memcpy(&pixel, &row[x * bmp.bits / 8], bmp.bits / 8);
  return {channel(pixel, bmp.masks[0]), channel(pixel, bmp.masks[1]), channel(pixel, bmp.masks[2])};
}

void store(Bitmap& bitmap, std::size_t x, std::size_t y, Rgb color) noexcept {
  std::uint8_t* const pixel = &bitmap.rgba[(y * bitmap.width + x) * 4];
  std::ranges::copy(color, pixel);
  pixel[3] = 255;
}

Bitmap blank(const Bmp& bmp) {
  return {bmp.width, bmp.height, std::vector<std::uint8_t>(std::size_t{4} * bmp.width * bmp.height)};
}

DecodedPicture decode_plain(const Bmp& bmp) {
  const std::size_t row_bytes = (std::size_t{bmp.width} * bmp.bits + 7) / 8;
  const std::size_t stride = (row_bytes + 3) / 4 * 4;
  // The last row's padding is often left away.
  const bool is_whole = bmp.pixels.size() >= row_bytes && (bmp.pixels.size() - row_bytes) / stride >= bmp.height - 1;
  if (!is_whole) {
    return broken(fmt::format("the BMP ends too early: it has {} bytes of pixels, {} rows take {} each",
                              bmp.pixels.size(), bmp.height, stride));
  }
  Bitmap bitmap = blank(bmp);
  for (std::uint32_t row = 0; row < bmp.height; ++row) {
    const auto bytes = bmp.pixels.subspan(row * stride, row_bytes);
    for (std::size_t x = 0; x < bmp.width; ++x) store(bitmap, x, bmp.row_from_top(row), plain_pixel(bmp, bytes, x));
  }
  return bitmap;
}

/// Writes runs of palette indices; what lies outside the picture is left out.
class RunWriter {
 public:
  RunWriter(const Bmp& bmp, Bitmap& bitmap) noexcept : bmp_(bmp), bitmap_(bitmap) {}

  [[nodiscard]] bool is_done() const noexcept { return y_ >= bmp_.height; }
  void put(std::uint32_t index) noexcept {
    if (x_ < bmp_.width && !is_done()) store(bitmap_, x_, bmp_.row_from_top(y_), bmp_.color(index));
    if (x_ < bmp_.width) ++x_;
  }
  void move(std::uint32_t right, std::uint32_t down) noexcept {
    x_ = std::min(x_ + right, bmp_.width);
    y_ = std::min(y_ + down, bmp_.height);
  }
  void end_row() noexcept {
    x_ = 0;
    ++y_;
  }

 private:
  const Bmp& bmp_;
  Bitmap& bitmap_;
  std::uint32_t x_ = 0, y_ = 0;
};

/// Puts `count` pixels whose indices are those of `bytes`, over and over.
void put_run(RunWriter& writer, std::uint32_t count, std::span<const std::byte> bytes, std::uint32_t bits) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<std::uint32_t>(bytes[(bits == 4 ? i / 2 : i) % bytes.size()]);
    writer.put(bits == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15);
  }
}

// A file may end without saying so, and what it does not mention has the first color.
Bitmap decode_runs(const Bmp& bmp) {
  Bitmap bitmap = blank(bmp);
  for (std::size_t pixel = 0; pixel < bitmap.rgba.size() / 4; ++pixel) store(bitmap, pixel, 0, bmp.color(0));
  RunWriter writer(bmp, bitmap);
  ByteReader reader(bmp.pixels);
  while (!writer.is_done()) {
    const std::uint32_t count = reader.read<std::uint8_t>();
    const auto value = reader.take(1);
    if (reader.failed()) break;
    const auto code = std::to_integer<std::uint32_t>(value[0]);
    if (count > 0) {
      put_run(writer, count, value, bmp.bits);
    } else if (code == 0) {
      writer.end_row();
    } else if (code == 1) {
      break;
    } else if (code == 2) {
      const std::uint32_t right = reader.read<std::uint8_t>();
      writer.move(right, reader.read<std::uint8_t>());
    } else {
      const std::size_t bytes = (code * bmp.bits + 7) / 8;
      const auto run = reader.take((bytes + 1) / 2 * 2);
      if (run.empty()) break;
      put_run(writer, code, run, bmp.bits);
    }
  }
  return bitmap;
}

}  // namespace

bool is_bmp(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= kFileHeaderBytes && bytes[0] == std::byte{'B'} && bytes[1] == std::byte{'M'};
}

DecodedPicture decode_bmp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto bmp = read_header(bytes, max_pixels);
  if (!bmp) return std::unexpected(bmp.error());
  if (bmp->compression == kRle8 || bmp->compression == kRle4) return decode_runs(*bmp);
  return decode_plain(*bmp);
}

}  // namespace pchr

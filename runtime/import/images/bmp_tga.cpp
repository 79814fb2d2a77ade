// SPDX-License-Identifier: MIT
// Decodes BMP, of Windows and OS/2, and TGA. stb_image is no substitute on files of strangers: it accepts truncated
// ones, reads indices outside of a BMP's palette from uninitialized memory, and takes garbage in unused bytes for
// alpha. It also rejects run lengths, wide masks and wrong pixel offsets of BMP files, which old editors of Pomyu
// characters write.
#include "import/images/image_file.hpp"

#include "character/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pchr {
namespace {

constexpr std::size_t kFileHeaderBytes = 14;
constexpr std::uint32_t kCoreHeaderBytes = 12, kInfoHeaderBytes = 40, kOs2HeaderBytes = 64;
constexpr std::int64_t kMaxSide = 65535;

enum Compression : std::uint32_t { kPlain = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3, kAlphaBitFields = 6 };

using Rgb = std::array<std::uint8_t, 3>;

struct Bmp {
  std::uint32_t header_bytes = 0, pixel_offset = 0;
  std::int64_t width = 0, height = 0;  ///< Checked and made positive by the reader.
  bool top_down = false;
  std::uint16_t bits = 0;
  std::uint32_t compression = kPlain, colors = 0;
  std::array<std::uint32_t, 3> masks{};  ///< Red, green, blue.
  std::vector<Rgb> palette{};
  std::span<const std::byte> pixels{};

  [[nodiscard]] Rgb color(std::uint32_t index) const noexcept {
    return index < palette.size() ? palette[index] : Rgb{};
  }
};

/// Reads the headers of any version. Returns nothing if they are truncated.
std::optional<Bmp> read_headers(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  Bmp bmp;
  (void)reader.take(10);
  reader.read_into(bmp.pixel_offset, bmp.header_bytes);
  const auto read_side = [&] {
    return bmp.header_bytes == kCoreHeaderBytes ? reader.read<std::uint16_t>() : reader.read<std::int32_t>();
  };
  bmp.width = read_side();
  bmp.height = read_side();
  (void)reader.take(2);
  bmp.bits = reader.read<std::uint16_t>();
  if (bmp.header_bytes >= kInfoHeaderBytes) {
    bmp.compression = reader.read<std::uint32_t>();
    (void)reader.take(12);
    bmp.colors = reader.read<std::uint32_t>();
    (void)reader.take(4);
    // The masks follow the oldest header, and are part of the newer ones at the same offset.
    const bool has_masks = bmp.compression == kBitFields || bmp.compression == kAlphaBitFields;
    if (has_masks) reader.read_into(bmp.masks);
  }
  bmp.top_down = bmp.height < 0;
  bmp.height = bmp.top_down ? -bmp.height : bmp.height;
  if (bmp.compression == kPlain && bmp.bits == 16) bmp.masks = {0x7C00, 0x03E0, 0x001F};
  if (bmp.compression == kPlain && bmp.bits != 16) bmp.masks = {0xFF0000, 0x00FF00, 0x0000FF};
  return reader.failed() ? std::nullopt : std::optional(std::move(bmp));
}

bool is_supported(const Bmp& bmp) noexcept {
  if (bmp.header_bytes < kCoreHeaderBytes) return false;
  const std::uint32_t bits = bmp.bits;
  switch (bmp.compression) {
    case kPlain:
      return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    case kRle8:
      return bits == 8 && !bmp.top_down;
    case kRle4:
      return bits == 4 && !bmp.top_down;
    case kBitFields:
    case kAlphaBitFields:
      return (bits == 16 || bits == 32) && bmp.header_bytes != kOs2HeaderBytes;
    default:
      return false;
  }
}

std::size_t palette_offset(const Bmp& bmp) noexcept {
  const std::size_t offset = kFileHeaderBytes + bmp.header_bytes;
  if (bmp.header_bytes != kInfoHeaderBytes) return offset;
  return offset + (bmp.compression == kBitFields ? 12 : bmp.compression == kAlphaBitFields ? 16 : 0);
}

std::vector<Rgb> read_palette(std::span<const std::byte> bytes, const Bmp& bmp) {
  std::vector<Rgb> palette;
  if (bmp.bits > 8) return palette;
  const std::uint32_t max = 1U << bmp.bits;
  const std::uint32_t count = bmp.colors == 0 ? max : std::min(bmp.colors, max);
  ByteReader reader(bytes);
  (void)reader.take(palette_offset(bmp));
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [blue, green, red] = reader.read<Rgb>();
    if (bmp.header_bytes != kCoreHeaderBytes) (void)reader.take(1);
    if (reader.failed()) break;
    palette.push_back({red, green, blue});
  }
  return palette;
}

Expected<Bmp, std::string> read_bmp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  auto bmp = read_headers(bytes);
  if (!bmp) return Unexpected("the BMP header is truncated");
  if (bmp->width < 1 || bmp->width > kMaxSide || bmp->height < 1 || bmp->height > kMaxSide) {
    return Unexpected(
        fmt::format("the BMP is {} x {} pixels, but each side must be 1 to {}", bmp->width, bmp->height, kMaxSide));
  }
  if (static_cast<std::uint64_t>(bmp->width * bmp->height) > max_pixels) {
    return Unexpected(fmt::format("the BMP is {} x {} pixels, but only {} more pixels are allowed", bmp->width,
                                  bmp->height, max_pixels));
  }
  if (!is_supported(*bmp)) {
    return Unexpected(
        fmt::format("BMP files of {} bits with compression {} are not supported", bmp->bits, bmp->compression));
  }
  bmp->palette = read_palette(bytes, *bmp);
  const std::size_t min_offset = std::min(palette_offset(*bmp), bytes.size());
  const bool is_plausible = bmp->pixel_offset >= min_offset && bmp->pixel_offset <= bytes.size();
  bmp->pixels = bytes.subspan(is_plausible ? bmp->pixel_offset : min_offset);
  return *std::move(bmp);
}

/// Extracts a channel of a pixel, scaled from the range of its mask to 0..255.
std::uint8_t channel(std::uint32_t pixel, std::uint32_t mask) noexcept {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const std::uint64_t max = mask >> shift;
  return static_cast<std::uint8_t>((std::uint64_t{(pixel & mask) >> shift} * 255 + max / 2) / max);
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

/// Stores a pixel of row `y`, counted in file order.
void store(const Bmp& bmp, Bitmap& bitmap, std::size_t x, std::size_t y, Rgb color) noexcept {
  const std::size_t row = bmp.top_down ? y : bitmap.height - 1 - y;
  std::uint8_t* const pixel = &bitmap.rgba[(row * bitmap.width + x) * 4];
  std::ranges::copy(color, pixel);
  pixel[3] = 255;
}

DecodedImage decode_plain(const Bmp& bmp, Bitmap bitmap) {
  const std::size_t row_bytes = (std::size_t{bitmap.width} * bmp.bits + 7) / 8;
  const std::size_t stride = (row_bytes + 3) / 4 * 4;
  // Many files omit the padding of the last row.
  const bool is_whole = bmp.pixels.size() >= row_bytes && (bmp.pixels.size() - row_bytes) / stride >= bitmap.height - 1;
  if (!is_whole) {
    return Unexpected(fmt::format("the BMP is truncated: it has {} bytes of pixels, but {} rows of {} bytes",
                                  bmp.pixels.size(), bmp.height, stride));
  }
  for (std::size_t y = 0; y < bitmap.height; ++y) {
    const auto bytes = bmp.pixels.subspan(y * stride, row_bytes);
    for (std::size_t x = 0; x < bitmap.width; ++x) store(bmp, bitmap, x, y, plain_pixel(bmp, bytes, x));
  }
  return bitmap;
}

// Files can end without an end code. Skipped pixels have the first color.
Bitmap decode_runs(const Bmp& bmp, Bitmap bitmap) {
  std::uint32_t x = 0, y = 0;
  // Stores `count` pixels whose indices repeat `bytes`, clipped to the row.
  const auto put_run = [&](std::uint32_t count, std::span<const std::byte> bytes) {
    for (std::uint32_t i = 0; i < count && x < bitmap.width; ++i) {
      const auto byte = std::to_integer<std::uint32_t>(bytes[(bmp.bits == 4 ? i / 2 : i) % bytes.size()]);
      store(bmp, bitmap, x++, y, bmp.color(bmp.bits == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15));
    }
  };
  for (std::size_t row = 0; row < bitmap.height; ++row) {
    for (std::size_t column = 0; column < bitmap.width; ++column) store(bmp, bitmap, column, row, bmp.color(0));
  }
  ByteReader reader(bmp.pixels);
  while (y < bitmap.height) {
    const std::uint32_t count = reader.read<std::uint8_t>();
    const auto value = reader.take(1);
    if (reader.failed()) break;
    const auto code = std::to_integer<std::uint32_t>(value[0]);
    if (count > 0) {
      put_run(count, value);
    } else if (code == 0) {
      x = 0;
      ++y;
    } else if (code == 1) {
      break;
    } else if (code == 2) {
      x = std::min(x + reader.read<std::uint8_t>(), bitmap.width);
      y += reader.read<std::uint8_t>();
    } else {
      const auto run = reader.take((code * bmp.bits + 15) / 16 * 2);
      if (run.empty()) break;
      put_run(code, run);
    }
  }
  return bitmap;
}

using Pixel = std::array<std::uint8_t, 4>;

constexpr std::uint8_t kMapped = 1, kColor = 2, kGray = 3, kRunLengths = 8;
constexpr std::uint8_t kAlphaBits = 0x0F, kRightToLeft = 0x10, kTopDown = 0x20;

struct TgaHeader {
  std::uint8_t name_bytes = 0, has_table = 0, kind = 0;
  std::uint16_t first_entry = 0, entries = 0;
  std::uint8_t entry_bits = 0;
  std::uint16_t x = 0, y = 0, width = 0, height = 0;
  std::uint8_t bits = 0, layout = 0;
};

TgaHeader read_tga_header(ByteReader& reader) noexcept {
  TgaHeader header;
  reader.read_into(header.name_bytes, header.has_table, header.kind, header.first_entry, header.entries,
                   header.entry_bits, header.x, header.y, header.width, header.height, header.bits, header.layout);
  return header;
}

bool is_known_tga(const TgaHeader& header) noexcept {
  const std::uint8_t kind = header.kind & ~kRunLengths;
  const auto is_color = [](std::uint8_t bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; };
  if ((header.layout & kRightToLeft) != 0) return false;
  if (kind == kMapped) return header.has_table == 1 && header.bits == 8 && is_color(header.entry_bits);
  return (kind == kGray && header.bits == 8) || (kind == kColor && is_color(header.bits));
}

Pixel read_color(ByteReader& reader, std::uint8_t bits, bool has_alpha) {
  if (bits <= 16) {
    const auto value = reader.read<std::uint16_t>();
    const auto channel = [&](int shift) { return static_cast<std::uint8_t>((value >> shift & 31) * 255 / 31); };
    return {channel(10), channel(5), channel(0), 255};
  }
  const auto [blue, green, red] = reader.read<std::array<std::uint8_t, 3>>();
  const std::uint8_t alpha = bits == 32 ? reader.read<std::uint8_t>() : 255;
  return {red, green, blue, has_alpha ? alpha : std::uint8_t{255}};
}

void read_tga_pixels(ByteReader& reader, const TgaHeader& header, std::vector<std::uint8_t>& rgba) {
  const int kind = header.kind & ~kRunLengths;
  const bool has_runs = (header.kind & kRunLengths) != 0;
  // Bits that are not declared as alpha can hold garbage.
  const bool has_alpha = (header.layout & kAlphaBits) != 0;
  std::vector<Pixel> table;
  if (header.has_table == 1 && kind == kMapped) {
    for (std::uint32_t i = 0; i < header.entries; ++i) {
      table.push_back(read_color(reader, header.entry_bits, has_alpha));
    }
  } else if (header.has_table == 1) {
    // Skip the table: it is only meant for displays with few colors.
    (void)reader.take(std::size_t{header.entries} * ((header.entry_bits + 7U) / 8U));
  }
  const auto read_pixel = [&]() -> Pixel {
    if (kind == kColor) return read_color(reader, header.bits, has_alpha);
    const auto value = reader.read<std::uint8_t>();
    if (kind == kGray) return {value, value, value, 255};
    const std::uint32_t entry = std::uint32_t{value} - header.first_entry;
    return entry < table.size() ? table[entry] : Pixel{0, 0, 0, 255};
  };
  for (auto out = rgba.begin(); out != rgba.end() && !reader.failed();) {
    const auto packet = has_runs ? reader.read<std::uint8_t>() : std::uint8_t{0};
    const bool repeats = (packet & 0x80) != 0;
    Pixel pixel{};
    for (int i = 0; i <= (packet & 0x7F) && out != rgba.end(); ++i) {
      if (i == 0 || !repeats) pixel = read_pixel();
      out = std::ranges::copy(pixel, out).out;
    }
  }
}

}  // namespace

DecodedImage decode_bmp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto bmp = read_bmp(bytes, max_pixels);
  if (!bmp) return Unexpected(bmp.error());
  Bitmap bitmap{static_cast<std::uint32_t>(bmp->width), static_cast<std::uint32_t>(bmp->height), {}};
  bitmap.rgba.resize(std::size_t{4} * bitmap.width * bitmap.height);
  const bool has_runs = bmp->compression == kRle8 || bmp->compression == kRle4;
  return has_runs ? decode_runs(*bmp, std::move(bitmap)) : decode_plain(*bmp, std::move(bitmap));
}

bool looks_like_tga(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  const TgaHeader header = read_tga_header(reader);
  return !reader.failed() && is_known_tga(header) && header.has_table <= 1 && header.width > 0 && header.height > 0;
}

DecodedImage decode_tga(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  ByteReader reader(bytes);
  const TgaHeader header = read_tga_header(reader);
  (void)reader.take(header.name_bytes);
  if (reader.failed()) return Unexpected("the TGA header is truncated");
  if (!is_known_tga(header)) {
    return Unexpected(fmt::format("TGA files of type {} with {} bits are not supported", header.kind, header.bits));
  }
  if (auto problem = size_problem(header.width, header.height, max_pixels)) return Unexpected(*std::move(problem));
  const std::size_t row_bytes = std::size_t{4} * header.width;
  Bitmap bitmap{header.width, header.height, std::vector<std::uint8_t>(row_bytes * header.height)};
  read_tga_pixels(reader, header, bitmap.rgba);
  if (reader.failed()) return Unexpected("the TGA is truncated");
  if ((header.layout & kTopDown) == 0) {
    const std::span rows(bitmap.rgba);
    for (std::size_t top = 0, bottom = header.height - 1U; top < bottom; ++top, --bottom) {
      std::ranges::swap_ranges(rows.subspan(top * row_bytes, row_bytes), rows.subspan(bottom * row_bytes, row_bytes));
    }
  }
  return bitmap;
}

}  // namespace pchr

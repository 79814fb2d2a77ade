// SPDX-License-Identifier: MIT
// Decodes TGA files.
#include "import/images/image_file.hpp"

#include "character/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pchr {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

constexpr std::uint8_t kMapped = 1, kColor = 2, kGray = 3, kRunLengths = 8;
constexpr std::uint8_t kAlphaBits = 0x0F, kRightToLeft = 0x10, kTopDown = 0x20;

struct Header {
  std::uint8_t name_bytes = 0, has_table = 0, kind = 0;
  std::uint16_t first_entry = 0, entries = 0;
  std::uint8_t entry_bits = 0;
  std::uint16_t x = 0, y = 0, width = 0, height = 0;
  std::uint8_t bits = 0, layout = 0;
};

Header read_header(ByteReader& reader) noexcept {
  Header header;
  reader.read_into(header.name_bytes, header.has_table, header.kind, header.first_entry, header.entries,
                   header.entry_bits, header.x, header.y, header.width, header.height, header.bits, header.layout);
  return header;
}

bool is_known(const Header& header) noexcept {
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

void read_pixels(ByteReader& reader, const Header& header, std::vector<std::uint8_t>& rgba) {
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

bool looks_like_tga(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  const Header header = read_header(reader);
  return !reader.failed() && is_known(header) && header.has_table <= 1 && header.width > 0 && header.height > 0;
}

DecodedImage decode_tga(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  ByteReader reader(bytes);
  const Header header = read_header(reader);
  (void)reader.take(header.name_bytes);
  if (reader.failed()) return Unexpected("the TGA header is truncated");
  if (!is_known(header)) {
    return Unexpected(fmt::format("TGA files of type {} with {} bits are not supported", header.kind, header.bits));
  }
  if (auto problem = size_problem(header.width, header.height, max_pixels)) return Unexpected(*std::move(problem));
  const std::size_t row_bytes = std::size_t{4} * header.width;
  Bitmap bitmap{header.width, header.height, std::vector<std::uint8_t>(row_bytes * header.height)};
  read_pixels(reader, header, bitmap.rgba);
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

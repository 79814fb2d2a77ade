// SPDX-License-Identifier: MIT
// The TGA format.
#include "import/picture/picture.hpp"

#include "character/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pchr {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

constexpr std::uint8_t kMapped = 1, kColor = 2, kGrey = 3, kRunLengths = 8;
constexpr std::uint8_t kAlphaBits = 0x0F, kRightToLeft = 0x10, kTopDown = 0x20;

struct Header {
  std::uint8_t name_bytes = 0, has_table = 0, kind = 0;
  std::uint16_t first_entry = 0, entries = 0;
  std::uint8_t entry_bits = 0;
  std::uint16_t width = 0, height = 0;
  std::uint8_t bits = 0, layout = 0;
};

Header read_header(ByteReader& reader) noexcept {
  Header header;
  header.name_bytes = reader.read<std::uint8_t>();
  header.has_table = reader.read<std::uint8_t>();
  header.kind = reader.read<std::uint8_t>();
  header.first_entry = reader.read<std::uint16_t>();
  header.entries = reader.read<std::uint16_t>();
  header.entry_bits = reader.read<std::uint8_t>();
  (void)reader.take(4);  // Where on a screen it belongs.
  header.width = reader.read<std::uint16_t>();
  header.height = reader.read<std::uint16_t>();
  header.bits = reader.read<std::uint8_t>();
  header.layout = reader.read<std::uint8_t>();
  return header;
}

bool is_known(const Header& header) noexcept {
  const std::uint8_t kind = header.kind & ~kRunLengths;
  const auto is_color = [](std::uint8_t bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; };
  if ((header.layout & kRightToLeft) != 0) return false;
  if (kind == kMapped) return header.has_table == 1 && header.bits == 8 && is_color(header.entry_bits);
  return (kind == kGrey && header.bits == 8) || (kind == kColor && is_color(header.bits));
}

/// Reads pixels of one kind.
class PixelReader {
 public:
  PixelReader(ByteReader& reader, const Header& header)
      : reader_(reader), kind_(header.kind & ~kRunLengths), bits_(header.bits) {
    // Where no bits are said to be alpha, what is there is anything.
    has_alpha_ = (header.layout & kAlphaBits) != 0;
    first_entry_ = header.first_entry;
    if (header.has_table != 1) return;
    if (kind_ != kMapped) {
      // A table for programs that show few colors, of entries of any size.
      (void)reader.take(std::size_t{header.entries} * ((header.entry_bits + 7U) / 8U));
      return;
    }
    for (std::uint32_t i = 0; i < header.entries; ++i) table_.push_back(color(header.entry_bits));
  }

  Pixel read() {
    if (kind_ == kColor) return color(bits_);
    const auto value = reader_.read<std::uint8_t>();
    if (kind_ == kGrey) return {value, value, value, 255};
    const std::uint32_t entry = std::uint32_t{value} - first_entry_;
    return entry < table_.size() ? table_[entry] : Pixel{0, 0, 0, 255};
  }

 private:
  Pixel color(std::uint8_t bits) {
    if (bits <= 16) {
      const auto value = reader_.read<std::uint16_t>();
      const auto channel = [&](int shift) { return static_cast<std::uint8_t>((value >> shift & 31) * 255 / 31); };
      return {channel(10), channel(5), channel(0), 255};
    }
    Pixel bgra{0, 0, 0, 255};
    const auto stored = reader_.take(bits / 8U);
    for (std::size_t i = 0; i < stored.size(); ++i) bgra[i] = std::to_integer<std::uint8_t>(stored[i]);
    if (!has_alpha_) bgra[3] = 255;
    return {bgra[2], bgra[1], bgra[0], bgra[3]};
  }

  ByteReader& reader_;
  std::uint8_t kind_, bits_;
  bool has_alpha_ = false;
  std::vector<Pixel> table_;
  std::uint32_t first_entry_ = 0;
};

void read_pixels(ByteReader& reader, PixelReader& pixels, bool run_lengths, std::vector<std::uint8_t>& rgba) {
  std::size_t at = 0;
  const auto put = [&](const Pixel& pixel) {
    std::ranges::copy(pixel, rgba.begin() + static_cast<std::ptrdiff_t>(at));
    at += pixel.size();
  };
  while (at < rgba.size() && !reader.failed()) {
    if (!run_lengths) {
      put(pixels.read());
      continue;
    }
    const auto packet = reader.read<std::uint8_t>();
    const bool repeats = (packet & 0x80) != 0;
    Pixel pixel{};
    for (int i = 0; i <= (packet & 0x7F) && at < rgba.size(); ++i) {
      if (i == 0 || !repeats) pixel = pixels.read();
      put(pixel);
    }
  }
}

}  // namespace

bool looks_like_tga(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  const Header header = read_header(reader);
  return !reader.failed() && is_known(header) && header.has_table <= 1 && header.width > 0 && header.height > 0;
}

DecodedPicture decode_tga(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  ByteReader reader(bytes);
  const Header header = read_header(reader);
  (void)reader.take(header.name_bytes);
  if (reader.failed()) return std::unexpected("the TGA file ends within its header");
  if (!is_known(header)) {
    return std::unexpected(
        fmt::format("it is no TGA file of a known kind (kind {}, {} bits)", header.kind, header.bits));
  }
  if (auto problem = size_problem(header.width, header.height, max_pixels)) {
    return std::unexpected(*std::move(problem));
  }
  Bitmap bitmap{header.width, header.height, std::vector<std::uint8_t>(std::size_t{4} * header.width * header.height)};
  PixelReader pixels(reader, header);
  read_pixels(reader, pixels, (header.kind & kRunLengths) != 0, bitmap.rgba);
  if (reader.failed()) return std::unexpected("the TGA file ends too early");
  if ((header.layout & kTopDown) == 0) {
    const auto row = static_cast<std::ptrdiff_t>(std::size_t{4} * header.width);
    for (std::ptrdiff_t top = 0, bottom = header.height - 1; top < bottom; ++top, --bottom) {
      std::swap_ranges(bitmap.rgba.begin() + top * row, bitmap.rgba.begin() + (top + 1) * row,
                       bitmap.rgba.begin() + bottom * row);
    }
  }
  return bitmap;
}

}  // namespace pchr

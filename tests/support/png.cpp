// SPDX-License-Identifier: MIT
// PNG files composed chunk by chunk, valid or not.
#include "support/png.hpp"

#include <libdeflate.h>

#include <memory>

namespace pchr::test {
namespace {

constexpr int kFastLevel = 1;

void append_big_endian(Bytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

/// Prepends filter type 0 (none) to each row of `row_bytes` bytes.
Bytes unfiltered(std::span<const std::uint8_t> pixels, std::size_t row_bytes) {
  Bytes rows;
  rows.reserve(pixels.size() + pixels.size() / row_bytes);
  for (; pixels.size() >= row_bytes; pixels = pixels.subspan(row_bytes)) {
    rows.push_back(std::byte{0});
    const std::span<const std::byte> row = std::as_bytes(pixels.first(row_bytes));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

/// First pixel and step of an interlacing pass.
struct Pass {
  std::uint32_t left, top, x_step, y_step;
};
constexpr Pass kWhole[] = {{0, 0, 1, 1}};
constexpr Pass kAdam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                           {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

/// Packs samples of 1 to 16 bits, the first in the highest bits. Each row starts at a new byte.
class RowWriter {
 public:
  RowWriter(Bytes& rows, unsigned bits) : rows_(rows), bits_(bits) {}

  void put(std::uint16_t sample) {
    if (bits_ == 16) rows_.push_back(static_cast<std::byte>(sample >> 8));
    if (bits_ >= 8) return rows_.push_back(static_cast<std::byte>(sample));
    if (used_bits_ % 8 == 0) rows_.push_back(std::byte{0});
    used_bits_ += bits_;
    rows_.back() |= static_cast<std::byte>(sample << ((8 - used_bits_ % 8) % 8));
  }

 private:
  Bytes& rows_;
  unsigned bits_, used_bits_ = 0;
};

}  // namespace

unsigned channels_of(const PngHeader& header) noexcept {
  return header.color_type == 2 ? 3 : header.color_type == 4 ? 2 : header.color_type == 6 ? 4 : 1;
}

Bytes png_of_samples(const PngHeader& header, std::span<const std::uint16_t> samples,
                     std::span<const std::byte> palette) {
  Bytes rows;
  const std::size_t channels = channels_of(header);
  for (const Pass& pass : header.interlace != 0 ? std::span<const Pass>(kAdam7) : std::span<const Pass>(kWhole)) {
    if (pass.left >= header.width) continue;
    for (std::size_t y = pass.top; y < header.height; y += pass.y_step) {
      rows.push_back(std::byte{0});
      RowWriter row(rows, header.bit_depth);
      for (std::size_t x = pass.left; x < header.width; x += pass.x_step) {
        for (const std::uint16_t sample : samples.subspan((y * header.width + x) * channels, channels)) row.put(sample);
      }
    }
  }
  Bytes png = png_start(header);
  if (!palette.empty()) png_chunk(png, "PLTE", palette);
  png_chunk(png, "IDAT", deflate(rows, kFastLevel));
  png_chunk(png, "IEND", {});
  return png;
}

Bytes png_start(const PngHeader& header) {
  Bytes png;
  for (const int byte : {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A}) png.push_back(static_cast<std::byte>(byte));
  Bytes data;
  append_big_endian(data, header.width);
  append_big_endian(data, header.height);
  for (const std::uint8_t byte :
       {header.bit_depth, header.color_type, std::uint8_t{0}, std::uint8_t{0}, header.interlace}) {
    data.push_back(std::byte{byte});
  }
  png_chunk(png, "IHDR", data);
  return png;
}

void png_chunk(Bytes& png, std::string_view type, std::span<const std::byte> data) {
  append_big_endian(png, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = png.size();
  for (const char letter : type) png.push_back(static_cast<std::byte>(letter));
  png.insert(png.end(), data.begin(), data.end());
  append_big_endian(png, libdeflate_crc32(0, png.data() + start, png.size() - start));
}

Bytes deflate(std::span<const std::byte> rows, int level) {
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(level));
  Bytes packed(libdeflate_zlib_compress_bound(compressor.get(), rows.size()));
  packed.resize(libdeflate_zlib_compress(compressor.get(), rows.data(), rows.size(), packed.data(), packed.size()));
  return packed;
}

Bytes png_of_rows(const PngHeader& header, std::span<const std::byte> rows, int level) {
  Bytes png = png_start(header);
  png_chunk(png, "IDAT", deflate(rows, level));
  png_chunk(png, "IEND", {});
  return png;
}

Bytes png_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba) {
  return png_of_rows({width, height, 8, 6, 0}, unfiltered(rgba, std::size_t{width} * 4), kFastLevel);
}

Bytes png_of_rgb(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgb) {
  return png_of_rows({width, height, 8, 2, 0}, unfiltered(rgb, std::size_t{width} * 3), kFastLevel);
}

}  // namespace pchr::test

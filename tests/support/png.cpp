// SPDX-License-Identifier: MIT
// PNG files made chunk by chunk, valid or not.
#include "support/png.hpp"

#include <zlib.h>

namespace pchr::test {
namespace {

void append_big_endian(Bytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

}  // namespace

Bytes png_start(const PngHeader& header) {
  Bytes png;
  for (const int byte : {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A}) png.push_back(static_cast<std::byte>(byte));
  Bytes data;
  append_big_endian(data, header.width);
  append_big_endian(data, header.height);
  for (const std::uint8_t byte :
       {header.bit_depth, header.colour_type, std::uint8_t{0}, std::uint8_t{0}, header.interlace}) {
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
  const auto crc = crc32_z(0, reinterpret_cast<const unsigned char*>(png.data()) + start, png.size() - start);
  append_big_endian(png, static_cast<std::uint32_t>(crc));
}

Bytes deflate(std::span<const std::byte> rows) {
  uLongf size = compressBound(rows.size());
  Bytes packed(size);
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size(),
            9);
  packed.resize(size);
  return packed;
}

Bytes png_of_rows(const PngHeader& header, std::span<const std::byte> rows) {
  Bytes png = png_start(header);
  png_chunk(png, "IDAT", deflate(rows));
  png_chunk(png, "IEND", {});
  return png;
}

Bytes png_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba) {
  Bytes rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows.push_back(std::byte{0});
    for (std::uint32_t i = 0; i < width * 4; ++i) rows.push_back(std::byte{rgba[y * width * 4 + i]});
  }
  return png_of_rows({width, height, 8, 6, 0}, rows);
}

}  // namespace pchr::test

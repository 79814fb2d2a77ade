// SPDX-License-Identifier: MIT
// Writes PNG files (ISO/IEC 15948): filters each row for the smallest bytes, then deflates.
#include "image/image.hpp"

#include <pchr/image.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

namespace pchr {
namespace {

constexpr std::size_t kPixelBytes = 4;
constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 20;

void append_big_endian(std::vector<std::byte>& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

void append_chunk(std::vector<std::byte>& png, std::string_view type, std::span<const std::byte> data) {
  append_big_endian(png, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = png.size();
  const auto letters = std::as_bytes(std::span(type));
  png.insert(png.end(), letters.begin(), letters.end());
  png.insert(png.end(), data.begin(), data.end());
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(png.data()) + start, png.size() - start);
  append_big_endian(png, static_cast<std::uint32_t>(crc));
}

/// Compresses data into IDAT chunks.
class ImageData {
 public:
  explicit ImageData(std::vector<std::byte>& png) : png_(png), packed_(kMaxChunkBytes) {
    if (deflateInit2(&stream_, 6, Z_DEFLATED, 15, 9, Z_FILTERED) != Z_OK) throw std::bad_alloc();
    empty_packed();
  }
  ImageData(const ImageData&) = delete;
  ImageData& operator=(const ImageData&) = delete;
  ~ImageData() { deflateEnd(&stream_); }

  void add(std::span<std::uint8_t> bytes) {
    stream_.next_in = bytes.data();
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0) {
      deflate(&stream_, Z_NO_FLUSH);
      if (stream_.avail_out == 0) write_chunk();
    }
  }

  void finish() {
    while (deflate(&stream_, Z_FINISH) != Z_STREAM_END) write_chunk();
    write_chunk();
  }

 private:
  void write_chunk() {
    append_chunk(png_, "IDAT", std::span(packed_).first(packed_.size() - stream_.avail_out));
    empty_packed();
  }

  void empty_packed() {
    stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_out = static_cast<uInt>(packed_.size());
  }

  std::vector<std::byte>& png_;
  std::vector<std::byte> packed_;
  z_stream stream_{};
};

int paeth(int left, int above, int corner) {
  const int to_left = std::abs(above - corner);
  const int to_above = std::abs(left - corner);
  const int to_corner = std::abs(left + above - 2 * corner);
  const int nearest_of_both = to_above <= to_corner ? above : corner;
  return to_left <= to_above && to_left <= to_corner ? left : nearest_of_both;
}

/// A filtered row: the filter type, then each byte minus its prediction.
using Row = std::vector<std::uint8_t>;

/// Filters a row by `predict(left, above, corner)`.
template <class Predict>
void filter(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above, Row& filtered, Predict predict) {
  std::uint8_t* out = filtered.data() + 1;
  for (std::size_t i = 0; i < kPixelBytes; ++i) out[i] = static_cast<std::uint8_t>(row[i] - predict(0, above[i], 0));
  for (std::size_t i = kPixelBytes; i < row.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(row[i] - predict(row[i - kPixelBytes], above[i], above[i - kPixelBytes]));
  }
}

/// Filters `row` with every PNG filter, in order of type.
void filter(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above, std::array<Row, 5>& filtered) {
  filter(row, above, filtered[0], [](int, int, int) { return 0; });
  filter(row, above, filtered[1], [](int left, int, int) { return left; });
  filter(row, above, filtered[2], [](int, int up, int) { return up; });
  filter(row, above, filtered[3], [](int left, int up, int) { return (left + up) / 2; });
  filter(row, above, filtered[4], paeth);
}

/// Sums the filtered bytes as signed magnitudes, the usual estimate of how badly a row compresses.
std::uint64_t weight_of(const Row& row) {
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i < row.size(); ++i) sum += row[i] < 128 ? row[i] : 256U - row[i];
  return sum;
}

Row& lightest(std::array<Row, 5>& rows) {
  std::array<std::uint64_t, 5> weights;
  std::ranges::transform(rows, weights.begin(), weight_of);
  return rows[static_cast<std::size_t>(std::ranges::min_element(weights) - weights.begin())];
}

}  // namespace

std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height, std::span<const std::byte> rgba) {
  std::vector<std::byte> png;
  for (const int byte : {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A}) png.push_back(static_cast<std::byte>(byte));
  std::vector<std::byte> header;
  append_big_endian(header, width);
  append_big_endian(header, height);
  for (const int byte : {8, 6, 0, 0, 0}) header.push_back(static_cast<std::byte>(byte));
  append_chunk(png, "IHDR", header);

  const std::size_t row_bytes = std::size_t{width} * kPixelBytes;
  const std::span pixels(reinterpret_cast<const std::uint8_t*>(rgba.data()), rgba.size());
  const Row nothing(row_bytes);
  std::array<Row, 5> filtered;
  for (std::size_t type = 0; type < filtered.size(); ++type) {
    filtered[type].assign(1 + row_bytes, static_cast<std::uint8_t>(type));
  }
  ImageData data(png);
  for (std::size_t y = 0; y < height; ++y) {
    const auto above = y == 0 ? std::span(nothing) : pixels.subspan((y - 1) * row_bytes, row_bytes);
    filter(pixels.subspan(y * row_bytes, row_bytes), above, filtered);
    data.add(lightest(filtered));
  }
  data.finish();
  append_chunk(png, "IEND", {});
  return png;
}

void unpremultiply(Bitmap& bitmap) noexcept {
  for (std::size_t i = 0; i + 3 < bitmap.rgba.size(); i += 4) {
    const unsigned alpha = bitmap.rgba[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const unsigned straight = (bitmap.rgba[i + channel] * 255U + alpha / 2) / alpha;
      bitmap.rgba[i + channel] = static_cast<std::uint8_t>(std::min(straight, 255U));
    }
  }
}

std::vector<std::byte> encode_png(const Bitmap& straight) {
  return write_png(straight.width, straight.height, std::as_bytes(std::span(straight.rgba)));
}

}  // namespace pchr

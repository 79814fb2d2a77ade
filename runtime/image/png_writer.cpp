// SPDX-License-Identifier: MIT
// Writes PNG files (ISO/IEC 15948): filters rows, then deflates them.
#include "image/image.hpp"
#include "image/run_deflate.hpp"

#include <pchr/image.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

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
  ImageData(int level, int strategy) : packed_(kMaxChunkBytes) {
    if (deflateInit2(&stream_, level, Z_DEFLATED, 15, 9, strategy) != Z_OK) throw std::bad_alloc();
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

  std::vector<std::byte> finish() {
    while (deflate(&stream_, Z_FINISH) != Z_STREAM_END) write_chunk();
    write_chunk();
    return std::move(chunks_);
  }

 private:
  void write_chunk() {
    append_chunk(chunks_, "IDAT", std::span(packed_).first(packed_.size() - stream_.avail_out));
    empty_packed();
  }

  void empty_packed() {
    stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_out = static_cast<uInt>(packed_.size());
  }

  std::vector<std::byte> chunks_;
  std::vector<std::byte> packed_;
  z_stream stream_{};
};

/// Predictions of a byte from those to the left, above and in the corner between them, in order of the filter types.
namespace predictions {

constexpr auto none = [](int, int, int) { return 0; };
constexpr auto sub = [](int left, int, int) { return left; };
constexpr auto up = [](int, int above, int) { return above; };
constexpr auto average = [](int left, int above, int) { return (left + above) / 2; };
// Vectors hold twice as many 16-bit integers as int.
constexpr auto paeth = [](std::int16_t left, std::int16_t above, std::int16_t corner) {
  const auto to_left = static_cast<std::int16_t>(std::abs(above - corner));
  const auto to_above = static_cast<std::int16_t>(std::abs(left - corner));
  const auto to_corner = static_cast<std::int16_t>(std::abs(left + above - 2 * corner));
  const std::int16_t other = to_above <= to_corner ? above : corner;
  const std::int16_t to_other = to_above <= to_corner ? to_above : to_corner;
  return to_left <= to_other ? left : other;
};

}  // namespace predictions

constexpr std::uint8_t kPaeth = 4;

/// Filters a row by `predict(left, above, corner)`.
template <class Predict>
void filter(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above, std::uint8_t* filtered,
            Predict predict) {
  for (std::size_t i = 0; i < kPixelBytes; ++i) {
    filtered[i] = static_cast<std::uint8_t>(row[i] - predict(0, above[i], 0));
  }
  const auto filtered_byte = [predict, byte = row.data(), up = above.data()](std::size_t i) {
    return static_cast<std::uint8_t>(byte[i] - predict(byte[i - kPixelBytes], up[i], up[i - kPixelBytes]));
  };
  std::size_t i = kPixelBytes;
  // Compilers make vectors of loops of a fixed length whose results cannot overlap their input.
  for (std::array<std::uint8_t, 16> part; i + part.size() <= row.size(); i += part.size()) {
    for (std::size_t k = 0; k < part.size(); ++k) part[k] = filtered_byte(i + k);
    std::memcpy(filtered + i, part.data(), part.size());
  }
  for (; i < row.size(); ++i) filtered[i] = filtered_byte(i);
}

/// Rows of an image, with zeroes above the first.
class Rows {
 public:
  Rows(std::size_t width, std::span<const std::byte> rgba)
      : row_bytes_(width * kPixelBytes),
        rgba_(reinterpret_cast<const std::uint8_t*>(rgba.data()), rgba.size()),
        nothing_(row_bytes_) {}

  [[nodiscard]] std::size_t count() const { return rgba_.size() / row_bytes_; }
  [[nodiscard]] std::size_t filtered_bytes() const { return 1 + row_bytes_; }
  [[nodiscard]] std::span<const std::uint8_t> row(std::size_t y) const {
    return rgba_.subspan(y * row_bytes_, row_bytes_);
  }
  [[nodiscard]] std::span<const std::uint8_t> above(std::size_t y) const {
    return y == 0 ? std::span<const std::uint8_t>(nothing_) : row(y - 1);
  }

 private:
  std::size_t row_bytes_;
  std::span<const std::uint8_t> rgba_;
  std::vector<std::uint8_t> nothing_;
};

/// A filtered row: the filter type, then each byte minus its prediction.
using Row = std::vector<std::uint8_t>;

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

std::vector<std::byte> deflate_filtered(const Rows& rows, int level) {
  std::array<Row, 5> filtered;
  for (std::size_t type = 0; type < filtered.size(); ++type) {
    filtered[type].assign(rows.filtered_bytes(), static_cast<std::uint8_t>(type));
  }
  ImageData data(level, Z_FILTERED);
  for (std::size_t y = 0; y < rows.count(); ++y) {
    filter(rows.row(y), rows.above(y), &filtered[0][1], predictions::none);
    filter(rows.row(y), rows.above(y), &filtered[1][1], predictions::sub);
    filter(rows.row(y), rows.above(y), &filtered[2][1], predictions::up);
    filter(rows.row(y), rows.above(y), &filtered[3][1], predictions::average);
    filter(rows.row(y), rows.above(y), &filtered[kPaeth][1], predictions::paeth);
    data.add(lightest(filtered));
  }
  return data.finish();
}

/// Suits images of few colors, in which pixels repeat but differences do not.
std::vector<std::byte> deflate_unfiltered(const Rows& rows, int level) {
  Row unfiltered(rows.filtered_bytes());
  ImageData data(level, Z_DEFAULT_STRATEGY);
  for (std::size_t y = 0; y < rows.count(); ++y) {
    std::ranges::copy(rows.row(y), unfiltered.begin() + 1);
    data.add(unfiltered);
  }
  return data.finish();
}

std::vector<std::byte> deflate_fast(const Rows& rows) {
  // Small enough for the processor's cache.
  constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
  const std::size_t row_bytes = rows.filtered_bytes();
  const std::size_t block_rows = std::max<std::size_t>(kBlockBytes / row_bytes, 1);
  std::vector<std::uint8_t> filtered(std::min(block_rows, rows.count()) * row_bytes);
  std::vector<std::byte> chunks;
  std::vector<std::byte> packed{std::byte{0x78}, std::byte{0x01}};  // The header of zlib.
  uLong checksum = 1;
  LastBits stream;
  for (std::size_t start = 0; start < rows.count(); start += block_rows) {
    const std::size_t count = std::min(block_rows, rows.count() - start);
    const auto block = std::span(filtered).first(count * row_bytes);
    for (std::size_t i = 0; i < count; ++i) {
      block[i * row_bytes] = kPaeth;
      filter(rows.row(start + i), rows.above(start + i), &block[i * row_bytes + 1], predictions::paeth);
    }
    checksum = adler32_z(checksum, block.data(), block.size());
    const bool last = start + count == rows.count();
    deflate_runs(block, row_bytes, last, stream, packed);
    if (last) append_big_endian(packed, static_cast<std::uint32_t>(checksum));
    append_chunk(chunks, "IDAT", packed);
    packed.clear();
  }
  return chunks;
}

std::vector<std::byte> deflate_rows(const Rows& rows, PngCompression compression) {
  // The tables of deflate_fast() would be a notable part of a small file.
  constexpr std::size_t kMinFastBytes = std::size_t{1} << 14;
  if (compression == PngCompression::fast && rows.count() * rows.filtered_bytes() >= kMinFastBytes) {
    return deflate_fast(rows);
  }
  if (compression != PngCompression::best) return deflate_filtered(rows, 6);
  std::vector<std::byte> filtered = deflate_filtered(rows, Z_BEST_COMPRESSION);
  std::vector<std::byte> unfiltered = deflate_unfiltered(rows, Z_BEST_COMPRESSION);
  return unfiltered.size() < filtered.size() ? unfiltered : filtered;
}

}  // namespace

std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height, std::span<const std::byte> rgba,
                                 PngCompression compression) {
  std::vector<std::byte> png;
  for (const int byte : {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A}) png.push_back(static_cast<std::byte>(byte));
  std::vector<std::byte> header;
  append_big_endian(header, width);
  append_big_endian(header, height);
  for (const int byte : {8, 6, 0, 0, 0}) header.push_back(static_cast<std::byte>(byte));
  append_chunk(png, "IHDR", header);
  const std::vector<std::byte> data = deflate_rows(Rows(width, rgba), compression);
  png.insert(png.end(), data.begin(), data.end());
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

std::vector<std::byte> encode_png(const Bitmap& straight, PngCompression compression) {
  return write_png(straight.width, straight.height, std::as_bytes(std::span(straight.rgba)), compression);
}

}  // namespace pchr

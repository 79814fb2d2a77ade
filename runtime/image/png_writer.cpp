// SPDX-License-Identifier: MIT
// Writes PNG files (ISO/IEC 15948): filters rows, then deflates them.
#include "image/image.hpp"

#include "character/fail.hpp"
#include "platform/checksums.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace pchr {
namespace {

constexpr std::size_t kPixelBytes = 4;

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

/// Sums the filtered bytes as signed magnitudes, the usual estimate of how badly a row compresses.
std::uint64_t weight_of(std::span<const std::uint8_t> filtered) {
  const auto magnitude = [](std::uint8_t byte) {
    return std::min<std::uint8_t>(byte, static_cast<std::uint8_t>(-byte));
  };
  std::uint64_t sum = 0;
  std::size_t i = 0;
  // As in filter().
  for (std::array<std::uint8_t, 32> part; i + part.size() <= filtered.size(); i += part.size()) {
    std::memcpy(part.data(), filtered.data() + i, part.size());
    std::uint32_t weight = 0;
    for (const std::uint8_t byte : part) weight += magnitude(byte);
    sum += weight;
  }
  for (; i < filtered.size(); ++i) sum += magnitude(filtered[i]);
  return sum;
}

/// Rows of an image in memory that also has room for their filter types.
struct Rows {
  std::uint8_t* bytes;
  std::size_t count, row_bytes;
  bool has_types = false;  ///< Whether each row follows its filter type.

  [[nodiscard]] std::size_t size() const { return count * (1 + row_bytes); }
  [[nodiscard]] std::uint8_t* row(std::size_t y) const {
    return bytes + (has_types ? y * (1 + row_bytes) + 1 : y * row_bytes);
  }
};

/// Calls `filter_row(row, above, out)` to write each row's filter type and filtered bytes. From the bottom up: a row
/// moves down, away from those above it.
void filter_rows(Rows& rows, const auto& filter_row) {
  std::vector<std::uint8_t> row(rows.row_bytes);
  const std::vector<std::uint8_t> nothing(rows.row_bytes);
  for (std::size_t y = rows.count; y-- > 0;) {
    std::memcpy(row.data(), rows.row(y), row.size());
    const std::uint8_t* const above = y == 0 ? nothing.data() : rows.row(y - 1);
    filter_row(std::span<const std::uint8_t>(row), std::span(above, row.size()), rows.bytes + y * (1 + row.size()));
  }
  rows.has_types = true;
}

void add_types(Rows& rows) {
  filter_rows(rows, [](auto row, auto /*above*/, std::uint8_t* out) {
    out[0] = 0;
    std::ranges::copy(row, out + 1);
  });
}

void filter_fast(Rows& rows) {
  filter_rows(rows, [](auto row, auto above, std::uint8_t* out) {
    out[0] = 4;
    filter(row, above, out + 1, predictions::paeth);
  });
}

/// Gives each row the filter with the least weight.
void filter_well(Rows& rows) {
  std::vector<std::uint8_t> filtered(rows.row_bytes);
  filter_rows(rows, [&](auto row, auto above, std::uint8_t* out) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    const auto consider = [&](std::uint8_t type, auto predict) {
      if (least == 0) return;
      filter(row, above, filtered.data(), predict);
      const std::uint64_t weight = weight_of(filtered);
      if (weight >= least) return;
      least = weight;
      out[0] = type;
      std::ranges::copy(filtered, out + 1);
    };
    consider(0, predictions::none);
    consider(1, predictions::sub);
    consider(2, predictions::up);
    consider(3, predictions::average);
    consider(4, predictions::paeth);
  });
}

constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 30;  // The format allows just below 2 GiB.
constexpr std::size_t kSignatureBytes = 8, kIhdrBytes = 13, kChunkFrameBytes = 12;
constexpr std::size_t kBeforeData = kSignatureBytes + kChunkFrameBytes + kIhdrBytes + kChunkFrameBytes - 4;

/// Deflates rows, with room before and after for the rest of the file.
RoomyBytes deflate_rows(Rows rows, PngCompression compression) {
  constexpr int kFastLevel = 1, kNormalLevel = 6, kBestLevel = 12;  // Of libdeflate.
  const auto deflated = [&](int level) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (compressor == nullptr) throw_out_of_memory();
    const std::size_t max = libdeflate_zlib_compress_bound(compressor.get(), rows.size());
    const std::size_t chunks = rows.size() / kMaxChunkBytes + 1;
    RoomyBytes result{std::make_unique_for_overwrite<std::byte[]>(kBeforeData + max + (chunks + 1) * kChunkFrameBytes)};
    result.size = kBeforeData +
                  libdeflate_zlib_compress(compressor.get(), rows.bytes, rows.size(), &result.memory[kBeforeData], max);
    return result;
  };
  if (compression == PngCompression::fast) {
    filter_fast(rows);
    return deflated(kFastLevel);
  }
  RoomyBytes unfiltered;
  if (compression == PngCompression::best) {
    // Suits images of few colors, in which pixels repeat but differences do not.
    add_types(rows);
    unfiltered = deflated(kBestLevel);
  }
  filter_well(rows);
  if (compression == PngCompression::normal) return deflated(kNormalLevel);
  RoomyBytes filtered = deflated(kBestLevel);
  return unfiltered.size < filtered.size ? std::move(unfiltered) : std::move(filtered);
}

void put_big_endian(std::byte* out, std::size_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *out++ = static_cast<std::byte>(value >> shift);
}

/// Writes what surrounds the data of a chunk. Returns the end of the chunk.
std::byte* frame_chunk(std::byte* data, std::size_t size, std::string_view type) {
  put_big_endian(data - 8, size);
  std::memcpy(data - 4, type.data(), 4);
  put_big_endian(data + size, crc32_of({data - 4, size + 4}));
  return data + size + 4;
}

}  // namespace

RoomyBytes write_png_over(Bitmap& straight, PngCompression compression) {
  straight.rgba.resize(straight.rgba.size() + straight.height);
  RoomyBytes png = deflate_rows({straight.rgba.data(), straight.height, kPixelBytes * straight.width}, compression);
  constexpr std::array<std::uint8_t, kSignatureBytes> kFileSignature{0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A};
  std::memcpy(png.memory.get(), kFileSignature.data(), kFileSignature.size());
  std::byte* const header = png.memory.get() + kSignatureBytes + 8;
  put_big_endian(header, straight.width);
  put_big_endian(header + 4, straight.height);
  constexpr std::array<std::uint8_t, 5> kFormat{8, 6, 0, 0, 0};  // 8 bits per channel, RGBA.
  std::memcpy(header + 8, kFormat.data(), kFormat.size());
  std::byte* end = frame_chunk(header, kIhdrBytes, "IHDR");
  for (std::size_t rest = png.size - kBeforeData; rest > 0;) {
    std::byte* const data = end + 8;
    const std::size_t size = std::min(rest, kMaxChunkBytes);
    rest -= size;
    // Makes room around the next chunk.
    if (rest > 0) std::memmove(data + size + kChunkFrameBytes, data + size, rest);
    end = frame_chunk(data, size, "IDAT");
  }
  end = frame_chunk(end + 8, 0, "IEND");
  png.size = static_cast<std::size_t>(end - png.memory.get());
  return png;
}

std::vector<std::byte> write_png(Bitmap straight, PngCompression compression) {
  const RoomyBytes png = write_png_over(straight, compression);
  straight = {};
  return {png.bytes().begin(), png.bytes().end()};
}

std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height, std::span<const std::byte> rgba,
                                 PngCompression compression) {
  Bitmap straight{width, height, {}};
  straight.rgba.reserve(rgba.size() + height);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(rgba.data());
  straight.rgba.assign(bytes, bytes + rgba.size());
  return write_png(std::move(straight), compression);
}

void unpremultiply(std::span<std::uint8_t> rgba) noexcept {
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    const unsigned alpha = rgba[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const unsigned straight = (rgba[i + channel] * 255U + alpha / 2) / alpha;
      rgba[i + channel] = static_cast<std::uint8_t>(std::min(straight, 255U));
    }
  }
}

void unpremultiply(Bitmap& bitmap) noexcept { unpremultiply(bitmap.rgba); }

std::vector<std::byte> encode_png(const Bitmap& straight, PngCompression compression) {
  return write_png(straight.width, straight.height, std::as_bytes(std::span(straight.rgba)), compression);
}

}  // namespace pchr

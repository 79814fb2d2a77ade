// SPDX-License-Identifier: MIT
// Writes animated PNG (PNG, third edition): encodes each frame as a PNG and moves its data to the chunks of one file.
#include "export/encoder.hpp"
#include "export/pixels.hpp"
#include "export/timing.hpp"
#include "image/image.hpp"
#include "platform/crc32.hpp"

#include <cstring>

namespace pchr::exporting {
namespace {

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kHeaderEnd = kSignatureBytes + 12 + 13;

std::uint32_t big_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (const std::byte byte : bytes.first(4)) value = value << 8U | std::to_integer<std::uint32_t>(byte);
  return value;
}

void append_big_endian(Bytes& bytes, std::uint32_t value, int byte_count = 4) {
  for (int i = byte_count - 1; i >= 0; --i) bytes.push_back(static_cast<std::byte>(value >> 8 * i));
}

void append_chunk(Bytes& file, std::string_view type, std::span<const std::byte> data) {
  append_big_endian(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = file.size();
  append(file, std::as_bytes(std::span(type)));
  append(file, data);
  append_big_endian(file, crc32_of(std::span(file).subspan(start)));
}

class ApngEncoder : public Encoder {
 public:
  ApngEncoder(const AnimationInfo& info, PngCompression compression)
      : info_(info), compression_(compression), timing_(timing_of(info, AnimationFormat::apng)) {}

  // Returns the position in 8 bytes, followed by a PNG of the changed area.
  ExportResult<Bytes> encode(const Frame& frame) override {
    Area area = frame.previous ? changed_area(*frame.pixels, *frame.previous) : whole(*frame.pixels);
    // Frames without changes still need a pixel.
    if (area.width == 0) area = {0, 0, 1, 1};
    Bytes encoded;
    append_big_endian(encoded, area.x);
    append_big_endian(encoded, area.y);
    append(encoded, write_png(straight_part(*frame.pixels, area), compression_));
    return encoded;
  }

  ExportResult<Bytes> join(std::uint32_t index, Bytes encoded) override {
    const std::span<const std::byte> png = std::span(encoded).subspan(8);
    Bytes file;
    if (index == 0) {
      append(file, png.first(kHeaderEnd));
      Bytes control;
      append_big_endian(control, static_cast<std::uint32_t>(info_.frame_ends.size()));
      append_big_endian(control, info_.plays);
      append_chunk(file, "acTL", control);
    }
    append_frame_control(file, index, encoded);
    for (std::size_t at = kSignatureBytes; at + 12 <= png.size();) {
      const std::size_t bytes = big_endian(png.subspan(at));
      if (std::memcmp(&png[at + 4], "IDAT", 4) == 0) append_data(file, index, png.subspan(at + 8, bytes));
      at += 12 + bytes;
    }
    if (index + 1 == info_.frame_ends.size()) append_chunk(file, "IEND", {});
    return file;
  }

 private:
  void append_data(Bytes& file, std::uint32_t index, std::span<const std::byte> data) {
    if (index == 0) return append_chunk(file, "IDAT", data);
    Bytes numbered;
    append_big_endian(numbered, next_sequence_++);
    append(numbered, data);
    append_chunk(file, "fdAT", numbered);
  }

  void append_frame_control(Bytes& file, std::uint32_t index, std::span<const std::byte> encoded) {
    Bytes control;
    append_big_endian(control, next_sequence_++);
    append(control, encoded.subspan(8 + kSignatureBytes + 8, 8));  // Width and height, from IHDR.
    append(control, encoded.first(8));
    append_big_endian(control, timing_.ticks[index], 2);
    append_big_endian(control, timing_.ticks_per_second, 2);
    // Keep the previous frame, and replace pixels including alpha.
    append_big_endian(control, 0, 2);
    append_chunk(file, "fcTL", control);
  }

  AnimationInfo info_;
  PngCompression compression_;
  Timing timing_;
  std::uint32_t next_sequence_ = 0;
};

}  // namespace

EncoderPointer make_apng_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  return std::make_shared<ApngEncoder>(info, options.png_compression);
}

}  // namespace pchr::exporting

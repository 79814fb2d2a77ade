// SPDX-License-Identifier: MIT
// Formats that are little more than pixels: PNG files, RGBA and Y4M.
#include "film/area.hpp"
#include "film/encoder.hpp"
#include "film/timing.hpp"

#include <fmt/format.h>

#include <string_view>

namespace pchr::film {
namespace {

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// The three planes of a picture over black, by BT.601 in the range of television.
Bytes planes_of(const Bitmap& premultiplied) {
  const std::size_t pixels = std::size_t{premultiplied.width} * premultiplied.height;
  Bytes planes(pixels * 3);
  // In 1/65536: what white, or a full difference of colours, makes of each plane, divided by 255.
  constexpr int kRound = 1 << 15;
  for (std::size_t i = 0; i < pixels; ++i) {
    const int r = premultiplied.rgba[i * 4], g = premultiplied.rgba[i * 4 + 1], b = premultiplied.rgba[i * 4 + 2];
    planes[i] = static_cast<std::byte>((16829 * r + 33039 * g + 6416 * b + kRound + (16 << 16)) >> 16);
    planes[pixels + i] = static_cast<std::byte>((-9714 * r - 19070 * g + 28784 * b + kRound + (128 << 16)) >> 16);
    planes[2 * pixels + i] = static_cast<std::byte>((28784 * r - 24103 * g - 4681 * b + kRound + (128 << 16)) >> 16);
  }
  return planes;
}

}  // namespace

Encoder make_png_encoder() {
  return {.encode = [](const Frame& frame) -> Result<Bytes> {
            return encode_png(straight_part(*frame.picture, whole(*frame.picture)));
          },
          .join = [](std::uint32_t, Bytes encoded) -> Result<Bytes> { return encoded; }};
}

Encoder make_rgba_encoder() {
  return {.encode = [](const Frame& frame) -> Result<Bytes> {
            const Bitmap pixels = straight_part(*frame.picture, whole(*frame.picture));
            const auto bytes = std::as_bytes(std::span(pixels.rgba));
            return Bytes(bytes.begin(), bytes.end());
          },
          .join = [](std::uint32_t, Bytes encoded) -> Result<Bytes> { return encoded; }};
}

Result<Encoder> make_y4m_encoder(const Film& film) {
  const Result<Rate> rate = even_rate(film.frame_ends);
  if (!rate) return std::unexpected("Y4M has one rate for all frames: " + rate.error());
  const std::string head = fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED\n", film.width,
                                       film.height, rate->frames, rate->seconds);
  return Encoder{.encode = [](const Frame& frame) -> Result<Bytes> { return planes_of(*frame.picture); },
                 .join = [head](std::uint32_t index, Bytes encoded) -> Result<Bytes> {
                   Bytes bytes = bytes_of(index == 0 ? head + "FRAME\n" : "FRAME\n");
                   bytes.insert(bytes.end(), encoded.begin(), encoded.end());
                   return bytes;
                 }};
}

}  // namespace pchr::film

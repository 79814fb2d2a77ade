// SPDX-License-Identifier: MIT
// Compressed pixels of .px files.
#include "formats/px/pixels.hpp"

#include <array>
#include <cstring>

namespace pchr::px {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

std::uint8_t multiplied(std::uint8_t channel, std::uint8_t alpha) noexcept {
  return static_cast<std::uint8_t>((channel * alpha + 127) / 255);
}

Pixel premultiplied(const Rgba& colour) noexcept {
  return {multiplied(colour.red, colour.alpha), multiplied(colour.green, colour.alpha),
          multiplied(colour.blue, colour.alpha), colour.alpha};
}

/// Makes pixels of the indices at the start of `rgba`, from the last to the first: none is overwritten before it is
/// read. An index without a colour is transparent.
void look_up(std::span<const Rgba> palette, std::span<std::uint8_t> rgba) noexcept {
  std::array<Pixel, 256> colours{};
  for (std::size_t i = 0; i < std::min(palette.size(), colours.size()); ++i) colours[i] = premultiplied(palette[i]);
  for (std::size_t pixel = rgba.size() / 4; pixel-- > 0;) {
    const Pixel colour = colours[rgba[pixel]];
    std::memcpy(rgba.data() + pixel * 4, colour.data(), colour.size());
  }
}

}  // namespace

bool inflate_pixels(Inflater& inflater, std::span<const std::byte> deflated, std::span<const Rgba> palette,
                    std::span<std::uint8_t> rgba) {
  const std::size_t bytes = inflater.inflate(deflated, rgba);
  if (bytes == rgba.size()) return true;
  if (bytes == 0 || bytes != rgba.size() / 4) return false;
  look_up(palette, rgba);
  return true;
}

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// GIF89a: one palette for the whole film, so that no colour flickers from frame to frame.
#include "film/area.hpp"
#include "film/encoder.hpp"
#include "film/lzw.hpp"
#include "film/palette.hpp"
#include "film/timing.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string_view>

namespace pchr::film {
namespace {

enum class Disposal : std::uint8_t { keep = 1, clear = 2 };

void append(Bytes& bytes, std::string_view text) {
  const auto more = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append_byte(Bytes& bytes, unsigned value) { bytes.push_back(static_cast<std::byte>(value)); }

void append_word(Bytes& bytes, std::uint32_t value) {
  append_byte(bytes, value & 255U);
  append_byte(bytes, value >> 8U & 255U);
}

struct Gif {
  Film film;
  std::optional<Rgb> matte;
  Timing timing;
  ColourCounts counts{};
  std::once_flag chosen{};
  Result<std::vector<Rgb>> palette{};
  unsigned colour_bits = 8;  ///< Of an index.

  // The index behind the last colour is what shows nothing.
  void choose_palette() {
    palette = counts.choose_palette(255);
    if (palette) colour_bits = std::max(2U, static_cast<unsigned>(std::bit_width(palette->size())));
  }

  [[nodiscard]] std::uint32_t transparent() const { return static_cast<std::uint32_t>(palette->size()); }

  Result<Bytes> encode(const Frame& frame) {
    std::call_once(chosen, [this] { choose_palette(); });
    if (!palette) return std::unexpected(palette.error());
    const Area area = area_of(frame);
    Bytes bytes;
    append_control(bytes, frame.index);
    append_byte(bytes, 0x2C);
    for (const std::uint32_t value : {area.x, area.y, area.width, area.height}) append_word(bytes, value);
    append_byte(bytes, 0);
    const Bytes data = compress_lzw(indices_of(*frame.picture, area), colour_bits);
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
  }

  // A pixel that was drawn can be made transparent only by clearing all that its frame drew.
  [[nodiscard]] Area area_of(const Frame& frame) const {
    Area area = !counts.all_opaque()        ? visible_area(*frame.picture)
                : frame.previous != nullptr ? changed_area(*frame.picture, *frame.previous)
                                            : whole(*frame.picture);
    if (area.width == 0) area = {0, 0, 1, 1};
    return area;
  }

  [[nodiscard]] std::vector<std::uint8_t> indices_of(const Bitmap& picture, const Area& area) const {
    PaletteIndex index(*palette);
    std::vector<std::uint8_t> indices;
    indices.reserve(std::size_t{area.width} * area.height);
    for (std::size_t y = area.y; y < area.y + area.height; ++y) {
      const std::uint8_t* pixel = &picture.rgba[(y * picture.width + area.x) * 4];
      for (std::uint32_t x = 0; x < area.width; ++x, pixel += 4) {
        const Flat flat = flatten(pixel, matte);
        indices.push_back(flat.opaque ? index.nearest(flat.colour) : static_cast<std::uint8_t>(transparent()));
      }
    }
    return indices;
  }

  void append_control(Bytes& bytes, std::uint32_t frame) const {
    const auto disposal = counts.all_opaque() ? Disposal::keep : Disposal::clear;
    for (const unsigned byte : {0x21U, 0xF9U, 4U}) append_byte(bytes, byte);
    append_byte(bytes, static_cast<unsigned>(disposal) << 2U | 1U);
    append_word(bytes, std::min(timing.ticks[frame], 65535U));
    append_byte(bytes, transparent());
    append_byte(bytes, 0);
  }

  [[nodiscard]] Bytes head() const {
    Bytes bytes;
    append(bytes, "GIF89a");
    append_word(bytes, film.width);
    append_word(bytes, film.height);
    append_byte(bytes, 0xF0U | (colour_bits - 1));
    append_byte(bytes, transparent());
    append_byte(bytes, 0);
    std::vector<Rgb> table = *palette;
    table.resize(std::size_t{1} << colour_bits);
    for (const Rgb& colour : table) {
      for (const std::uint8_t channel : colour) append_byte(bytes, channel);
    }
    if (film.plays == 1) return bytes;
    append(bytes, "\x21\xFF\x0BNETSCAPE2.0\x03\x01");
    append_word(bytes, film.plays == 0 ? 0 : std::min(film.plays - 1, 65535U));
    append_byte(bytes, 0);
    return bytes;
  }
};

}  // namespace

Encoder make_gif_encoder(const Film& film, std::optional<Rgb> matte) {
  const std::shared_ptr<Gif> gif(new Gif{film, matte, timing_of(film, Format::gif)});
  return {.survey = [gif](const Frame& frame) -> Result<void> {
            gif->counts.add(*frame.picture, gif->matte);
            return {};
          },
          .encode = [gif](const Frame& frame) { return gif->encode(frame); },
          .join = [gif](std::uint32_t index, Bytes encoded) -> Result<Bytes> {
            Bytes bytes = index == 0 ? gif->head() : Bytes();
            bytes.insert(bytes.end(), encoded.begin(), encoded.end());
            if (index + 1 == gif->film.frame_ends.size()) append_byte(bytes, 0x3B);
            return bytes;
          }};
}

}  // namespace pchr::film

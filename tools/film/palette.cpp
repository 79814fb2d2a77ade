// SPDX-License-Identifier: MIT
// The colours of a whole film, chosen by libimagequant.
#include "film/palette.hpp"

#include <libimagequant.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>

namespace pchr::film {
namespace {

constexpr unsigned kShadeBits = 6;
constexpr std::size_t kCells = std::size_t{1} << (3 * kShadeBits);

std::uint32_t packed(const Rgb& colour) {
  return std::uint32_t{colour[0]} << 16U | std::uint32_t{colour[1]} << 8U | colour[2];
}

std::size_t cell_of(std::uint32_t colour) {
  constexpr unsigned kDropped = 8 - kShadeBits;
  constexpr std::uint32_t kMask = (1U << kShadeBits) - 1;
  const std::uint32_t red = colour >> (16 + kDropped) & kMask, green = colour >> (8 + kDropped) & kMask;
  return red << (2 * kShadeBits) | green << kShadeBits | (colour >> kDropped & kMask);
}

// How far colours look apart: the eye sees green best and blue worst.
int distance(const Rgb& a, const Rgb& b) {
  const int red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
  return 3 * red * red + 6 * green * green + 2 * blue * blue;
}

template <class T, void (*destroy)(T*)>
using Owned = std::unique_ptr<T, decltype([](T* value) { destroy(value); })>;

std::unexpected<std::string> failed(liq_error error) {
  return std::unexpected("the colours of the film cannot be chosen: libimagequant's error " +
                         std::to_string(static_cast<int>(error)));
}

Result<std::vector<Rgb>> quantise(std::vector<liq_histogram_entry>& entries, int most) {
  const Owned<liq_attr, liq_attr_destroy> attributes(liq_attr_create());
  if (!attributes) return failed(LIQ_OUT_OF_MEMORY);
  liq_set_max_colors(attributes.get(), most);
  const Owned<liq_histogram, liq_histogram_destroy> histogram(liq_histogram_create(attributes.get()));
  if (!histogram) return failed(LIQ_OUT_OF_MEMORY);
  // It squares the number of its first colours in an int.
  const auto rest = static_cast<int>(entries.size()) - 1;
  liq_error error = liq_histogram_add_colors(histogram.get(), attributes.get(), entries.data(), 1, 0);
  if (error == LIQ_OK && rest > 0) {
    error = liq_histogram_add_colors(histogram.get(), attributes.get(), entries.data() + 1, rest, 0);
  }
  if (error != LIQ_OK) return failed(error);
  liq_result* chosen = nullptr;
  error = liq_histogram_quantize(histogram.get(), attributes.get(), &chosen);
  if (error != LIQ_OK) return failed(error);
  const Owned<liq_result, liq_result_destroy> result(chosen);
  const liq_palette* palette = liq_get_palette(chosen);
  if (palette == nullptr) return failed(LIQ_OUT_OF_MEMORY);
  std::vector<Rgb> colours;
  for (unsigned i = 0; i < palette->count; ++i) {
    colours.push_back({palette->entries[i].r, palette->entries[i].g, palette->entries[i].b});
  }
  return colours;
}

}  // namespace

Flat flatten(const std::uint8_t* premultiplied, const std::optional<Rgb>& matte) {
  const unsigned alpha = premultiplied[3];
  Flat flat{{premultiplied[0], premultiplied[1], premultiplied[2]}, matte ? alpha > 0 : alpha >= 128};
  if (alpha == 255 || !flat.opaque) return flat;
  for (std::size_t i = 0; i < 3; ++i) {
    const unsigned value = matte ? flat.colour[i] + ((255 - alpha) * (*matte)[i] + 127) / 255
                                 : (flat.colour[i] * 255U + alpha / 2) / alpha;
    flat.colour[i] = static_cast<std::uint8_t>(std::min(value, 255U));
  }
  return flat;
}

void ColourCounts::add(const Bitmap& premultiplied, const std::optional<Rgb>& matte) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  bool all_opaque = true;
  std::uint64_t* last = nullptr;
  std::uint32_t last_colour = 0;
  for (std::size_t i = 0; i < premultiplied.rgba.size(); i += 4) {
    const Flat flat = flatten(&premultiplied.rgba[i], matte);
    if (!flat.opaque) {
      all_opaque = false;
      continue;
    }
    const std::uint32_t colour = packed(flat.colour);
    if (last == nullptr || colour != last_colour) last = &counts[colour];
    last_colour = colour;
    ++*last;
  }
  const std::lock_guard lock(mutex_);
  cells_.resize(kCells);
  all_opaque_ = all_opaque_ && all_opaque;
  for (const auto& [colour, count] : counts) {
    Cell& cell = cells_[cell_of(colour)];
    cell.count += count;
    cell.red += count * (colour >> 16U);
    cell.green += count * (colour >> 8U & 255U);
    cell.blue += count * (colour & 255U);
  }
}

Result<std::vector<Rgb>> ColourCounts::choose_palette(int most) const {
  std::vector<liq_histogram_entry> entries;
  for (const Cell& cell : cells_) {
    if (cell.count == 0) continue;
    const auto mean = [&](std::uint64_t sum) {
      return static_cast<unsigned char>((sum + cell.count / 2) / cell.count);
    };
    const auto count = std::min<std::uint64_t>(cell.count, std::numeric_limits<int>::max());
    entries.push_back({{mean(cell.red), mean(cell.green), mean(cell.blue), 255}, static_cast<unsigned>(count)});
  }
  if (entries.empty()) return std::vector<Rgb>{{0, 0, 0}};
  if (static_cast<int>(entries.size()) > most) return quantise(entries, most);
  std::vector<Rgb> colours;
  for (const liq_histogram_entry& entry : entries) colours.push_back({entry.color.r, entry.color.g, entry.color.b});
  return colours;
}

PaletteIndex::PaletteIndex(const std::vector<Rgb>& palette) : palette_(palette), known_(4096, {0xFFFFFFFF, 0}) {}

std::uint8_t PaletteIndex::nearest(Rgb colour) {
  const std::uint32_t key = packed(colour);
  Known& known = known_[key * 2654435761U >> 20U];
  if (known.colour == key) return known.index;
  std::size_t best = 0;
  for (std::size_t i = 1; i < palette_.size(); ++i) {
    if (distance(palette_[i], colour) < distance(palette_[best], colour)) best = i;
  }
  known = {key, static_cast<std::uint8_t>(best)};
  return known.index;
}

}  // namespace pchr::film

// SPDX-License-Identifier: MIT
// What an operation leaves to be drawn, and where.
#include "formats/chp/sprite.hpp"

#include <algorithm>
#include <limits>

namespace pchr::chp {
namespace {

/// One dimension of a rectangle.
struct Extent {
  std::int64_t start = 0, length = 0;
};

struct Interval {
  double start = 0, end = 0;
};

/// Everything: #Texture is not clipped.
constexpr Extent kUnclipped{std::numeric_limits<std::int32_t>::min() * std::int64_t{8},
                            std::numeric_limits<std::int32_t>::max() * std::int64_t{16}};

/// The part of `source` that is within a sheet of `sheet` pixels and whose place in `destination` is within `clip`.
Interval visible_part(Extent source, Extent destination, Extent clip, std::int64_t sheet, bool flip) noexcept {
  // In 64 bits and before dividing, so that what is not clipped stays as it is, to the bit.
  const std::int64_t before = std::max<std::int64_t>(clip.start - destination.start, 0);
  const std::int64_t after =
      std::max<std::int64_t>(destination.start + destination.length - clip.start - clip.length, 0);
  const double scale = static_cast<double>(source.length) / static_cast<double>(destination.length);
  const double start = static_cast<double>(source.start) + static_cast<double>(flip ? after : before) * scale;
  const double end =
      static_cast<double>(source.start + source.length) - static_cast<double>(flip ? before : after) * scale;
  return {std::max(start, 0.0), std::min(end, static_cast<double>(sheet))};
}

double middle(Extent extent) noexcept {
  return static_cast<double>(extent.start) + static_cast<double>(extent.length) / 2;
}

}  // namespace

std::optional<PlacedSprite> place(const File& file, int animation, const Operation& operation,
                                  const Sheet& sheet) noexcept {
  const PixelRect& from = operation.source;
  const PixelRect& to = operation.destination;
  const PixelRect clip = clip_of(file, animation);
  const bool is_free = operation.layer == Layer::texture;
  const Interval x = visible_part({from.x, from.width}, {to.x, to.width},
                                  is_free ? kUnclipped : Extent{clip.x, clip.width}, sheet.width, operation.flip_x);
  const Interval y = visible_part({from.y, from.height}, {to.y, to.height},
                                  is_free ? kUnclipped : Extent{clip.y, clip.height}, sheet.height, operation.flip_y);
  if (!(x.start < x.end) || !(y.start < y.end) || operation.alpha == 0) return std::nullopt;
  return PlacedSprite{{sheet.image, from, x.start, x.end, y.start, y.end, operation.flip_x, operation.flip_y},
                      {middle({to.x, to.width}) - static_cast<double>(file.width) / 2,
                       static_cast<double>(file.height) / 2 - middle({to.y, to.height}),
                       static_cast<double>(to.width) / static_cast<double>(from.width),
                       static_cast<double>(to.height) / static_cast<double>(from.height),
                       operation.rotation * 360.0 / 256, operation.alpha / 255.0}};
}

}  // namespace pchr::chp

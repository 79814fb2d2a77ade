// SPDX-License-Identifier: MIT
// How large the pictures of a film are, and what they show.
#include "film/framing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::film {
namespace {

// The picture pixels that bounds take at a scale, without a margin.
struct PixelBox {
  double left = 0, right = 1, bottom = 0, top = 1;
  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return top - bottom; }
};

// What lies less than this beyond a whole pixel is rounding.
constexpr double kRounding = 1e-3;

// Pixels from low to high: whole ones of the world, or else, where they span a whole number, those between the two, as
// pixel art of an odd size about the origin has them.
void cover(double low, double high, double& from, double& to) {
  const bool spans_whole = std::abs(high - low - std::round(high - low)) < kRounding;
  from = spans_whole ? low : std::floor(low + kRounding);
  to = from + std::max(1.0, std::ceil(high - from - kRounding));
}

PixelBox pixel_box(const Rect& bounds, double scale) {
  PixelBox box;
  if (bounds.empty()) return box;
  cover(bounds.min.x * scale, bounds.max.x * scale, box.left, box.right);
  cover(bounds.min.y * scale, bounds.max.y * scale, box.bottom, box.top);
  return box;
}

double pixels_of_margin(double inner, float margin) { return std::ceil(inner * margin / (1 - 2 * margin) - 1e-6); }

}  // namespace

Result<Size> size_of(const Framing& options, const Rect& bounds) {
  double width = options.size.width, height = options.size.height;
  if (options.scale) {
    const PixelBox box = pixel_box(bounds, *options.scale);
    width = box.width() + 2 * pixels_of_margin(box.width(), options.margin);
    height = box.height() + 2 * pixels_of_margin(box.height(), options.margin);
  }
  // Not a number where the bounds are too large for one.
  if (!(width <= kMaxSide && height <= kMaxSide && width * height <= static_cast<double>(kMaxPixels))) {
    return std::unexpected(
        fmt::format("the picture would have {:.0f} x {:.0f} pixels; the limit is {} pixels a side and {} megapixels",
                    width, height, kMaxSide, kMaxPixels >> 20));
  }
  return Size{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

Camera camera_of(const Framing& options, Size size, const Rect& bounds) {
  Camera camera;
  camera.viewport = {size.width, size.height};
  camera.flip_y = options.flip_y;
  if (options.scale) {
    const PixelBox box = pixel_box(bounds, *options.scale);
    camera.zoom = *options.scale;
    // An odd number of pixels more than the box has would put the middle between two of them.
    const auto middle = [&](double low, double high, std::uint32_t pixels) {
      const double more = pixels - (high - low);
      return static_cast<float>((low + high + (std::fmod(more, 2) != 0 ? 1 : 0)) / 2 / *options.scale);
    };
    camera.centre = {middle(box.left, box.right, size.width), middle(box.bottom, box.top, size.height)};
    return camera;
  }
  camera = fit(camera, bounds, options.margin);
  if (options.zoom) camera.zoom = *options.zoom;
  if (!options.centre.empty()) camera.centre = {options.centre[0], options.centre[1]};
  return camera;
}

}  // namespace pchr::film

// SPDX-License-Identifier: MIT
// The pictures of reference layers on the canvas.
#include "import/px/frames.hpp"

#include "import/diagnose.hpp"

#include <pchr/image.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace pchr::px {
namespace {

using Texel = std::array<float, 4>;

/// Where a placement's picture is on the canvas, and back.
class Placement {
 public:
  explicit Placement(const ArtworkReference& reference) : reference_(reference) {
    const double radians = reference.rotation_degrees * (std::numbers::pi / 180);
    cosine_ = std::cos(radians);
    sine_ = std::sin(radians);
    center_x_ = reference.left + reference.width / 2.0;
    center_y_ = reference.top + reference.height / 2.0;
  }

  /// The part of the canvas that it covers.
  [[nodiscard]] Box box(std::uint32_t canvas_width, std::uint32_t canvas_height) const noexcept {
    const double width = reference_.width / 2.0, height = reference_.height / 2.0;
    const double across = std::abs(width * cosine_) + std::abs(height * sine_);
    const double down = std::abs(width * sine_) + std::abs(height * cosine_);
    const auto within = [](double value, std::uint32_t most) {
      return static_cast<std::int32_t>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    return {within(std::floor(center_x_ - across), canvas_width), within(std::floor(center_y_ - down), canvas_height),
            within(std::ceil(center_x_ + across), canvas_width), within(std::ceil(center_y_ + down), canvas_height)};
  }

  /// What part of the picture's width and height the middle of a pixel is at; 0 to below 1 within it.
  [[nodiscard]] std::pair<double, double> at(std::int32_t x, std::int32_t y) const noexcept {
    const double across = x + 0.5 - center_x_, down = y + 0.5 - center_y_;
    const double u = (across * cosine_ + down * sine_) / reference_.width + 0.5;
    const double v = (down * cosine_ - across * sine_) / reference_.height + 0.5;
    return {reference_.flipped_horizontally ? 1 - u : u, reference_.flipped_vertically ? 1 - v : v};
  }

 private:
  const ArtworkReference& reference_;
  double cosine_ = 1, sine_ = 0;
  double center_x_ = 0, center_y_ = 0;
};

/// A picture in which each texel is the average of a block of another's.
class Texture {
 public:
  Texture(const Bitmap& picture, std::uint32_t block_width, std::uint32_t block_height)
      : width_((picture.width + block_width - 1) / block_width),
        height_((picture.height + block_height - 1) / block_height),
        across_(static_cast<double>(picture.width) / block_width),
        down_(static_cast<double>(picture.height) / block_height),
        rgba_(std::size_t{width_} * height_ * 4) {
    for (std::uint32_t y = 0; y < height_; ++y) {
      for (std::uint32_t x = 0; x < width_; ++x) {
        const std::uint32_t left = x * block_width, top = y * block_height;
        average(picture, left, top, std::min(left + block_width, picture.width),
                std::min(top + block_height, picture.height), &rgba_[(std::size_t{y} * width_ + x) * 4]);
      }
    }
  }

  /// Between the four texels around a place, given as for Placement::at.
  void sample(double u, double v, std::uint8_t* rgba) const noexcept {
    const double x = std::clamp(u * across_ - 0.5, 0.0, width_ - 1.0);
    const double y = std::clamp(v * down_ - 0.5, 0.0, height_ - 1.0);
    const auto left = static_cast<std::uint32_t>(x), top = static_cast<std::uint32_t>(y);
    const std::uint32_t right = std::min(left + 1, width_ - 1), bottom = std::min(top + 1, height_ - 1);
    const double to_right = x - left, to_bottom = y - top;
    for (std::size_t channel = 0; channel < 4; ++channel) {
      const auto value = [&](std::uint32_t column, std::uint32_t row) {
        return static_cast<double>(rgba_[(std::size_t{row} * width_ + column) * 4 + channel]);
      };
      const double above = std::lerp(value(left, top), value(right, top), to_right);
      const double below = std::lerp(value(left, bottom), value(right, bottom), to_right);
      rgba[channel] = static_cast<std::uint8_t>(std::lround(std::lerp(above, below, to_bottom)));
    }
  }

 private:
  static void average(const Bitmap& picture, std::uint32_t left, std::uint32_t top, std::uint32_t right,
                      std::uint32_t bottom, std::uint8_t* rgba) noexcept {
    std::array<std::uint64_t, 4> sums{};
    for (std::uint32_t y = top; y < bottom; ++y) {
      const std::uint8_t* texel = &picture.rgba[(std::size_t{y} * picture.width + left) * 4];
      for (std::uint32_t i = 0; i < (right - left) * 4; ++i) sums[i % 4] += texel[i];
    }
    const std::uint64_t count = std::uint64_t{right - left} * (bottom - top);
    for (std::size_t channel = 0; channel < 4; ++channel) {
      rgba[channel] = static_cast<std::uint8_t>((sums[channel] + count / 2) / count);
    }
  }

  std::uint32_t width_, height_;
  double across_, down_;  ///< Texels; where the last are cut, not whole ones.
  std::vector<std::uint8_t> rgba_;
};

/// Draws a picture, whose pixels are multiplied by alpha, where `placement` says, clipped to the canvas. Where the
/// picture is larger than its bounds, whole blocks of it are averaged first; then it is sampled bilinearly at the
/// centers of the canvas's pixels. At its own size and upright, each pixel is copied.
Cel place_reference(const Bitmap& picture, const ArtworkReference& placement, std::uint32_t canvas_width,
                    std::uint32_t canvas_height) {
  if (placement.width == 0 || placement.height == 0) return {};
  const Placement place(placement);
  const Box box = place.box(canvas_width, canvas_height);
  if (box.empty()) return {};
  const Texture texture(picture, std::max(picture.width / placement.width, 1U),
                        std::max(picture.height / placement.height, 1U));
  std::vector<std::uint8_t> rgba(static_cast<std::size_t>(box.pixels()) * 4);
  std::uint8_t* pixel = rgba.data();
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    for (std::int32_t x = box.left; x < box.right; ++x, pixel += 4) {
      const auto [u, v] = place.at(x, y);
      if (u >= 0 && u < 1 && v >= 0 && v < 1) texture.sample(u, v, pixel);
    }
  }
  return trimmed(rgba, static_cast<std::size_t>(box.width()), box.left, box.top);
}

/// The picture of `item`, or why there is none.
std::expected<Bitmap, std::string> decoded(const Item& item, std::uint64_t max_pixels) {
  const std::uint32_t width = item.reference.image_width, height = item.reference.image_height;
  if (width == 0 || height == 0) return std::unexpected("its picture is not a PNG");
  Image image{item.name, width, height, ImageEncoding::png, {}};
  image.bytes.assign(item.png.begin(), item.png.end());
  Limits limits;
  limits.max_image_pixels = max_pixels;
  auto bitmap = decode(image, limits);
  if (bitmap) return *std::move(bitmap);
  const Diagnostic& diagnostic = bitmap.error();
  return std::unexpected(fmt::format("its picture of {} x {} pixels: {}{}{}", width, height, message(diagnostic.id),
                                     diagnostic.detail.empty() ? "" : "; ", diagnostic.detail));
}

}  // namespace

std::vector<std::shared_ptr<const Cel>> place_references(const File& file, const Tree& tree, std::uint64_t max_pixels,
                                                         Warnings& warnings) {
  std::vector<std::shared_ptr<const Cel>> cels(file.items.size());
  std::vector<bool> tried(file.items.size());
  std::uint64_t pictures_left = max_pixels, covered_left = max_pixels;
  for (const std::uint32_t leaf : find_leaves(file, tree)) {
    const std::uint32_t number = tree.nodes[leaf].item;
    const Item& item = file.items[number];
    if (item.kind != LayerKind::reference || tried[number]) continue;
    tried[number] = true;
    const auto leave_out = [&](std::string why) {
      warn(warnings, DiagnosticId::px_pixels_unusable,
           {.path = "referenceLayers", .name = item.name, .offset = item.offset}, "{}", why);
    };
    const std::uint64_t covered = Placement(item.reference).box(file.width, file.height).pixels();
    if (covered > covered_left) {
      leave_out(fmt::format("the reference layers cover more than the limit of {} pixels for images", max_pixels));
      continue;
    }
    const auto picture = decoded(item, pictures_left);
    if (!picture) {
      leave_out(picture.error());
      continue;
    }
    covered_left -= covered;
    pictures_left -= std::uint64_t{picture->width} * picture->height;
    cels[number] = std::make_shared<const Cel>(place_reference(*picture, item.reference, file.width, file.height));
  }
  return cels;
}

}  // namespace pchr::px

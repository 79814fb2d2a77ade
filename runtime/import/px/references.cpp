// SPDX-License-Identifier: MIT
// Draws the images of reference layers onto the canvas.
#include "import/px/frames.hpp"

#include <pchr/image.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace pchr::px {
namespace {

/// Maps between the canvas and a reference layer's image.
class Placement {
 public:
  explicit Placement(const ArtworkReference& reference) : reference_(reference) {
    const double radians = reference.rotation_degrees * (std::numbers::pi / 180);
    cosine_ = std::cos(radians);
    sine_ = std::sin(radians);
    center_x_ = reference.left + reference.width / 2.0;
    center_y_ = reference.top + reference.height / 2.0;
  }

  /// Returns the part of the canvas that the image covers.
  [[nodiscard]] Box box(const File& file) const noexcept {
    const double width = reference_.width / 2.0, height = reference_.height / 2.0;
    const double across = std::abs(width * cosine_) + std::abs(height * sine_);
    const double down = std::abs(width * sine_) + std::abs(height * cosine_);
    const auto within = [](double value, std::uint32_t max) {
      return static_cast<std::int32_t>(std::clamp(value, 0.0, static_cast<double>(max)));
    };
    return {within(std::floor(center_x_ - across), file.width), within(std::floor(center_y_ - down), file.height),
            within(std::ceil(center_x_ + across), file.width), within(std::ceil(center_y_ + down), file.height)};
  }

  /// Returns the center of a canvas pixel as fractions of the image's width and height: in [0, 1) within the image.
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

/// Image downsampled by averaging blocks of texels.
class Texture {
 public:
  Texture(const Bitmap& image, std::uint32_t block_width, std::uint32_t block_height)
      : width_((image.width + block_width - 1) / block_width),
        height_((image.height + block_height - 1) / block_height),
        across_(static_cast<double>(image.width) / block_width),
        down_(static_cast<double>(image.height) / block_height) {
    rgba_.reserve(std::size_t{width_} * height_ * 4);
    for (std::uint32_t top = 0; top < image.height; top += block_height) {
      for (std::uint32_t left = 0; left < image.width; left += block_width) {
        add_average(image, left, top, std::min(block_width, image.width - left),
                    std::min(block_height, image.height - top));
      }
    }
  }

  /// Interpolates between the four texels around a point from Placement::at().
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
  void add_average(const Bitmap& image, std::uint32_t left, std::uint32_t top, std::uint32_t width,
                   std::uint32_t height) {
    std::array<std::uint64_t, 4> sums{};
    for (std::uint32_t y = top; y < top + height; ++y) {
      const std::uint8_t* texel = &image.rgba[(std::size_t{y} * image.width + left) * 4];
      for (std::size_t i = 0; i < std::size_t{width} * 4; ++i) sums[i % 4] += texel[i];
    }
    const std::uint64_t count = std::uint64_t{width} * height;
    for (const std::uint64_t sum : sums) rgba_.push_back(static_cast<std::uint8_t>((sum + count / 2) / count));
  }

  std::uint32_t width_, height_;
  double across_, down_;  ///< In texels; fractional if the last blocks are partial.
  std::vector<std::uint8_t> rgba_;
};

/// Draws a premultiplied image at its layer's place, clipped to the canvas. Downsamples larger images by whole blocks,
/// then samples bilinearly. Copies pixels exactly if the image is neither scaled nor rotated.
Cel place_reference(const File& file, const Bitmap& image, const ArtworkReference& reference) {
  if (reference.width == 0 || reference.height == 0) return {};
  const Placement place(reference);
  const Box box = place.box(file);
  if (box.empty()) return {};
  const Texture texture(image, std::max(image.width / reference.width, 1U),
                        std::max(image.height / reference.height, 1U));
  std::vector<std::uint8_t> rgba(box.pixels() * 4);
  std::uint8_t* pixel = rgba.data();
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    for (std::int32_t x = box.left; x < box.right; ++x, pixel += 4) {
      const auto [u, v] = place.at(x, y);
      if (u >= 0 && u < 1 && v >= 0 && v < 1) texture.sample(u, v, pixel);
    }
  }
  return trimmed(rgba, box.width(), box.left, box.top);
}

/// Decodes the image of `item`, or returns a message.
Expected<Bitmap, std::string> decoded(const Item& item, std::uint64_t max_pixels) {
  const std::uint32_t width = item.reference->image_width, height = item.reference->image_height;
  if (width == 0 || height == 0) return Unexpected("has an image that is not a PNG");
  const Image image{item.name, width, height, ImageEncoding::png, {item.png.begin(), item.png.end()}};
  auto bitmap = decode(image, {.max_image_pixels = max_pixels});
  if (bitmap) return *std::move(bitmap);
  const Diagnostic& diagnostic = bitmap.error();
  return Unexpected(fmt::format("has an image of {} x {} pixels that {}", width, height, diagnostic.detail));
}

}  // namespace

std::vector<CelPointer> place_references(const File& file, const Tree& tree, std::uint64_t max_pixels,
                                         Warnings& warnings) {
  std::vector<CelPointer> cels(file.items.size());
  std::vector<bool> tried(file.items.size());
  std::uint64_t pixels_left = max_pixels, covered_left = max_pixels;
  for (const std::uint32_t leaf : find_leaves(file, tree)) {
    const std::uint32_t number = tree.nodes[leaf].item;
    const Item& item = file.items[number];
    if (item.kind != LayerKind::reference || tried[number]) continue;
    tried[number] = true;
    const std::uint64_t covered = Placement(*item.reference).box(file).pixels();
    if (covered > covered_left) {
      warn(warnings, DiagnosticId::px_pixels_unusable, place_of(item),
           "makes the reference layers cover more than the limit of {} image pixels", max_pixels);
      continue;
    }
    const auto image = decoded(item, pixels_left);
    if (!image) {
      warn(warnings, DiagnosticId::px_pixels_unusable, place_of(item), "{}", image.error());
      continue;
    }
    covered_left -= covered;
    pixels_left -= std::uint64_t{image->width} * image->height;
    cels[number] = std::make_shared<const Cel>(place_reference(file, *image, *item.reference));
  }
  return cels;
}

}  // namespace pchr::px

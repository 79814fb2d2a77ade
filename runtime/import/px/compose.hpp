// SPDX-License-Identifier: MIT
// Layers of a frame into one image.
#pragma once

#include "import/px/blend.hpp"
#include "import/px/pixels.hpp"

namespace pchr::px {

/// A cel in a frame, or a group, whose parts are composed by themselves first.
struct Drawing {
  CelPointer cel{};              ///< Multiplied by alpha; absent: a group.
  std::vector<Drawing> parts{};  ///< Of a group, from bottom to top.
  bool cropped = false;
  std::vector<Drawing> masks{};  ///< From bottom to top. They crop it, or are painted within its own pixels.
  float opacity = 1;
  BlendMode blend = BlendMode::normal;
  Box box;  ///< Nothing is drawn outside of it.
};

/// Composes drawings row by row, so that what is between takes only as many rows as drawings are nested. Keeps its
/// memory for the next frame; not for several threads at once.
class Composer {
 public:
  /// Returns the image of `drawings`, from bottom to top, with straight alpha.
  [[nodiscard]] Cel compose(std::span<const Drawing> drawings);

 private:
  class Scratch;
  /// The part of a canvas row from `left` to `right`.
  struct Target {
    std::int32_t y = 0, left = 0, right = 0;
    Color* colors = nullptr;  ///< At `left`.

    [[nodiscard]] std::span<Color> row() const noexcept { return {colors, static_cast<std::size_t>(right - left)}; }
    [[nodiscard]] Target within(const Box& box) const noexcept;
    [[nodiscard]] bool empty() const noexcept { return left >= right; }
  };

  void draw(const Drawing& drawing, const Target& target);
  void draw_all(std::span<const Drawing> drawings, const Target& target);
  void render(const Drawing& drawing, const Target& target);
  void paint_masks(const Drawing& drawing, const Target& target);
  void crop(const Drawing& drawing, const Target& target);

  std::vector<std::vector<Color>> rows_{};
  std::size_t rows_used_ = 0;
  std::vector<std::uint8_t> picture_{};
};

}  // namespace pchr::px

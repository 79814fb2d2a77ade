// SPDX-License-Identifier: MIT
// Composition of a frame's layers into one image.
#pragma once

#include "import/px/blend.hpp"
#include "import/px/pixels.hpp"

namespace pchr::px {

/// A cel, or a group whose parts are composed separately first.
struct Drawing {
  CelPointer cel{};              ///< Premultiplied; null for a group.
  std::vector<Drawing> parts{};  ///< Parts of a group, from bottom to top.
  bool cropped = false;
  std::vector<Drawing> masks{};  ///< From bottom to top. They crop the drawing or are painted within its pixels.
  float opacity = 1;
  BlendMode blend = BlendMode::normal;
  Box box;  ///< Bounds of everything drawn.
};

/// Composes drawings row by row, which needs only one temporary row per nesting level. Keeps its memory for the next
/// frame. Not thread-safe.
class Composer {
 public:
  /// Composes `drawings` from bottom to top. Returns straight alpha.
  [[nodiscard]] Cel compose(std::span<const Drawing> drawings);

 private:
  class Scratch;
  /// Part of a canvas row from `left` to `right`.
  struct Target {
    std::int32_t y = 0, left = 0, right = 0;
    Color* colors = nullptr;  ///< Starts at `left`.

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
  std::vector<std::uint8_t> canvas_{};
};

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// Layers of a frame into one picture.
#pragma once

#include "import/px/blend.hpp"
#include "import/px/pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pchr::px {

/// Something drawn in a frame: pixels, or the parts of a group, which are first put together by themselves.
struct Drawing {
  std::shared_ptr<const Cel> cel{};  ///< Absent: a group. Its pixels are multiplied by alpha.
  std::vector<Drawing> parts{};      ///< Of a group, from bottom to top.
  bool cropped = false;
  /// It is seen only where these are, where it is cropped. Otherwise each of these is painted onto it, where it was
  /// before. From bottom to top.
  std::vector<Drawing> masks{};
  float opacity = 1;  ///< Of all this.
  BlendMode blend = BlendMode::normal;
  Box box;  ///< Nothing is drawn outside of it.
};

/// Puts drawings together, one row of the canvas after another, so that whatever is put together in between takes as
/// many rows as it is nested deep. Keeps its memory for the next frame; not for several threads at once.
class Composer {
 public:
  /// The picture of `drawings`, from bottom to top, with straight alpha.
  [[nodiscard]] Cel compose(std::span<const Drawing> drawings);

 private:
  class Scratch;
  /// Where a row is being drawn: from `left` to `right` of the canvas.
  struct Target {
    std::int32_t y = 0, left = 0, right = 0;
    Color* colors = nullptr;  ///< Of `left`.

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

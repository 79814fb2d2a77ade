// SPDX-License-Identifier: MIT
// Pixels somewhere on a canvas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr::px {

/// A rectangle of the canvas, pixels from its top left; empty where it has no width or height.
struct Box {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool empty() const noexcept { return left >= right || top >= bottom; }
  [[nodiscard]] std::int32_t width() const noexcept { return right - left; }
  [[nodiscard]] std::int32_t height() const noexcept { return bottom - top; }
  [[nodiscard]] std::uint64_t pixels() const noexcept {
    return empty() ? 0 : static_cast<std::uint64_t>(width()) * static_cast<std::uint64_t>(height());
  }
  /// Grows until it contains the other.
  void include(const Box& other) noexcept;
  bool operator==(const Box&) const = default;
};

/// RGBA pixels; what is around them is transparent.
struct Cel {
  Box box;
  std::vector<std::uint8_t> rgba{};  ///< Of the box, row after row.

  /// The row `y` of the canvas, which is within the box, from its left on.
  [[nodiscard]] const std::uint8_t* row(std::int32_t y) const noexcept {
    return rgba.data() + static_cast<std::size_t>(y - box.top) * static_cast<std::size_t>(box.width()) * 4;
  }
};

/// What of `rgba`, in rows of `width` pixels, is not transparent. Its top left is at `left`, `top` of the canvas.
[[nodiscard]] Cel trimmed(std::span<const std::uint8_t> rgba, std::size_t width, std::int32_t left = 0,
                          std::int32_t top = 0);

}  // namespace pchr::px

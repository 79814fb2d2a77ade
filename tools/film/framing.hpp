// SPDX-License-Identifier: MIT
// How large the pictures of a film are, and what they show.
#pragma once

#include "film/film.hpp"

#include <pchr/camera.hpp>
#include <pchr/geometry.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::film {

inline constexpr std::uint32_t kMaxSide = 16384;
inline constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 27;

struct Size {
  std::uint32_t width = 512;
  std::uint32_t height = 512;
  bool operator==(const Size&) const = default;
};

struct Framing {
  Size size;
  std::optional<float> scale;  ///< Pixels per world pixel; the size is then what the bounds need.
  float margin = 0.05F;        ///< Free space on each side, as a part of the picture.
  std::optional<float> zoom;   ///< Pixels per world pixel, instead of fitting the bounds.
  std::vector<float> centre;   ///< World point in the middle, instead of the bounds' middle; none or two.
  bool flip_y = false;
};

/// The pictures' size where `bounds` must fit.
[[nodiscard]] Result<Size> size_of(const Framing& options, const Rect& bounds);
/// What shows `bounds` in pictures of that size. With `scale`, whole world pixels lie on whole pixels.
[[nodiscard]] Camera camera_of(const Framing& options, Size size, const Rect& bounds);

}  // namespace pchr::film

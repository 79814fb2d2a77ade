// SPDX-License-Identifier: MIT
// How large a picture is, what it shows, and what lies behind.
#pragma once

#include "common.hpp"

#include <pchr/camera.hpp>
#include <pchr/geometry.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::tools {

inline constexpr std::uint32_t kMaxSide = 16384;
inline constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 27;

struct Size {
  std::uint32_t width = 512;
  std::uint32_t height = 512;
  bool operator==(const Size&) const = default;
};

/// A colour, opaque or all 0, and whether a checker lies on it.
struct Background {
  std::array<std::uint8_t, 4> colour{0, 0, 0, 0};
  bool checker = false;
};

struct ViewOptions {
  Size size;
  std::optional<float> scale;  ///< Pixels per world pixel; the size is then what the bounds need.
  float margin = 0.05F;
  std::optional<float> zoom;
  std::vector<float> centre;
  bool flip_y = false;
  Background background;
};

/// --scale, --margin, --background and --flip-y.
void add_view_options(CLI::App& command, ViewOptions& options);
/// --size, --zoom and --centre, which exclude --scale.
void add_size_options(CLI::App& command, ViewOptions& options);

/// `#rrggbb`, or a complaint about `option`, which is "OTHERWISE colour".
[[nodiscard]] std::array<std::uint8_t, 3> parse_colour(const std::string& text, const char* option,
                                                       const char* otherwise);

/// The pictures' size where `bounds` must fit.
[[nodiscard]] Result<Size> size_of(const ViewOptions& options, const Rect& bounds);
/// What shows `bounds` in pictures of that size. With `scale`, whole world pixels lie on whole pixels.
[[nodiscard]] Camera camera_of(const ViewOptions& options, Size size, const Rect& bounds);

/// Puts a checker of light greys under a premultiplied picture.
void put_on_checker(Bitmap& bitmap);

}  // namespace pchr::tools

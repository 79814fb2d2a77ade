// SPDX-License-Identifier: MIT
// How large a picture is, what it shows, and what lies behind.
#pragma once

#include "common.hpp"
#include "film/framing.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace pchr::tools {

using film::kMaxPixels;
using film::kMaxSide;
using film::Size;

/// A colour, opaque or all 0, and whether a checker lies on it.
struct Background {
  std::array<std::uint8_t, 4> colour{0, 0, 0, 0};
  bool checker = false;
};

struct ViewOptions : film::Framing {
  Background background;
};

/// --scale, --margin, --background and --flip-y.
void add_view_options(CLI::App& command, ViewOptions& options);
/// --size, --zoom and --centre, which exclude --scale.
void add_size_options(CLI::App& command, ViewOptions& options);

/// `#rrggbb`, or a complaint about `option`, which is "OTHERWISE colour".
[[nodiscard]] std::array<std::uint8_t, 3> parse_colour(const std::string& text, const char* option,
                                                       const char* otherwise);

/// Puts a checker of light greys under a premultiplied picture.
void put_on_checker(Bitmap& bitmap);

}  // namespace pchr::tools

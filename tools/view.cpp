// SPDX-License-Identifier: MIT
// How large a picture is, what it shows, and what lies behind.
#include "view.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace pchr::tools {
namespace {

template <class T>
bool parse_whole(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

Size parse_size(const std::string& text) {
  const std::size_t x = text.find('x');
  Size size;
  const bool valid = x != std::string::npos && parse_whole(std::string_view(text).substr(0, x), size.width, 10) &&
                     parse_whole(std::string_view(text).substr(x + 1), size.height, 10);
  if (!valid || size.width < 1 || size.width > kMaxSide || size.height < 1 || size.height > kMaxSide) {
    throw CLI::ValidationError("--size",
                               fmt::format("\"{}\" is not WIDTHxHEIGHT with numbers from 1 to {}", text, kMaxSide));
  }
  if (std::uint64_t{size.width} * size.height > kMaxPixels) {
    throw CLI::ValidationError("--size", fmt::format("{} are more than {} megapixels", text, kMaxPixels >> 20));
  }
  return size;
}

std::string check_above_0(const std::string& text) {
  return std::strtof(text.c_str(), nullptr) > 0 ? "" : text + " is not a number above 0";
}

Background parse_background(const std::string& text) {
  if (text == "none") return {};
  if (text == "checker") return {{}, true};
  const auto rgb = parse_colour(text, "--background", "neither none, nor checker, nor a");
  return {{rgb[0], rgb[1], rgb[2], 255}, false};
}

}  // namespace

std::array<std::uint8_t, 3> parse_colour(const std::string& text, const char* option, const char* otherwise) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('#') ? 1 : 0);
  std::uint32_t rgb = 0;
  if (digits.size() != 6 || !parse_whole(digits, rgb, 16)) {
    throw CLI::ValidationError(option, fmt::format("\"{}\" is {} colour such as #3a7bd5", text, otherwise));
  }
  const auto channel = [&](std::uint32_t shift) { return static_cast<std::uint8_t>(rgb >> shift & 0xffU); };
  return {channel(16), channel(8), channel(0)};
}

void add_view_options(CLI::App& command, ViewOptions& options) {
  command
      .add_option_function<std::string>(
          "--background", [&options](const std::string& text) { options.background = parse_background(text); },
          "#rrggbb, checker, or none for transparency (none)")
      ->option_text("COLOUR");
  command.add_option("--margin", options.margin, "Free space on each side, as a part of the picture (0.05)")
      ->option_text("F")
      ->check(check_finite)
      ->check(CLI::Range(0.0, 0.49));
  command
      .add_option("--scale", options.scale,
                  "Picture pixels per world pixel: the pictures are as large as that needs, world pixels on pixels")
      ->option_text("F")
      ->check(check_finite)
      ->check(check_above_0);
  command.add_flag("--flip-y", options.flip_y, "The file's y points down");
}

void add_size_options(CLI::App& command, ViewOptions& options) {
  command
      .add_option_function<std::string>(
          "--size", [&options](const std::string& text) { options.size = parse_size(text); },
          fmt::format("Pixels of the picture, or of each tile, up to {} a side and {} megapixels in all (512x512)",
                      kMaxSide, kMaxPixels >> 20))
      ->option_text("WxH")
      ->excludes("--scale");
  command.add_option("--zoom", options.zoom, "Picture pixels per world pixel, instead of fitting the clip")
      ->option_text("F")
      ->check(check_finite)
      ->check(check_above_0)
      ->excludes("--scale");
  command.add_option("--centre", options.centre, "World point in the middle, instead of the clip's middle")
      ->option_text("X,Y")
      ->delimiter(',')
      ->expected(2)
      ->check(check_finite)
      ->excludes("--scale");
}

void put_on_checker(Bitmap& bitmap) {
  constexpr std::uint32_t kSquare = 8;
  constexpr std::array<unsigned, 2> kGreys{255, 204};
  std::uint8_t* pixel = bitmap.rgba.data();
  for (std::uint32_t y = 0; y < bitmap.height; ++y) {
    for (std::uint32_t x = 0; x < bitmap.width; ++x, pixel += 4) {
      const unsigned grey = kGreys[(x / kSquare + y / kSquare) % 2];
      const unsigned behind = (grey * (255U - pixel[3]) + 127) / 255;
      for (std::size_t i = 0; i < 3; ++i) pixel[i] = static_cast<std::uint8_t>(std::min(pixel[i] + behind, 255U));
      pixel[3] = 255;
    }
  }
}

}  // namespace pchr::tools

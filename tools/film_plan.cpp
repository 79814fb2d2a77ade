// SPDX-License-Identifier: MIT
// The options that choose which moments of a clip a film shows.
#include "film_plan.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace pchr::tools {
namespace {

film::FrameRange parse_frames(const std::string& text) {
  film::FrameRange range;
  const char* end = text.data() + text.size();
  const std::size_t dots = text.find("..");
  bool valid = dots != std::string::npos;
  if (valid) {
    const auto first = std::from_chars(text.data(), end, range.first);
    const auto last = std::from_chars(text.data() + dots + 2, end, range.last);
    valid = first.ec == std::errc() && first.ptr == text.data() + dots && last.ec == std::errc() && last.ptr == end;
  }
  if (!valid || range.first > range.last) {
    throw CLI::ValidationError("--frames", fmt::format("\"{}\" is not A..B with A up to B, such as 0..11", text));
  }
  return range;
}

}  // namespace

void add_film_options(CLI::App& command, film::PlanOptions& options) {
  const auto above_0 = [](const std::string& text) {
    const double value = std::strtod(text.c_str(), nullptr);
    return value > 0 && std::isfinite(value) ? "" : text + " is not a number above 0";
  };
  command
      .add_option_function<std::string>(
          "--frames", [&options](const std::string& text) { options.frames = parse_frames(text); },
          "The frames A to B of the clip, both included (all)")
      ->option_text("A..B");
  command
      .add_option("--fps", options.frames_per_second,
                  "Pictures per second, sampled anew (each frame of the clip once, for as long as it lasts)")
      ->option_text("N")
      ->check(above_0);
  command.add_option("--speed", options.speed, "How many times as fast as the clip, 0.001 to 1000 (1)")
      ->option_text("F")
      ->check(CLI::Range(0.001, 1000.0));
}

}  // namespace pchr::tools

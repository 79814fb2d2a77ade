// SPDX-License-Identifier: MIT
// The options that choose which moments of a clip a film shows.
#include "film_plan.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
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
      ->check(check_finite)
      ->check(CLI::Range(0.001, 1000.0));
}

Result<void> PixelBudget::take(std::uint64_t frames, film::Size size) {
  constexpr std::uint64_t kLeastPixels = 64 * 64;
  const std::uint64_t pixels = std::max(std::uint64_t{size.width} * size.height, kLeastPixels);
  if (frames > left_ / pixels) {
    return fail(ExitCode::usage, fmt::format("pchr: {} frames of {} x {} pixels bring the output past {} megapixels; "
                                             "--max-output-megapixels allows more",
                                             frames, size.width, size.height, max_ >> 20));
  }
  left_ -= frames * pixels;
  return {};
}

void add_pixel_budget(CLI::App& command, PixelBudget& budget) {
  command
      .add_option_function<std::uint32_t>(
          "--max-output-megapixels", [&budget](std::uint32_t megapixels) { budget.set_megapixels(megapixels); },
          "Refuse to draw more pixels than this, all frames together (4096)")
      ->option_text("N");
}

}  // namespace pchr::tools

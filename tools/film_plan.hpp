// SPDX-License-Identifier: MIT
// The options that choose which moments of a clip a film shows.
#pragma once

#include "common.hpp"
#include "film/framing.hpp"
#include "film/plan.hpp"

#include <cstdint>

namespace pchr::tools {

/// --frames, --fps and --speed.
void add_film_options(CLI::App& command, film::PlanOptions& options);

/// What all pictures of one output may take, so that a small file cannot fill a disk.
class PixelBudget {
 public:
  /// Takes what `frames` of that size need; a tiny one counts as 64 x 64 pixels. Fails, as wrong usage, where that is
  /// more than is left.
  [[nodiscard]] Result<void> take(std::uint64_t frames, film::Size size);
  void set_megapixels(std::uint32_t megapixels) noexcept { left_ = max_ = std::uint64_t{megapixels} << 20; }

 private:
  std::uint64_t max_ = std::uint64_t{4096} << 20;
  std::uint64_t left_ = max_;
};

/// --max-output-megapixels.
void add_pixel_budget(CLI::App& command, PixelBudget& budget);

}  // namespace pchr::tools

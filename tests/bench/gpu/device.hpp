// SPDX-License-Identifier: MIT
// A context on a GPU, or on a software renderer if there is none, and the GPU's own timer.
#pragma once

#include "render/gl.hpp"

#include <pchr/offscreen.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pchr::bench {

constexpr std::uint32_t kWidth = 1920, kHeight = 1080;

/// How much to measure.
struct Effort {
  std::vector<std::size_t> counts;  ///< Sizes of crowds.
  int rounds = 1;                   ///< Of which the best counts.
  int layers = 1;                   ///< How often a microbenchmark draws before the timer stops.
  std::uint32_t side = 0;           ///< Side of the grid, and half the side of the texture.
};

struct Device {
  HeadlessContext context;
  std::shared_ptr<const Gl> gl;
  OffscreenTarget target;  ///< Bound.
  std::string name;
  bool is_software = false;
  bool has_timer = false;  ///< Software renderers have one that misses most of their work.
};

/// Opens the first device of EGL that works, or exits with a message.
[[nodiscard]] Device open_device();

/// Best times in seconds.
struct Times {
  double cpu = 0;    ///< Until all calls have returned.
  double gpu = 0;    ///< By the GPU's timer, or as `whole`.
  double whole = 0;  ///< Until the GPU has finished.
};

/// Times `draw`, after warming up. Stops early if it takes seconds.
[[nodiscard]] Times measure(const Device& device, int rounds, const std::function<void()>& draw);

/// Times `draw` without pixels, which leaves the vertices.
[[nodiscard]] Times measure_vertices(const Device& device, int rounds, const std::function<void()>& draw);

/// Returns how many pixels `draw` colors, each as often as it does.
[[nodiscard]] std::uint64_t count_pixels(const Device& device, const std::function<void()>& draw);

}  // namespace pchr::bench

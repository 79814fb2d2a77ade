// SPDX-License-Identifier: MIT
// Meshes whose vertices move one by one.
#pragma once

#include "import/fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pchr::test {

/// A mesh over frames, with one bone that stays.
struct Sequence {
  std::uint32_t dimensions = 2;
  std::vector<double> rest, frames, still;
  std::size_t frame_count = 0;

  [[nodiscard]] Deformation deformation() const { return {dimensions, rest, frames, still}; }
  [[nodiscard]] std::size_t vertex_count() const { return rest.size() / dimensions; }

  [[nodiscard]] Fit fit(double tolerance, std::uint32_t max_bones = kMaxFittedBones, const Executor& executor = {},
                        std::uint64_t operations = std::uint64_t{1} << 62) const {
    FitWork work{.operations = operations};
    return fit_bones(deformation(), tolerance, max_bones, work, executor);
  }

  void add_frame(const std::vector<double>& places) {
    frames.insert(frames.end(), places.begin(), places.end());
    for (std::uint32_t row = 0; row < dimensions; ++row) {
      for (std::uint32_t column = 0; column <= dimensions; ++column) still.push_back(row == column ? 1 : 0);
    }
    ++frame_count;
  }
};

inline double bump(double x, double y, double center_x, double center_y, double radius) {
  return std::exp(-((x - center_x) * (x - center_x) + (y - center_y) * (y - center_y)) / (radius * radius));
}

/// A face of 200 vertices that blinks, talks, raises its brows, puffs its cheeks and turns a little.
inline Sequence face(std::size_t frame_count) {
  Sequence face;
  for (int row = 0; row < 20; ++row) {
    for (int column = 0; column < 10; ++column) {
      face.rest.insert(face.rest.end(), {(column - 4.5) * 20, (row - 9.5) * 12});
    }
  }
  for (std::size_t frame = 0; frame < frame_count; ++frame) {
    const double t = static_cast<double>(frame) / 30;
    const double blink = std::pow(std::max(0.0, std::sin(t * 2.1)), 8), talk = 0.5 + 0.5 * std::sin(t * 5);
    const double puff = 0.5 + 0.5 * std::sin(t * 1.3), turn = std::sin(t * 0.7), brows = std::sin(t * 1.7);
    std::vector<double> places = face.rest;
    for (std::size_t i = 0; i < places.size(); i += 2) {
      const double x = face.rest[i], y = face.rest[i + 1];
      const double depth = std::sqrt(std::max(0.0, 1 - x * x / 12100 - y * y / 16900));
      const double eyes = bump(x, y, -40, 35, 18) + bump(x, y, 40, 35, 18);
      places[i] += puff * 6 * (bump(x, y, 50, -20, 25) - bump(x, y, -50, -20, 25)) + turn * 12 * depth;
      places[i + 1] += brows * 5 * (bump(x, y, -40, 65, 22) + bump(x, y, 40, 65, 22)) -
                       blink * 10 * eyes * (y > 35 ? 1 : 0.3) - talk * 14 * bump(x, y, 0, -60, 30);
    }
    face.add_frame(places);
  }
  return face;
}

}  // namespace pchr::test

// SPDX-License-Identifier: MIT
#include "export/bleed.hpp"

#include <algorithm>
#include <array>

namespace pchr::exporting {
namespace {

// Colors grow outward from visible pixels, one ring of transparent pixels after another.
class Bleeding {
 public:
  explicit Bleeding(Bitmap& bitmap) : bitmap_(bitmap), states_(std::size_t{bitmap.width} * bitmap.height) {
    for (std::size_t pixel = 0; pixel < states_.size(); ++pixel) {
      states_[pixel] = bitmap.rgba[pixel * 4 + 3] > 0 ? colored : empty;
    }
  }

  void grow(std::uint32_t distance) {
    std::vector<std::size_t> ring = first_ring();
    for (std::uint32_t i = 1; i <= distance && !ring.empty(); ++i) {
      // All pixels of a ring get colors from the rings inside it, so their order does not matter.
      for (const std::size_t pixel : ring) fill(pixel);
      for (const std::size_t pixel : ring) states_[pixel] = colored;
      if (i < distance) ring = ring_around(ring);
    }
  }

 private:
  enum State : std::uint8_t { empty, colored, waiting };

  template <class Visit>
  void for_neighbors(std::size_t pixel, const Visit& visit) const {
    const std::size_t x = pixel % bitmap_.width, y = pixel / bitmap_.width;
    const std::size_t right = std::min<std::size_t>(x + 1, bitmap_.width - 1);
    const std::size_t bottom = std::min<std::size_t>(y + 1, bitmap_.height - 1);
    for (std::size_t row = y - std::min<std::size_t>(y, 1); row <= bottom; ++row) {
      for (std::size_t column = x - std::min<std::size_t>(x, 1); column <= right; ++column) {
        visit(row * bitmap_.width + column);
      }
    }
  }

  std::vector<std::size_t> first_ring() {
    std::vector<std::size_t> ring;
    const std::size_t width = bitmap_.width;
    std::vector<std::uint8_t> columns(width + 2);  // Whether the three pixels of a column have a color.
    for (std::size_t y = 0; y < bitmap_.height; ++y) {
      const State* const row = &states_[y * width];
      const State* const above = y > 0 ? row - width : row;
      const State* const below = y + 1 < bitmap_.height ? row + width : row;
      for (std::size_t x = 0; x < width; ++x) columns[x + 1] = above[x] | row[x] | below[x];
      for (std::size_t x = 0; x < width; ++x) {
        const bool has_neighbor = (columns[x] | columns[x + 1] | columns[x + 2]) != 0;
        if (row[x] == empty && has_neighbor) ring.push_back(y * width + x);
      }
    }
    for (const std::size_t pixel : ring) states_[pixel] = waiting;
    return ring;
  }

  std::vector<std::size_t> ring_around(const std::vector<std::size_t>& inner) {
    std::vector<std::size_t> ring;
    for (const std::size_t pixel : inner) {
      for_neighbors(pixel, [&](std::size_t neighbor) {
        if (states_[neighbor] != empty) return;
        states_[neighbor] = waiting;
        ring.push_back(neighbor);
      });
    }
    return ring;
  }

  // Sets the mean color of the neighbors. Faint ones count less, because theirs are imprecise.
  void fill(std::size_t pixel) {
    std::array<std::uint32_t, 3> sums{};
    std::uint32_t weights = 0;
    for_neighbors(pixel, [&](std::size_t neighbor) {
      if (states_[neighbor] != colored) return;
      const std::uint8_t* const color = &bitmap_.rgba[neighbor * 4];
      const std::uint32_t weight = std::max<std::uint32_t>(color[3], 1);
      for (std::size_t i = 0; i < 3; ++i) sums[i] += color[i] * weight;
      weights += weight;
    });
    for (std::size_t i = 0; i < 3; ++i) {
      bitmap_.rgba[pixel * 4 + i] = static_cast<std::uint8_t>((sums[i] + weights / 2) / weights);
    }
  }

  Bitmap& bitmap_;
  std::vector<State> states_;
};

}  // namespace

void bleed(Bitmap& straight, std::uint32_t distance) {
  if (distance > 0) Bleeding(straight).grow(distance);
}

}  // namespace pchr::exporting

// SPDX-License-Identifier: MIT
// Rectangles side by side on a page: the highest first, each as low as it can go on the skyline of those before.
#include "film/pack.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace pchr::film {
namespace {

/// What is taken, seen from above: steps of one height each, that together are as wide as the page.
class Skyline {
 public:
  explicit Skyline(std::uint32_t width) : steps_{{0, width, 0}}, width_(width) {}

  /// Puts a rectangle where its far side is lowest, leftmost among equals.
  Place add(const Extent& extent) {
    std::size_t best = 0;
    std::uint32_t best_y = 0xFFFFFFFF;
    for (std::size_t i = 0; i < steps_.size() && steps_[i].x + extent.width <= width_; ++i) {
      const std::uint32_t y = height_under(i, extent.width);
      if (y >= best_y) continue;
      best = i;
      best_y = y;
    }
    const Place place{steps_[best].x, best_y};
    raise(best, extent.width, best_y + extent.height);
    return place;
  }

  [[nodiscard]] std::uint32_t height() const { return std::ranges::max(steps_, {}, &Step::y).y; }

 private:
  struct Step {
    std::uint32_t x, width, y;
  };

  [[nodiscard]] std::uint32_t height_under(std::size_t step, std::uint32_t width) const {
    const std::uint32_t end = steps_[step].x + width;
    std::uint32_t y = 0;
    for (; step < steps_.size() && steps_[step].x < end; ++step) y = std::max(y, steps_[step].y);
    return y;
  }

  void raise(std::size_t step, std::uint32_t width, std::uint32_t y) {
    const std::uint32_t x = steps_[step].x, end = x + width;
    std::size_t last = step;
    while (last < steps_.size() && steps_[last].x + steps_[last].width <= end) ++last;
    if (last < steps_.size() && steps_[last].x < end) {
      steps_[last].width -= end - steps_[last].x;
      steps_[last].x = end;
    }
    const auto at = [&](std::size_t i) { return steps_.begin() + static_cast<std::ptrdiff_t>(i); };
    steps_.erase(at(step), at(last));
    steps_.insert(at(step), {x, width, y});
  }

  std::vector<Step> steps_;
  std::uint32_t width_;
};

// On a page of that width, as high as it becomes.
Page pack_in_width(std::span<const Extent> rectangles, std::span<const std::size_t> order, std::uint32_t width) {
  Skyline skyline(width);
  Page page{{0, 0}, std::vector<Place>(rectangles.size())};
  for (const std::size_t i : order) {
    page.places[i] = skyline.add(rectangles[i]);
    page.size.width = std::max(page.size.width, page.places[i].x + rectangles[i].width);
  }
  page.size.height = skyline.height();
  return page;
}

std::vector<std::size_t> highest_first(std::span<const Extent> rectangles) {
  std::vector<std::size_t> order(rectangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return rectangles[a].height != rectangles[b].height ? rectangles[a].height > rectangles[b].height
                                                        : rectangles[a].width > rectangles[b].width;
  });
  return order;
}

// The widths worth a try: powers of two, or some that grow evenly to four times what a square would need.
std::vector<std::uint32_t> widths_to_try(std::span<const Extent> rectangles, const PageOptions& options) {
  std::uint32_t widest = 1;
  std::uint64_t area = 1;
  for (const Extent& each : rectangles) {
    widest = std::max(widest, each.width);
    area += std::uint64_t{each.width} * each.height;
  }
  std::vector<std::uint32_t> widths;
  if (options.power_of_two) {
    for (std::uint64_t width = std::bit_ceil(widest); width <= options.most_side; width *= 2) {
      widths.push_back(static_cast<std::uint32_t>(width));
    }
    return widths;
  }
  constexpr std::uint64_t kTries = 48;
  std::uint64_t side = 1;
  while (side * side < area) side += std::max<std::uint64_t>(1, side / 64);
  const std::uint64_t most = std::min<std::uint64_t>(options.most_side, std::max<std::uint64_t>(widest, 2 * side));
  for (std::uint64_t i = 0; i <= kTries && widest <= most; ++i) {
    widths.push_back(static_cast<std::uint32_t>(widest + (most - widest) * i / kTries));
  }
  if (widest <= options.most_side) widths.push_back(options.most_side);
  return widths;
}

std::uint32_t largest_side(const PageOptions& options) {
  return options.power_of_two ? std::bit_floor(options.most_side) : options.most_side;
}

// What can be told without packing.
bool may_fit(std::span<const Extent> rectangles, std::uint32_t side) {
  std::uint64_t area = 0;
  for (const Extent& each : rectangles) {
    area += std::uint64_t{each.width} * each.height;
    if (each.width > side || each.height > side || area > std::uint64_t{side} * side) return false;
  }
  return true;
}

}  // namespace

bool fits(std::span<const Extent> rectangles, const PageOptions& options) {
  const std::uint32_t side = largest_side(options);
  return may_fit(rectangles, side) && pack_in_width(rectangles, highest_first(rectangles), side).size.height <= side;
}

std::optional<Page> pack(std::span<const Extent> rectangles, const PageOptions& options) {
  if (!may_fit(rectangles, largest_side(options))) return std::nullopt;
  const std::vector<std::size_t> order = highest_first(rectangles);
  std::optional<Page> best;
  const auto cost = [](const Extent& size) {
    // Of pages of one area the squarest.
    return std::pair(std::uint64_t{size.width} * size.height, std::max(size.width, size.height));
  };
  for (const std::uint32_t width : widths_to_try(rectangles, options)) {
    Page page = pack_in_width(rectangles, order, width);
    if (options.power_of_two) page.size = {width, std::bit_ceil(page.size.height)};
    if (page.size.height > options.most_side) continue;
    if (!best || cost(page.size) < cost(best->size)) best = std::move(page);
  }
  return best;
}

}  // namespace pchr::film

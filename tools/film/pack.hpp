// SPDX-License-Identifier: MIT
// Rectangles side by side on a page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pchr::film {

struct Extent {
  std::uint32_t width = 0, height = 0;
  bool operator==(const Extent&) const = default;
};

struct Place {
  std::uint32_t x = 0, y = 0;
};

struct PageOptions {
  std::uint32_t most_side = 4096;  ///< Pixels.
  bool power_of_two = false;       ///< Both sides.
};

struct Page {
  Extent size;
  std::vector<Place> places;  ///< One for each rectangle.
};

/// Whether a page as large as is allowed surely holds all rectangles. Much faster than pack().
[[nodiscard]] bool fits(std::span<const Extent> rectangles, const PageOptions& options);

/// A small page that holds all rectangles, none over another; nothing where no page allowed does.
[[nodiscard]] std::optional<Page> pack(std::span<const Extent> rectangles, const PageOptions& options);

}  // namespace pchr::film

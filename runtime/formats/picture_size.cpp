// SPDX-License-Identifier: MIT
// The size check that every image decoder makes before it takes memory.
#include "formats/picture_size.hpp"

#include <fmt/format.h>

namespace pchr {

std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels) {
  if (width > 0 && height > 0 && width <= max_pixels / height) return std::nullopt;
  return fmt::format("it has {} x {} pixels; allowed are 1 to {} in all", width, height, max_pixels);
}

}  // namespace pchr

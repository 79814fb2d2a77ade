// SPDX-License-Identifier: MIT
// The size check that every image decoder makes before it takes memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pchr {

/// Says why an image of that size is refused: it has no pixels, or more than `max_pixels`. Nothing if it is not.
[[nodiscard]] std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height,
                                                      std::uint64_t max_pixels);

}  // namespace pchr

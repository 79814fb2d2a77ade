// SPDX-License-Identifier: MIT
// Writes PNG files.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Returns a PNG file of straight-alpha RGBA pixels, 8 bits each, rows from top to bottom. Decoding it gives the same
/// bytes. `width` and `height` are 1 or more, and `rgba` has width * height * 4 bytes.
[[nodiscard]] std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height,
                                               std::span<const std::byte> rgba);

}  // namespace pchr

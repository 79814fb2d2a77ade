// SPDX-License-Identifier: MIT
// Pixels into PNG files.
#pragma once

#include <pchr/image.hpp>

#include <string>

namespace pchr::tools {

/// A whole PNG file. The bitmap's pixels are written as they are, so they must have straight alpha.
/// Empty where there is not enough memory.
[[nodiscard]] std::string encode_png(const Bitmap& straight);

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Encoded images into pixels as they are stored.
#pragma once

#include <pchr/image.hpp>

namespace PCHR_API pchr {

/// As `decode`, with straight alpha.
[[nodiscard]] std::expected<Bitmap, Diagnostic> decode_straight(const Image& image, const Limits& limits);

}  // namespace pchr

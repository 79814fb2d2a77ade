// SPDX-License-Identifier: MIT
// Encoded images into pixels as they are stored.
#pragma once

#include <pchr/image.hpp>

namespace pchr {

/// As `decode`, with straight alpha.
[[nodiscard]] std::expected<Bitmap, Finding> decode_straight(const Image& image, const Limits& limits);

}  // namespace pchr

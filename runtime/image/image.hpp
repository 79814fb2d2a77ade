// SPDX-License-Identifier: MIT
// Decodes images to straight alpha.
#pragma once

#include <pchr/image.hpp>

namespace PCHR_API pchr {

/// Does what decode() does, with straight alpha.
[[nodiscard]] std::expected<Bitmap, Diagnostic> decode_straight(const Image& image, const Limits& limits);

}  // namespace pchr

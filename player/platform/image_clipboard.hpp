// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/image.hpp>

#include <string>

namespace pchr::player {

/// Puts an image with straight alpha on the clipboard, for other programs to paste while this one runs. Blocks for a
/// moment, on any thread. Returns a message on failure.
[[nodiscard]] Expected<void, std::string> copy_image(const Bitmap& straight);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// The smaller copies of an image by which a graphics processor shows it small. Knows nothing of the window, so that
// they are made beside it.
#pragma once

#include <pchr/image.hpp>

#include <vector>

namespace pchr::player {

/// A premultiplied image, then its mipmaps, each half as wide and as high, down to one pixel.
using MipmappedBitmap = std::vector<Bitmap>;

/// `image` must have pixels.
[[nodiscard]] MipmappedBitmap with_mipmaps(Bitmap image);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Colors of transparent pixels.
#pragma once

#include <pchr/image.hpp>

namespace pchr::exporting {

/// Gives transparent pixels up to `distance` away from others the colors of these, so that a bitmap with straight alpha
/// can be filtered without dark edges. Their alpha stays 0.
void bleed(Bitmap& straight, std::uint32_t distance);

}  // namespace pchr::exporting

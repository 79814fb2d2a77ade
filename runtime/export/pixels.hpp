// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/image.hpp>

namespace pchr::exporting {

/// A rectangle of pixels, from the top left.
struct Area {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Area&) const = default;
};

[[nodiscard]] Area whole(const Bitmap& bitmap);
/// Returns the smallest area that holds all pixels that are not transparent; empty without any.
[[nodiscard]] Area visible_area(const Bitmap& bitmap);
/// Returns the smallest area that holds all pixels in which two bitmaps of one size differ; empty without any.
[[nodiscard]] Area changed_area(const Bitmap& bitmap, const Bitmap& previous);
/// Returns a part of a premultiplied bitmap, with straight alpha.
[[nodiscard]] Bitmap straight_part(const Bitmap& bitmap, const Area& area);

}  // namespace pchr::exporting

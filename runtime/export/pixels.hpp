// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/image.hpp>

namespace pchr::exporting {

/// Rectangle in pixels, from the top left.
struct Area {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Area&) const = default;
};

[[nodiscard]] Area whole(const Bitmap& bitmap);
/// Returns the smallest area that contains all non-transparent pixels. Empty if there are none.
[[nodiscard]] Area visible_area(const Bitmap& bitmap);
/// Returns the smallest area that contains all differences between bitmaps of the same size. Empty if there are none.
[[nodiscard]] Area changed_area(const Bitmap& bitmap, const Bitmap& previous);
/// Copies a part of a bitmap.
[[nodiscard]] Bitmap part_of(const Bitmap& bitmap, const Area& area);
/// Copies a part of a premultiplied bitmap, converted to straight alpha.
[[nodiscard]] Bitmap straight_part(const Bitmap& bitmap, const Area& area);

}  // namespace pchr::exporting

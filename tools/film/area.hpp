// SPDX-License-Identifier: MIT
// Parts of pictures.
#pragma once

#include <pchr/image.hpp>

#include <cstdint>

namespace pchr::film {

/// Pixels of a picture, from its top left.
struct Area {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Area&) const = default;
};

[[nodiscard]] Area whole(const Bitmap& picture);
/// The smallest that holds all pixels that are not transparent; without any, of no size.
[[nodiscard]] Area visible_area(const Bitmap& picture);
/// The smallest that holds all pixels in which two pictures of one size differ; without any, of no size.
[[nodiscard]] Area changed_area(const Bitmap& picture, const Bitmap& previous);
/// A part of a premultiplied picture, with straight alpha.
[[nodiscard]] Bitmap straight_part(const Bitmap& picture, const Area& area);

}  // namespace pchr::film

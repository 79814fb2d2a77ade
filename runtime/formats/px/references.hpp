// SPDX-License-Identifier: MIT
// The pictures of reference layers on the canvas.
#pragma once

#include "formats/px/cel.hpp"
#include "formats/px/file.hpp"
#include "formats/px/tree.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pchr::px {

/// A picture multiplied by alpha, as it is stored: not yet flipped, scaled or rotated.
struct ReferencePicture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgba{};
};

/// Draws a picture where `placement` says, clipped to the canvas. Where the picture is larger than its bounds, whole
/// blocks of it are averaged first; then it is sampled bilinearly at the centers of the canvas's pixels. At its own
/// size and upright, each pixel is copied.
[[nodiscard]] Cel place_reference(const ReferencePicture& picture, const ArtworkReference& placement,
                                  std::uint32_t canvas_width, std::uint32_t canvas_height);

/// The cels of the reference layers that are drawn, one for each item of `file`; absent for all others. Pictures have
/// at most `most_pixels` together, and so has what they cover. One that cannot be used is left out with a remark.
[[nodiscard]] std::vector<std::shared_ptr<const Cel>> place_references(const File& file, const Tree& tree,
                                                                       std::uint64_t most_pixels, Remarks& remarks);

}  // namespace pchr::px

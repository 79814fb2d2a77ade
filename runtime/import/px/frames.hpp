// SPDX-License-Identifier: MIT
// The images of an artwork's frames.
#pragma once

#include "import/px/layers.hpp"
#include "import/px/pixels.hpp"

#include <pchr/executor.hpp>
#include <pchr/load.hpp>

namespace pchr::px {

/// Returns the cels of the drawn reference layers, indexed by item of `file` and null for all others. Their images have
/// at most `max_pixels` together, and so does the area that they cover. Skips unusable ones with a warning.
[[nodiscard]] std::vector<CelPointer> place_references(const File& file, const Tree& tree, std::uint64_t max_pixels,
                                                       Warnings& warnings);

/// The image of one frame, and its place on the canvas.
struct FrameImage {
  std::int32_t image = -1;  ///< Index into Frames::images, or -1 for none.
  std::int32_t left = 0, top = 0;
};

struct Frames {
  std::vector<CelPointer> images{};  ///< Distinct and trimmed, straight alpha, in order of first use.
  std::vector<FrameImage> frames{};
};

/// Composes the drawn layers of each frame on the executor's threads. Composes equal frames once and shares equal
/// images. Fails if this would exceed the limits.
[[nodiscard]] Expected<Frames, Diagnostic> compose_frames(const File& file, const Tree& tree,
                                                          const std::vector<Tiles>& tiles,
                                                          std::span<const CelPointer> references, const Limits& limits,
                                                          const Executor& executor, Warnings& warnings);

}  // namespace pchr::px

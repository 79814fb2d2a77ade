// SPDX-License-Identifier: MIT
// The pictures of an artwork's frames.
#pragma once

#include "formats/px/cel.hpp"
#include "formats/px/tiles.hpp"
#include "formats/px/tree.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <vector>

namespace pchr::px {

/// What a frame shows.
struct FramePicture {
  std::int32_t picture = -1;       ///< Of the distinct ones; -1: nothing.
  std::int32_t left = 0, top = 0;  ///< Where on the canvas.
};

struct Frames {
  std::vector<std::shared_ptr<const Cel>> pictures{};  ///< Distinct, trimmed, straight alpha; by their first frame.
  std::vector<FramePicture> frames{};
};

/// How many frames the artwork has: as many as its longest layer.
[[nodiscard]] std::size_t count_frames(const File& file) noexcept;

/// Puts the drawn layers of each frame together, on several threads. Frames that show the same are put together once,
/// and pictures that turn out the same are one. Fails where all this would take more than the limits allow.
[[nodiscard]] std::expected<Frames, Finding> compose_frames(const File& file, const Tree& tree,
                                                            const std::vector<Tiles>& tiles,
                                                            std::span<const std::shared_ptr<const Cel>> references,
                                                            const Limits& limits, Remarks& remarks);

}  // namespace pchr::px

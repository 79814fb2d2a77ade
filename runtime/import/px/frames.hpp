// SPDX-License-Identifier: MIT
// The pictures of an artwork's frames.
#pragma once

#include "import/px/file.hpp"
#include "import/px/layers.hpp"
#include "import/px/pixels.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <vector>

namespace pchr::px {

/// The cels of the reference layers that are drawn, one for each item of `file`; absent for all others. Pictures have
/// at most `max_pixels` together, and so has what they cover. One that cannot be used is left out with a warning.
[[nodiscard]] std::vector<std::shared_ptr<const Cel>> place_references(const File& file, const Tree& tree,
                                                                       std::uint64_t max_pixels, Warnings& warnings);

/// What a frame shows.
struct FramePicture {
  std::int32_t picture = -1;       ///< Of the distinct ones; -1: nothing.
  std::int32_t left = 0, top = 0;  ///< Where on the canvas.
};

struct Frames {
  std::vector<std::shared_ptr<const Cel>> pictures{};  ///< Distinct, trimmed, straight alpha; by their first frame.
  std::vector<FramePicture> frames{};
};

/// The nodes that have pixels and are drawn at all, with everything they are in.
[[nodiscard]] std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree);

/// How many frames the artwork has: as many as its longest layer.
[[nodiscard]] std::size_t count_frames(const File& file) noexcept;

/// Puts the drawn layers of each frame together, on several threads. Frames that show the same are put together once,
/// and pictures that turn out the same are one. Fails where all this would take more than the limits allow.
[[nodiscard]] std::expected<Frames, Diagnostic> compose_frames(const File& file, const Tree& tree,
                                                               const std::vector<Tiles>& tiles,
                                                               std::span<const std::shared_ptr<const Cel>> references,
                                                               const Limits& limits, Warnings& warnings);

}  // namespace pchr::px

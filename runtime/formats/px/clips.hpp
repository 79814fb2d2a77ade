// SPDX-License-Identifier: MIT
// When the frames of an artwork are shown.
#pragma once

#include "formats/px/file.hpp"

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::px {

/// A clip before its frames are given their bones.
struct ClipPlan {
  std::string name;
  bool looping = true;
  std::vector<std::uint32_t> frames{};  ///< Of the artwork, in the order in which they are shown.
};

/// How long each frame lasts, in milliseconds: at least 1.
[[nodiscard]] std::vector<std::uint32_t> frame_times(const File& file, std::size_t frame_count, Remarks& remarks);

/// The tags as they are played: their frames exist and are in order, and each has its clip and a name.
[[nodiscard]] std::vector<ArtworkTag> playable_tags(const File& file, std::size_t frame_count, Remarks& remarks);

/// A clip for each tag, and then one of all frames; none where there are no frames. Nothing where the clips would have
/// more than `most_frames` in all.
[[nodiscard]] std::optional<std::vector<ClipPlan>> plan_clips(const std::vector<ArtworkTag>& tags,
                                                              std::size_t frame_count, std::uint64_t most_frames,
                                                              Remarks& remarks);

/// Sets the clip's rate and, where its frames do not all last equally long, the time at which each ends.
void set_times(Clip& clip, const ClipPlan& plan, const std::vector<std::uint32_t>& frame_ms, double speed);

/// The whole rate nearest to what shows every frame of `frame_ms`, up to 60; 0 where there are none.
[[nodiscard]] std::uint32_t nominal_rate(const std::vector<std::uint32_t>& frame_ms, double speed);

}  // namespace pchr::px

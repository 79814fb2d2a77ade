// SPDX-License-Identifier: MIT
// Where frames are on the timeline.
#pragma once

#include "ui/widgets.hpp"

#include <pchr/import/artwork.hpp>

namespace pchr::player {

/// Frames as places along the bar, each as wide as it is long.
struct TimeScale {
  Rect bar;
  const Clip& clip;
  ClipId clip_number{};
  float units = 1.0F;  ///< Window units per design unit.

  [[nodiscard]] std::uint32_t count() const noexcept { return clip.frame_count; }
  /// Of a frame of medium length.
  [[nodiscard]] float width() const noexcept { return bar.size().x / static_cast<float>(count()); }
  [[nodiscard]] float width(std::uint32_t frame) const noexcept { return x(frame + 1) - x(frame); }
  /// Where `frame` begins, or the frame before it ends.
  [[nodiscard]] float x(std::uint32_t frame) const noexcept {
    const auto along = clip.frame_ends.empty()
                           ? static_cast<float>(frame) / static_cast<float>(count())
                           : static_cast<float>(seconds_of_frame(clip, frame) / clip.frame_ends.back());
    return bar.min.x + bar.size().x * along;
  }
  [[nodiscard]] std::uint32_t frame(float at) const noexcept {
    const float along = std::clamp((at - bar.min.x) / bar.size().x, 0.0F, 1.0F);
    const auto found =
        clip.frame_ends.empty()
            ? static_cast<std::uint32_t>(along * static_cast<float>(count()))
            : static_cast<std::uint32_t>(std::ranges::upper_bound(clip.frame_ends, along * clip.frame_ends.back()) -
                                         clip.frame_ends.begin());
    return std::min(found, count() - 1);
  }
};

/// The tags of the frames below `top`, in their colors: of the clip of all frames each where it is, of a tag's own
/// that one all along. What overlaps is below another.
void draw_tags(ImDrawList& list, const TimeScale& scale, const Artwork& artwork, float top);
/// Their names at `frame`, as lines of a tooltip.
void name_tags(const TimeScale& scale, const Artwork& artwork, std::uint32_t frame);

}  // namespace pchr::player

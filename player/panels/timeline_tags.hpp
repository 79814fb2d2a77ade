// SPDX-License-Identifier: MIT
// Tags of a pixel artwork on the timeline.
#pragma once

#include "panels/timeline_scale.hpp"
#include "widgets.hpp"

#include <pchr/artwork.hpp>

#include <cstdint>

namespace pchr::player {

/// The tags of the frames below `top`, in their colours: of the clip of all frames each where it is, of a tag's own
/// that one all along. What overlaps is below another.
void draw_tags(ImDrawList& list, const TimeScale& scale, const Artwork& artwork, float top);
/// Their names at `frame`, as lines of a tooltip.
void name_tags(const TimeScale& scale, const Artwork& artwork, std::uint32_t frame);

}  // namespace pchr::player

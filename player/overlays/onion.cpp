// SPDX-License-Identifier: MIT
#include "overlays/onion.hpp"

#include <algorithm>
#include <optional>

namespace pchr::player {
namespace {

std::optional<std::uint32_t> next(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame < order.frames.last) return frame + 1;
  return order.loops ? std::optional(order.loop_begin) : std::nullopt;
}

/// Frames before the one with which a loop begins play once: what comes before them is nothing.
std::optional<std::uint32_t> previous(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame > order.frames.first) return frame - 1;
  return order.loops && order.loop_begin == order.frames.first ? std::optional(order.frames.last) : std::nullopt;
}

}  // namespace

void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out) {
  out.clear();
  std::optional<std::uint32_t> back = frame;
  std::optional<std::uint32_t> on = frame;
  const auto add = [&](std::optional<std::uint32_t>& at, std::uint32_t distance, std::int32_t direction) {
    if (!at) return;
    if (*at == frame || std::ranges::find(out, *at, &OnionFrame::frame) != out.end()) {
      at.reset();
    } else {
      out.push_back({*at, static_cast<std::int32_t>(distance) * direction});
    }
  };
  for (std::uint32_t distance = 1; distance <= std::max(before, after); ++distance) {
    if (back) back = distance <= before ? previous(order, *back) : std::nullopt;
    if (on) on = distance <= after ? next(order, *on) : std::nullopt;
    add(back, distance, -1);
    add(on, distance, 1);
  }
  std::ranges::reverse(out);
}

FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept {
  const FrameRange frames = clock.played();
  return {.frames = frames,
          .loops = clock.effective_mode() == LoopMode::loop,
          .loop_begin = clock.range() ? frames.first : clip.loop_start};
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#include "overlays/motion.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

std::optional<std::uint32_t> next(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame < order.frames.last) return frame + 1;
  return order.loops ? std::optional(order.loop_begin) : std::nullopt;
}

/// Returns nothing before frames that play once ahead of a loop.
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

void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone) {
  const Clip* of = &character.clips()[clip];
  if (trail.clip == of && trail.bone == bone) return;
  trail = {.points = std::move(trail.points), .clip = of, .bone = bone};
  trail.points.clear();
  Pose pose;
  const auto joint = [&]() -> Vec3 {
    if (character.is_3d()) return bone_world_3d(character.bones(), view(pose), bone)[3];
    return {bone_world(character.bones(), view(pose), bone)[2], 0.0F};
  };
  for (std::uint32_t frame = 0; frame < of->frame_count; ++frame) {
    sample(character, clip, {.frame = frame, .next = frame}, pose);
    trail.points.push_back(joint());
  }
}

}  // namespace pchr::player

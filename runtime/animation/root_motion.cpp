// SPDX-License-Identifier: MIT
#include "animation/root_motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pchr {

Vec2 moved_in_step(const Character& character, std::uint32_t clip_number, std::uint32_t bone, const Clock& clock,
                   const Advance& step) noexcept {
  const Clip& clip = character.clips()[clip_number];
  const std::size_t bone_count = character.bones().size();
  if (clip.frame_count == 0 || bone >= bone_count) return Vec2{0.0F};
  const std::uint32_t last = clip.frame_count - 1;
  const auto at_frame = [&](std::uint32_t frame) {
    const std::size_t sample = frame * bone_count + bone;
    return Vec2{clip.samples.x[sample], clip.samples.y[sample]};
  };
  const Vec2 step_over_seam = last > 0 ? at_frame(last) - at_frame(last - 1) : Vec2{0.0F};
  const LoopMode mode = clock.effective_mode();

  // From the clip's beginning to a place within its cycle.
  const auto way_to = [&](double place) {
    if (mode == LoopMode::ping_pong && place > last) place = 2.0 * last - place;
    const auto frame = static_cast<std::uint32_t>(std::min(std::floor(place), static_cast<double>(last)));
    const auto factor = static_cast<float>(place - frame);
    Vec2 way = at_frame(frame) - at_frame(0);
    if (frame < last) return way + (at_frame(frame + 1) - at_frame(frame)) * factor;
    return mode == LoopMode::loop ? way + step_over_seam * factor : way;
  };
  const std::uint32_t begin = step.cycles > 0 ? clip.loop_start : 0;
  const Vec2 way_of_cycle = mode == LoopMode::loop ? at_frame(last) - at_frame(begin) + step_over_seam : Vec2{0.0F};
  return way_of_cycle * static_cast<float>(step.cycles) + way_to(step.to) - way_to(step.from);
}

}  // namespace pchr

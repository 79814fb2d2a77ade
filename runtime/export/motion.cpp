// SPDX-License-Identifier: MIT
// Poses the frames of an export with the character's rig.
#include <pchr/export/animation.hpp>

#include <algorithm>
#include <cmath>

namespace pchr {

void reset(RigMotion& motion) noexcept {
  for (RigInstance& instance : motion.state.instances) instance.reset = true;
  motion.seconds = 0;
  motion.travelled = 0;
  motion.next_frame = 0;
}

bool is_planted(const FootPlant& foot, std::span<const Marker> markers, std::uint32_t frame, bool looping) noexcept {
  std::optional<bool> before, at_end;
  for (const Marker& marker : markers) {
    const bool plants = marker.name == foot.plant;
    if (!plants && marker.name != foot.lift) continue;
    at_end = plants;
    if (marker.frame <= frame) before = plants;
  }
  return before.value_or(looping && at_end.value_or(false));
}

void apply_motion(RigMotion& motion, const Rig& rig, std::optional<Vec2> target, const Character& character,
                  const Markers& markers, ClipId clip, std::uint32_t frame, Pose& pose) {
  RigState& state = motion.state;
  prepare(rig, state);
  motion.travelled += motion.travel * motion.seconds;
  const Vec2 place{static_cast<float>(motion.travelled), 0.0F};
  state.instances[0].placement = placement(place);
  if (target) *target += place;
  const auto aim = [&](const auto& constraints, std::span<RigControl> controls) {
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      controls[i].target = constraints[i].target_bone == BoneId::none ? target : std::nullopt;
    }
  };
  aim(rig.aims, state.aims);
  aim(rig.ik, state.ik);
  // A target would take precedence over the ground.
  for (const FootPlant& foot : rig.feet) {
    if (foot.ik < rig.ik.size()) state.ik[foot.ik].target.reset();
  }
  for (std::size_t i = 0; i < rig.feet.size(); ++i) {
    state.feet[i].planted =
        clip != ClipId::none && is_planted(rig.feet[i], markers.of_clip(clip), frame, character.clips()[clip].looping);
  }
  apply_rig(rig, character, std::exchange(motion.seconds, 0.0), state, pose);
}

void pose_frame(RigMotion& motion, const Rig& rig, const Character& character, const Markers& markers,
                const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) {
  const auto pose_next = [&](std::uint32_t number) {
    const ClipTime time = plan.times[number];
    plan.clip != ClipId::none ? sample(character, plan.clip, time, out.pose) : sample_bind_pose(character, out.pose);
    apply_motion(motion, rig, std::nullopt, character, markers, plan.clip, time.frame, out.pose);
    motion.seconds = plan.frame_ends[number] - (number > 0 ? plan.frame_ends[number - 1] : 0);
  };
  if (frame + 1 == motion.next_frame) {
    // Again, without time passing.
    motion.seconds = 0;
    --motion.next_frame;
  } else if (frame < motion.next_frame || motion.next_frame == 0) {
    reset(motion);
    if (plan.clip != ClipId::none && character.clips()[plan.clip].looping) {
      // Even soft springs forget in this time how they started. A single loop of a run would be too short for most.
      constexpr double kSeconds = 10, kMaxFrames = 2000;
      const auto frames = static_cast<std::uint32_t>(plan.times.size());
      const double loops = std::min(std::ceil(kSeconds / plan.frame_ends.back()), std::ceil(kMaxFrames / frames));
      for (double loop = 0; loop < loops; ++loop) {
        for (std::uint32_t number = 0; number < frames; ++number) pose_next(number);
      }
    }
  }
  while (motion.next_frame <= frame) pose_next(motion.next_frame++);
  update(character, out);
}

}  // namespace pchr

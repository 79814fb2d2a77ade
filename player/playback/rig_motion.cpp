// SPDX-License-Identifier: MIT
#include "playback/rig_motion.hpp"

#include <utility>

namespace pchr::player {

void reset(RigMotion& motion) noexcept {
  for (RigInstance& instance : motion.state.instances) instance.reset = true;
  motion.seconds = 0;
  motion.travelled = 0;
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
                  const Markers& markers, const std::optional<Playhead>& playhead, Pose& pose) {
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
    state.feet[i].planted = playhead && is_planted(rig.feet[i], markers.of_clip(playhead->clip),
                                                   playhead->position.frame, character.clips()[playhead->clip].looping);
  }
  apply_rig(rig, character, std::exchange(motion.seconds, 0.0), state, pose);
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Plays a rig on top of a posed clip, mix or game.
#pragma once

#include "playback/playback.hpp"

#include <pchr/rig.hpp>

namespace pchr::player {

struct RigMotion {
  /// What a pose depends on in addition to PosedBy.
  struct Applied {
    std::optional<Rig> rig{};  ///< Absent if none is applied.
    std::optional<Vec2> target{};
    bool operator==(const Applied&) const = default;
  };

  RigState state{};
  double seconds = 0;  ///< Time played since the rig was applied.
  float travel = 0;    ///< Pixels per second that the character seems to move along x.
  double travelled = 0;
  Applied applied{};
};

/// Puts springs and feet at rest.
void reset(RigMotion& motion) noexcept;
/// Returns whether a foot is on the ground: whether the last of its markers up to `frame` plants it. A loop continues
/// with the markers at its end.
[[nodiscard]] bool is_planted(const FootPlant& foot, std::span<const Marker> markers, std::uint32_t frame,
                              bool looping) noexcept;
/// Applies a rig to a sampled pose and advances it by `motion.seconds`. Aims and limbs without a target bone use
/// `target`.
void apply_motion(RigMotion& motion, const Rig& rig, std::optional<Vec2> target, const Character& character,
                  const Markers& markers, const std::optional<Playhead>& playhead, Pose& pose);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Frames before and after the shown one, and the way of a bone.
#pragma once

#include "playback/transport.hpp"
#include "view/turntable.hpp"

namespace pchr::player {

inline constexpr std::uint32_t kMaxOnionFrames = 5;  ///< On either side.

/// Frames in the order of playing: from the first to the last, and where they loop, from `loop_begin` again.
struct FrameOrder {
  FrameRange frames{};
  bool loops = false;
  std::uint32_t loop_begin = 0;
};

struct OnionFrame {
  std::uint32_t frame = 0;
  std::int32_t distance = 0;  ///< Frames after the shown one; negative before it.
  bool operator==(const OnionFrame&) const = default;
};

/// Finds up to `before` and `after` frames around `frame`, the furthest first. None twice, and not `frame` itself.
void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out);

[[nodiscard]] FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept;

/// The frames around the shown one, posed.
struct Onion {
  struct Ghosts {
    std::vector<OnionFrame> frames{};
    ClipId clip{};
    std::vector<std::uint8_t> hidden{};
    Turntable turntable{};
    bool operator==(const Ghosts&) const = default;
  };
  Ghosts ghosts{};
  Ghosts wanted{};                   ///< For the next frame; kept for its memory.
  std::vector<PoseBuffers> posed{};  ///< At least as many as ghosts; further ones keep their memory.
};

/// The way of one bone over one clip.
struct Trail {
  std::vector<Vec3> points{};  ///< World, one for each frame; in a 2D character's plane.
  const Clip* clip = nullptr;
  BoneId bone{};
};

/// Makes `trail`, which belongs to `character`, follow the joint of `bone` in `clip`.
void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone);

}  // namespace pchr::player

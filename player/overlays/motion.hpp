// SPDX-License-Identifier: MIT
// Frames before and after the one that is shown. Knows nothing of the window.
#pragma once

#include "playback/transport.hpp"
#include "view/turntable.hpp"

namespace pchr::player {

inline constexpr std::uint32_t kMaxOnionFrames = 5;  ///< On either side.

/// The frames that follow each other: from the first to the last, and where they loop on with `loop_begin`.
struct FrameOrder {
  FrameRange frames{};
  bool loops = false;
  std::uint32_t loop_begin = 0;
};

struct OnionFrame {
  std::uint32_t frame = 0;
  std::int32_t distance = 0;  ///< How many frames after the one that is shown; negative before it.
  bool operator==(const OnionFrame&) const = default;
};

/// Up to `before` and `after` frames around `frame`, in the order in which they are drawn: the furthest first. None
/// twice, and not `frame` itself.
void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out);

/// How frames follow each other while `clock` plays `clip`.
[[nodiscard]] FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept;

/// The frames around the one that is shown, posed.
struct Onion {
  std::vector<OnionFrame> frames{};
  std::vector<PoseBuffers> posed{};  ///< At least as many; further ones keep their memory.

  // What they are of:
  ClipId clip{};
  std::vector<std::uint8_t> hidden{};
  Turntable turntable{};
  std::vector<OnionFrame> wanted{};  ///< Of the next frame; kept for its memory.
};

/// The way of one bone over one clip, kept until another is asked for.
struct Trail {
  std::vector<Vec3> points{};  ///< World, one for each frame; of a 2D character in its plane.
  const Clip* clip = nullptr;  ///< What the points are of.
  BoneId bone{};
};

/// Brings `trail`, which belongs to `character`, up to date with the joint of `bone` in `clip`.
void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// What a .psa file says, as plain data.
#pragma once

#include "formats/psk/mesh.hpp"

namespace pchr::psk {

/// One bone in one frame, as stored: rotations as of Bone.
struct Key {
  Vec3 position{0.0F};
  Quat rotation{};
};

/// An animation: `frame_count` frames of as many keys as there are bones.
struct Sequence {
  std::string name;   ///< Several may be alike.
  std::string group;  ///< Often empty, or None.
  double frames_per_second = 30;
  std::uint32_t first_frame = 0;
  std::uint32_t frame_count = 0;
};

/// All sequences of a file. Each has its frames among the keys. The bones' own places say nothing.
struct Animation {
  std::vector<Bone> bones;
  std::vector<Sequence> sequences;
  Array<Key> keys;
  Array<Vec3> scales;  ///< One per key, or none.
};

/// Reads an animation. Fails where bones, sequences or keys are missing; all else that cannot be used is mended or left
/// out, and remarked upon.
[[nodiscard]] std::expected<Animation, Finding> read_animation(std::span<const std::byte> bytes, Remarks& remarks);

}  // namespace pchr::psk

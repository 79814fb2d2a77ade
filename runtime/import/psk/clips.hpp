// SPDX-License-Identifier: MIT
// The skeleton of an Unreal mesh, and animations as its clips.
#pragma once

#include "import/psk/file.hpp"

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::psk {

/// From the file's space, where z is up, to a character's, where y is. It only turns, so that a character that faces
/// its file's -y faces who looks at it.
[[nodiscard]] constexpr Vec3 to_y_up(Vec3 point) noexcept { return {point.x, point.z, -point.y}; }
[[nodiscard]] constexpr Quat to_y_up(const Quat& turn) noexcept { return {turn.x, turn.z, -turn.y, turn.w}; }

/// One bone's local transform, y up.
struct LocalTransform {
  Vec3 position{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

/// What is stored of a bone as a transform: of a root the rotation counts as it is, of others its conjugate.
[[nodiscard]] LocalTransform local_transform(Vec3 position, const Quat& rotation, bool is_root) noexcept;
[[nodiscard]] bool is_finite(const LocalTransform& transform) noexcept;

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept;

/// Bones in a character's order.
struct Skeleton {
  std::vector<pchr::Bone> bones;
  std::vector<std::uint32_t> number_of;  ///< Per bone of the file: which of `bones` it is.
  std::vector<LocalTransform> bind;      ///< Per bone.
};

/// Bone 0 is a root, and so is every bone whose parent does not exist. One that is its own ancestor becomes one. Of no
/// bones at all one is made, for a mesh that has none.
[[nodiscard]] Skeleton make_skeleton(std::span<const Bone> bones, Warnings& warnings);

/// What of a track is to be left as in the bind pose.
struct RemovedParts {
  bool position = false, rotation = false;
};

/// Names are in lower case.
struct Config {
  std::map<std::pair<std::string, std::uint32_t>, RemovedParts> removed;  ///< By sequence and number of the bone.
  bool rotation_only = false;  ///< Positions count for those of `with_position` alone.
  std::set<std::string> with_position;
};

/// Reads what there is to understand; other lines do nothing.
[[nodiscard]] Config read_config(std::string_view text);

/// Which of an animation's bones moves each bone of a skeleton.
struct Match {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> track_of;  ///< Per bone of the skeleton.
  std::size_t matched = 0;              ///< How many bones have one.
  std::vector<std::string> extra;       ///< Names of the animation's bones that the skeleton has not.
};

/// Matches by names, upper and lower case alike. Of several bones of one name the first in the mesh's file follows the
/// first track of that name, the second the second, so that where both files have one list they match by index.
[[nodiscard]] Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton);

/// Returns how many frames all of an animation's sequences have. Each takes a sample for every bone of a skeleton.
[[nodiscard]] std::uint64_t frames_of(const Animation& animation) noexcept;

/// One clip per sequence; each loops, since no file says which do. Bones without a track stay in the bind pose, and so
/// does what `config` removes. Without a config a track that never leaves the parent's origin, where the bind pose
/// does, is taken for removed. Names that the character has already get a number.
void add_clips(const Animation& animation, const Skeleton& skeleton, const Match& match,
               const std::optional<Config>& config, CharacterData& data);

}  // namespace pchr::psk

// SPDX-License-Identifier: MIT
// The skeleton of an Unreal mesh, and animations as its clips.
#pragma once

#include "import/psk/file.hpp"

#include <pchr/character.hpp>

#include <map>
#include <set>

namespace pchr::psk {

/// Rotates from the file's space, where z is up, to y up. Characters that face -y in their file face the viewer.
[[nodiscard]] constexpr Vec3 to_y_up(Vec3 point) noexcept { return {point.x, point.z, -point.y}; }

/// One bone's local transform, y up.
struct LocalTransform {
  Vec3 position{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept;

struct Skeleton {
  std::vector<pchr::Bone> bones;         ///< Parents first, as a character needs them.
  std::vector<std::uint32_t> number_of;  ///< Per bone of the file: its index in `bones`.
  std::vector<LocalTransform> bind;      ///< Per bone.
};

/// Makes roots of bone 0, of bones whose parent does not exist and of one bone in each cycle. A mesh without bones gets
/// one.
[[nodiscard]] Skeleton make_skeleton(std::span<const Bone> bones, Warnings& warnings);

/// The parts of a track that stay as in the bind pose.
struct RemovedParts {
  bool position = false, rotation = false;
};

/// A .config file, all names in lower case.
struct Config {
  std::map<std::pair<std::string, std::uint32_t>, RemovedParts> removed;  ///< By sequence and number of the bone.
  bool rotation_only = false;                                             ///< Only `with_position` take positions.
  std::set<std::string> with_position;
};

/// Reads a .config file; unknown lines do nothing.
[[nodiscard]] Config read_config(std::string_view text);

/// The animation's bones that move each bone of a skeleton.
struct Match {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> track_of;  ///< Per bone of the skeleton.
  std::size_t matched = 0;              ///< Number of bones that have one.
  std::vector<std::string> extra;       ///< Names of the animation's bones that the skeleton lacks.
};

/// Matches by name, ignoring case. Among bones of one name, the first in the mesh's file follows the first track, the
/// second the second, so that equal lists match by index.
[[nodiscard]] Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton);

/// Returns the number of frames of all sequences. Each takes a sample for every bone of a skeleton.
[[nodiscard]] std::uint64_t frames_of(const Animation& animation) noexcept;

/// Adds a clip per sequence. All loop, since no file says which do. Bones without a track stay in the bind pose, as do
/// the parts that `config` removes. Without a config, a track that never leaves the parent's origin where the bind pose
/// does is taken for removed. Names that the character has already get a number.
void add_clips(const Animation& animation, const Skeleton& skeleton, const Match& match,
               const std::optional<Config>& config, CharacterData& data);

}  // namespace pchr::psk

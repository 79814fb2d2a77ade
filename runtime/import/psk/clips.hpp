// SPDX-License-Identifier: MIT
// Builds the skeleton of an Unreal mesh, and clips from its animations.
#pragma once

#include "import/psk/file.hpp"

#include <pchr/character.hpp>

#include <map>
#include <set>

namespace pchr::psk {

/// Rotates from the space of the file, where z is up, to y up. Characters that face -y in the file face the viewer.
[[nodiscard]] constexpr Vec3 to_y_up(Vec3 point) noexcept { return {point.x, point.z, -point.y}; }

/// Local transform of a bone, y up.
struct LocalTransform {
  Vec3 position{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept;

struct Skeleton {
  std::vector<pchr::Bone> bones;         ///< Sorted so that parents come first.
  std::vector<std::uint32_t> number_of;  ///< Index in `bones` for each bone of the file.
  std::vector<LocalTransform> bind;      ///< Bind pose, one transform per bone.
};

/// Returns the skeleton. Bone 0, bones whose parent does not exist, and one bone of each cycle become roots. A mesh
/// without bones gets one bone.
[[nodiscard]] Skeleton make_skeleton(std::span<const Bone> bones, Warnings& warnings);

/// Parts of a track that stay in the bind pose.
struct RemovedParts {
  bool position = false, rotation = false;
};

/// Contents of a .config file, with all names in lower case.
struct Config {
  std::map<std::pair<std::string, std::uint32_t>, RemovedParts> removed;  ///< By sequence name and bone index.
  bool rotation_only = false;  ///< Whether only bones in `with_position` move.
  std::set<std::string> with_position;
};

/// Reads a .config file. Ignores unknown lines.
[[nodiscard]] Config read_config(std::string_view text);

/// Assignment of an animation's tracks to the bones of a skeleton.
struct Match {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> track_of;  ///< Track of each bone of the skeleton, or kNone.
  std::size_t matched = 0;              ///< Number of bones with a track.
  std::vector<std::string> extra;       ///< Names of tracks without a bone.
};

/// Matches bones and tracks by name, ignoring case. Bones with the same name match tracks in file order, so that equal
/// lists match by index.
[[nodiscard]] Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton);

/// Returns the total number of frames. Each frame needs one sample per bone of the skeleton.
[[nodiscard]] std::uint64_t frames_of(const Animation& animation) noexcept;

/// Adds one clip per sequence. All clips loop, because the file does not record which do. Bones without a track stay in
/// the bind pose, and so do the parts that `config` removes. Without a config, removes positions that are always 0 but
/// are not 0 in the bind pose. Names that the character already has get a number.
void add_clips(const Animation& animation, const Skeleton& skeleton, const Match& match,
               const std::optional<Config>& config, CharacterData& data);

}  // namespace pchr::psk

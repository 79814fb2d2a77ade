// SPDX-License-Identifier: MIT
// Animations of Unreal as clips of a character with bones of the same names.
#pragma once

#include "formats/psk/animation.hpp"
#include "formats/psk/config.hpp"
#include "formats/psk/skeleton.hpp"

#include <pchr/character.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pchr::psk {

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

// SPDX-License-Identifier: MIT
// The bind pose of a character: chosen, named, stored or guessed.
#pragma once

#include "character/check.hpp"
#include "character/contents.hpp"
#include "character/warnings.hpp"

namespace PCHR_API pchr {

/// Finds the bind pose of a character whose data and governing bones are known, and inverts it. Fails if `bind` names a
/// clip or frame that does not exist. Warns about an uncertain guess and about bones that cannot be inverted.
[[nodiscard]] Check derive_bind_pose(Character::Contents& contents, const BindPose& bind, Warnings& warnings);

/// Returns whether a clip's name says that it holds the bind pose: bind, bind_pose, bindpose, rest, rest_pose or setup,
/// in any case.
[[nodiscard]] bool is_bind_name(std::string_view name);

/// Returns whether a reader of the character's clips would guess the bind pose, or use another one than `character`.
[[nodiscard]] bool is_bind_pose_unnamed(const Character& character);

}  // namespace pchr

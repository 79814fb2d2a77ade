// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#pragma once

#include "formats/chp/pictures.hpp"
#include "formats/chp/plan.hpp"

#include <pchr/character.hpp>

namespace pchr::chp {

/// Each sprite of the plan becomes a mesh ruled by a bone of its own, each animation a clip, named by clip_name() of
/// chara.hpp. y points up, and the origin is the middle of the character's size. Frame 0 of the first clip is the bind
/// pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Pictures pictures);

}  // namespace pchr::chp

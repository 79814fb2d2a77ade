// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#pragma once

#include "formats/chp/pictures.hpp"
#include "formats/chp/plan.hpp"

#include <pchr/character.hpp>

namespace pchr::chp {

/// The name of the clip that animation `animation` (1 to 18) becomes, such as "01_neutral".
[[nodiscard]] std::string_view clip_name(int animation) noexcept;

/// Each sprite of the plan becomes a mesh ruled by a bone of its own, each animation a clip. y points up, and the
/// origin is the middle of the character's size. Frame 0 of the first clip is the bind pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Pictures pictures);

}  // namespace pchr::chp

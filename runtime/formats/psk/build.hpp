// SPDX-License-Identifier: MIT
// An Unreal mesh as a spatial character.
#pragma once

#include "formats/psk/skeleton.hpp"
#include "formats/psk/textures.hpp"

#include <pchr/character.hpp>

#include <expected>

namespace pchr::psk {

/// The mesh without animations: y up, one mesh for each material (more where it has over 65,535 vertices), its bind
/// pose as the file says. Fails where there are more bones than a vertex can name.
[[nodiscard]] std::expected<CharacterData, Finding> make_character(const Mesh& mesh, const Skeleton& skeleton,
                                                                   Textures textures, Remarks& remarks);

}  // namespace pchr::psk

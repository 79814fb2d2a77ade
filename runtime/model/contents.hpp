// SPDX-License-Identifier: MIT
// What a Character holds: the checked data and what is derived from it.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <vector>

namespace pchr {

struct Character::Contents {
  CharacterData data;
  std::vector<std::uint32_t> governing_bones;  // per mesh
  BindPoseSource bind_source;
  BoneSamples bind_pose;
  std::vector<Affine> inverse_bind;
  std::vector<Finding> warnings;
};

}  // namespace pchr

// SPDX-License-Identifier: MIT
// What is wrong with a character that loads and plays all the same.
#pragma once

#include <pchr/character.hpp>
#include <pchr/finding.hpp>

#include <cstdint>
#include <vector>

namespace PCHR_API pchr {

/// What counts as worth telling.
struct ValidateOptions {
  float weight_tolerance = 1e-3F;     ///< How far a vertex's sum of weights may be from 1.
  std::uint32_t most_of_a_kind = 32;  ///< Findings of one id that are listed, 1 or more; the last counts the rest.
};

/// What an artist would want to know about a character beyond `Character::warnings()`: findings W4xx, in file order.
/// Those of one kind in one mesh or clip are one finding that names the first place and their number. Takes time
/// linear in the character but for sorting. Overlaps are looked for in every frame of a usual character, in
/// evenly spread ones of a huge one, and only among as many pairs of meshes as stays quick.
[[nodiscard]] std::vector<Finding> validate(const Character& character, const ValidateOptions& options = {});

}  // namespace pchr

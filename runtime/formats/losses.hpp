// SPDX-License-Identifier: MIT
// What a form cannot hold of a character.
#pragma once

#include <pchr/save.hpp>

#include <optional>
#include <vector>

namespace pchr {

/// Everything that writing leaves out, in the order of the file: as errors, or with `lossy` as warnings. One
/// finding stands for all such values of a clip.
[[nodiscard]] std::vector<Finding> find_losses(const Character& character, Form form, Spelling spelling, bool lossy);

/// The first thing that keeps the character from being written at all.
[[nodiscard]] std::optional<Finding> find_unwritable(const CharacterData& data, Form form);

}  // namespace pchr

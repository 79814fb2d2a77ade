// SPDX-License-Identifier: MIT
// Pairs the characters of two folders.
#pragma once

#include "task.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace pchr::tools {

/// A character in an old folder, in a new one or in both.
struct CharacterPair {
  std::size_t number = 0;  ///< Place in the list, from 1.
  std::string name;        ///< Path below the new folder or, if it is only in the old one, below that; with slashes.
  std::string first_name;  ///< Path below the old folder; empty if it is not there.
  std::string first;       ///< Path of the old file; empty if there is none.
  std::string second;      ///< Path of the new file; empty if there is none.
};

/// Returns whether both are folders. Fails if only one is, or if either does not exist.
[[nodiscard]] bool are_folders(const std::string& first, const std::string& second);

/// Returns the characters below two folders, sorted by name. Files with the same path are a pair; so are two that
/// differ only in their extension, if neither has another counterpart. Leaves out hidden files and the folder `except`.
[[nodiscard]] std::vector<CharacterPair> pair_characters(const std::string& first, const std::string& second,
                                                         const std::string& except = "");

/// For workers, which get a pair as the name of their input.
/// @{
[[nodiscard]] std::string pair_to_text(const CharacterPair& pair);
[[nodiscard]] CharacterPair pair_from_text(const std::string& text);
/// Returns a worker's task with the pair's name as its input.
[[nodiscard]] Task task_of(const CharacterPair& pair, Task task);
/// @}

}  // namespace pchr::tools

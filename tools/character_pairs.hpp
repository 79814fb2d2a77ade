// SPDX-License-Identifier: MIT
// Pairs the characters of two folders.
#pragma once

#include "worker.hpp"

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

/// Works on pairs in workers, which call serve_pairs(). Calls `finish` in the order of the pairs.
void run_on_pairs(std::span<const CharacterPair> pairs, const WorkerOptions& options,
                  const std::function<void(const CharacterPair& pair, const Task& task)>& finish);

/// In a worker: works on the pairs that it receives, until there are no more.
void serve_pairs(const std::function<void(const CharacterPair& pair)>& run);

}  // namespace pchr::tools

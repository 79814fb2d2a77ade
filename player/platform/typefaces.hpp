// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace pchr::player {

/// Files of the interface's typeface, best first. Not all of them exist.
struct Typefaces {
  std::vector<std::filesystem::path> western;
  std::vector<std::filesystem::path> east_asian;  ///< Fallbacks for scripts that the others lack.
};
[[nodiscard]] Typefaces system_typefaces();

}  // namespace pchr::player

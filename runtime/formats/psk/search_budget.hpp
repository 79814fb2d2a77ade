// SPDX-License-Identifier: MIT
// How far a search of folders may go.
#pragma once

#include <cstddef>
#include <string>

namespace pchr::psk {

/// How many entries of folders a search may still look at. It counts entries instead of time, so that the same folders
/// always give the same result. Once it is spent, `stopped` says so.
struct SearchBudget {
  std::size_t entries_left = 200'000;
  std::string stopped{};

  /// Takes one entry of a folder from the budget. Returns false where there is none left.
  [[nodiscard]] bool take() {
    if (entries_left == 0) {
      stopped = "200,000 entries of folders were looked at";
      return false;
    }
    --entries_left;
    return true;
  }
};

}  // namespace pchr::psk

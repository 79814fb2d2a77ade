// SPDX-License-Identifier: MIT
// How long a search of folders may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace pchr::psk {

/// What a search may still spend. Once it is spent, `stopped` says by what.
struct SearchBudget {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  std::size_t entries_left = 200'000;
  std::string stopped{};

  /// Takes one entry of a folder from the budget. Returns false where there is none left.
  [[nodiscard]] bool take() {
    if (!stopped.empty()) return false;
    if (entries_left == 0) {
      stopped = "it went through as many entries of folders as it may";
    } else if (entries_left-- % 64 == 0 && std::chrono::steady_clock::now() > deadline) {
      stopped = "it took too long";
    }
    return stopped.empty();
  }
};

}  // namespace pchr::psk

// SPDX-License-Identifier: MIT
// Asks the player what it has processed and shown; see class Questions in player/app/questions.hpp.
#pragma once

#include <string>

namespace pchr::test {

/// The test's end of the socket, and the player's end until it is handed over.
class Questions {
 public:
  Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
  ~Questions();

  /// The player's end, which it inherits.
  [[nodiscard]] int players_end() const noexcept { return ends_[1]; }
  /// Closes this process's copy of the player's end, so that the player's exit is noticed.
  void give_away();

  /// Sends a question. Returns false if the player is gone.
  [[nodiscard]] bool ask(const std::string& question) const;
  enum class Outcome { answered, gone, none };
  struct Answer {
    Outcome outcome = Outcome::none;
    std::string text{};
  };
  /// Waits for the answer. Its outcome is `none` on timeout.
  [[nodiscard]] Answer answer() const;

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace pchr::test

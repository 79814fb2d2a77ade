// SPDX-License-Identifier: MIT
// Asks the player what it has seen and shown; player/app/questions.hpp tells what can be asked.
#pragma once

#include <string>

namespace pchr::test {

enum class Question : char { frame = 'f', rest = 'r' };

/// The tests' end of the socket, and until it is given away the player's.
class Questions {
 public:
  Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
  ~Questions();

  /// For the player, as its descriptor 3.
  [[nodiscard]] int players_end() const noexcept { return ends_[1]; }
  /// Closes this program's copy of that, so that the player's end is seen when it quits.
  void give_away();

  /// Sends a question. False where the player is gone.
  [[nodiscard]] bool ask(Question question) const;
  enum class Answer { yes, gone, none };
  /// Waits for the answer to it: `none` where none comes in time.
  [[nodiscard]] Answer answer() const;

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace pchr::test

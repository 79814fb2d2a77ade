// SPDX-License-Identifier: MIT
// Tells a program that drives the player, such as a test, when the player has seen and shown what that program did.
#pragma once

#include <cstdint>

namespace pchr::player {

/// One byte at a time comes from the socket whose descriptor PCHR_PLAYER_QUESTIONS names, and goes back once it is
/// true: 'f' after a frame that was begun after the question came and that the display has; 'r' once nothing plays,
/// loads or is written, and frames have stopped changing. Without that variable nothing is asked.
class Questions {
 public:
  Questions();

  /// Receives the next question, before input is read. Returns whether one waits for a frame.
  bool wait_for_frame();
  /// Notes a frame that the display has. `at_rest`: nothing has happened since the last one and nothing goes on.
  void frame_shown(bool at_rest);

 private:
  int socket_ = -1;
  char question_ = 0;               ///< 0: none.
  std::uint32_t still_frames_ = 0;  ///< The last so many showed nothing new.
};

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#pragma once

#include "platform/question_channel.hpp"

#include <functional>
#include <memory>

namespace pchr::player {

/// Lets a program that drives the player, such as a test, wait until the player has processed and shown its input.
///
/// The program sends a one-byte question through the descriptors in PCHR_PLAYER_QUESTIONS, which are two numbers such
/// as "0,1" for standard input and output, and gets the byte back once the answer is yes. 'f': a frame that began after
/// the question is on the display. 'r': nothing plays, loads or is being written, and `still_frames` frames have not
/// changed.
class Questions {
 public:
  /// `wake` is called on a thread when a question arrives.
  Questions(std::function<void()> wake, int still_frames);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Accepts the next question before input is read. Returns whether one is pending.
  [[nodiscard]] bool wait_for_frame();
  /// Records that the display has a frame. `at_rest`: nothing has happened since the last one, and nothing is in
  /// progress.
  void frame_shown(bool at_rest);

 private:
  struct Mailbox;
  std::shared_ptr<Mailbox> mailbox_;  ///< Null if nobody asks.
  int still_frames_;
  char question_ = 0;  ///< 0 for none.
  int unchanged_ = 0;  ///< Consecutive frames without a change.
};

}  // namespace pchr::player

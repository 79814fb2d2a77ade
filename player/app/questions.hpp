// SPDX-License-Identifier: MIT
#pragma once

#include "platform/streams.hpp"
#include "ui/app.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace pchr::player {

/// Lets a program that drives the player, such as a test, wait until the player has processed and shown its input, and
/// find out what it shows.
///
/// The program sends one question at a time, a line, through the descriptors in PCHR_PLAYER_QUESTIONS, which are two
/// numbers such as "0,1" for standard input and output. Each is answered by a line, once a frame that began after the
/// question is on the display:
///
/// - `frame`: "frame".
/// - `rest`: "rest", once nothing plays, loads or is being written, and `still_frames` frames have not changed.
/// - `where NAME`: the corners of a widget in window units, as "LEFT TOP RIGHT BOTTOM"; empty if it is not visible.
/// - `state KEY`: a part of the player's state, see the table in questions.cpp; empty if there is none.
class Questions {
 public:
  /// `wake` is called on a thread when a question arrives.
  Questions(std::function<void()> wake, int still_frames);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Returns whether another program asks questions.
  [[nodiscard]] bool are_asked() const noexcept { return mailbox_ != nullptr; }
  /// Accepts the next question before input is read. Returns whether one is pending.
  [[nodiscard]] bool wait_for_frame();
  /// Records that the display has a frame. `at_rest`: nothing has happened since the last one, and nothing is in
  /// progress. `answer` is asked the questions that this class does not know.
  void frame_shown(bool at_rest, const std::function<std::string(std::string_view)>& answer);

 private:
  struct Mailbox;
  std::shared_ptr<Mailbox> mailbox_;  ///< Null if nobody asks.
  int still_frames_;
  std::string question_{};  ///< Empty for none.
  int unchanged_ = 0;       ///< Consecutive frames without a change.
};

/// Returns the value of `key` in the player's state; empty if there is no such key. Numbers have a decimal point, and
/// "yes" and "no" stand for what is on or off.
[[nodiscard]] std::string describe_state(const App& app, std::string_view key);

}  // namespace pchr::player

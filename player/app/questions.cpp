// SPDX-License-Identifier: MIT
#include "app/questions.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace pchr::player {

/// Shared with the thread that waits for questions, which may wait forever.
struct Questions::Mailbox {
  QuestionChannel channel;
  std::function<void()> wake;
  std::mutex mutex{};  ///< Guards the members below.
  bool open = true;    ///< Whether anybody reads questions.
  char question = 0;   ///< The other program asks one question at a time.

  void receive() {
    while (const auto byte = channel.receive()) {
      const std::lock_guard lock(mutex);
      if (!open) return;
      question = *byte;
      wake();
    }
  }
};

Questions::Questions(std::function<void()> wake, int still_frames) : still_frames_(still_frames) {
  const char* descriptors = std::getenv("PCHR_PLAYER_QUESTIONS");
  QuestionChannel channel;
  if (descriptors == nullptr || std::sscanf(descriptors, "%d,%d", &channel.input, &channel.output) != 2) return;
  mailbox_ = std::make_shared<Mailbox>(channel, std::move(wake));
  std::thread([mailbox = mailbox_] { mailbox->receive(); }).detach();
}

Questions::~Questions() {
  if (!mailbox_) return;
  const std::lock_guard lock(mailbox_->mutex);
  mailbox_->open = false;
}

bool Questions::wait_for_frame() {
  if (!mailbox_ || question_ != 0) return question_ != 0;
  const std::lock_guard lock(mailbox_->mutex);
  question_ = std::exchange(mailbox_->question, '\0');
  unchanged_ = 0;
  return question_ != 0;
}

void Questions::frame_shown(bool at_rest) {
  unchanged_ = at_rest ? unchanged_ + 1 : 0;
  if (question_ == 0 || (question_ == 'r' && unchanged_ <= still_frames_)) return;
  mailbox_->channel.send(std::exchange(question_, '\0'));
}

}  // namespace pchr::player

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
  std::mutex mutex{};      ///< Guards the members below.
  bool open = true;        ///< Whether anybody reads questions.
  std::string question{};  ///< The other program asks one question at a time.

  void receive() {
    std::string line;
    while (const auto byte = channel.receive()) {
      if (*byte != '\n') {
        line += *byte;
        continue;
      }
      const std::lock_guard lock(mutex);
      if (!open) return;
      question = std::exchange(line, {});
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
  if (!mailbox_ || !question_.empty()) return !question_.empty();
  const std::lock_guard lock(mailbox_->mutex);
  question_ = std::exchange(mailbox_->question, {});
  unchanged_ = 0;
  return !question_.empty();
}

void Questions::frame_shown(bool at_rest, const std::function<std::string(std::string_view)>& answer) {
  unchanged_ = at_rest ? unchanged_ + 1 : 0;
  if (question_.empty() || (question_ == "rest" && unchanged_ <= still_frames_)) return;
  const std::string question = std::exchange(question_, {});
  const bool waited = question == "rest" || question == "frame";
  mailbox_->channel.send((waited ? question : answer(question)) + '\n');
}

}  // namespace pchr::player

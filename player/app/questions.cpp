// SPDX-License-Identifier: MIT
// A socket that is read before each frame.

#include "app/questions.hpp"

#include <sys/socket.h>

#include <cstdlib>

namespace pchr::player {
namespace {

/// Dear ImGui shows some effects of an input only in the frames after it.
constexpr std::uint32_t kFramesAtRest = 4;

}  // namespace

Questions::Questions() {
  if (const char* descriptor = std::getenv("PCHR_PLAYER_QUESTIONS")) socket_ = std::atoi(descriptor);
}

bool Questions::wait_for_frame() {
  if (socket_ < 0 || question_ != 0) return question_ != 0;
  const auto received = recv(socket_, &question_, 1, MSG_DONTWAIT);
  if (received == 0) socket_ = -1;  // Nobody asks any more.
  if (received != 1) question_ = 0;
  still_frames_ = 0;
  return question_ != 0;
}

void Questions::frame_shown(bool at_rest) {
  still_frames_ = at_rest ? still_frames_ + 1 : 0;
  if (question_ == 0 || (question_ == 'r' && still_frames_ < kFramesAtRest)) return;
  static_cast<void>(send(socket_, &question_, 1, MSG_NOSIGNAL));
  question_ = 0;
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#include "platform/question_channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace pchr::player {

std::optional<char> QuestionChannel::receive() const {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = read(input, &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(char byte) const { static_cast<void>(::send(output, &byte, 1, MSG_NOSIGNAL)); }

}  // namespace pchr::player

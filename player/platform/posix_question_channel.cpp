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
    count = ::read(input, &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(output, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Implementation with a pair of sockets.
#include "questions.hpp"

#include "child_process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace pchr::test {

Questions::Questions() {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0) throw std::runtime_error("no sockets");
}

Questions::~Questions() {
  close(ends_[0]);
  if (ends_[1] >= 0) close(ends_[1]);
}

void Questions::give_away() {
  close(ends_[1]);
  ends_[1] = -1;
}

bool Questions::ask(Question question) const {
  const char byte = static_cast<char>(question);
  return send(ends_[0], &byte, 1, MSG_NOSIGNAL) == 1;
}

Questions::Answer Questions::answer() const {
  pollfd here{ends_[0], POLLIN, 0};
  const std::chrono::milliseconds patience = kPatience;
  if (poll(&here, 1, static_cast<int>(patience.count())) != 1) return Answer::none;
  char byte = 0;
  return recv(ends_[0], &byte, 1, 0) == 1 ? Answer::yes : Answer::gone;
}

}  // namespace pchr::test

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

bool Questions::ask(const std::string& question) const {
  const std::string line = question + '\n';
  return send(ends_[0], line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
}

Questions::Answer Questions::answer() const {
  Answer answer;
  const std::chrono::milliseconds patience = kPatience;
  while (true) {
    pollfd here{ends_[0], POLLIN, 0};
    if (poll(&here, 1, static_cast<int>(patience.count())) != 1) return {Outcome::none, answer.text};
    char byte = 0;
    if (recv(ends_[0], &byte, 1, 0) != 1) return {Outcome::gone, answer.text};
    answer.outcome = Outcome::answered;
    if (byte == '\n') return answer;
    answer.text += byte;
  }
}

}  // namespace pchr::test

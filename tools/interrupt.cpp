// SPDX-License-Identifier: MIT
// Ctrl-C and the like, for verbs that have files to tidy up.
#include "interrupt.hpp"

#include <array>
#include <csignal>

namespace pchr::tools {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

extern "C" void remember_signal(int number) { caught_signal = number; }

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = remember_signal;
  for (const int number : std::array{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    // Without SA_RESTART, so that a write into a pipe that nobody reads ends too. Nobody sends a second SIGPIPE out of
    // impatience.
    action.sa_flags = number == SIGPIPE ? 0 : static_cast<int>(SA_RESETHAND);
    struct sigaction before{};
    // What nohup ignores stays ignored.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

bool interrupted() { return caught_signal != 0; }

void end_if_interrupted() {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Terminals and signals of POSIX systems.
#include "platform/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>

namespace pchr {
namespace {

constexpr int kRequests[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

volatile std::sig_atomic_t caught_signal = 0;

void remember_signal(int number) { caught_signal = number; }

}  // namespace

bool is_error_on_terminal() noexcept { return isatty(STDERR_FILENO) == 1; }

std::optional<std::size_t> terminal_columns() noexcept {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return size.ws_col;
}

void catch_interrupts() noexcept {
  struct sigaction action{};
  action.sa_handler = remember_signal;
  for (const int number : kRequests) {
    // Without SA_RESTART, so that a write to a pipe without a reader ends too. A second SIGPIPE must not end the
    // program before it has cleaned up.
    action.sa_flags = number == SIGPIPE ? 0 : static_cast<int>(SA_RESETHAND);
    struct sigaction before{};
    // Signals that nohup ignores stay ignored.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

void release_interrupts() noexcept {
  for (const int number : kRequests) {
    struct sigaction current{};
    if (sigaction(number, nullptr, &current) != 0 || current.sa_handler != remember_signal) continue;
    current.sa_handler = SIG_DFL;
    sigaction(number, &current, nullptr);
  }
}

bool interrupted() noexcept { return caught_signal != 0; }

void end_if_interrupted() noexcept {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace pchr

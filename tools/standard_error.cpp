// SPDX-License-Identifier: MIT
// Writes messages to standard error.
#include "standard_error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace pchr::tools {

void reserve_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is the one that open takes. In the wrong direction, so that using it still fails.
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_error(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Writes messages to standard error.
#include "standard_error.hpp"

#include <pchr/text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string>

namespace pchr::tools {

void reserve_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is the one that open takes. In the wrong direction, so that using it still fails.
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_error(std::string_view text) noexcept {
  try {
    const std::string line = printable_lines(text) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
  } catch (const std::bad_alloc&) {
    // A message is lost, as one is that cannot be written.
  }
}

}  // namespace pchr::tools

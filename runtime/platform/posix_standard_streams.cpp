// SPDX-License-Identifier: MIT
// Standard streams of POSIX systems.
#include "platform/standard_streams.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pchr {

void prepare_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free descriptor. It is opened in the wrong direction, so using it still fails.
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes) {
  struct stat status = {};
  const bool is_regular = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  std::vector<std::byte> bytes(std::size_t{64} << 10U);
  std::uint64_t size = is_regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  // A regular file that is too large is not read.
  for (std::size_t end = 0; size <= max_bytes; size = end) {
    if (end == bytes.size()) bytes.resize(end * 2);
    const ssize_t count = read(STDIN_FILENO, bytes.data() + end, bytes.size() - end);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", std::strerror(errno)));
    }
    if (count == 0) {
      bytes.resize(end);
      return bytes;
    }
    end += static_cast<std::size_t>(count);
  }
  return file_too_large(max_bytes);
}

int write_standard_output(std::span<const std::byte> bytes) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
  return written ? 0 : errno;
}

void write_standard_error(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Standard streams of Windows: files, pipes, and consoles, which get UTF-16 instead of a change of their code page.
#include "platform/standard_streams.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_system.hpp"
#include "platform/windows_text.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace pchr {
namespace {

bool is_console(HANDLE stream) {
  DWORD mode = 0;
  return GetConsoleMode(stream, &mode) != 0;
}

bool write_to_console(HANDLE console, std::string_view text) {
  const std::wstring letters = wide(text);
  std::wstring_view left = letters;
  while (!left.empty()) {
    // Consoles refuse very long texts.
    constexpr std::size_t kMax = 8192;
    DWORD written = 0;
    const auto count = static_cast<DWORD>(std::min(left.size(), kMax));
    if (WriteConsoleW(console, left.data(), count, &written, nullptr) == 0 || written == 0) return false;
    left.remove_prefix(written);
  }
  return true;
}

}  // namespace

void prepare_standard_streams() noexcept {
  for (std::FILE* const stream : {stdin, stdout, stderr}) {
    // A closed stream has no descriptor.
    if (_fileno(stream) >= 0) _setmode(_fileno(stream), _O_BINARY);
  }
}

Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes) {
  const auto input = GetStdHandle(STD_INPUT_HANDLE);
  LARGE_INTEGER file_size{};
  const bool is_regular = GetFileType(input) == FILE_TYPE_DISK && GetFileSizeEx(input, &file_size) != 0;
  std::vector<std::byte> bytes(std::size_t{64} << 10U);
  std::uint64_t size = is_regular ? static_cast<std::uint64_t>(file_size.QuadPart) : 0;
  // A regular file that is too large is not read.
  for (std::size_t end = 0; size <= max_bytes; size = end) {
    if (end == bytes.size()) bytes.resize(end * 2);
    constexpr std::size_t kMax = std::size_t{1} << 30;
    DWORD count = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size() - end, kMax));
    if (::ReadFile(input, bytes.data() + end, wanted, &count, nullptr) == 0) {
      const DWORD error = GetLastError();
      // The writer has closed its end of the pipe.
      if (error != ERROR_BROKEN_PIPE) {
        return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", error_text(error)));
      }
      count = 0;
    }
    if (count == 0) {
      bytes.resize(end);
      return bytes;
    }
    end += count;
  }
  return file_too_large(max_bytes);
}

int write_standard_output(std::span<const std::byte> bytes) {
  const auto output = GetStdHandle(STD_OUTPUT_HANDLE);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_console(output)) return write_to_console(output, text) ? 0 : EIO;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
  // The C library only reports EINVAL for a pipe that its reader has closed.
  if (_doserrno == ERROR_NO_DATA || _doserrno == ERROR_BROKEN_PIPE) return EPIPE;
  return errno != 0 ? errno : EIO;
}

void write_standard_error(std::string_view text) noexcept {
  const auto error = GetStdHandle(STD_ERROR_HANDLE);
  if (is_console(error)) {
    write_to_console(error, text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

}  // namespace pchr

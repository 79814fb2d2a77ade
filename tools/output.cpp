// SPDX-License-Identifier: MIT
// Writes results to standard output and to files.
#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace pchr::tools {
namespace {

std::unexpected<Failure> cannot_write(std::string_view what, int error) {
  return fail(ExitCode::environment, fmt::format("pchr: cannot write {}: {}", what, std::strerror(error)));
}

// 0, or the errno of what failed. Closes the file either way; a full disk may show only then.
int write_and_close(std::FILE* file, std::string_view bytes) {
  int error = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fflush(file) != 0) error = errno;
  // Without this, a crash of the machine soon after the rename could leave an empty file. Pipes refuse it.
  if (error == 0 && fsync(fileno(file)) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

Result<void> write_stdout(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return {};
  // Who closed the pipe knows that there was more.
  if (errno == EPIPE) return fail(ExitCode::environment, "");
  return cannot_write("to standard output", errno);
}

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  // A link keeps pointing at the file that is replaced.
  fs::path target = fs::canonical(path, error);
  if (error) target = path;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return cannot_write(path.string(), EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    std::FILE* file = std::fopen(target.c_str(), "wb");
    const int failed = file == nullptr ? errno : write_and_close(file, bytes);
    if (failed != 0) return cannot_write(path.string(), failed);
    return {};
  }

  const fs::path temporary = fmt::format("{}.{}.tmp", target.string(), getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wbx");
  if (file == nullptr) return cannot_write(path.string(), errno);
  int failed = write_and_close(file, bytes);
  if (failed == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
  if (failed != 0) {
    fs::remove(temporary, error);
    return cannot_write(path.string(), failed);
  }
  return {};
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Files of POSIX systems.
#include "platform/file_system.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pchr {
namespace {

constexpr std::uint64_t kSmallestStep = std::uint64_t{64} << 10;

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

Unexpected<Diagnostic> unreadable(int error) {
  return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", std::strerror(error)));
}

}  // namespace

// Reads until the end instead of trusting the size: pipes have none, and a file can grow in the meantime.
Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed, std::uint64_t max_bytes,
                                                 std::size_t padding) {
  const OpenFile file(path, allowed == AllowedFiles::regular_files ? O_NONBLOCK : 0);
  struct stat status = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) return unreadable(errno);
  const bool is_regular = S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode)) return unreadable(EISDIR);
  if (!is_regular && allowed == AllowedFiles::regular_files)
    return fail(DiagnosticId::unreadable_file, "the file is not a regular file");
  const std::uint64_t expected = is_regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (expected > max_bytes) return file_too_large(max_bytes);

  FileBytes result;
  // One byte more than expected, to see the end without growing.
  result.storage.resize(expected + 1 + padding);
  for (;;) {
    if (result.size + padding == result.storage.size()) {
      // Read at most one byte beyond the limit.
      const std::uint64_t left = max_bytes - result.size;
      const std::uint64_t step = std::max<std::uint64_t>(result.size, kSmallestStep);
      result.storage.resize(result.storage.size() + (step > left ? left + 1 : step));
    }
    const std::size_t room = result.storage.size() - padding - result.size;
    const ssize_t count = ::read(file.descriptor(), result.storage.data() + result.size, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) return result;
    result.size += static_cast<std::size_t>(count);
    if (result.size > max_bytes) return file_too_large(max_bytes);
  }
}

bool read_part(const std::string& path, std::uint64_t offset, std::span<std::byte> bytes) {
  const OpenFile file(path, O_NONBLOCK);
  struct stat status = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  while (!bytes.empty()) {
    const ssize_t count = pread(file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace pchr

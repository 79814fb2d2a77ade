// SPDX-License-Identifier: MIT
// Files of POSIX systems.
#include "platform/file_system.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace pchr {
namespace {

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
  if (error == ENOMEM) throw_out_of_memory();
  return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", std::strerror(error)));
}

/// Returns the real path of an open file, or nothing. Whoever can replace links meanwhile cannot deceive the kernel;
/// without /proc, the file that the path leads to must be the one that is open.
std::string real_path_of(int descriptor, const std::string& path) {
  std::array<char, PATH_MAX> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), name.data(), name.size());
  if (length > 0 && static_cast<std::size_t>(length) < name.size() && name[0] == '/') {
    return {name.data(), static_cast<std::size_t>(length)};
  }
  std::string found = real_path(path);
  struct stat opened{}, there{};
  const bool same = fstat(descriptor, &opened) == 0 && lstat(found.c_str(), &there) == 0 &&
                    opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
  return same ? std::move(found) : std::string();
}

bool is_open_below(RealFolders folders, const OpenFile& file, const std::string& path) {
  return folders.empty() || is_below(folders, real_path_of(file.descriptor(), path));
}

}  // namespace

Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed, std::uint64_t max_bytes,
                                                 std::size_t padding, RealFolders folders) {
  const OpenFile file(path, allowed == AllowedFiles::regular_files ? O_NONBLOCK : 0);
  struct stat status = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) return unreadable(errno);
  if (!is_open_below(folders, file, path)) return link_outside();
  const bool is_regular = S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode)) return unreadable(EISDIR);
  if (!is_regular && allowed == AllowedFiles::regular_files)
    return fail(DiagnosticId::unreadable_file, "the file is not a regular file");
  const std::uint64_t expected = is_regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  const auto read_some = [&](std::span<std::byte> room) -> Expected<std::size_t, Diagnostic> {
    for (;;) {
      const ssize_t count = ::read(file.descriptor(), room.data(), room.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return unreadable(errno);
    }
  };
  return read_until_end(expected, max_bytes, padding, read_some);
}

bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset, std::span<std::byte> bytes) {
  const OpenFile file(path, O_NONBLOCK);
  struct stat status = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !is_open_below(folders, file, path)) {
    return false;
  }
  while (!bytes.empty()) {
    const ssize_t count = pread(file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace pchr

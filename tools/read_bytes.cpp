// SPDX-License-Identifier: MIT
// Reads files that the user names, and standard input.
#include "read_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pchr::tools {
namespace {

constexpr std::size_t kFirstRoom = std::size_t{64} << 10U;

std::unexpected<Finding> unreadable(int error) {
  return std::unexpected(Finding{FindingId::unreadable_file, {}, {}, {}, std::strerror(error)});
}

// Reads to the end instead of trusting a size: pipes have none.
std::expected<std::vector<std::byte>, Finding> read_to_end(int descriptor, std::uint64_t max_bytes) {
  const auto too_large = [&] {
    return std::unexpected(Finding{
        FindingId::limit_exceeded, {}, {}, max_bytes, fmt::format("the file is larger than {} bytes", max_bytes)});
  };
  struct stat status = {};
  const bool is_regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (is_regular && static_cast<std::uint64_t>(status.st_size) > max_bytes) return too_large();
  std::vector<std::byte> bytes(kFirstRoom);
  for (std::size_t size = 0;;) {
    const ssize_t count = read(descriptor, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    size += static_cast<std::size_t>(count);
    if (size > max_bytes) return too_large();
    if (count == 0) {
      bytes.resize(size);
      return bytes;
    }
    if (size == bytes.size()) bytes.resize(size * 2);
  }
}

}  // namespace

std::expected<std::vector<std::byte>, Finding> read_bytes(const std::string& file, std::uint64_t max_bytes) {
  if (file == "-") return read_to_end(STDIN_FILENO, max_bytes);
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(errno);
  auto bytes = read_to_end(descriptor, max_bytes);
  close(descriptor);
  return bytes;
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Parts of a file.
#include "import/partial_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace pchr {
std::optional<PartialFile> PartialFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status{};
  const bool is_regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  PartialFile file(descriptor, is_regular ? static_cast<std::uint64_t>(status.st_size) : 0);
  if (!is_regular) return std::nullopt;
  return file;
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

PartialFile::~PartialFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool PartialFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  if (bytes.size() > size_ || offset > size_ - bytes.size()) return false;
  while (!bytes.empty()) {
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Parts of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace pchr {

/// A regular file that is open for reading. Anything else (a pipe, a device) does not open, and is not waited for.
class PartialFile {
 public:
  [[nodiscard]] static std::optional<PartialFile> open(const std::filesystem::path& path);
  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&&) = delete;
  ~PartialFile();

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Fills `bytes` from `offset` on. Returns false where the file has fewer.
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  PartialFile(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Files that are put in their place only when they are whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>

namespace pchr::film {

/// What to do about files that are there already.
enum class Existing : std::uint8_t {
  keep,  ///< Fail, as wrong usage, before anything is written.
  replace
};

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file that is written beside its place, under a hidden name, and renamed when it is whole. One that goes before is
/// removed. Functions return 0, or the errno of what failed.
class PendingFile {
 public:
  [[nodiscard]] static std::expected<PendingFile, int> create(const std::filesystem::path& path);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&& other) noexcept;
  ~PendingFile();

  [[nodiscard]] int write(std::span<const std::byte> bytes);
  /// Ends the writing, on the disk too: a full one may show only then.
  [[nodiscard]] int close();
  /// Puts it in its place. EEXIST where something is there that must be kept.
  [[nodiscard]] int publish(Existing existing);
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  PendingFile() = default;
  void discard() noexcept;

  std::filesystem::path path_, temporary_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace pchr::film

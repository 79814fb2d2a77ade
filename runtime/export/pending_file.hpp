// SPDX-License-Identifier: MIT
// Files that are put in their places only when they are complete.
#pragma once

#include <pchr/export/animation.hpp>

#include <cstddef>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>

namespace pchr::exporting {

class TemporaryNames;

/// Instead of an errno: the file is one that was read.
inline constexpr int kIsInput = -1;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file that is written beside its place, under a hidden name, and renamed when it is complete. One that goes before
/// is removed; those of a killed process go when the next one writes into that folder. Functions return 0, or the errno
/// of what failed.
class PendingFile {
 public:
  [[nodiscard]] static std::expected<PendingFile, int> create(const std::filesystem::path& path);
  PendingFile(PendingFile&&) noexcept = default;
  PendingFile& operator=(PendingFile&&) noexcept = default;
  ~PendingFile() = default;

  [[nodiscard]] int write(std::span<const std::byte> bytes);
  /// Ends the writing, on the disk too: a full one may show only then.
  [[nodiscard]] int close();
  /// Puts it in its place. EEXIST where something is there that must be kept, kIsInput where one of `inputs` is.
  [[nodiscard]] int publish(Existing existing, const InputFiles& inputs);
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  PendingFile() = default;

  /// A file to be removed at the end.
  struct Temporary {
    std::filesystem::path path;
    ~Temporary();
  };

  std::filesystem::path path_;
  std::shared_ptr<TemporaryNames> names_;
  std::unique_ptr<Temporary> temporary_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace pchr::exporting

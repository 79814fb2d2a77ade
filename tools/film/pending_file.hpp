// SPDX-License-Identifier: MIT
// Files that are put in their place only when they are whole.
#pragma once

#include "film/input_files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pchr::film {

class TemporaryNames;

/// What to do about files that are there already.
enum class Existing : std::uint8_t {
  keep,  ///< Fail, as wrong usage, before anything is written.
  replace
};

/// Instead of an errno: the file is one that was read.
inline constexpr int kIsInput = -1;

/// Says why `path` cannot be written, as a sentence. `error` is an errno or kIsInput.
[[nodiscard]] std::string describe_write_error(std::string_view path, int error);

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file that is written beside its place, under a hidden name, and renamed when it is whole. One that goes before is
/// removed; those of a killed process go when the next one writes into that folder. Functions return 0, or the errno of
/// what failed.
class PendingFile {
 public:
  [[nodiscard]] static std::expected<PendingFile, int> create(const std::filesystem::path& path);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&& other) noexcept;
  ~PendingFile();

  [[nodiscard]] int write(std::span<const std::byte> bytes);
  /// Ends the writing, on the disk too: a full one may show only then.
  [[nodiscard]] int close();
  /// Puts it in its place. EEXIST where something is there that must be kept, kIsInput where one of `inputs` is.
  [[nodiscard]] int publish(Existing existing, const InputFiles& inputs);
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Chooses another place in the same folder.
  void set_path(std::filesystem::path path) { path_ = std::move(path); }

 private:
  PendingFile() = default;
  void discard() noexcept;

  std::filesystem::path path_, temporary_;
  std::shared_ptr<TemporaryNames> names_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace pchr::film

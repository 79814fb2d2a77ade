// SPDX-License-Identifier: MIT
// New files that replace others at once, and locks that tell other processes that this one lives. All paths are UTF-8.
#pragma once

#include <pchr/api.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace PCHR_API pchr {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file as std::fopen does: `mode` is "rb", "wb" or "ab". Returns null and sets `error` if that fails.
[[nodiscard]] File open_file(const std::string& path, const char* mode, std::error_code& error);

/// Creates a file to write. Returns null and sets `error` if that fails, or if there is a file.
[[nodiscard]] File create_file(const std::string& path, std::error_code& error);

/// Returns the error of the last function of the C library that wrote to a file.
[[nodiscard]] std::error_code last_stream_error() noexcept;

/// Closes a file. Fails if not everything could be written.
[[nodiscard]] std::error_code close_file(File file);

/// Waits until the disk has the contents of closed files, all together. Without that, a crash soon after could leave
/// them empty. Returns the first error and sets `failed` to the number of its file.
[[nodiscard]] std::error_code sync_files(std::span<const std::string> paths, std::size_t& failed);

/// Renames a file to a path in its folder, where it replaces a file, even one that others read. Either both paths
/// change, or none.
[[nodiscard]] std::error_code replace_file(const std::string& from, const std::string& to);

/// Renames a file to a path in its folder. Fails with std::errc::file_exists if there is a file.
[[nodiscard]] std::error_code move_to_new_file(const std::string& from, const std::string& to);

/// Removes a file or a link to one. Ignores errors.
void remove_file(const std::string& path) noexcept;

/// Returns the target of a link to something that exists, or else `path`.
[[nodiscard]] std::string follow_link(const std::string& path);

/// A file that only one process at a time holds. It stays behind if the process is killed.
class LockFile {
 public:
  /// Creates the file. On failure, nothing is held.
  [[nodiscard]] static LockFile create(const std::string& path);
  /// Takes over the file of a process that was killed. If it could be running, on this machine or on another one that
  /// shares the folder, nothing is held.
  [[nodiscard]] static LockFile take_over(const std::string& path);

  LockFile() = default;
  LockFile(LockFile&& other) noexcept : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// Removes the file.
  ~LockFile();

  [[nodiscard]] bool is_held() const noexcept { return handle_ != -1; }

 private:
  LockFile(std::string path, std::intptr_t handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_{};
  std::intptr_t handle_ = -1;  ///< Descriptor or handle.
};

}  // namespace pchr

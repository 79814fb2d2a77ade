// SPDX-License-Identifier: MIT
// Writes files that replace others when they are complete.
#pragma once

#include <pchr/callback.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

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

/// Returns why no file can have this path, such as a name that is too long. It does not matter whether there is one, or
/// whether its folder exists.
[[nodiscard]] std::error_code check_path(const std::string& path);

/// Gives a file the second name `kept` in its folder, so that it can return after another one has replaced it. Renames
/// it if the file system has no such names. Fails if it is a folder.
[[nodiscard]] std::error_code keep_file(const std::string& path, const std::string& kept);

/// Removes a file or a link to one. Ignores errors.
void remove_file(const std::string& path) noexcept;

/// Returns the target of a link to something that exists, or else `path`.
[[nodiscard]] std::string follow_link(const std::string& path);

/// An empty file that only one process at a time holds. It stays behind if the process is killed.
class LockFile {
 public:
  /// Creates the file. On failure, nothing is held.
  [[nodiscard]] static LockFile create(const std::string& path);
  /// Takes over the file of a process that was killed. If it is running, nothing is held.
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

/// How the names of hidden files begin that this program writes between others.
inline constexpr std::string_view kHiddenPrefix = ".pchr.";

/// File that is written to a hidden temporary file in its folder, which is removed unless it is published. That of a
/// killed process stays, and disturbs nobody.
struct PendingFile {
  explicit PendingFile(std::string target) : path(std::move(target)) {}

  /// Creates the temporary file.
  [[nodiscard]] std::error_code create();
  /// Moves the complete file to its place. Without `replace`, fails if one exists there.
  [[nodiscard]] std::error_code publish(bool replace);

  struct RemoveFile {
    void operator()(const std::string* path) const;
  };
  std::string path;
  std::unique_ptr<const std::string, RemoveFile> temporary{};  ///< Its path; null unless it was created.
  File file{};                                                 ///< Open for writing after create().
};

/// What publish_all() does if there is a file already.
enum class IfPresent : std::uint8_t { fail, replace, skip };

/// Moves complete files to their places: all or, if one of them cannot be moved, none. What others have replaced then
/// returns. Returns the first error and sets `failed` to the number of its file.
[[nodiscard]] std::error_code publish_all(std::span<PendingFile* const> files, IfPresent present, std::size_t& failed);

/// Returns the user's folder for cached files: $XDG_CACHE_HOME, if it is an absolute path, or else what the system
/// uses. Empty if there is none.
[[nodiscard]] std::string user_cache_folder();

/// A folder of small files, which several processes can use at the same time. Errors are ignored: what cannot be stored
/// is not found later.
class CacheFolder {
 public:
  /// Creates the folder when something is first stored. With an empty path, nothing is.
  CacheFolder(std::string path, std::uint64_t max_bytes) : path_(std::move(path)), max_bytes_(max_bytes) {}

  /// Returns the bytes of a file, or none.
  [[nodiscard]] std::vector<std::byte> load(const std::string& name) const;
  /// Replaces a file. If the folder would exceed its limit, all other files are removed.
  void store(const std::string& name, std::span<const std::byte> bytes) const;

  /// Return these functions as those of a ProgramCache, which can be used as long as the folder exists.
  /// @{
  [[nodiscard]] Callback<std::vector<std::byte>(const std::string& name)> loading() const noexcept;
  [[nodiscard]] Callback<void(const std::string& name, std::span<const std::byte> bytes)> storing() const noexcept;
  /// @}

 private:
  std::string path_;
  std::uint64_t max_bytes_;
};

/// Returns the folder in which the tool and the player keep compiled shader programs.
[[nodiscard]] const CacheFolder& program_folder();

}  // namespace pchr

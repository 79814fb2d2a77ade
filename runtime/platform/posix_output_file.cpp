// SPDX-License-Identifier: MIT
#include "platform/output_file.hpp"

#include "platform/system_error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

namespace pchr {
namespace {

namespace fs = std::filesystem;

/// Identifies the current boot of this machine. Only processes that share it see each other's locks; other machines can
/// write to the same network folder.
const std::string& boot_id() {
  static const std::string id = [] {
    std::string line;
    std::ifstream stream("/proc/sys/kernel/random/boot_id");
    std::getline(stream, line);
    return line;
  }();
  return id;
}

}  // namespace

File open_file(const std::string& path, const char* mode, std::error_code& error) {
  File file(std::fopen(path.c_str(), mode));
  error = file == nullptr ? last_error() : std::error_code();
  return file;
}

File create_file(const std::string& path, std::error_code& error) { return open_file(path, "wbx", error); }

std::error_code last_stream_error() noexcept { return last_error(); }

std::error_code close_file(File file) { return std::fclose(file.release()) == 0 ? std::error_code() : last_error(); }

std::error_code sync_files(std::span<const std::string> paths, std::size_t& failed) {
#ifdef __linux__
  // Each fsync() waits for the disk. syncfs() waits once, but for what other programs write as well.
  constexpr std::size_t kMaxFsyncs = 16;
  std::vector<dev_t> synced;
#endif
  for (const std::string& path : paths) {
    failed = static_cast<std::size_t>(&path - paths.data());
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == EPERM) continue;  // An isolated process cannot open a file again.
    if (descriptor < 0) return last_error();
    std::error_code error;
    // Some files do not support it.
    const auto check = [&](int result) {
      if (result != 0 && errno != EINVAL && errno != EROFS) error = last_error();
    };
#ifdef __linux__
    struct stat file{};
    if (paths.size() <= kMaxFsyncs || fstat(descriptor, &file) != 0) {
      check(fsync(descriptor));
    } else if (std::ranges::find(synced, file.st_dev) == synced.end()) {
      check(syncfs(descriptor));
      synced.push_back(file.st_dev);
    }
#else
    check(fsync(descriptor));
#endif
    close(descriptor);
    if (error) return error;
  }
  return {};
}

std::error_code replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return last_error();
  return {};
}

std::error_code move_to_new_file(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  // Some file systems lack RENAME_NOREPLACE.
  if (errno != EINVAL && errno != ENOSYS) return last_error();
#endif
  // Most of them support links, which do not replace files either.
  if (link(from.c_str(), to.c_str()) != 0) return last_error();
  unlink(from.c_str());
  return {};
}

void remove_file(const std::string& path) noexcept { unlink(path.c_str()); }

std::string follow_link(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

LockFile LockFile::create(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) return {};
  // Another process can take an empty file for one of a killed process and be about to remove it.
  struct stat file{};
  if (flock(descriptor, LOCK_EX) != 0 || fstat(descriptor, &file) != 0 || file.st_nlink == 0) {
    close(descriptor);
    return {};
  }
  LockFile lock(path, descriptor);
  const std::string& text = boot_id();
  if (write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return lock;
  return {};
}

LockFile LockFile::take_over(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  const auto is_of_this_machine = [&] {
    struct stat file{};
    std::array<char, 64> text{};
    const bool regular = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
    const ssize_t length = regular ? read(descriptor, text.data(), text.size()) : -1;
    // Empty if the process was killed before it could write to the file.
    return length == 0 || (length > 0 && std::string_view(text.data(), static_cast<std::size_t>(length)) == boot_id());
  };
  // Locked first: until then, its process can write to an empty file.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_of_this_machine()) return {path, descriptor};
  close(descriptor);
  return {};
}

LockFile::~LockFile() {
  if (!is_held()) return;
  unlink(path_.c_str());
  close(static_cast<int>(handle_));
}

}  // namespace pchr

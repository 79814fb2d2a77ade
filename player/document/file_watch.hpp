// SPDX-License-Identifier: MIT
// Notices when files are saved.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pchr::player {

/// A file as it was at some moment. One that does not exist has no bytes and the earliest of times.
struct FileStamp {
  std::filesystem::path path;
  std::filesystem::file_time_type modified = std::filesystem::file_time_type::min();
  std::uintmax_t bytes = 0;
  [[nodiscard]] bool exists() const noexcept { return modified != std::filesystem::file_time_type::min(); }
  bool operator==(const FileStamp&) const = default;
};

/// Returns `path` as it is now.
[[nodiscard]] FileStamp stamp(const std::filesystem::path& path);

/// Watches a few files by looking at them twice a second. Editors save by renaming and links lead elsewhere: looking
/// sees it all.
class FileWatch {
 public:
  /// Calls `wake` on the watch's thread when files have changed.
  explicit FileWatch(std::function<void()> wake);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  /// Watches these files, and no others, from what they were on. The first matters most: while it does not exist,
  /// nothing counts as a change.
  void watch(std::vector<FileStamp> files);
  /// Returns whether files changed and then rested for a tenth of a second. True once.
  [[nodiscard]] bool take_changed();

 private:
  void work();

  std::function<void()> wake_;
  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable attention_;
  std::vector<FileStamp> files_{};  ///< As they were when the watch began, or last changed.
  bool watching_anew_ = false;
  bool changed_ = false;
  bool stopping_ = false;

  std::thread thread_;  ///< Last, for it uses all of the above.
};

}  // namespace pchr::player

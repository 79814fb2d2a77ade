// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pchr::player {

/// The state of a file at some moment. A missing one has no bytes and the earliest time.
struct FileStamp {
  std::filesystem::path path;
  std::filesystem::file_time_type modified = std::filesystem::file_time_type::min();
  std::uintmax_t bytes = 0;
  [[nodiscard]] bool exists() const noexcept { return modified != std::filesystem::file_time_type::min(); }
  bool operator==(const FileStamp&) const = default;
};

[[nodiscard]] FileStamp stamp(const std::filesystem::path& path);

/// Notices when files are saved, by looking at them twice a second: that sees editors that save by renaming, and links.
class FileWatch {
 public:
  /// Calls `wake` on the watch's thread when files have changed.
  explicit FileWatch(std::function<void()> wake);

  /// Watches only these files, from these states on. While the first does not exist, nothing counts as a change.
  void watch(std::vector<FileStamp> files);
  /// Returns whether files changed and then rested for a tenth of a second. True once.
  [[nodiscard]] bool take_changed();

 private:
  void work(const std::stop_token& stopping);

  std::function<void()> wake_;
  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable_any attention_;
  std::vector<FileStamp> files_{};  ///< As they were when the watch began, or last changed.
  bool restarted_ = false;
  bool changed_ = false;

  std::jthread thread_;  ///< Last, because it uses all of the above.
};

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace pchr::player {

/// What changes when a file is saved, see FileStatus.
struct FileState {
  std::int64_t modified = 0;
  std::uint64_t bytes = 0;
  bool operator==(const FileState&) const = default;
};

/// State of a file at one point in time.
struct FileStamp {
  std::filesystem::path path;
  std::optional<FileState> state{};  ///< Absent if the file is missing.
  [[nodiscard]] bool exists() const noexcept { return state.has_value(); }
  bool operator==(const FileStamp&) const = default;
};

[[nodiscard]] FileStamp stamp(const std::filesystem::path& path);

/// What happened to watched files.
enum class FileNews : std::uint8_t {
  none,
  changed,  ///< They were saved, and then stayed unchanged for a tenth of a second.
  deleted,  ///< The first one has been missing for half a second.
  returned  ///< The first one was missing and is back, unchanged.
};

/// Detects saved and deleted files by polling twice a second, which also works for symbolic links and editors that save
/// by renaming.
class FileWatch {
 public:
  /// `wake` is called on the watch's thread when files have changed.
  explicit FileWatch(std::function<void()> wake);

  /// Watches only these files, starting from these states. Reports no changes while the first file is missing. Without
  /// files, sleeps.
  void watch(std::vector<FileStamp> files);
  /// Returns the last event, once.
  [[nodiscard]] FileNews take_news();

 private:
  void work(const std::stop_token& stopping);
  [[nodiscard]] FileNews what_happened(const std::vector<FileStamp>& now) const;

  std::function<void()> wake_;
  std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable_any attention_;
  std::vector<FileStamp> files_{};  ///< State when the watch started or at the last change.
  bool restarted_ = false;
  bool missing_ = false;  ///< Whether `deleted` was reported.
  FileNews news_ = FileNews::none;

  std::jthread thread_;  ///< Last member, because it uses all of the above.
};

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Notices when files are saved.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pchr::player {

/// A file as it was at some moment. One that is not there has no bytes and the earliest of times.
struct FileStamp {
  std::filesystem::path path;
  std::filesystem::file_time_type modified = std::filesystem::file_time_type::min();
  std::uintmax_t bytes = 0;
  [[nodiscard]] bool exists() const noexcept { return modified != std::filesystem::file_time_type::min(); }
  bool operator==(const FileStamp&) const = default;
};

/// `path` as it is now.
[[nodiscard]] FileStamp stamp(const std::filesystem::path& path);

/// Watches a few files. Sleeps in the kernel until something happens in their folders; where those cannot be watched,
/// it looks twice a second.
class FileWatch {
 public:
  /// `wake` is called on the watch's thread when changed() has become true.
  explicit FileWatch(std::function<void()> wake);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  /// Watches these files, and no others, from what they were on. The first matters most: while it is not there,
  /// nothing counts as a change.
  void watch(std::vector<FileStamp> files);
  /// Whether files are different from what they were, and have been left alone for a tenth of a second. True once.
  [[nodiscard]] bool take_changed() noexcept { return changed_.exchange(false); }

 private:
  class Folders;
  void work();

  std::function<void()> wake_;
  std::atomic<bool> changed_ = false;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;  ///< Guards what follows.
  std::vector<FileStamp> files_{};
  std::uint64_t version_ = 0;  ///< Counts calls of watch().

  std::unique_ptr<Folders> folders_;
  std::thread thread_;  ///< Last, for it uses all of the above.
};

}  // namespace pchr::player

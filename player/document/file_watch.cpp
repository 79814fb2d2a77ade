// SPDX-License-Identifier: MIT
#include "document/file_watch.hpp"

#include <chrono>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::chrono::milliseconds kPoll{500};
constexpr std::chrono::milliseconds kRest{100};  ///< How long a saved file must stay unchanged.

}  // namespace

FileStamp stamp(const std::filesystem::path& path) { return {path, file_state(path)}; }

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stopping) { work(stopping); }) {}

void FileWatch::watch(std::vector<FileStamp> files) {
  {
    const std::lock_guard lock(mutex_);
    files_ = std::move(files);
    restarted_ = true;
    changed_ = false;
  }
  attention_.notify_one();
}

bool FileWatch::take_changed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(changed_, false);
}

void FileWatch::work(const std::stop_token& stopping) {
  std::unique_lock lock(mutex_);
  std::vector<FileStamp> last;
  while (true) {
    const bool differs = !last.empty() && last != files_ && last.front().exists();
    const auto restarted = [this] { return restarted_; };
    files_.empty() ? attention_.wait(lock, stopping, restarted)
                   : attention_.wait_for(lock, stopping, differs ? kRest : kPoll, restarted);
    if (stopping.stop_requested()) return;
    const bool was_restarted = std::exchange(restarted_, false);
    const std::vector<FileStamp> known = files_;
    lock.unlock();
    std::vector<FileStamp> now;
    for (const FileStamp& file : known) now.push_back(stamp(file.path));
    lock.lock();
    if (restarted_) continue;
    const bool is_stable = !was_restarted && now == last;
    last = std::move(now);
    if (!is_stable || last == files_ || !last.front().exists()) continue;
    files_ = last;
    changed_ = true;
    wake_();
  }
}

}  // namespace pchr::player

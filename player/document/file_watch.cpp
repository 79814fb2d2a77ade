// SPDX-License-Identifier: MIT
#include "document/file_watch.hpp"

#include "platform/file_system.hpp"
#include "platform/utf8_path.hpp"

#include <chrono>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::chrono::milliseconds kPoll{500};
constexpr std::chrono::milliseconds kRest{100};  ///< How long a saved file must stay unchanged.

}  // namespace

FileStamp stamp(const std::filesystem::path& path) {
  const FileStatus status = find_status(utf8_of(path));
  if (status.kind != FileKind::file) return {path};
  return {path, FileState{status.modified, status.bytes}};
}

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stopping) { work(stopping); }) {}

void FileWatch::watch(std::vector<FileStamp> files) {
  {
    const std::lock_guard lock(mutex_);
    files_ = std::move(files);
    restarted_ = true;
    missing_ = false;
    news_ = FileNews::none;
  }
  attention_.notify_one();
}

FileNews FileWatch::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, FileNews::none);
}

FileNews FileWatch::what_happened(const std::vector<FileStamp>& now) const {
  if (!now.front().exists()) return files_.front().exists() && !missing_ ? FileNews::deleted : FileNews::none;
  if (now != files_) return FileNews::changed;
  return missing_ ? FileNews::returned : FileNews::none;
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
    if (!is_stable) continue;
    const FileNews news = what_happened(last);
    if (news == FileNews::none) continue;
    missing_ = news == FileNews::deleted;
    if (news == FileNews::changed) files_ = last;
    news_ = news;
    wake_();
  }
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#include "document/file_watch.hpp"

#include <chrono>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::chrono::milliseconds kPoll{500};
constexpr std::chrono::milliseconds kRest{100};  ///< A file must not change for so long before it counts as saved.

std::vector<FileStamp> stamps(const std::vector<FileStamp>& files) {
  std::vector<FileStamp> now;
  for (const FileStamp& file : files) now.push_back(stamp(file.path));
  return now;
}

}  // namespace

FileStamp stamp(const std::filesystem::path& path) {
  std::error_code error;
  const auto modified = std::filesystem::last_write_time(path, error);
  if (error) return {.path = path};
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return {.path = path};
  return {.path = path, .modified = modified, .bytes = bytes};
}

FileWatch::FileWatch(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

FileWatch::~FileWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  attention_.notify_one();
  thread_.join();
}

void FileWatch::watch(std::vector<FileStamp> files) {
  {
    const std::lock_guard lock(mutex_);
    files_ = std::move(files);
    watching_anew_ = true;
    changed_ = false;
  }
  attention_.notify_one();
}

bool FileWatch::take_changed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(changed_, false);
}

void FileWatch::work() {
  std::unique_lock lock(mutex_);
  std::vector<FileStamp> last;
  while (true) {
    const bool differs = !last.empty() && last != files_ && last.front().exists();
    const auto called = [this] { return stopping_ || watching_anew_; };
    files_.empty() ? attention_.wait(lock, called)
                   : static_cast<void>(attention_.wait_for(lock, differs ? kRest : kPoll, called));
    if (stopping_) return;
    const bool anew = std::exchange(watching_anew_, false);
    const std::vector<FileStamp> known = files_;
    lock.unlock();
    std::vector<FileStamp> now = stamps(known);
    lock.lock();
    if (watching_anew_) continue;
    const bool rests = !anew && now == last;
    last = std::move(now);
    if (!rests || last == files_ || !last.front().exists()) continue;
    files_ = last;
    changed_ = true;
    wake_();
  }
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// inotify on the folders of files: editors save by renaming, which a watch on the file itself would not survive.
#include "file_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr int kRestMilliseconds = 100;  ///< For so long a file must not change before it counts as saved.
constexpr int kPollMilliseconds = 500;  ///< Between two looks where folders cannot be watched.
constexpr int kForever = -1;

std::vector<FileStamp> stamps(const std::vector<FileStamp>& files) {
  std::vector<FileStamp> now;
  for (const FileStamp& file : files) now.push_back(stamp(file.path));
  return now;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

}  // namespace

FileStamp stamp(const fs::path& path) {
  FileStamp result{.path = path};
  std::error_code error;
  const auto modified = fs::last_write_time(path, error);
  if (error) return result;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) return result;
  result.modified = modified;
  result.bytes = bytes;
  return result;
}

/// Something to wait at: events in folders, or another thread that wants attention.
class FileWatch::Folders {
 public:
  Folders() {
    if (pipe(attention_) != 0) return;
    for (const int end : attention_) fcntl(end, F_SETFL, O_NONBLOCK);
    for (const int end : attention_) fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;
  ~Folders() {
    forget();
    for (const int end : attention_) close(end);
  }

  /// From any thread: ends the wait.
  void interrupt() const {
    const char anything = 0;
    // A full pipe ends the wait just as well.
    static_cast<void>(write(attention_[1], &anything, 1) == 1);
  }

  void watch(const std::vector<FileStamp>& files) {
    forget();
    complete_ = true;
    for (const FileStamp& file : files) {
      add(file.path);
      std::error_code error;
      // A link's target is written where it is.
      const fs::path target = fs::canonical(file.path, error);
      if (!error && target != fs::canonical(folder_of(file.path), error) / file.path.filename()) add(target);
    }
  }

  /// Waits for at most `milliseconds` for something that may concern the files. Returns whether nothing did.
  bool wait(int milliseconds) {
    if (!complete_ && (milliseconds == kForever || milliseconds > kPollMilliseconds)) milliseconds = kPollMilliseconds;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
    while (true) {
      // Rounded up: a wait that is cut short would take what is still being written for done.
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd ends[] = {{attention_[0], POLLIN, 0}, {inotify_, POLLIN, 0}};
      const int ready = poll(ends, 2, milliseconds == kForever ? kForever : std::max(static_cast<int>(left), 0));
      if (ready <= 0) return ready == 0;
      char ignored[64];
      bool interrupted = false;
      while (read(attention_[0], ignored, sizeof(ignored)) > 0) interrupted = true;
      const bool concerned = (ends[1].revents & POLLIN) != 0 && read_events();
      if (interrupted || concerned) return false;
    }
  }

 private:
#ifdef __linux__
  void add(const fs::path& path) {
    if (inotify_ < 0) inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    constexpr std::uint32_t kEvents =
        IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;
    complete_ &= inotify_ >= 0 && inotify_add_watch(inotify_, folder_of(path).c_str(), kEvents) >= 0;
    names_.insert(path.filename().string());
  }

  bool read_events() {
    alignas(inotify_event) char buffer[4096];
    bool concerned = false;
    ssize_t size = 0;
    while ((size = read(inotify_, buffer, sizeof(buffer))) > 0) {
      for (ssize_t at = 0; at < size;) {
        inotify_event event{};
        std::memcpy(&event, buffer + at, sizeof(event));
        const char* name = event.len > 0 ? buffer + at + sizeof(event) : "";
        if ((event.mask & IN_IGNORED) != 0) complete_ = false;
        concerned |= (event.mask & (IN_IGNORED | IN_Q_OVERFLOW)) != 0 || names_.contains(name);
        at += static_cast<ssize_t>(sizeof(event) + event.len);
      }
    }
    return concerned;
  }
#else
  void add(const fs::path&) { complete_ = false; }
  bool read_events() { return false; }
#endif

  void forget() {
    if (inotify_ >= 0) close(inotify_);
    inotify_ = -1;
    names_.clear();
  }

  int attention_[2] = {-1, -1};
  int inotify_ = -1;
  bool complete_ = true;  ///< All folders are watched.
  std::set<std::string, std::less<>> names_;
};

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), folders_(std::make_unique<Folders>()), thread_([this] { work(); }) {}

FileWatch::~FileWatch() {
  stopping_ = true;
  folders_->interrupt();
  thread_.join();
}

void FileWatch::watch(std::vector<FileStamp> files) {
  {
    const std::lock_guard lock(mutex_);
    files_ = std::move(files);
    ++version_;
    changed_ = false;
  }
  folders_->interrupt();
}

void FileWatch::work() {
  std::vector<FileStamp> known;
  std::vector<FileStamp> last;
  std::uint64_t version = 0;
  bool resting = true;
  while (true) {
    const bool quiet = folders_->wait(resting ? kForever : kRestMilliseconds);
    if (stopping_) return;
    {
      const std::lock_guard lock(mutex_);
      if (version != version_) {
        version = version_;
        known = files_;
        last = files_;
        folders_->watch(known);
      }
    }
    std::vector<FileStamp> now = stamps(known);
    const bool still = quiet && now == last;
    last = std::move(now);
    resting = still && (last == known || !last.front().exists());
    if (resting || !still) continue;
    known = last;
    resting = true;
    const std::lock_guard lock(mutex_);
    if (version != version_) continue;
    changed_ = true;
    wake_();
  }
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Files that are put in their places only when they are complete.
#include "export/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::exporting {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".pchr.";
constexpr std::string_view kLock = ".lock";
constexpr std::string_view kTemporary = ".tmp";

fs::path lock_path(const fs::path& folder, std::string_view id) {
  return folder / fmt::format("{}{}{}", kPrefix, id, kLock);
}

/// Identifies the machine and when it was started. Only processes that share it see each other's locks: another machine
/// may write into the same network folder.
const std::string& boot_id() {
  static const std::string id = [] {
    std::string line;
    std::ifstream stream("/proc/sys/kernel/random/boot_id");
    std::getline(stream, line);
    return line;
  }();
  return id;
}

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::vector<std::string> own_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    std::string name = each->path().filename().string();
    if (name.starts_with(kPrefix)) names.push_back(std::move(name));
  }
  return names;
}

/// Takes over the lock of a process that has ended. Returns a descriptor, or -1 where that process may live.
int take_over(const fs::path& lock) {
  const int descriptor = open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat file{};
  std::array<char, 64> text{};
  const bool regular = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
  const ssize_t length = regular ? read(descriptor, text.data(), text.size()) : -1;
  // The lock is held before it has any text.
  if (length > 0 && std::string_view(text.data(), static_cast<std::size_t>(length)) == boot_id() &&
      flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

void remove_leftovers(const fs::path& folder) {
  const std::vector<std::string> names = own_names(folder);
  for (const std::string& name : names) {
    if (!name.ends_with(kLock)) continue;
    const int lock = take_over(folder / name);
    if (lock < 0) continue;
    const std::string start = name.substr(0, name.size() - kLock.size()) + ".";
    for (const std::string& left : names) {
      std::error_code ignored;
      if (!left.starts_with(start) || !left.ends_with(kTemporary)) continue;
      if (fs::is_regular_file(fs::symlink_status(folder / left, ignored))) fs::remove(folder / left, ignored);
    }
    unlink((folder / name).c_str());
    close(lock);
  }
}

}  // namespace

/// Names of temporary files in one folder: ".pchr.ID.NUMBER.tmp". While it lives, ".pchr.ID.lock" is locked beside
/// them. A killed process leaves its files but not its lock, so the next one knows that they can go.
class TemporaryNames {
 public:
  /// Returns the names of `folder`, shared by all who write there at the same time. The first removes what killed
  /// processes left.
  [[nodiscard]] static std::shared_ptr<TemporaryNames> in(const std::filesystem::path& folder);

  explicit TemporaryNames(const std::filesystem::path& folder);
  TemporaryNames(const TemporaryNames&) = delete;
  TemporaryNames& operator=(const TemporaryNames&) = delete;
  ~TemporaryNames();

  /// Returns a name that nobody had before.
  [[nodiscard]] std::filesystem::path next();

 private:
  [[nodiscard]] bool lock();

  std::filesystem::path folder_;
  std::string id_;
  int lock_ = -1;  ///< A descriptor; -1 where the folder takes no lock. Files that are left then stay.
  std::atomic<std::uint64_t> count_ = 0;
};

std::shared_ptr<TemporaryNames> TemporaryNames::in(const fs::path& folder) {
  static std::mutex mutex;
  static std::map<fs::path, std::weak_ptr<TemporaryNames>> known;
  const std::scoped_lock guard(mutex);
  std::weak_ptr<TemporaryNames>& entry = known[folder];
  std::shared_ptr<TemporaryNames> names = entry.lock();
  if (names == nullptr) entry = names = std::make_shared<TemporaryNames>(folder);
  return names;
}

TemporaryNames::TemporaryNames(const fs::path& folder)
    : folder_(folder.empty() ? fs::path(".") : folder), id_(random_id()) {
  remove_leftovers(folder_);
  const fs::path path = lock_path(folder_, id_);
  lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (lock_ < 0 || lock()) return;
  unlink(path.c_str());
  close(lock_);
  lock_ = -1;
}

bool TemporaryNames::lock() {
  const std::string& text = boot_id();
  return flock(lock_, LOCK_EX | LOCK_NB) == 0 &&
         write(lock_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

TemporaryNames::~TemporaryNames() {
  if (lock_ < 0) return;
  unlink(lock_path(folder_, id_).c_str());
  close(lock_);
}

fs::path TemporaryNames::next() { return folder_ / fmt::format("{}{}.{}{}", kPrefix, id_, count_++, kTemporary); }

PendingFile::Temporary::~Temporary() {
  if (!path.empty()) unlink(path.c_str());
}

std::expected<PendingFile, int> PendingFile::create(const fs::path& path) {
  PendingFile pending;
  pending.path_ = path;
  pending.names_ = TemporaryNames::in(path.parent_path());
  fs::path temporary = pending.names_->next();
  pending.file_.reset(std::fopen(temporary.c_str(), "wbx"));
  if (pending.file_ == nullptr) return std::unexpected(errno);
  pending.temporary_ = std::make_unique<Temporary>(std::move(temporary));
  return pending;
}

int PendingFile::write(std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() ? 0 : errno;
}

int PendingFile::close() {
  int error = std::fflush(file_.get()) == 0 ? 0 : errno;
  // Without this, a crash of the machine soon after the rename could leave an empty file. Not every file can.
  if (error == 0 && fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (std::fclose(file_.release()) != 0 && error == 0) error = errno;
  return error;
}

int PendingFile::publish(Existing existing, const InputFiles& inputs) {
  if (inputs.contains(path_)) return kIsInput;
  const char* const temporary = temporary_->path.c_str();
  if (existing == Existing::replace) {
    if (std::rename(temporary, path_.c_str()) != 0) return errno;
  } else if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    // Not every file system can; most of the others have links, which replace nothing either.
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (link(temporary, path_.c_str()) != 0) return errno;
  }
  temporary_.reset();
  return 0;
}

}  // namespace pchr::exporting

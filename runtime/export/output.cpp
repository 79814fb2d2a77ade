// SPDX-License-Identifier: MIT
// Writes output files that appear together once all are complete.
#include "export/fail.hpp"

#include <pchr/diagnostic.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>

namespace pchr {

namespace fs = std::filesystem;

namespace exporting {
namespace {

constexpr std::string_view kPrefix = ".pchr.";
constexpr std::string_view kLock = ".lock";
constexpr std::string_view kTemporary = ".tmp";

fs::path lock_path(const fs::path& folder, std::string_view id) {
  return folder / fmt::format("{}{}{}", kPrefix, id, kLock);
}

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

std::vector<std::string> find_temporary_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    std::string name = each->path().filename().string();
    if (name.starts_with(kPrefix)) names.push_back(std::move(name));
  }
  return names;
}

/// Takes over the lock of a dead process. Returns a descriptor, or -1 if the process could still be running.
int take_over(const fs::path& lock) {
  const int descriptor = open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat file{};
  std::array<char, 64> text{};
  const bool regular = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
  const ssize_t length = regular ? read(descriptor, text.data(), text.size()) : -1;
  // Processes lock the file before they write text to it, so an empty one may be in use.
  if (length > 0 && std::string_view(text.data(), static_cast<std::size_t>(length)) == boot_id() &&
      flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

void remove_leftovers(const fs::path& folder) {
  const std::vector<std::string> names = find_temporary_names(folder);
  for (const std::string& name : names) {
    if (!name.ends_with(kLock)) continue;
    const int lock = take_over(folder / name);
    if (lock < 0) continue;
    const std::string start = name.substr(0, name.size() - kLock.size()) + ".";
    for (const std::string& leftover : names) {
      std::error_code ignored;
      if (!leftover.starts_with(start) || !leftover.ends_with(kTemporary)) continue;
      if (fs::is_regular_file(fs::symlink_status(folder / leftover, ignored))) fs::remove(folder / leftover, ignored);
    }
    unlink((folder / name).c_str());
    close(lock);
  }
}

}  // namespace

/// Names of temporary files in one folder: ".pchr.ID.NUMBER.tmp". Holds a lock on ".pchr.ID.lock" next to them. A
/// killed process leaves its files but releases its lock, which tells the next process that it can remove them.
class TemporaryNames {
 public:
  /// Returns the names for `folder`, shared by all concurrent writers. The first one removes the leftovers of killed
  /// processes.
  static std::shared_ptr<TemporaryNames> in(const fs::path& folder) {
    static std::mutex mutex;
    static std::map<fs::path, std::weak_ptr<TemporaryNames>> known;
    const std::scoped_lock guard(mutex);
    std::weak_ptr<TemporaryNames>& entry = known[folder];
    std::shared_ptr<TemporaryNames> names = entry.lock();
    if (names == nullptr) entry = names = std::make_shared<TemporaryNames>(folder);
    return names;
  }

  explicit TemporaryNames(const fs::path& folder) : folder_(folder.empty() ? fs::path(".") : folder) {
    std::random_device random;
    id_ = fmt::format("{:08x}{:08x}", random(), random());
    remove_leftovers(folder_);
    const fs::path path = lock_path(folder_, id_);
    lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const std::string& text = boot_id();
    if (lock_ < 0 || (flock(lock_, LOCK_EX | LOCK_NB) == 0 &&
                      write(lock_, text.data(), text.size()) == static_cast<ssize_t>(text.size()))) {
      return;
    }
    unlink(path.c_str());
    close(std::exchange(lock_, -1));
  }
  TemporaryNames(const TemporaryNames&) = delete;
  TemporaryNames& operator=(const TemporaryNames&) = delete;
  ~TemporaryNames() {
    if (lock_ < 0) return;
    unlink(lock_path(folder_, id_).c_str());
    close(lock_);
  }

  fs::path next() { return folder_ / fmt::format("{}{}.{}{}", kPrefix, id_, count_++, kTemporary); }

 private:
  fs::path folder_;
  std::string id_;
  int lock_ = -1;  ///< Descriptor, or -1 if locking failed. Leftovers then remain.
  std::atomic<std::uint64_t> count_ = 0;
};

/// Error code used alongside errno values: the output is an input file.
constexpr int kIsInput = -1;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

struct RemoveFile {
  void operator()(const fs::path* path) const {
    unlink(path->c_str());
    delete path;
  }
};

/// File that is written to a hidden temporary file in its folder, and removed unless published. Functions return 0 or
/// an errno.
struct PendingFile {
  fs::path path;
  std::shared_ptr<TemporaryNames> names = TemporaryNames::in(path.parent_path());
  std::unique_ptr<const fs::path, RemoveFile> temporary{};
  File file{};

  int create() {
    fs::path name = names->next();
    file.reset(std::fopen(name.c_str(), "wbx"));
    if (file == nullptr) return errno;
    temporary.reset(new fs::path(std::move(name)));
    return 0;
  }

  /// Flushes the file to the disk, which can report a full disk only now.
  int close() {
    int error = std::fflush(file.get()) == 0 ? 0 : errno;
    // Without fsync, a crash soon after the rename could leave an empty file. Some files do not support it.
    if (error == 0 && fsync(fileno(file.get())) != 0 && errno != EINVAL && errno != EROFS) error = errno;
    if (std::fclose(file.release()) != 0 && error == 0) error = errno;
    return error;
  }

  int publish(Existing existing, const InputFiles& inputs) {
    if (inputs.contains(path)) return kIsInput;
    if (existing == Existing::replace) {
      if (std::rename(temporary->c_str(), path.c_str()) != 0) return errno;
    } else if (renameat2(AT_FDCWD, temporary->c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
      // Some file systems lack RENAME_NOREPLACE. Most of them support links, which do not replace files either.
      if (errno != EINVAL && errno != ENOSYS) return errno;
      if (link(temporary->c_str(), path.c_str()) != 0) return errno;
    }
    temporary.reset();
    return 0;
  }
};

}  // namespace exporting

namespace {

int append(std::FILE* file, std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
}

int append_and_flush(std::FILE* file, std::span<const std::byte> bytes) {
  const int error = append(file, bytes);
  return error == 0 && std::fflush(file) != 0 ? errno : error;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_of(const fs::path& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return std::pair(file.st_dev, file.st_ino);
}

/// `error` is an errno or kIsInput.
Unexpected<ExportError> cannot_write(const std::string& path, int error) {
  using enum ExportError::Kind;
  const bool is_input = error == exporting::kIsInput;
  const char* reason =
      is_input ? "it is an input file, which is never replaced; choose another name" : std::strerror(error);
  return exporting::fail(fmt::format("cannot write {}: {}", printable(path), reason), is_input          ? request
                                                                                      : error == EEXIST ? exists
                                                                                                        : failed);
}

}  // namespace

void InputFiles::add(const std::string& path) {
  if (const auto identity = identity_of(path)) files_.push_back(*identity);
}

bool InputFiles::contains(const std::string& path) const {
  if (files_.empty()) return false;
  const auto identity = identity_of(path);
  return identity && std::ranges::find(files_, *identity) != files_.end();
}

ExportResult<void> InputFiles::check_output(const std::string& path) const {
  if (contains(path)) return cannot_write(path, exporting::kIsInput);
  return {};
}

struct OutputFiles::State {
  InputFiles inputs;
  bool follow_links;
  std::optional<exporting::PendingFile> pending{};
  exporting::File direct{};
  std::vector<exporting::PendingFile> complete{};

  int open(const std::string& path) {
    if (inputs.contains(path)) return exporting::kIsInput;
    std::error_code error;
    fs::path target = path;
    fs::file_status status = fs::symlink_status(path, error);
    if (follow_links) {
      if (fs::is_symlink(status)) {
        if (const fs::path resolved = fs::canonical(path, error); !error) target = resolved;
      }
      status = fs::status(target, error);
      if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        direct.reset(std::fopen(target.c_str(), "wb"));
        return direct == nullptr ? errno : 0;
      }
    }
    if (fs::is_directory(status)) return EISDIR;
    exporting::PendingFile created{target};
    const int failure = created.create();
    if (failure == 0) pending = std::move(created);
    return failure;
  }
};

OutputFiles::OutputFiles(InputFiles inputs, bool follow_links)
    : state_(new State{std::move(inputs), follow_links}, [](State* owned) { delete owned; }) {}

ExportResult<void> OutputFiles::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (path == "-") {
    const int error = append_and_flush(stdout, bytes);
    if (error == EPIPE) return exporting::fail("", ExportError::Kind::closed_pipe);
    if (error != 0) return cannot_write("to standard output", error);
    return {};
  }
  if (!state_->pending && state_->direct == nullptr) {
    if (const int error = state_->open(path); error != 0) return cannot_write(path, error);
  }
  int error = 0;
  if (state_->direct != nullptr) {
    error = append_and_flush(state_->direct.get(), bytes);
    if (last || error != 0) state_->direct.reset();
  } else {
    error = append(state_->pending->file.get(), bytes);
    if (last && error == 0) error = state_->pending->close();
    if (last && error == 0) state_->complete.push_back(*std::exchange(state_->pending, std::nullopt));
  }
  if (error != 0) return cannot_write(path, error);
  return {};
}

ExportResult<void> OutputFiles::publish(Existing existing) {
  auto& files = state_->complete;
  for (auto file = files.begin(); file != files.end(); ++file) {
    const int error = file->publish(existing, state_->inputs);
    if (error == 0) continue;
    std::error_code ignored;
    for (auto published = files.begin(); existing == Existing::keep && published != file; ++published) {
      fs::remove(published->path, ignored);
    }
    return cannot_write(file->path.string(), error);
  }
  files.clear();
  return {};
}

}  // namespace pchr

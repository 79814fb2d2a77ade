// SPDX-License-Identifier: MIT
#include "platform/output_file.hpp"

#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>

namespace pchr {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kLock = ".lock";
constexpr std::string_view kTemporary = ".tmp";

std::string lock_path(const std::string& folder, std::string_view id) {
  return path_in(folder, format_text("{}{}{}", kHiddenPrefix, id, kLock));
}

std::vector<std::string> find_temporary_names(const std::string& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, FileKind /*kind*/) {
    if (name.starts_with(kHiddenPrefix)) names.push_back(name);
    return true;
  };
  visit_system_folder(folder, add);
  return names;
}

bool is_regular_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path_from_utf8(path), error));
}

void remove_leftovers_in(const std::string& folder) {
  for (const std::string& name : find_temporary_names(folder)) {
    if (!name.ends_with(kLock)) continue;
    const LockFile lock = LockFile::take_over(path_in(folder, name));
    if (!lock.is_held()) continue;
    const std::string start = name.substr(0, name.size() - kLock.size()) + ".";
    // Listed anew: the process can have created files before it was killed.
    for (const std::string& leftover : find_temporary_names(folder)) {
      if (!leftover.starts_with(start) || !leftover.ends_with(kTemporary)) continue;
      const std::string path = path_in(folder, leftover);
      if (is_regular_file(path)) remove_file(path);
    }
  }
}

/// Removes all files if they have more than `max_bytes`.
void limit_folder(const std::string& folder, std::uint64_t max_bytes) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& name, FileKind kind) {
    const bool is_temporary = name.starts_with('.');
    if (kind == FileKind::file && !is_temporary) paths.push_back(path_in(folder, name));
    return true;
  };
  visit_system_folder(folder, add);
  std::uint64_t sum = 0;
  for (const std::string& path : paths) {
    std::error_code removed;
    const std::uintmax_t bytes = fs::file_size(path_from_utf8(path), removed);
    if (!removed) sum += bytes;
  }
  if (sum <= max_bytes) return;
  for (const std::string& path : paths) remove_file(path);
}

}  // namespace

/// Names of temporary files in one folder: ".pchr.ID.NUMBER.tmp". Holds a lock on ".pchr.ID.lock" next to them. A
/// killed process leaves its files but releases its lock, which tells the next process that it can remove them.
class TemporaryNames {
 public:
  /// Returns the names for `folder`, shared by all concurrent writers. The first one removes the leftovers of killed
  /// processes.
  static std::shared_ptr<TemporaryNames> in(const std::string& folder) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<TemporaryNames>> known;
    const std::scoped_lock guard(mutex);
    std::weak_ptr<TemporaryNames>& entry = known[folder];
    std::shared_ptr<TemporaryNames> names = entry.lock();
    if (names == nullptr) entry = names = std::make_shared<TemporaryNames>(folder);
    return names;
  }

  explicit TemporaryNames(const std::string& folder) : folder_(folder.empty() ? "." : folder) {
    std::random_device random;
    remove_leftovers_in(folder_);
    // A process that removes leftovers at the same time can take a new lock for one of a killed process.
    constexpr int kMaxAttempts = 20;
    for (int attempt = 0; attempt < kMaxAttempts && !lock_.is_held(); ++attempt) {
      id_ = format_text("{:08x}{:08x}", random(), random());
      lock_ = LockFile::create(lock_path(folder_, id_));
    }
  }

  std::string next() { return path_in(folder_, format_text("{}{}.{}{}", kHiddenPrefix, id_, count_++, kTemporary)); }

 private:
  std::string folder_;
  std::string id_;
  LockFile lock_{};  ///< Not held if locking failed. Leftovers then remain.
  std::atomic<std::uint64_t> count_ = 0;
};

void RemoveFile::operator()(const std::string* path) const {
  remove_file(*path);
  delete path;
}

std::shared_ptr<TemporaryNames> remove_leftovers(const std::string& folder) { return TemporaryNames::in(folder); }

PendingFile::PendingFile(std::string target) : path(std::move(target)) {}

std::error_code PendingFile::create() {
  names = remove_leftovers(std::string(folder_of(path)));
  std::string name = names->next();
  std::error_code error;
  file = create_file(name, error);
  if (!error) temporary.reset(new std::string(std::move(name)));
  return error;
}

std::error_code PendingFile::publish(bool replace) {
  const std::error_code error = replace ? replace_file(*temporary, path) : move_to_new_file(*temporary, path);
  if (!error) temporary.reset();
  return error;
}

std::vector<std::byte> CacheFolder::load(const std::string& name) const {
  if (path_.empty()) return {};
  const auto read = read_from_system(path_in(path_, name), AllowedFiles::regular_files, max_bytes_, 0);
  return read ? std::vector(read->bytes().begin(), read->bytes().end()) : std::vector<std::byte>();
}

void CacheFolder::store(const std::string& name, std::span<const std::byte> bytes) const {
  if (path_.empty() || bytes.size() > max_bytes_) return;
  std::error_code error;
  fs::create_directories(path_from_utf8(path_), error);
  if (error) return;
  limit_folder(path_, max_bytes_ - bytes.size());
  PendingFile file(path_in(path_, name));
  if (file.create()) return;
  const bool complete = std::fwrite(bytes.data(), 1, bytes.size(), file.file.get()) == bytes.size();
  // Not forced to the disk: after a crash, an empty file is made again.
  if (std::fclose(file.file.release()) == 0 && complete) static_cast<void>(file.publish(true));
}

Callback<std::vector<std::byte>(const std::string& name)> CacheFolder::loading() const noexcept {
  return {[](void* folder, const std::string& name) { return static_cast<const CacheFolder*>(folder)->load(name); },
          const_cast<CacheFolder*>(this)};
}

Callback<void(const std::string& name, std::span<const std::byte> bytes)> CacheFolder::storing() const noexcept {
  return {[](void* folder, const std::string& name, std::span<const std::byte> bytes) {
            static_cast<const CacheFolder*>(folder)->store(name, bytes);
          },
          const_cast<CacheFolder*>(this)};
}

const CacheFolder& program_folder() {
  // Two kinds of contexts of a driver need less than 1 MiB.
  constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
  static const CacheFolder folder(
      [] {
        const std::string user = user_cache_folder();
        return user.empty() ? user : path_in(user, "pchr/programs");
      }(),
      kMaxBytes);
  return folder;
}

}  // namespace pchr

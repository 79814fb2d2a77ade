// SPDX-License-Identifier: MIT
#include "platform/pending_file.hpp"

#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
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

}  // namespace pchr

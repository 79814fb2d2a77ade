// SPDX-License-Identifier: MIT
// Writes output files that appear together once all are complete.
#include "export/fail.hpp"

#include <pchr/diagnostic.hpp>

#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/output_file.hpp"
#include "platform/standard_streams.hpp"
#include "platform/system_error.hpp"
#include "platform/utf8_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
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

std::string lock_path(const std::string& folder, std::string_view id) {
  return path_in(folder, fmt::format("{}{}{}", kPrefix, id, kLock));
}

std::vector<std::string> find_temporary_names(const std::string& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, FileKind /*kind*/) {
    if (name.starts_with(kPrefix)) names.push_back(name);
    return true;
  };
  visit_system_folder(folder, add);
  return names;
}

bool is_regular_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path_from_utf8(path), error));
}

void remove_leftovers(const std::string& folder) {
  const std::vector<std::string> names = find_temporary_names(folder);
  for (const std::string& name : names) {
    if (!name.ends_with(kLock)) continue;
    const LockFile lock = LockFile::take_over(path_in(folder, name));
    if (!lock.is_held()) continue;
    const std::string start = name.substr(0, name.size() - kLock.size()) + ".";
    for (const std::string& leftover : names) {
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
    id_ = fmt::format("{:08x}{:08x}", random(), random());
    remove_leftovers(folder_);
    lock_ = LockFile::create(lock_path(folder_, id_));
  }

  std::string next() { return path_in(folder_, fmt::format("{}{}.{}{}", kPrefix, id_, count_++, kTemporary)); }

 private:
  std::string folder_;
  std::string id_;
  LockFile lock_{};  ///< Not held if locking failed. Leftovers then remain.
  std::atomic<std::uint64_t> count_ = 0;
};

struct RemoveFile {
  void operator()(const std::string* path) const {
    remove_file(*path);
    delete path;
  }
};

/// File that is written to a hidden temporary file in its folder, and removed unless published.
struct PendingFile {
  std::string path;
  std::shared_ptr<TemporaryNames> names = TemporaryNames::in(std::string(folder_of(path)));
  std::unique_ptr<const std::string, RemoveFile> temporary{};
  File file{};

  std::error_code create() {
    std::string name = names->next();
    std::error_code error;
    file = create_file(name, error);
    if (!error) temporary.reset(new std::string(std::move(name)));
    return error;
  }

  std::error_code publish(Existing existing) {
    const std::error_code error =
        existing == Existing::replace ? replace_file(*temporary, path) : move_to_new_file(*temporary, path);
    if (!error) temporary.reset();
    return error;
  }
};

}  // namespace exporting

namespace {

std::error_code append(std::FILE* file, std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) return last_stream_error();
  return {};
}

std::error_code append_and_flush(std::FILE* file, std::span<const std::byte> bytes) {
  const std::error_code error = append(file, bytes);
  return !error && std::fflush(file) != 0 ? last_stream_error() : error;
}

Unexpected<ExportError> cannot_write(const std::string& path, const std::error_code& error) {
  using enum ExportError::Kind;
  return exporting::fail(fmt::format("cannot write {}: {}", printable(path), error_text(error)),
                         error == std::errc::file_exists ? exists : failed);
}

}  // namespace

void InputFiles::add(const std::string& path) {
  if (const auto identity = find_identity(path)) files_.emplace_back(identity->volume, identity->file);
}

bool InputFiles::contains(const std::string& path) const {
  if (files_.empty()) return false;
  const auto identity = find_identity(path);
  return identity && std::ranges::find(files_, std::pair(identity->volume, identity->file)) != files_.end();
}

ExportResult<void> InputFiles::check_output(const std::string& path) const {
  if (!contains(path)) return {};
  return exporting::reject(fmt::format(
      "cannot write {}: it is an input file, which is never replaced; choose another name", printable(path)));
}

struct OutputFiles::State {
  InputFiles inputs;
  bool follow_links;
  std::optional<exporting::PendingFile> pending{};
  File direct{};
  std::vector<exporting::PendingFile> complete{};
  std::atomic<std::uint64_t> bytes = 0;

  std::error_code open(const std::string& path) {
    std::error_code error;
    const std::string target = follow_links ? follow_link(path) : path;
    const bool is_folder = follow_links ? find_kind(target) == FileKind::folder
                                        : fs::is_directory(fs::symlink_status(path_from_utf8(path), error));
    if (is_folder) return std::make_error_code(std::errc::is_a_directory);
    if (follow_links && find_kind(target) == FileKind::other) {
      direct = open_file(target, "wb", error);
      return error;
    }
    exporting::PendingFile created{target};
    error = created.create();
    if (!error) pending = std::move(created);
    return error;
  }
};

OutputFiles::OutputFiles(InputFiles inputs, bool follow_links)
    : state_(new State{std::move(inputs), follow_links}, [](State* owned) { delete owned; }) {}

std::uint64_t OutputFiles::bytes() const noexcept { return state_->bytes; }

ExportResult<void> OutputFiles::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (path == "-") {
    const std::error_code error(write_standard_output(bytes), std::generic_category());
    if (error == std::errc::broken_pipe) return exporting::fail("", ExportError::Kind::closed_pipe);
    if (error) return cannot_write("to standard output", error);
    return {};
  }
  if (!state_->pending && state_->direct == nullptr) {
    if (auto allowed = state_->inputs.check_output(path); !allowed) return allowed;
    if (const std::error_code error = state_->open(path)) return cannot_write(path, error);
  }
  std::error_code error;
  if (state_->direct != nullptr) {
    error = append_and_flush(state_->direct.get(), bytes);
    if (last || error) state_->direct.reset();
  } else {
    error = append(state_->pending->file.get(), bytes);
    if (last && !error) error = close_on_disk(std::move(state_->pending->file));
    if (last && !error) state_->complete.push_back(*std::exchange(state_->pending, std::nullopt));
  }
  if (error) return cannot_write(path, error);
  state_->bytes += bytes.size();
  return {};
}

ExportResult<void> OutputFiles::publish(Existing existing) {
  auto& files = state_->complete;
  for (auto file = files.begin(); file != files.end(); ++file) {
    ExportResult<void> published = state_->inputs.check_output(file->path);
    if (published) {
      if (const std::error_code error = file->publish(existing)) published = cannot_write(file->path, error);
    }
    if (published) continue;
    for (auto earlier = files.begin(); existing == Existing::keep && earlier != file; ++earlier) {
      remove_file(earlier->path);
    }
    return published;
  }
  files.clear();
  return {};
}

}  // namespace pchr

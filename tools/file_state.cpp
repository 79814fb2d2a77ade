// SPDX-License-Identifier: MIT
#include "file_state.hpp"

#include "platform/file_system.hpp"
#include "platform/pending_file.hpp"

#include <algorithm>
#include <chrono>

namespace pchr::tools {
namespace {

/// Returns the time if it tells later changes. Within the resolution of a file system, two seconds at most, a file can
/// change and keep its time.
std::int64_t reliable_time(std::int64_t changed) {
  using std::chrono::system_clock;
  const auto limit = system_clock::now() - std::chrono::seconds(2);
  return changed < std::chrono::nanoseconds(limit.time_since_epoch()).count() ? changed : 0;
}

FileState hashed_state(const std::string& path, const FileStatus& status) {
  const auto hash = status.kind == FileKind::file ? sha256_of_file(path) : std::nullopt;
  return hash ? FileState{status.bytes, status.changed, *hash} : FileState{};
}

}  // namespace

bool is_known(const FileState& state) noexcept { return state.bytes != FileState{}.bytes; }

FileState state_to_read(const std::string& path) {
  FileState state = hashed_state(path, find_status(path));
  state.changed = reliable_time(state.changed);
  return state;
}

// Nobody could change the file before it had its name, so its time tells.
FileState state_of_written(const std::string& path) { return hashed_state(path, find_status(path)); }

bool is_same(const std::string& path, FileState& state) {
  const FileStatus status = find_status(path);
  if (status.kind != FileKind::file || status.bytes != state.bytes) return false;
  if (status.changed == state.changed && state.changed != 0) return true;
  const FileState now = hashed_state(path, status);
  if (now.bytes != state.bytes || now.sha256 != state.sha256) return false;
  state.changed = reliable_time(now.changed);
  return true;
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, FileKind /*kind*/) {
    if (!name.starts_with(kHiddenPrefix)) names.push_back(name);
    return true;
  };
  visit_system_folder(folder, add);
  std::ranges::sort(names);
  return names;
}

}  // namespace pchr::tools

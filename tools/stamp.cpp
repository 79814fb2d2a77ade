// SPDX-License-Identifier: MIT
#include "stamp.hpp"

#include "platform/crc32.hpp"
#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/pending_file.hpp"
#include "platform/system_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace pchr::tools {
namespace {

// A stamp is this text, the checksum of the rest, a key, and a task.
constexpr std::string_view kMagic = "pchr stamp 1\n";
constexpr std::uint64_t kMaxStampBytes = std::uint64_t{64} << 20;

/// Removes the names of the files written, which come and go with their own runs.
void leave_out(std::vector<ListedFolder>& folders, const std::vector<WrittenFile>& written) {
  std::map<std::string, std::set<std::string, std::less<>>> names_by_folder;
  for (const WrittenFile& file : written) {
    if (folders.empty()) return;
    const std::string folder(folder_of(file.path));
    names_by_folder[absolute_path(folder.empty() ? "." : folder)].emplace(file_name_of(file.path));
  }
  for (ListedFolder& folder : folders) {
    const auto own = names_by_folder.find(absolute_path(folder.path));
    if (own == names_by_folder.end()) continue;
    std::erase_if(folder.names, [&](const std::string& name) { return own->second.contains(name); });
  }
}

bool is_same_folder(const ListedFolder& folder, const std::vector<WrittenFile>& written) {
  std::vector<ListedFolder> now{{folder.path, names_in_folder(folder.path)}};
  leave_out(now, written);
  return now.front().names == folder.names;
}

std::string stamp_bytes(const Hash& key, const Task& task) {
  const std::string rest = std::string(key.begin(), key.end()) + task_to_bytes(task);
  const std::uint32_t checksum = crc32_of(std::as_bytes(std::span(rest)));
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  return bytes + rest;
}

std::optional<Task> read_stamp(const std::string& path, const Hash& key) {
  const auto file = read_file(path, kMaxStampBytes);
  if (!file) return std::nullopt;
  std::string_view bytes(reinterpret_cast<const char*>(file->storage.data()), file->size);
  std::uint32_t checksum = 0;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof(checksum) + key.size()) return std::nullopt;
  bytes.remove_prefix(kMagic.size());
  std::memcpy(&checksum, bytes.data(), sizeof(checksum));
  bytes.remove_prefix(sizeof(checksum));
  if (crc32_of(std::as_bytes(std::span(bytes))) != checksum) return std::nullopt;
  if (bytes.substr(0, key.size()) != std::string_view(reinterpret_cast<const char*>(key.data()), key.size())) {
    return std::nullopt;
  }
  return task_from_bytes(bytes.substr(key.size()));
}

std::error_code save(const std::string& path, const std::string& bytes) {
  PendingFile file{path};
  std::error_code error = file.create();
  if (error) return error;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.file.get()) != bytes.size()) error = last_stream_error();
  // The disk need not have it: a stamp that a crash damages only costs another run.
  if (std::fclose(file.file.release()) != 0 && !error) error = last_stream_error();
  return error ? error : file.publish(true);
}

}  // namespace

std::string stamp_path(const std::string& cache, const std::string& output, const Hash& key) {
  if (!cache.empty()) return path_in(cache, hex(key) + ".stamp");
  // Folders with other placeholders are known only later.
  const std::size_t open = output.find('{');
  const std::string folder(folder_of(output.substr(0, open)));
  std::string name = output.substr(folder.size());
  name.erase(0, name.find_first_not_of("/\\"));
  for (char& c : name) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  // File systems allow 255 bytes.
  constexpr std::size_t kMaxName = 200;
  if (name.size() > kMaxName) name = hex(sha256_of(std::as_bytes(std::span(name))));
  return path_in(folder, fmt::format("{}{}.stamp", kHiddenPrefix, name));
}

std::string write_stamp(const std::string& path, const Hash& key, const Task& task) noexcept {
  try {
    Task stamped = task;
    stamped.status = TaskStatus::unchanged;
    leave_out(stamped.folders, stamped.written);
    const std::error_code error = save(path, stamp_bytes(key, stamped));
    if (!error) return {};
    const std::string_view folder = folder_of(path);
    return fmt::format("cannot write to {}: {}", folder.empty() ? "." : printable(folder), error_text(error));
  } catch (const std::exception&) {
    return "out of memory";
  }
}

std::optional<Task> find_unchanged_task(const std::string& path, const Hash& key) {
  std::optional<Task> task = read_stamp(path, key);
  if (!task) return std::nullopt;
  bool is_refreshed = false;
  const auto is_as_it_was = [&](auto& file) {
    const std::int64_t changed = file.state.changed;
    if (!is_same(file.path, file.state)) return false;
    is_refreshed = is_refreshed || file.state.changed != changed;
    return true;
  };
  const auto is_missing = [](const std::string& name) { return find_kind(name) == FileKind::none; };
  const auto is_listed = [&](const ListedFolder& folder) { return is_same_folder(folder, task->written); };
  if (!std::ranges::all_of(task->read, is_as_it_was) || !std::ranges::all_of(task->written, is_as_it_was) ||
      !std::ranges::all_of(task->missing, is_missing) || !std::ranges::all_of(task->folders, is_listed)) {
    return std::nullopt;
  }
  if (is_refreshed) write_stamp(path, key, *task);
  return task;
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "platform/output_file.hpp"

#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <filesystem>
#include <random>

namespace pchr {

namespace fs = std::filesystem;

namespace {

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

void PendingFile::RemoveFile::operator()(const std::string* name) const {
  remove_file(*name);
  delete name;
}

std::error_code PendingFile::create() {
  std::random_device random;
  std::error_code error;
  constexpr int kMaxAttempts = 20;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string name = path_in(folder_of(path), format_text("{}{:08x}{:08x}.tmp", kHiddenPrefix, random(), random()));
    file = create_file(name, error);
    if (error == std::errc::file_exists) continue;
    if (!error) temporary.reset(new std::string(std::move(name)));
    break;
  }
  return error;
}

std::error_code PendingFile::publish(bool replace) {
  const std::error_code error = replace ? replace_file(*temporary, path) : move_to_new_file(*temporary, path);
  if (!error) temporary.reset();
  return error;
}

std::error_code publish_all(std::span<PendingFile* const> files, IfPresent present, std::size_t& failed) {
  struct Moved {
    std::string path;
    std::string old;  ///< The hidden name of what was there; empty if nothing was, or if it need not return.
  };
  std::vector<Moved> moved;
  moved.reserve(files.size());
  const auto put_back = [](const Moved& file) {
    if (file.old.empty()) return remove_file(file.path);
    // If it cannot return, it stays under its hidden name.
    if (!replace_file(file.old, file.path)) remove_file(file.old);
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    PendingFile& file = *files[i];
    Moved next{file.path, {}};
    std::error_code error;
    if (present == IfPresent::replace && files.size() > 1) {
      next.old = *file.temporary + ".old";
      error = keep_file(file.path, next.old);
      if (error) next.old.clear();
      if (error == std::errc::no_such_file_or_directory) error = {};
    }
    if (!error) error = file.publish(present == IfPresent::replace);
    if (!error) {
      moved.push_back(std::move(next));
      continue;
    }
    if (present == IfPresent::skip && error == std::errc::file_exists) continue;
    failed = i;
    if (!next.old.empty()) put_back(next);
    for (; !moved.empty(); moved.pop_back()) put_back(moved.back());
    return error;
  }
  for (const Moved& file : moved) {
    if (!file.old.empty()) remove_file(file.old);
  }
  return {};
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

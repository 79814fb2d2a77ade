// SPDX-License-Identifier: MIT
// Folders, as the standard library sees them.
#include "platform/cache_folder.hpp"
#include "platform/file_system.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace pchr {
namespace {

namespace fs = std::filesystem;

FileKind kind_of(const fs::directory_entry& entry) {
  std::error_code unknown;
  if (entry.is_directory(unknown)) return entry.is_symlink(unknown) ? FileKind::link_to_folder : FileKind::folder;
  return entry.is_regular_file(unknown) ? FileKind::file : FileKind::other;
}

/// Returns the folder in an environment variable; empty unless the path is absolute.
std::string folder_from(const char* variable) {
  const char* const folder = std::getenv(variable);
  return folder != nullptr && *folder == '/' ? folder : "";
}

}  // namespace

std::string user_cache_folder() {
  if (std::string folder = folder_from("XDG_CACHE_HOME"); !folder.empty()) return folder;
  const std::string home = folder_from("HOME");
  return home.empty() ? "" : home + "/.cache";
}

FileKind find_kind(const std::string& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::none:
    case fs::file_type::not_found:
      return FileKind::none;
    case fs::file_type::regular:
      return FileKind::file;
    case fs::file_type::directory:
      return FileKind::folder;
    default:
      return FileKind::other;
  }
}

void visit_system_folder(const std::string& path, const Callback<bool(const std::string& name, FileKind kind)>& visit) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    if (!visit(entry->path().filename().string(), kind_of(*entry))) return;
  }
}

FileStatus find_status(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return {};
  const FileKind kind = S_ISREG(file.st_mode)   ? FileKind::file
                        : S_ISDIR(file.st_mode) ? FileKind::folder
                                                : FileKind::other;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {kind, static_cast<std::uint64_t>(file.st_size), file.st_ctim.tv_sec * kNanoseconds + file.st_ctim.tv_nsec};
}

std::optional<FileIdentity> find_identity(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return FileIdentity{file.st_dev, file.st_ino};
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

std::string absolute_path(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::absolute(folder, error);
  return error ? folder : (path / "").lexically_normal().parent_path().string();
}

bool is_personal_folder(const std::string& path) {
  std::error_code error;
  const char* const home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' && path == absolute_path(home)) ||
         path == absolute_path(fs::temp_directory_path(error).string());
}

}  // namespace pchr

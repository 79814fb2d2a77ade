// SPDX-License-Identifier: MIT
// Folders, as the standard library sees them.
#include "platform/cache_folder.hpp"
#include "platform/file_system.hpp"

#include "character/fail.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace pchr {
namespace {

namespace fs = std::filesystem;

FileKind kind_of(int folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return FileKind::file;
  if (entry.d_type == DT_DIR) return FileKind::folder;
  struct stat target{}, itself{};
  if (fstatat(folder, entry.d_name, &target, 0) != 0) return FileKind::other;
  if (!S_ISDIR(target.st_mode)) return S_ISREG(target.st_mode) ? FileKind::file : FileKind::other;
  const bool is_link = fstatat(folder, entry.d_name, &itself, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(itself.st_mode);
  return is_link ? FileKind::link_to_folder : FileKind::folder;
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

// The iterators of libstdc++ end the program if memory runs out.
void visit_system_folder(const std::string& path, const Callback<bool(const std::string& name, FileKind kind)>& visit) {
  const std::unique_ptr<DIR, decltype([](DIR* open) { closedir(open); })> folder(opendir(path.c_str()));
  if (folder == nullptr && errno == ENOMEM) throw_out_of_memory();
  while (const dirent* const entry = folder != nullptr ? readdir(folder.get()) : nullptr) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && !visit(name, kind_of(dirfd(folder.get()), *entry))) return;
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

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> found(realpath(path.c_str(), nullptr), std::free);
  if (found == nullptr && errno == ENOMEM) throw_out_of_memory();
  return found == nullptr ? std::string() : found.get();
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

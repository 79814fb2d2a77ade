// SPDX-License-Identifier: MIT
// Files and folders of POSIX systems.
#include "platform/files.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace pchr {

namespace fs = std::filesystem;

namespace {

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags)) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

Unexpected<Diagnostic> unreadable(int error) {
  if (error == ENOMEM) throw_out_of_memory();
  return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", std::strerror(error)));
}

bool are_same(const struct stat& a, const struct stat& b) noexcept {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Returns the real path of an open file, or nothing. Whoever can replace links meanwhile cannot deceive the kernel;
/// without /proc, the file that the path leads to must be the one that is open.
std::string real_path_of(int descriptor, const std::string& path) {
  std::array<char, PATH_MAX> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), name.data(), name.size());
  if (length > 0 && static_cast<std::size_t>(length) < name.size() && name[0] == '/') {
    return {name.data(), static_cast<std::size_t>(length)};
  }
  std::string found = real_path(path);
  struct stat opened{}, there{};
  const bool same = fstat(descriptor, &opened) == 0 && lstat(found.c_str(), &there) == 0 && are_same(opened, there);
  return same ? std::move(found) : std::string();
}

/// Returns how many bytes were read, 0 at the end.
Expected<std::size_t, Diagnostic> read_some(int descriptor, std::span<std::byte> room) {
  for (;;) {
    const ssize_t count = ::read(descriptor, room.data(), room.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return unreadable(errno);
  }
}

bool is_open_below(RealFolders folders, const OpenFile& file, const std::string& path) {
  return folders.empty() || is_below(folders, real_path_of(file.descriptor(), path));
}

/// Opens a regular file below one of `folders`, and nothing else: opening a pipe or a device has effects.
Expected<OpenFile, Diagnostic> open_regular_file(const std::string& path, RealFolders folders) {
  struct stat found{}, opened{};
#ifdef O_PATH
  // Refers to the file without opening it, whatever the path leads to later.
  const OpenFile place(path, O_PATH);
  if (place.descriptor() < 0 || fstat(place.descriptor(), &found) != 0) return unreadable(errno);
  if (!is_open_below(folders, place, path)) return link_outside();
#else
  if (stat(path.c_str(), &found) != 0) return unreadable(errno);
#endif
  if (S_ISDIR(found.st_mode)) return unreadable(EISDIR);
  if (!S_ISREG(found.st_mode)) return not_a_regular_file();
#ifdef O_PATH
  OpenFile file("/proc/self/fd/" + std::to_string(place.descriptor()), O_NONBLOCK);
  // Some systems and containers have no /proc.
  if (file.descriptor() < 0) file = OpenFile(path, O_NONBLOCK);
#else
  OpenFile file(path, O_NONBLOCK);
#endif
  if (file.descriptor() < 0 || fstat(file.descriptor(), &opened) != 0) return unreadable(errno);
  if (!are_same(found, opened)) {
    return fail(DiagnosticId::unreadable_file, "the file was replaced while it was opened");
  }
#ifndef O_PATH
  if (!is_open_below(folders, file, path)) return link_outside();
#endif
  return file;
}

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

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

std::string error_text(const std::error_code& error) { return error.message(); }

Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed, std::uint64_t max_bytes,
                                                 std::size_t padding, RealFolders folders) {
  auto file = allowed == AllowedFiles::regular_files ? open_regular_file(path, folders) : OpenFile(path, 0);
  if (!file) return Unexpected(std::move(file.error()));
  struct stat status = {};
  if (file->descriptor() < 0 || fstat(file->descriptor(), &status) != 0) return unreadable(errno);
  if (S_ISDIR(status.st_mode)) return unreadable(EISDIR);
  const std::uint64_t expected = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  const auto read = [&](std::span<std::byte> room) { return read_some(file->descriptor(), room); };
  return read_until_end(expected, max_bytes, padding, read);
}

Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes) {
  struct stat status = {};
  const bool is_regular = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  const std::uint64_t expected = is_regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  const auto read = [](std::span<std::byte> room) { return read_some(STDIN_FILENO, room); };
  auto file = read_until_end(expected, max_bytes, 0, read);
  if (!file) return Unexpected(file.error());
  file->storage.resize(file->size);
  return std::move(file->storage);
}

bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset, std::span<std::byte> bytes) {
  const auto file = open_regular_file(path, folders);
  if (!file) return false;
  while (!bytes.empty()) {
    const ssize_t count = pread(file->descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

std::string user_cache_folder() {
  if (std::string folder = folder_from("XDG_CACHE_HOME"); !folder.empty()) return folder;
  const std::string home = folder_from("HOME");
  return home.empty() ? "" : home + "/.cache";
}

FileKind find_kind(const std::string& path) { return find_status(path).kind; }

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
  const auto nanoseconds = [](const timespec& time) {
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
  };
#ifdef __APPLE__
  const timespec &modified = file.st_mtimespec, &changed = file.st_ctimespec;
#else
  const timespec &modified = file.st_mtim, &changed = file.st_ctim;
#endif
  return {kind, static_cast<std::uint64_t>(file.st_size), nanoseconds(modified), nanoseconds(changed)};
}

std::optional<FileIdentity> find_identity(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(file.st_dev), file.st_ino};
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

File open_file(const std::string& path, const char* mode, std::error_code& error) {
  File file(std::fopen(path.c_str(), mode));
  error = file == nullptr ? last_error() : std::error_code();
  return file;
}

File create_file(const std::string& path, std::error_code& error) { return open_file(path, "wbx", error); }

std::error_code last_stream_error() noexcept { return last_error(); }

std::error_code close_file(File file) { return std::fclose(file.release()) == 0 ? std::error_code() : last_error(); }

std::error_code sync_files(std::span<const std::string> paths, std::size_t& failed) {
#ifdef __linux__
  // Each fsync() waits for the disk. syncfs() waits once, but for what other programs write as well.
  constexpr std::size_t kMaxFsyncs = 16;
  std::vector<dev_t> synced;
#endif
  for (const std::string& path : paths) {
    failed = static_cast<std::size_t>(&path - paths.data());
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return last_error();
    std::error_code error;
    // Some files do not support it.
    const auto check = [&](int result) {
      if (result != 0 && errno != EINVAL && errno != EROFS) error = last_error();
    };
#ifdef __linux__
    struct stat file{};
    if (paths.size() <= kMaxFsyncs || fstat(descriptor, &file) != 0) {
      check(fsync(descriptor));
    } else if (std::ranges::find(synced, file.st_dev) == synced.end()) {
      check(syncfs(descriptor));
      synced.push_back(file.st_dev);
    }
#else
    check(fsync(descriptor));
#endif
    close(descriptor);
    if (error) return error;
  }
  return {};
}

std::error_code replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return last_error();
  return {};
}

std::error_code move_to_new_file(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  // Some file systems lack RENAME_NOREPLACE.
  if (errno != EINVAL && errno != ENOSYS) return last_error();
#endif
  // Most of them support links, which do not replace files either.
  if (link(from.c_str(), to.c_str()) != 0) return last_error();
  unlink(from.c_str());
  return {};
}

std::error_code check_path(const std::string& path) {
  struct stat file{};
  return lstat(path.c_str(), &file) == 0 || errno == ENOENT ? std::error_code() : last_error();
}

std::error_code keep_file(const std::string& path, const std::string& kept) {
  struct stat file{};
  if (lstat(path.c_str(), &file) != 0) return last_error();
  if (S_ISDIR(file.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  if (linkat(AT_FDCWD, path.c_str(), AT_FDCWD, kept.c_str(), 0) == 0) return {};
  return replace_file(path, kept);
}

void remove_file(const std::string& path) noexcept { unlink(path.c_str()); }

std::string follow_link(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

LockFile LockFile::create(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) return {};
  // Another process can take it for the file of a killed process and be about to remove it.
  struct stat file{};
  if (flock(descriptor, LOCK_EX) == 0 && fstat(descriptor, &file) == 0 && file.st_nlink > 0) return {path, descriptor};
  close(descriptor);
  return {};
}

LockFile LockFile::take_over(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct stat file{};
  const bool is_ours = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0;
  if (is_ours && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return {path, descriptor};
  close(descriptor);
  return {};
}

LockFile::~LockFile() {
  if (!is_held()) return;
  unlink(path_.c_str());
  close(static_cast<int>(handle_));
}

std::filesystem::path path_from_utf8(std::string_view utf8) { return utf8; }

std::string utf8_of(const std::filesystem::path& path) { return path.string(); }

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Files and folders of Windows.
#include "platform/files.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/output_file.hpp"
#include "platform/windows.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

namespace pchr {
namespace {

Unexpected<Diagnostic> unreadable(const std::error_code& error) {
  if (error == std::errc::not_enough_memory || error.value() == ERROR_COMMITMENT_LIMIT) throw_out_of_memory();
  return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", error_text(error)));
}

/// Opens a file. Other programs can replace it meanwhile.
Handle open_to_read(const std::string& path) {
  return Handle(CreateFileW(wide_path(path).c_str(), GENERIC_READ, kShareAll, nullptr, OPEN_EXISTING,
                            FILE_FLAG_SEQUENTIAL_SCAN, nullptr));
}

/// Returns how many bytes were read, 0 at the end.
Expected<std::size_t, Diagnostic> read_some(HANDLE file, std::span<std::byte> room) {
  constexpr std::size_t kMaxStep = std::size_t{1} << 30;
  DWORD count = 0;
  if (::ReadFile(file, room.data(), static_cast<DWORD>(std::min(room.size(), kMaxStep)), &count, nullptr) != 0) {
    return count;
  }
  // The other end of a pipe is closed.
  if (GetLastError() == ERROR_BROKEN_PIPE) return 0;
  return unreadable(last_error());
}

/// Opens a file or folder without access to its contents.
Handle open_to_identify(const std::string& path) {
  return Handle(CreateFileW(wide_path(path).c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

std::optional<BY_HANDLE_FILE_INFORMATION> find_information(const std::string& path) {
  const Handle file = open_to_identify(path);
  BY_HANDLE_FILE_INFORMATION information{};
  if (!file || GetFileInformationByHandle(file.get(), &information) == 0) return std::nullopt;
  return information;
}

/// Opens a regular file below one of `folders`, and nothing else: opening a pipe or a device has effects.
Expected<Handle, Diagnostic> open_regular_file(const std::string& path, RealFolders folders) {
  if (is_device_name(path)) return unreadable({ERROR_BAD_DEVICE, std::system_category()});
  const Handle place = open_to_identify(path);
  if (!place) return unreadable(last_error());
  if (!folders.empty() && !is_below(folders, real_path_of(place))) return link_outside();
  BY_HANDLE_FILE_INFORMATION found{}, opened{};
  if (GetFileType(place.get()) != FILE_TYPE_DISK) return not_a_regular_file();
  if (GetFileInformationByHandle(place.get(), &found) == 0) return unreadable(last_error());
  if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    return unreadable(std::make_error_code(std::errc::is_a_directory));
  }
  Handle file(ReOpenFile(place.get(), GENERIC_READ, kShareAll, FILE_FLAG_SEQUENTIAL_SCAN));
  // Not all file systems can.
  if (!file) file = open_to_read(path);
  if (!file || GetFileInformationByHandle(file.get(), &opened) == 0) return unreadable(last_error());
  const bool is_same = found.dwVolumeSerialNumber == opened.dwVolumeSerialNumber &&
                       found.nFileIndexHigh == opened.nFileIndexHigh && found.nFileIndexLow == opened.nFileIndexLow;
  if (!is_same) return fail(DiagnosticId::unreadable_file, "the file was replaced while it was opened");
  return file;
}

FileKind kind_of(DWORD attributes) {
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::file;
}

/// Returns the path that a function of Windows writes to a buffer, with slashes.
template <typename Write>
std::string written_path(const Write& write) {
  std::wstring path(write(nullptr, 0), L'\0');
  path.resize(write(path.data(), static_cast<DWORD>(path.size())));
  std::string result = narrow_path(path);
  std::ranges::replace(result, '\\', '/');
  return result;
}

/// Returns the long form of a path, such as `C:/Users/somebody` for `C:/Users/SOMEBO~1`.
std::string long_path(const std::string& path) {
  const std::wstring given = wide_path(path);
  std::string result = written_path([&](wchar_t* to, DWORD size) { return GetLongPathNameW(given.c_str(), to, size); });
  return result.empty() ? path : result;
}

bool is_equal_path(const std::string& a, const std::string& b) {
  return CompareStringOrdinal(wide(a).c_str(), -1, wide(b).c_str(), -1, TRUE) == CSTR_EQUAL;
}

/// Returns the folder in an environment variable; empty unless the path is absolute.
std::string folder_from(const wchar_t* variable) {
  const wchar_t* const folder = _wgetenv(variable);
  const bool is_absolute = folder != nullptr && std::filesystem::path(folder).is_absolute();
  return is_absolute ? narrow_path(folder) : "";
}

std::error_code windows_error(DWORD code) noexcept { return {static_cast<int>(code), std::system_category()}; }

Handle open_handle(const std::string& path, DWORD access, DWORD share, DWORD disposition, DWORD flags = 0) {
  return Handle(CreateFileW(wide_path(path).c_str(), access, share, nullptr, disposition, flags, nullptr));
}

/// Writing to `NUL` is what people use instead of /dev/null.
bool is_null_device(std::string_view path) noexcept {
  return CompareStringOrdinal(wide(path).c_str(), -1, L"NUL", -1, TRUE) == CSTR_EQUAL;
}

File open_stream(const std::string& path, const char* mode, DWORD disposition, std::error_code& error) {
  error.clear();
  const bool reads = *mode == 'r';
  Handle handle;
  if (!is_device_name(path) || (!reads && is_null_device(path))) {
    handle = open_handle(path, reads ? GENERIC_READ : GENERIC_WRITE,
                         reads ? kShareAll : FILE_SHARE_READ | FILE_SHARE_DELETE, disposition);
  } else {
    SetLastError(ERROR_BAD_DEVICE);
  }
  if (!handle) return error = last_error(), nullptr;
  const int flags = _O_BINARY | (reads ? _O_RDONLY : *mode == 'a' ? _O_APPEND : 0);
  const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()), flags);
  if (descriptor < 0) return error = last_stream_error(), nullptr;
  static_cast<void>(handle.release());
  File file(_fdopen(descriptor, mode));
  if (file != nullptr) return file;
  error = last_stream_error();
  _close(descriptor);
  return nullptr;
}

/// Renames a file as POSIX systems do: programs that read the replaced file keep it. Not all file systems can.
bool rename_over(const std::string& from, const std::string& to) {
  // Headers can lack these.
  constexpr auto kFileRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  constexpr DWORD kReplaceIfExists = 1, kPosixSemantics = 2;
  const Handle file = open_handle(from, DELETE | SYNCHRONIZE, kShareAll, OPEN_EXISTING);
  if (!file) return false;
  const std::wstring name = wide_path(to);
  const auto name_bytes = static_cast<DWORD>(name.size() * sizeof(wchar_t));
  std::vector<std::byte> storage(sizeof(FILE_RENAME_INFO) + name_bytes);
  auto* const information = reinterpret_cast<FILE_RENAME_INFO*>(storage.data());
  const DWORD flags = kReplaceIfExists | kPosixSemantics;
  std::memcpy(information, &flags, sizeof(flags));
  information->FileNameLength = name_bytes;
  std::memcpy(information->FileName, name.data(), name_bytes);
  return SetFileInformationByHandle(file.get(), kFileRenameInfoEx, information, static_cast<DWORD>(storage.size())) !=
         0;
}

std::error_code move_file(const std::string& from, const std::string& to, DWORD flags) {
  if (MoveFileExW(wide_path(from).c_str(), wide_path(to).c_str(), flags) != 0) return {};
  return last_error();
}

}  // namespace

Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed, std::uint64_t max_bytes,
                                                 std::size_t padding, RealFolders folders) {
  if (is_device_name(path)) return unreadable({ERROR_BAD_DEVICE, std::system_category()});
  auto file = allowed == AllowedFiles::regular_files ? open_regular_file(path, folders) : open_to_read(path);
  if (!file) return Unexpected(std::move(file.error()));
  if (!*file) {
    const std::error_code error = last_error();
    // A folder needs other flags, and Windows only denies access to it.
    if (find_kind(path) == FileKind::folder) return unreadable(std::make_error_code(std::errc::is_a_directory));
    return unreadable(error);
  }
  const bool is_regular = GetFileType(file->get()) == FILE_TYPE_DISK;
  LARGE_INTEGER size{};
  if (is_regular && GetFileSizeEx(file->get(), &size) == 0) return unreadable(last_error());
  const auto read = [&](std::span<std::byte> room) { return read_some(file->get(), room); };
  return read_until_end(static_cast<std::uint64_t>(size.QuadPart), max_bytes, padding, read);
}

Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes) {
  const auto input = GetStdHandle(STD_INPUT_HANDLE);
  LARGE_INTEGER size{};
  if (GetFileType(input) == FILE_TYPE_DISK) GetFileSizeEx(input, &size);
  const auto read = [&](std::span<std::byte> room) { return read_some(input, room); };
  auto file = read_until_end(static_cast<std::uint64_t>(size.QuadPart), max_bytes, 0, read);
  if (!file) return Unexpected(file.error());
  file->storage.resize(file->size);
  return std::move(file->storage);
}

bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset, std::span<std::byte> bytes) {
  const auto file = open_regular_file(path, folders);
  LARGE_INTEGER start{};
  start.QuadPart = static_cast<LONGLONG>(offset);
  if (!file || SetFilePointerEx(file->get(), start, nullptr, FILE_BEGIN) == 0) return false;
  while (!bytes.empty()) {
    const auto count = read_some(file->get(), bytes);
    if (!count || *count == 0) return false;
    bytes = bytes.subspan(*count);
  }
  return true;
}

std::string user_cache_folder() {
  if (std::string folder = folder_from(L"XDG_CACHE_HOME"); !folder.empty()) return folder;
  return folder_from(L"LOCALAPPDATA");
}

FileKind find_kind(const std::string& path) {
  if (is_device_name(path)) return FileKind::other;
  const std::wstring name = wide_path(path);
  const DWORD attributes = GetFileAttributesW(name.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return FileKind::none;
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) {
    // Devices and pipes have attributes, too.
    return name.starts_with(LR"(\\.\)") ? FileKind::other : kind_of(attributes);
  }
  const auto target = find_information(path);
  return target ? kind_of(target->dwFileAttributes) : FileKind::none;
}

void visit_system_folder(const std::string& path, const Callback<bool(const std::string& name, FileKind kind)>& visit) {
  WIN32_FIND_DATAW entry{};
  const std::wstring pattern = wide_path(path_in(path, "*"));
  const HANDLE search = FindFirstFileExW(pattern.c_str(), FindExInfoBasic, &entry, FindExSearchNameMatch, nullptr, 0);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    const std::string name = narrow(entry.cFileName);
    if (name == "." || name == "..") continue;
    const DWORD attributes = entry.dwFileAttributes;
    // Files that a cloud keeps have other tags.
    const bool is_link =
        (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
        (entry.dwReserved0 == IO_REPARSE_TAG_SYMLINK || entry.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
    FileKind kind = kind_of(attributes);
    if (is_link && kind == FileKind::folder) kind = FileKind::link_to_folder;
    if (is_link && kind == FileKind::file && find_kind(path_in(path, name)) != FileKind::file) kind = FileKind::other;
    if (!visit(name, kind)) break;
  } while (FindNextFileW(search, &entry) != 0);
  FindClose(search);
}

FileStatus find_status(const std::string& path) {
  if (is_device_name(path)) return {FileKind::other};
  const auto information = find_information(path);
  if (!information) return {};
  const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  // Windows counts steps of 100 ns from 1601.
  constexpr std::int64_t kStep = 100, kStepsTo1970 = 116'444'736'000'000'000;
  const FILETIME time = information->ftLastWriteTime;
  const auto steps = static_cast<std::int64_t>(joined(time.dwHighDateTime, time.dwLowDateTime));
  const std::int64_t written = (steps - kStepsTo1970) * kStep;
  return {kind_of(information->dwFileAttributes), joined(information->nFileSizeHigh, information->nFileSizeLow),
          written, written};
}

std::optional<FileIdentity> find_identity(const std::string& path) {
  const auto information = find_information(path);
  if (!information) return std::nullopt;
  return FileIdentity{information->dwVolumeSerialNumber,
                      std::uint64_t{information->nFileIndexHigh} << 32 | information->nFileIndexLow};
}

std::string real_path_of(const Handle& handle) {
  return written_path([&](wchar_t* to, DWORD size) {
    return GetFinalPathNameByHandleW(handle.get(), to, size, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  });
}

std::string real_path(const std::string& path) {
  const Handle handle = open_to_identify(path);
  return handle ? real_path_of(handle) : std::string();
}

std::string absolute_path(const std::string& folder) {
  const std::wstring given = wide_path(folder);
  const std::string full =
      written_path([&](wchar_t* to, DWORD size) { return GetFullPathNameW(given.c_str(), size, to, nullptr); });
  if (full.empty()) return folder;
  return std::string(full.ends_with('/') ? folder_of(full) : full);
}

bool is_personal_folder(const std::string& path) {
  const wchar_t* const home = _wgetenv(L"USERPROFILE");
  if (home != nullptr && *home != L'\0' && is_equal_path(long_path(path), long_path(absolute_path(narrow(home))))) {
    return true;
  }
  const std::string temporary = written_path([](wchar_t* to, DWORD size) { return GetTempPathW(size, to); });
  return is_equal_path(long_path(path), long_path(absolute_path(temporary)));
}

File open_file(const std::string& path, const char* mode, std::error_code& error) {
  return open_stream(path, mode, *mode == 'r' ? OPEN_EXISTING : *mode == 'a' ? OPEN_ALWAYS : CREATE_ALWAYS, error);
}

File create_file(const std::string& path, std::error_code& error) { return open_stream(path, "wb", CREATE_NEW, error); }

std::error_code last_stream_error() noexcept {
  // errno has fewer values.
  if (_doserrno == 0) return {errno, std::generic_category()};
  return windows_error(_doserrno == ERROR_NO_DATA ? ERROR_BROKEN_PIPE : _doserrno);
}

std::error_code close_file(File file) {
  return std::fclose(file.release()) == 0 ? std::error_code() : last_stream_error();
}

std::error_code sync_files(std::span<const std::string> paths, std::size_t& failed) {
  for (const std::string& path : paths) {
    failed = static_cast<std::size_t>(&path - paths.data());
    const Handle file = open_handle(path, GENERIC_WRITE, kShareAll, OPEN_EXISTING);
    if (!file || FlushFileBuffers(file.get()) == 0) return last_error();
  }
  return {};
}

std::error_code replace_file(const std::string& from, const std::string& to) {
  if (is_device_name(to)) return windows_error(ERROR_BAD_DEVICE);
  // Others can replace the file at the same time.
  constexpr int kMaxAttempts = 20;
  for (int attempt = 1;; ++attempt) {
    const bool is_last = attempt == kMaxAttempts;
    const std::string old = format_text("{}.{}.old", from, attempt);
    if (rename_over(from, to)) return {};
    const std::error_code error = move_file(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    if (error != windows_error(ERROR_ACCESS_DENIED)) return error;
    // Windows also denies access to a file that is open, even if it can be moved. This fails if it cannot.
    const DWORD attributes = GetFileAttributesW(wide_path(to).c_str());
    const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    if (exists && (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)) != 0) return error;
    if (const std::error_code in_use = move_file(to, old, 0)) {
      if (in_use != std::errc::no_such_file_or_directory || is_last) return in_use;
      continue;
    }
    const std::error_code failed = move_file(from, to, MOVEFILE_WRITE_THROUGH);
    if (!failed) {
      remove_file(old);
      return {};
    }
    // If the old file cannot return, another one has taken its place.
    if (move_file(old, to, 0)) remove_file(old);
    if (failed != std::errc::file_exists || is_last) return failed;
  }
}

std::error_code move_to_new_file(const std::string& from, const std::string& to) {
  if (is_device_name(to)) return windows_error(ERROR_BAD_DEVICE);
  return move_file(from, to, MOVEFILE_WRITE_THROUGH);
}

std::error_code check_path(const std::string& path) {
  if (is_device_name(path)) return windows_error(ERROR_BAD_DEVICE);
  if (GetFileAttributesW(wide_path(path).c_str()) != INVALID_FILE_ATTRIBUTES) return {};
  const DWORD error = GetLastError();
  return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? std::error_code() : windows_error(error);
}

std::error_code keep_file(const std::string& path, const std::string& kept) {
  const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return last_error();
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::make_error_code(std::errc::is_a_directory);
  if (CreateHardLinkW(wide_path(kept).c_str(), wide_path(path).c_str(), nullptr) != 0) return {};
  return move_file(path, kept, 0);
}

void remove_file(const std::string& path) noexcept { DeleteFileW(wide_path(path).c_str()); }

std::string follow_link(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return path;
  const Handle file = open_handle(path, 0, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (!file) return path;
  std::wstring target(GetFinalPathNameByHandleW(file.get(), nullptr, 0, 0), L'\0');
  target.resize(GetFinalPathNameByHandleW(file.get(), target.data(), static_cast<DWORD>(target.size()), 0));
  return target.empty() ? path : narrow_path(target);
}

LockFile LockFile::create(const std::string& path) {
  Handle file = open_handle(path, GENERIC_WRITE | DELETE, 0, CREATE_NEW);
  return file ? LockFile(path, reinterpret_cast<std::intptr_t>(file.release())) : LockFile();
}

LockFile LockFile::take_over(const std::string& path) {
  // Fails while a process has the file open.
  Handle file = open_handle(path, GENERIC_READ | DELETE, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  LARGE_INTEGER size{};
  if (!file || GetFileSizeEx(file.get(), &size) == 0 || size.QuadPart != 0) return {};
  return {path, reinterpret_cast<std::intptr_t>(file.release())};
}

LockFile::~LockFile() {
  if (!is_held()) return;
  const Handle file(reinterpret_cast<HANDLE>(handle_));
  FILE_DISPOSITION_INFO disposition{};
  disposition.DeleteFile = TRUE;
  SetFileInformationByHandle(file.get(), FileDispositionInfo, &disposition, sizeof(disposition));
}

}  // namespace pchr

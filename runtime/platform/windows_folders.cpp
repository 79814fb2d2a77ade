// SPDX-License-Identifier: MIT
// Folders of Windows.
#include "platform/file_system.hpp"

#include "platform/cache_folder.hpp"
#include "platform/file_path.hpp"
#include "platform/windows_handle.hpp"
#include "platform/windows_text.hpp"

#include <algorithm>
#include <filesystem>

namespace pchr {
namespace {

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

}  // namespace

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
  return {kind_of(information->dwFileAttributes), joined(information->nFileSizeHigh, information->nFileSizeLow),
          (steps - kStepsTo1970) * kStep};
}

std::optional<FileIdentity> find_identity(const std::string& path) {
  const auto information = find_information(path);
  if (!information) return std::nullopt;
  return FileIdentity{information->dwVolumeSerialNumber,
                      std::uint64_t{information->nFileIndexHigh} << 32 | information->nFileIndexLow};
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto identity = find_identity(a);
  return identity && identity == find_identity(b);
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

}  // namespace pchr

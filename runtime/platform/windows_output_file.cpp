// SPDX-License-Identifier: MIT
#include "platform/output_file.hpp"

#include "platform/file_path.hpp"
#include "platform/system_error.hpp"
#include "platform/windows_handle.hpp"
#include "platform/windows_text.hpp"

#include <fcntl.h>
#include <io.h>

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace pchr {
namespace {

/// Content of a lock file. Other systems, whose locks Windows does not see, write something else.
constexpr std::string_view kLockText = "Windows";

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
  if (rename_over(from, to)) return {};
  const std::error_code error = move_file(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
  constexpr DWORD kNotReplaced = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY;
  const DWORD attributes = GetFileAttributesW(wide_path(to).c_str());
  if (error != windows_error(ERROR_ACCESS_DENIED) || (attributes & kNotReplaced) != 0) return error;
  // Windows also denies access to a file that is open, even if it can be moved. This fails if it cannot.
  const std::string old = from + ".old";
  if (const std::error_code in_use = move_file(to, old, 0)) return in_use;
  if (const std::error_code failed = move_file(from, to, MOVEFILE_WRITE_THROUGH)) {
    static_cast<void>(move_file(old, to, 0));
    return failed;
  }
  remove_file(old);
  return {};
}

std::error_code move_to_new_file(const std::string& from, const std::string& to) {
  if (is_device_name(to)) return windows_error(ERROR_BAD_DEVICE);
  return move_file(from, to, MOVEFILE_WRITE_THROUGH);
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
  if (!file) return {};
  DWORD written = 0;
  WriteFile(file.get(), kLockText.data(), static_cast<DWORD>(kLockText.size()), &written, nullptr);
  return {path, reinterpret_cast<std::intptr_t>(file.release())};
}

LockFile LockFile::take_over(const std::string& path) {
  // Fails while a process has the file open. It is empty if the process was killed before it could write to it.
  Handle file = open_handle(path, GENERIC_READ | DELETE, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  std::array<char, 64> text{};
  DWORD length = 0;
  if (!file || ::ReadFile(file.get(), text.data(), static_cast<DWORD>(text.size()), &length, nullptr) == 0 ||
      (length > 0 && std::string_view(text.data(), length) != kLockText)) {
    return {};
  }
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

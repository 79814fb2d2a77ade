// SPDX-License-Identifier: MIT
// Files of Windows.
#include "platform/file_system.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/system_error.hpp"
#include "platform/windows_handle.hpp"
#include "platform/windows_text.hpp"

#include <algorithm>

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

/// Returns how many bytes were read, 0 at the end, or nothing if that fails.
std::optional<std::size_t> read_some(HANDLE file, std::span<std::byte> room) {
  constexpr std::size_t kMaxStep = std::size_t{1} << 30;
  DWORD count = 0;
  if (::ReadFile(file, room.data(), static_cast<DWORD>(std::min(room.size(), kMaxStep)), &count, nullptr) != 0) {
    return count;
  }
  // The other end of a pipe is closed.
  return GetLastError() == ERROR_BROKEN_PIPE ? std::optional<std::size_t>(0) : std::nullopt;
}

}  // namespace

Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed, std::uint64_t max_bytes,
                                                 std::size_t padding, RealFolders folders) {
  if (is_device_name(path)) return unreadable({ERROR_BAD_DEVICE, std::system_category()});
  const Handle file = open_to_read(path);
  if (!file) {
    const std::error_code error = last_error();
    // A folder needs other flags, and Windows only denies access to it.
    if (find_kind(path) == FileKind::folder) return unreadable(std::make_error_code(std::errc::is_a_directory));
    return unreadable(error);
  }
  if (!folders.empty() && !is_below(folders, real_path_of(file))) return link_outside();
  const bool is_regular = GetFileType(file.get()) == FILE_TYPE_DISK;
  if (!is_regular && allowed == AllowedFiles::regular_files)
    return fail(DiagnosticId::unreadable_file, "the file is not a regular file");
  LARGE_INTEGER size{};
  if (is_regular && GetFileSizeEx(file.get(), &size) == 0) return unreadable(last_error());
  const auto read = [&](std::span<std::byte> room) -> Expected<std::size_t, Diagnostic> {
    const auto count = read_some(file.get(), room);
    if (!count) return unreadable(last_error());
    return *count;
  };
  return read_until_end(static_cast<std::uint64_t>(size.QuadPart), max_bytes, padding, read);
}

bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset, std::span<std::byte> bytes) {
  if (is_device_name(path)) return false;
  const Handle file = open_to_read(path);
  LARGE_INTEGER start{};
  start.QuadPart = static_cast<LONGLONG>(offset);
  if (!file || GetFileType(file.get()) != FILE_TYPE_DISK ||
      (!folders.empty() && !is_below(folders, real_path_of(file))) ||
      SetFilePointerEx(file.get(), start, nullptr, FILE_BEGIN) == 0) {
    return false;
  }
  while (!bytes.empty()) {
    const auto count = read_some(file.get(), bytes);
    if (count.value_or(0) == 0) return false;
    bytes = bytes.subspan(*count);
  }
  return true;
}

}  // namespace pchr

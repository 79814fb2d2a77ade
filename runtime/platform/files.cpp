// SPDX-License-Identifier: MIT
// Reads whole files into memory.
#include "platform/files.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_path.hpp"

#include <algorithm>

namespace pchr {
namespace {

constexpr std::uint64_t kSmallestStep = std::uint64_t{64} << 10;

Expected<FileBytes, Diagnostic> read_from(const ReadFile& reader, const std::string& path, std::uint64_t max_bytes,
                                          std::size_t padding) {
  auto bytes = reader(path);
  if (!bytes) {
    return fail(DiagnosticId::unreadable_file, format_text("the file cannot be read: {}", bytes.error()));
  }
  if (bytes->size() > max_bytes) return file_too_large(max_bytes);
  FileBytes result{*std::move(bytes)};
  result.size = result.storage.size();
  result.storage.resize(result.size + padding);
  return result;
}

Expected<FileBytes, Diagnostic> without_pointer(Expected<FileBytes, Diagnostic> file) {
  if (!file) return file;
  if (auto pointer = find_lfs_pointer(file->bytes())) return Unexpected(*std::move(pointer));
  return file;
}

}  // namespace

std::optional<Diagnostic> find_lfs_pointer(std::span<const std::byte> bytes) {
  constexpr std::string_view kStart = "version https://git-lfs.github.com/spec/";
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kStart)) return std::nullopt;
  return Diagnostic{DiagnosticId::git_lfs_pointer,
                    {},
                    {},
                    {},
                    "the file is a Git LFS pointer, which git lfs pull replaces with the file"};
}

Unexpected<Diagnostic> file_too_large(std::uint64_t max_bytes) {
  return fail(DiagnosticId::limit_exceeded, max_bytes,
              format_text("the file is larger than the limit of {} bytes", max_bytes));
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto identity = find_identity(a);
  return identity && identity == find_identity(b);
}

bool is_below(RealFolders folders, const std::string& path) {
  const auto contains = [&](const std::string& folder) {
    // The root ends with a separator.
    return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) &&
           (folder.ends_with('/') || path[folder.size()] == '/');
  };
  return folders.empty() || std::ranges::any_of(folders, contains);
}

Unexpected<Diagnostic> link_outside() {
  return fail(DiagnosticId::link_outside, "the file is a link to outside the character's folder");
}

Unexpected<Diagnostic> not_a_regular_file() {
  return fail(DiagnosticId::unreadable_file, "the file is not a regular file");
}

Expected<FileBytes, Diagnostic> read_until_end(
    std::uint64_t expected, std::uint64_t max_bytes, std::size_t padding,
    const Callback<Expected<std::size_t, Diagnostic>(std::span<std::byte> room)>& read) {
  if (expected > max_bytes) return file_too_large(max_bytes);
  FileBytes result;
  // One byte more than expected, to see the end without growing.
  result.storage.resize(expected + 1 + padding);
  for (;;) {
    if (result.size + padding == result.storage.size()) {
      // Read at most one byte beyond the limit.
      const std::uint64_t left = max_bytes - result.size;
      const std::uint64_t step = std::max<std::uint64_t>(result.size, kSmallestStep);
      result.storage.resize(result.storage.size() + (step > left ? left + 1 : step));
    }
    const std::size_t room = result.storage.size() - padding - result.size;
    const auto count = read(std::span(result.storage).subspan(result.size, room));
    if (!count) return Unexpected(count.error());
    if (*count == 0) return result;
    result.size += *count;
    if (result.size > max_bytes) return file_too_large(max_bytes);
  }
}

Expected<FileBytes, Diagnostic> read_file(const std::string& path, std::uint64_t max_bytes, std::size_t padding,
                                          const ReadFile& reader) {
  return reader ? without_pointer(read_from(reader, normal_path(path), max_bytes, padding))
                : read_file_below({}, path, max_bytes, padding);
}

Expected<FileBytes, Diagnostic> read_file_below(RealFolders folders, const std::string& path, std::uint64_t max_bytes,
                                                std::size_t padding) {
  return without_pointer(read_from_system(path, AllowedFiles::regular_files, max_bytes, padding, folders));
}

Expected<FileBytes, Diagnostic> read_named_file(const std::string& path, std::uint64_t max_bytes, std::size_t padding,
                                                const ReadFile& reader) {
  return without_pointer(reader ? read_from(reader, path, max_bytes, padding)
                                : read_from_system(path, AllowedFiles::all_files, max_bytes, padding));
}

}  // namespace pchr

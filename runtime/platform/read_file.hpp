// SPDX-License-Identifier: MIT
// Reads whole files into memory.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// The bytes of a file, followed by padding that a parser can read.
struct FileBytes {
  std::vector<std::byte> storage;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(storage).first(size); }
};

/// Reads a file that another file refers to, or that was found near one. It must be a regular file of at most
/// `max_bytes` bytes. Pipes, devices and larger files are refused before reading, so this never blocks. `padding` bytes
/// follow the data. `reader`, if any, replaces the file system here and below. Throws std::bad_alloc if the system is
/// out of memory.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_file(const std::string& path, std::uint64_t max_bytes,
                                                        std::size_t padding = 0, const ReadFile& reader = {});

/// Real paths of folders, see real_path(). None means all.
using RealFolders = std::span<const std::string>;

/// Reads a file like read_file(), and fails with `link_outside` unless the real path of the opened file lies below one
/// of `folders`.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_file_below(RealFolders folders, const std::string& path,
                                                              std::uint64_t max_bytes, std::size_t padding = 0);

/// Reads a file that the user named. It can also be a pipe or a device, which is read until it ends or exceeds
/// `max_bytes`.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_named_file(const std::string& path, std::uint64_t max_bytes,
                                                              std::size_t padding = 0, const ReadFile& reader = {});

/// Returns an error if `bytes` are a Git LFS pointer, a small text that stands for a file in a repository. The
/// functions above fail with it too.
[[nodiscard]] std::optional<Diagnostic> find_lfs_pointer(std::span<const std::byte> bytes);

/// Fills `bytes` from `offset` of a regular file below one of `folders`. Returns false if the file is shorter, not a
/// regular file or elsewhere. Never blocks.
[[nodiscard]] bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset,
                             std::span<std::byte> bytes);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Reads whole files into memory.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <optional>
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
/// follow the data. `reader`, if any, replaces the file system here and below.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_file(const std::string& path, std::uint64_t max_bytes,
                                                        std::size_t padding = 0, const ReadFile& reader = {});

/// Reads a file that the user named. It can also be a pipe or a device, which is read until it ends or exceeds
/// `max_bytes`.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_named_file(const std::string& path, std::uint64_t max_bytes,
                                                              std::size_t padding = 0, const ReadFile& reader = {});

/// Returns an error if `bytes` are a Git LFS pointer, a small text that stands for a file in a repository. The
/// functions above fail with it too.
[[nodiscard]] std::optional<Diagnostic> find_lfs_pointer(std::span<const std::byte> bytes);

/// Fills `bytes` from `offset` of a regular file. Returns false if the file is shorter or not a regular file. Never
/// blocks.
[[nodiscard]] bool read_part(const std::string& path, std::uint64_t offset, std::span<std::byte> bytes);

}  // namespace pchr

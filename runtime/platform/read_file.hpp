// SPDX-License-Identifier: MIT
// Whole files into memory.
#pragma once

#include <pchr/diagnostic.hpp>

#include <cstddef>
#include <expected>
#include <filesystem>
#include <vector>

namespace PCHR_API pchr {

/// A file's bytes, and room behind them that a parser may read.
struct FileBytes {
  std::vector<std::byte> storage;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(storage).first(size); }
};

/// Reads a file that another file names, or that lies near one: a regular file of at most `max_bytes` bytes, with
/// `padding` bytes behind it. Never waits, and refuses a pipe, a device or a larger file before it reads any of it.
[[nodiscard]] std::expected<FileBytes, Diagnostic> read_file(const std::filesystem::path& path, std::uint64_t max_bytes,
                                                             std::size_t padding = 0);

/// The same for a file that the user names, which may also be a pipe or a device: those are read, and waited for, until
/// they end or exceed `max_bytes` bytes.
[[nodiscard]] std::expected<FileBytes, Diagnostic> read_named_file(const std::filesystem::path& path,
                                                                   std::uint64_t max_bytes, std::size_t padding = 0);

/// Fills `bytes` from `offset` of a regular file. Returns false where it has fewer, or is anything else, without
/// waiting.
[[nodiscard]] bool read_part(const std::filesystem::path& path, std::uint64_t offset, std::span<std::byte> bytes);

}  // namespace pchr

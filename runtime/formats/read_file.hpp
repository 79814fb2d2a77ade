// SPDX-License-Identifier: MIT
// Whole files into memory.
#pragma once

#include <pchr/finding.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <vector>

namespace pchr {

/// A file's bytes, and room behind them that a parser may read.
struct FileBytes {
  std::vector<std::byte> storage;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(storage).first(size); }
};

/// Reads a file of at most `most` bytes, with `padding` bytes behind it.
[[nodiscard]] std::expected<FileBytes, Finding> read_file(const std::filesystem::path& path, std::uint64_t most,
                                                          std::size_t padding = 0);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Writes results to standard output and to files.
#pragma once

#include "common.hpp"
#include "film/pending_file.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace pchr::tools {

/// Writes all of `bytes` to standard output: files and JSON, which stay as they are.
[[nodiscard]] Result<void> write_stdout(std::string_view bytes);
/// Writes text for people to standard output, made printable but for its line breaks.
[[nodiscard]] Result<void> print_text(std::string_view text);

/// Why a file cannot be written, where `error` is an errno or film::kIsInput.
[[nodiscard]] std::unexpected<Failure> cannot_write(std::string_view what, int error);

using film::Existing;
using film::InputFiles;

/// Fails, as wrong usage, where `path` is one of the files that were read. No file that is written may be one; before
/// long work it is better known early.
[[nodiscard]] Result<void> check_output(const std::filesystem::path& path, const InputFiles& inputs);

struct OutputFile {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Writes all files beside their targets, and only when all are whole renames them to their targets, in their
/// order. A write that fails leaves nothing new behind; one that is killed may leave hidden temporary files and
/// the first of the targets. With `keep` not even a file that appears meanwhile is replaced, and one of `inputs` never.
[[nodiscard]] Result<void> write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs);

/// The same for one file. Where `path` is a link, what it points at is replaced; a device or a pipe is written
/// directly.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view bytes, Existing existing,
                                      const InputFiles& inputs);

}  // namespace pchr::tools

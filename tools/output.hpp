// SPDX-License-Identifier: MIT
// What a subcommand reports, prints and writes.
#pragma once

#include "task.hpp"

#include <pchr/export/animation.hpp>

#include <limits>

namespace pchr::tools {

/// Adds a message to the current task and prints it, unless this process is a worker.
void report(Message message);
/// Reports a warning that the tool itself has about a file.
void report_warning(const std::string& file, std::string text);
/// Reports a diagnostic that does not end the subcommand.
void report(const Diagnostic& diagnostic, const std::string& file);
/// Writes text to standard output, with unprintable characters other than line breaks escaped.
void print_text(std::string_view text);
/// Writes bytes to standard output unchanged. In a worker, adds them to the current task.
void write_stdout(std::string_view bytes);

struct OutputFile {
  std::string path;
  std::string_view bytes;
};

/// Returns the bytes as characters.
[[nodiscard]] inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes all files next to their targets and, when all are complete, renames them in order. A failed write leaves
/// nothing behind. With `keep`, files that appear in the meantime are not replaced either. `inputs` are never replaced.
void write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs);

/// Creates the folder of an output if it is missing. Fails if that is not possible.
void create_folder_of(const std::string& path);

/// With --no-overwrite: skips the current task if all of its files, which it has not written yet, exist. Returns
/// whether it does.
[[nodiscard]] bool skip_if_written();

/// Writes one file. Follows links, and writes directly to devices and pipes.
void write_file(const std::string& path, std::string_view bytes, Existing existing, const InputFiles& inputs);

/// Writes a premultiplied image as PNG; "-" is standard output.
void write_png(Bitmap image, const std::string& path, const InputFiles& inputs, PngCompression compression);

/// Runs a job until it ends or is interrupted. Shows a progress bar if standard error is a terminal.
/// Fails if it writes more than `max_bytes`. The caller adds the files to the current task.
void run_job(ExportJob job, std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

/// Fails because more is written than --max-output-mb allows.
[[noreturn]] void fail_for_size(const std::string& input, std::uint64_t max_bytes);

}  // namespace pchr::tools

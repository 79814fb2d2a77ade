// SPDX-License-Identifier: MIT
// The files that a subcommand writes: their names and contents.
#pragma once

#include "task.hpp"

#include <limits>

namespace pchr::tools {

/// What placeholders in names, such as "{file}_{clip}_{frame:04}.png", stand for. Those without a value are not
/// available.
struct NameParts {
  std::optional<std::string> file{};     ///< The input's name without its extension.
  std::optional<std::string> folder{};   ///< The input's folder.
  std::optional<std::string> clip{};     ///< The clip's name.
  std::optional<std::uint64_t> index{};  ///< The clip's index in the file.
  std::optional<std::uint64_t> frame{};  ///< The frame's number in the clip.
};

/// Returns the file's name without its extension, which outputs are named after.
[[nodiscard]] std::string input_stem(const std::string& file);
/// Returns parts of the name of an output: {file} and {folder} of the input.
[[nodiscard]] NameParts parts_of_input(const std::string& file);
/// Fills in a pattern. Fails as wrong usage if a placeholder is not available; `where` names the pattern.
[[nodiscard]] std::string fill_name(std::string_view pattern, const NameParts& parts,
                                    std::string_view where = "the output name");
/// Fills in {folder} and {file}, and leaves other placeholders.
[[nodiscard]] std::string fill_input_name(std::string name, const std::string& input);
/// Whether a name with placeholders differs for each input.
[[nodiscard]] bool fills_input_name(const std::string& name);
/// Replaces characters that would name another folder, hide the file, mean standard output or control a terminal. The
/// backslashes that printable() writes are replaced too.
[[nodiscard]] std::string safe_part(std::string_view name);

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
/// Writes one file. Follows links, and writes directly to devices and pipes.
void write_file(const std::string& path, std::string_view bytes, Existing existing, const InputFiles& inputs);
/// Writes a premultiplied image as PNG; "-" is standard output.
void write_png(Bitmap image, const std::string& path, const InputFiles& inputs, PngCompression compression);
/// Creates the folder of an output if it is missing. Fails if that is not possible.
void create_folder_of(const std::string& path);

/// Runs a job until it ends or is interrupted. Shows a progress bar if standard error is a terminal.
/// Fails if it writes more than `max_bytes`. The caller adds the files to the current task.
void run_job(ExportJob&& created, std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

/// Whether any thread has files that are not complete. None begins once interrupted() is true.
[[nodiscard]] bool is_any_thread_writing() noexcept;

}  // namespace pchr::tools

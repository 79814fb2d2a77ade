// SPDX-License-Identifier: MIT
// What the subcommands share: failures, options, input, output, text.
#pragma once

#include "batch.hpp"
#include "isolation.hpp"
#include "log.hpp"
#include "manual.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/import/import.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace pchr::tools {

// Failures

/// Ends a subcommand, or its work on one of several inputs. Nothing is printed for an empty message.
struct Failure {
  ExitCode exit_code;
  Message message;
};

[[noreturn]] inline void fail(ExitCode exit_code, std::string message = "") {
  throw Failure{exit_code, {.text = std::move(message)}};
}
/// Prefixes the message with the program's name.
template <class... Arguments>
[[noreturn]] void fail(ExitCode exit_code, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fail(exit_code, "pchr: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}
[[noreturn]] void fail(const ExportError& error);
/// Fails with a diagnostic about a named file, and its hint.
[[noreturn]] void fail(const Diagnostic& diagnostic, const std::string& file);

template <class T>
T or_fail(ExportResult<T> result) {
  if (!result) fail(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

template <class T>
T or_fail(Expected<T, Diagnostic> result, const std::string& file) {
  if (!result) fail(result.error(), file);
  return *std::move(result);
}

/// Runs `work` and returns its exit code. Reports why it failed.
[[nodiscard]] ExitCode run_and_report(const std::function<void()>& work);

/// Fails as wrong usage with the first message whose condition is true.
void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes);

// Subcommands

/// Runs a subcommand for each of its inputs with a copy of its options. `output` and `finish` are as for run_batch().
template <class Options>
[[nodiscard]] ExitCode run_inputs(const Options& options, void (*run)(Options), const std::string& output,
                                  const std::function<void(const Task&)>& finish = {}) {
  // The names of 10,000 files are not copied for each of them.
  Options of_each = options;
  of_each.input.batch.files.clear();
  const auto run_one = [&](const std::string& file) {
    Options of_one = of_each;
    of_one.input.file = file;
    of_one.input.output = output;
    of_one.input.read = std::make_shared<InputFiles>();
    run(std::move(of_one));
  };
  return run_batch(options.input.batch, output, run_one, finish);
}

/// The same, and fails if any input does.
template <class Options>
void run_all(const Options& options, void (*run)(Options), const std::string& output) {
  const ExitCode ended = run_inputs(options, run, output);
  if (ended != ExitCode::success) fail(ended);
}

/// Adds a subcommand that calls `run` with its options. The caller adds options to the returned command.
template <class Options, class Run>
std::pair<CLI::App&, Options&> add_subcommand(CLI::App& app, const char* name, const char* description,
                                              const Run& run) {
  CLI::App& command = *app.add_subcommand(name, description);
  const auto options = std::make_shared<Options>();
  command.callback([options, run] { run(*options); });
  return {command, *options};
}

void add_inspect(CLI::App& app);
void add_render(CLI::App& app);
void add_sheet(CLI::App& app);
void add_pose(CLI::App& app);
void add_validate(CLI::App& app);
void add_pack(CLI::App& app);
void add_unpack(CLI::App& app);
void add_convert(CLI::App& app);
void add_diff(CLI::App& app);
void add_report(CLI::App& app);
void add_play(CLI::App& app);

/// Appends the part of inspect's report that describes an artwork, as text (nothing for other characters) or as JSON.
/// @{
void append_artwork(std::string& out, const Imported& imported);
void append_artwork(class JsonWriter& json, const Artwork& artwork);
/// @}

// Options

/// Sets the heading under which help lists the options added from here on.
void begin_group(CLI::App& command, const char* heading);

/// Validators for CLI11. Each returns an error message, or an empty string if the number is valid.
[[nodiscard]] std::string check_finite(const std::string& text);
[[nodiscard]] std::string check_above_0(const std::string& text);

/// Returns a validator for finite numbers from `min` to `max`.
[[nodiscard]] CLI::Validator check_range(double min, double max);
/// Returns a validator for one of some names.
[[nodiscard]] CLI::Validator check_choice(const std::vector<std::string>& names);

/// Adds an option that sets `target` or, if that is a function, calls it with the text.
template <class Target, class... Checks>
CLI::Option* add_option(CLI::App& command, const std::string& name, Target& target, const std::string& argument,
                        const std::string& description, const Checks&... checks) {
  CLI::Option* option = nullptr;
  if constexpr (std::is_invocable_v<const Target&, std::string>) {
    option = command.add_option_function<std::string>(name, target, description);
  } else {
    option = command.add_option(name, target, description);
  }
  option->option_text(argument);
  (option->check(checks), ...);
  return option;
}

/// Adds an option whose value is one of some names.
template <class Value, class Target>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& target,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [each, value] : choices) names.push_back(each);
  const auto set = [choices, &target](const std::string& text) {
    const auto chosen = std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
    if (chosen != choices.end()) target = chosen->second;
  };
  return add_option(command, name, set, fmt::format("{}", fmt::join(names, "|")), description, check_choice(names));
}

/// Adds --compression. The value in `target`, fast or normal, is the default.
CLI::Option* add_compression_option(CLI::App& command, PngCompression& target);

/// Adds an option for a limit in units of 2^20. The value in `target` is the default.
CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description);

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description);

// The input

struct InputOptions {
  std::string file;    ///< "-" for standard input.
  BatchOptions batch;  ///< Unused by subcommands that read one file.
  bool no_images = false;
  ImportOptions load;
  std::string rig;                     ///< File with the markers and the rig; empty for the one next to the character.
  std::string output;                  ///< Name of the output with its placeholders, or empty.
  std::vector<std::string> also_read;  ///< Other files that the subcommand reads.
  /// With --isolated, all that can be read.
  std::shared_ptr<NamedFiles> named = std::make_shared<NamedFiles>();
  /// All files that were read with these options or copies of them.
  std::shared_ptr<InputFiles> read = std::make_shared<InputFiles>();
};

/// Adds FILE and the options for reading it.
void add_input_options(CLI::App& command, InputOptions& options);
/// Adds FILE..., the options of a batch and those for reading files.
void add_inputs_options(CLI::App& command, InputOptions& options);
void add_load_options(CLI::App& command, InputOptions& options);
/// Adds --rig, for a subcommand that reads it.
void add_rig_option(CLI::App& command, InputOptions& options);
void add_chp_options(CLI::App& command, ImportOptions& options);

struct Input : Imported {
  std::vector<Bitmap> bitmaps;  ///< One per image; empty with --no-images.
};

[[nodiscard]] std::string input_name(const std::string& file);
enum class Hint : std::uint8_t { none, shown };
/// Returns a byte offset with thousands separators or, with --hex, in hexadecimal.
[[nodiscard]] std::string shown_offset(std::uint64_t offset);
/// Describes a diagnostic about a file. The option --hex makes byte offsets hexadecimal.
[[nodiscard]] std::string describe_in(const std::string& file, const Diagnostic& diagnostic, Hint hint = Hint::none);
/// Returns the file's name without its extension, which outputs are named after.
[[nodiscard]] std::string input_stem(const std::string& file);

/// With --isolated, reads the named files, calls `meanwhile` and locks this process down, unless it is already.
void isolate(const InputOptions& options, const std::function<void()>& meanwhile = {});
/// Returns what reads files: the file system unless --isolated is given.
[[nodiscard]] ReadFile reader_of(const InputOptions& options);

/// Fails if a .psa file named by the user cannot be read. The library only warns.
void check_animations(const InputOptions& options);

[[nodiscard]] Expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options);

/// Adds a file to those that the current task has read, or looked for in vain. Call it before reading the file.
void note_read(const std::string& path);

/// Reads the file and decodes its images. Calls `meanwhile` while a thread decodes.
[[nodiscard]] Input open_input(const InputOptions& options, const std::function<void()>& meanwhile = {});
void print_warnings(const Input& input, const InputOptions& options);

/// Returns the path of the file with the markers and the rig, if there is one.
[[nodiscard]] std::optional<std::string> sidecar_path(const InputOptions& options);
/// Reads the markers and the rig next to the character. Returns empty ones if there are none.
[[nodiscard]] Sidecar open_sidecar(const Character& character, const InputOptions& options);

struct MomentOptions {
  std::optional<std::uint32_t> frame;
  std::optional<double> seconds;
  bool smooth = false;
};

void add_moment_options(CLI::App& command, MomentOptions& options);

[[nodiscard]] ClipId find_clip(const Character& character, const std::string& name);
/// Returns the named clips; without names, all clips except one that only holds the bind pose.
[[nodiscard]] std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names);
/// Returns the first frame if neither a frame nor a time is given.
[[nodiscard]] ClipTime find_time(const Clip& clip, const MomentOptions& options);

// Output

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
/// The caller adds the files to the current task.
void run_job(ExportJob job);

// Text

/// Returns a printable name; `""` for an empty one.
[[nodiscard]] std::string shown(std::string_view name);
/// Returns a number with thousands separators: 12,345.
[[nodiscard]] std::string grouped(std::uint64_t number);
/// Returns a grouped number and its noun. The plural is `many`, or `one` and "s".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = "");

using Cells = std::vector<std::string>;

/// A table of printable cells under column titles.
class Table {
 public:
  /// A title that begins with '>' aligns its column right. A first title ">" adds a column "#" of row numbers from 0.
  explicit Table(Cells titles);
  void add(Cells cells);
  void append_to(std::string& out) const;

 private:
  bool numbered_;
  std::vector<bool> align_right_;
  std::vector<Cells> rows_;  ///< The first row holds the titles.
};

/// Appends a heading and, unless `elements` is empty, a table with a row for each.
template <class Range, class ToRow>
void append_table(std::string& out, const std::string& heading, Cells titles, const Range& elements,
                  const ToRow& to_row) {
  out += '\n' + heading + '\n';
  Table table(std::move(titles));
  for (const auto& element : elements) table.add(to_row(element));
  if (std::ranges::begin(elements) != std::ranges::end(elements)) table.append_to(out);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What the subcommands share: failures, options, the input, output, text.
#pragma once

#include <pchr/export/animation.hpp>
#include <pchr/import/import.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pchr::tools {

// Failures

enum class ExitCode : int {
  fine = 0,
  bad_data = 1,
  usage = 2,
  environment = 3,  ///< No OpenGL, or the output cannot be written.
  unreadable = 4,   ///< A named file is missing or cannot be read.
  different = 5     ///< Two characters or two images differ, and both are fine.
};

/// Ends every help text.
inline constexpr char kExitCodes[] =
    "Exit code: 0 success, 1 bad data, 2 wrong usage, 3 no OpenGL or the output cannot be written,\n"
    "4 a file is missing or cannot be read";
/// Follows it in the help of a subcommand that compares.
inline constexpr char kExitCodeDifferent[] = ", 5 they differ";

/// Ends a subcommand. An empty message prints nothing.
struct Failure {
  ExitCode exit_code;
  std::string message;
};

[[noreturn]] inline void fail(ExitCode exit_code, std::string message = "") {
  throw Failure{exit_code, std::move(message)};
}
/// Puts the program's name before the message.
template <class... Arguments>
[[noreturn]] void fail(ExitCode exit_code, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fail(exit_code, "pchr: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}
[[noreturn]] void fail(const ExportError& error);
/// Fails with what is wrong with a named file.
[[noreturn]] void fail(const Diagnostic& diagnostic, const std::string& file);

template <class T>
T or_fail(ExportResult<T> result) {
  if (!result) fail(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

template <class T>
T or_fail(std::expected<T, Diagnostic> result, const std::string& file) {
  if (!result) fail(result.error(), file);
  return *std::move(result);
}

/// Fails with the first message whose condition is true, as wrong usage.
void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes);

// Subcommands

/// Adds a subcommand that calls `run` with its options. Add them to what is returned.
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
void add_play(CLI::App& app);

/// Append what inspect says of an artwork, as text (nothing for another character) or as JSON.
/// @{
void append_artwork(std::string& out, const Imported& imported);
void append_artwork(class JsonWriter& json, const Artwork& artwork);
/// @}

// Options

/// Checks for CLI11: each returns a complaint about a number, or nothing.
[[nodiscard]] std::string check_finite(const std::string& text);
[[nodiscard]] std::string check_above_0(const std::string& text);

/// Adds an option that sets `target`, or calls it with the text.
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

/// Adds an option that takes one of some names.
template <class Value, class Target>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& target,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [each, value] : choices) names.push_back(each);
  const auto set = [choices, &target](const std::string& text) {
    const auto chosen = std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
    if (chosen != choices.end()) target = chosen->second;
  };
  return add_option(command, name, set, fmt::format("{}", fmt::join(names, "|")), description, CLI::IsMember(names));
}

/// Adds an option for a limit in units of 2^20.
CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description);

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description);

// The input

struct InputOptions {
  std::string file;  ///< "-": standard input.
  bool no_images = false;
  ImportOptions load;
  /// All files that were read with these options or with copies of them.
  std::shared_ptr<InputFiles> read = std::make_shared<InputFiles>();
};

void add_input_options(CLI::App& command, InputOptions& options);
void add_load_options(CLI::App& command, InputOptions& options);
void add_chp_options(CLI::App& command, ImportOptions& options);

struct Input : Imported {
  std::vector<Bitmap> bitmaps;  ///< One per image, or none with `--no-images`.
};

[[nodiscard]] std::string input_name(const std::string& file);
/// Returns the file's name without its extension, from which outputs are named.
[[nodiscard]] std::string input_stem(const std::string& file);

/// Fails where a named .psa file cannot be read. The library only warns about it.
void check_animations(const InputOptions& options);

[[nodiscard]] std::expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options);

/// Reads the file and decodes its images.
[[nodiscard]] Input open_input(const InputOptions& options);
void print_warnings(const Input& input, const InputOptions& options);

/// Reads the markers beside the file; none where there is no such file.
[[nodiscard]] Markers open_markers(const Character& character, const InputOptions& options);

struct MomentOptions {
  std::optional<std::uint32_t> frame;
  std::optional<double> seconds;
  bool smooth = false;
};

void add_moment_options(CLI::App& command, MomentOptions& options);

[[nodiscard]] ClipId find_clip(const Character& character, const std::string& name);
/// Returns the named clips; without names, all but one that only holds the bind pose.
[[nodiscard]] std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names);
/// Returns the first frame by default.
[[nodiscard]] ClipTime find_time(const Clip& clip, const MomentOptions& options);

// Output

/// Keeps files that are opened later from taking the numbers of closed standard streams: messages would go into them.
/// Such a stream stays unusable. Call it before anything is opened.
void reserve_standard_streams() noexcept;

/// Writes a line to standard error, made printable. Nothing else happens where that cannot be written.
void print_error(std::string_view text) noexcept;
/// Writes text to standard output, made printable but for its line breaks.
void print_text(std::string_view text);
/// Writes files and JSON to standard output, as they are.
void write_stdout(std::string_view bytes);

struct OutputFile {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Returns bytes as an OutputFile and write_stdout() take them.
[[nodiscard]] inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes all files beside their targets and renames them, in their order, when all are complete. A failed write leaves
/// nothing new behind. With `keep` not even a file that appears meanwhile is replaced, and one of `inputs` never.
void write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs);

/// Writes one file. Follows links; writes directly into devices and pipes.
void write_file(const std::filesystem::path& path, std::string_view bytes, Existing existing, const InputFiles& inputs);

/// Writes a premultiplied image as PNG, to standard output for "-".
void write_png(Bitmap image, const std::string& path, const InputFiles& inputs);

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE only make interrupted() true; a second one other than
/// SIGPIPE ends the program at once.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Ends the program by the caught signal, if any, so that its parent sees it.
void end_if_interrupted();

/// Runs a job to its end or until it is interrupted, with a progress bar where standard error is a terminal.
void run_job(ExportJob job);

// Text

/// Returns a printable name; `""` for an empty one.
[[nodiscard]] std::string shown(std::string_view name);
/// Returns a number with commas between thousands.
[[nodiscard]] std::string grouped(std::uint64_t number);
/// Returns a grouped number and its noun; without `many`, "s" makes the plural.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = "");

using Cells = std::vector<std::string>;

/// Printable cells under titles, each column as wide as its widest cell.
class Table {
 public:
  /// A title that begins with '>' aligns its column right. A first title ">" numbers the rows, from 0, as "#".
  explicit Table(Cells titles);
  void add(Cells cells);
  void append_to(std::string& out) const;

 private:
  bool numbered_;
  std::vector<bool> align_right_;
  std::vector<Cells> rows_;  ///< The titles first.
};

/// Appends a heading and, where there are elements, a table with a row for each.
template <class Range, class ToRow>
void append_table(std::string& out, const std::string& heading, Cells titles, const Range& elements,
                  const ToRow& to_row) {
  out += '\n' + heading + '\n';
  Table table(std::move(titles));
  for (const auto& element : elements) table.add(to_row(element));
  if (std::ranges::begin(elements) != std::ranges::end(elements)) table.append_to(out);
}

}  // namespace pchr::tools

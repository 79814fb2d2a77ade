// SPDX-License-Identifier: MIT
// What the subcommands share: failures, options, the input, output, progress.
#pragma once

#include <pchr/character.hpp>
#include <pchr/export/animation.hpp>
#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/animator.hpp>
#include <pchr/pose.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pchr::tools {

// Failures

enum class ExitCode : int {
  fine = 0,
  bad_data = 1,
  usage = 2,
  environment = 3,  ///< No OpenGL, or the output cannot be written.
  unreadable = 4,   ///< A file that was named is missing or cannot be read.
  different = 5     ///< Two characters or two images differ, and both are fine.
};

/// Ends every help text.
inline constexpr char kExitCodes[] =
    "Exit code: 0 success, 1 bad data, 2 wrong usage, 3 no OpenGL or the output cannot be written,\n"
    "4 a file is missing or cannot be read";
/// Follows it in the help of a subcommand that compares.
inline constexpr char kExitCodeDifferent[] = ", 5 they differ";

/// Ends a subcommand: thrown with an exit code and a message for standard error; empty where everything is said.
struct Failure : std::exception {
  Failure(ExitCode with, std::string why) : exit_code(with), message(std::move(why)) {}
  ExitCode exit_code;
  std::string message;
};

[[noreturn]] inline void fail(ExitCode exit_code, std::string message = "") {
  throw Failure(exit_code, std::move(message));
}
/// Fails with a message that begins with the program's name.
template <class... Arguments>
[[noreturn]] void fail(ExitCode exit_code, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fail(exit_code, "pchr: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}
/// Fails with an error of the export library.
[[noreturn]] void fail(const ExportError& error);

template <class T>
T or_fail(ExportResult<T> result) {
  if (!result) fail(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Fails with what is wrong with a file that was named.
[[noreturn]] void fail(const Diagnostic& diagnostic, const std::string& file);

template <class T>
T or_fail(std::expected<T, Diagnostic> result, const std::string& file) {
  if (!result) fail(result.error(), file);
  return *std::move(result);
}

// Subcommands

/// A subcommand of the command line and what it does once its options are read.
struct Subcommand {
  CLI::App* command = nullptr;
  std::function<void()> run;
};

[[nodiscard]] Subcommand add_inspect(CLI::App& app);
[[nodiscard]] Subcommand add_render(CLI::App& app);
[[nodiscard]] Subcommand add_sheet(CLI::App& app);
[[nodiscard]] Subcommand add_diff(CLI::App& app);
[[nodiscard]] Subcommand add_pose(CLI::App& app);
[[nodiscard]] Subcommand add_validate(CLI::App& app);
[[nodiscard]] Subcommand add_pack(CLI::App& app);
[[nodiscard]] Subcommand add_unpack(CLI::App& app);
[[nodiscard]] Subcommand add_convert(CLI::App& app);
[[nodiscard]] Subcommand add_play(CLI::App& app);

// Options

/// For CLI11's `check`: a complaint about a number that a float cannot hold, else nothing.
[[nodiscard]] std::string check_finite(const std::string& text);
/// The same for one that is not above 0.
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
template <class Target, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& target,
                        std::initializer_list<std::pair<const char*, Value>> choices, const std::string& description) {
  std::vector<std::pair<std::string, Value>> known(choices.begin(), choices.end());
  std::vector<std::string> names;
  std::string argument;
  for (const auto& [each, ignored] : known) {
    names.push_back(each);
    argument += (argument.empty() ? "" : "|") + each;
  }
  const auto set = [known, &target](const std::string& text) {
    for (const auto& [each, value] : known) {
      if (each == text) target = value;
    }
  };
  return add_option(command, name, set, argument, description, CLI::IsMember(names));
}

/// Adds an option for a limit that is given in units of 2^20.
CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description);

/// Adds an option for a point or two angles.
CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description);

// The input

/// The file to read and how.
struct InputOptions {
  std::string file;  ///< "-": standard input.
  bool no_images = false;
  ImportOptions load;
  /// All files that were read with these options or with copies of them.
  std::shared_ptr<InputFiles> read = std::make_shared<InputFiles>();
};

void add_input_options(CLI::App& command, InputOptions& options);
/// Adds the same options but for the file.
void add_load_options(CLI::App& command, InputOptions& options);
/// Adds the options of Pomyu characters.
void add_chp_options(CLI::App& command, ImportOptions& options);

struct Input : Imported {
  std::vector<Bitmap> bitmaps;  ///< One per image, or none with `--no-images`.
};

/// Returns what messages call an input file: its name, or "standard input" for "-".
[[nodiscard]] std::string input_name(const std::string& file);
/// Returns what the names of outputs are made from: the file's name without its extension, or "stdin" for "-".
[[nodiscard]] std::string input_stem(const std::string& file);

/// Fails where a .psa file that was named cannot be read. The library only warns about it.
void check_animations(const InputOptions& options);

/// Reads `file`, or standard input for "-".
[[nodiscard]] std::expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options);

/// Reads the file and decodes its images.
[[nodiscard]] Input open_input(const InputOptions& options);

/// Reads the markers beside the file; returns none where there is no such file.
[[nodiscard]] Markers open_markers(const Character& character, const InputOptions& options);

/// Prints the file's warnings.
void print_warnings(const Input& input, const InputOptions& options);

/// A moment of a clip, as asked for.
struct MomentOptions {
  std::optional<std::uint32_t> frame;
  std::optional<double> seconds;
  bool smooth = false;
};

void add_moment_options(CLI::App& command, MomentOptions& options);

/// Returns the clip with that name.
[[nodiscard]] ClipId find_clip(const Character& character, const std::string& name);
/// Returns the clips with those names; without any, all but one that only holds the bind pose.
[[nodiscard]] std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names);

/// Returns the frame or time of `clip` that was asked for, else its first frame.
[[nodiscard]] ClipTime find_time(const Clip& clip, const MomentOptions& options);

// Output

/// Keeps the numbers of standard streams that are closed from going to files that are opened later: messages would
/// be written into them. Such a stream stays unusable. Call it before anything is opened.
void reserve_standard_streams() noexcept;

/// Writes `text`, made printable but for its line breaks, and a line break to standard error. A standard error that
/// cannot be written loses the message and changes nothing else.
void print_error(std::string_view text) noexcept;

/// Writes all of `bytes` to standard output: files and JSON, which stay as they are.
void write_stdout(std::string_view bytes);
/// Writes text for people to standard output, made printable but for its line breaks.
void print_text(std::string_view text);
inline void write_stdout(const fmt::memory_buffer& bytes) {
  write_stdout(std::string_view(bytes.data(), bytes.size()));
}
inline void print_text(const fmt::memory_buffer& text) { print_text(std::string_view(text.data(), text.size())); }

struct OutputFile {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Writes all files beside their targets, and only when all are complete renames them to their targets, in their
/// order. A write that fails leaves nothing new behind; one that is killed may leave hidden temporary files and
/// the first of the targets. With `keep` not even a file that appears meanwhile is replaced, and one of `inputs` never.
void write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs);

/// Writes one file. Where `path` is a link, what it points at is replaced; a device or a pipe is written directly.
void write_file(const std::filesystem::path& path, std::string_view bytes, Existing existing, const InputFiles& inputs);

/// Writes a premultiplied image as PNG, to standard output for "-".
void write_png(Bitmap image, const std::string& path, const InputFiles& inputs);

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE only make interrupted() true; a second one, but for
/// SIGPIPE, ends the program at once.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Ends the program by the signal that came, if one did: its parent sees what happened.
void end_if_interrupted();

/// A bar on standard error while something takes long, where that is a terminal. Gone when this goes.
class Progress {
 public:
  explicit Progress(std::uint64_t steps);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void set(std::uint64_t done);

 private:
  std::uint64_t steps_;
  bool on_terminal_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// Runs a job to its end, with a progress bar, until it is interrupted.
void run_job(ExportJob job);

// Text

/// Returns a name as `printable` shows it; an empty one as `""`.
[[nodiscard]] std::string shown(std::string_view name);

/// Returns a number with its thousands separated by commas.
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Returns a grouped number and what it counts; without `many`, "s" makes the plural.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = "");

/// Printable cells under titles, each column as wide as its widest cell.
class Table {
 public:
  /// Titles that begin with '>' are those of columns that are aligned right.
  explicit Table(std::vector<std::string> titles);
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void append_to(fmt::memory_buffer& out) const;

 private:
  std::vector<bool> align_right_;
  std::vector<std::vector<std::string>> rows_;  ///< The titles first.
};

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What the tool does with one input: the files that it reads and writes, what it says, and how it can fail.
#pragma once

#include "text.hpp"

#include <pchr/executor.hpp>
#include <pchr/export/animation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::tools {

enum class ExitCode : std::uint8_t {
  success = 0,
  bad_data = 1,
  usage = 2,
  environment = 3,  ///< OpenGL or memory is not available, or output cannot be written.
  unreadable = 4,   ///< A file named by the user is missing or cannot be read.
  different = 5,    ///< Two valid characters or images differ.
  some_failed = 6   ///< Some inputs of several succeeded.
};

/// An error, a warning or a note.
struct Message {
  std::optional<Severity> severity = Severity::error;  ///< Absent for a note.
  std::string file{};                                  ///< Empty if it is not about a file.
  std::string text{};                                  ///< As printed, with its hint.
  std::optional<Diagnostic> diagnostic{};              ///< Absent if the tool itself reports it.
};

/// What tells whether a file is as it was.
struct FileState {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< The largest number if the state is not known.
  /// See FileStatus. 0 if it can stay the same although the file changes: then only the hash tells.
  std::int64_t changed = 0;
  std::array<std::uint8_t, 32> sha256{};
  bool operator==(const FileState&) const = default;
  [[nodiscard]] bool is_known() const { return bytes != FileState{}.bytes; }
};

/// A file that was written.
struct WrittenFile {
  std::string path{};
  std::uint32_t width = 0, height = 0;  ///< Pixels; 0 unless it is an image.
  std::uint32_t frames = 0;             ///< 0 unless it is an image.
  double seconds = 0;                   ///< Duration of an animation.
  FileState state{};                    ///< Empty unless a stamp or a manifest needs it.
};

/// A file that was read.
struct SourceFile {
  std::string path{};
  FileState state{};  ///< From before it was read; empty unless a stamp needs it.
};

/// A folder that was listed.
struct ListedFolder {
  std::string path{};
  std::vector<std::string> names{};  ///< Sorted, from before it was listed; empty unless a stamp needs them.
};

struct Task {
  std::string input{};  ///< As named by the user.
  ExitCode exit_code = ExitCode::success;
  bool is_unchanged = false;  ///< An earlier run has written the same files.
  std::string out{};          ///< Text for standard output.
  std::vector<Message> messages{};
  std::vector<SourceFile> read{};       ///< In order.
  std::vector<std::string> missing{};   ///< Files that were looked for and do not exist.
  std::vector<ListedFolder> folders{};  ///< In which files were searched by name.
  std::vector<WrittenFile> written{};
  std::string stamp_error{};  ///< Why there is no stamp of this task although there should be one.

  // These belong to the run, not to its result:
  bool keeps_states = false;  ///< Whether the states of files and all output are noted, for a stamp.
  bool is_printed = true;     ///< Whether messages and text are printed at once, or later in the order of the inputs.
  unsigned threads = 0;       ///< Number of threads that the work can use; 0 for one for each core.
};

/// The task that this thread is working on: its own, or that of the program.
[[nodiscard]] Task& current_task() noexcept;
/// Gives this thread a task of its own until it ends.
void set_current_task(Task& task) noexcept;

/// Returns an executor with the threads of the current task.
[[nodiscard]] Executor executor();

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

/// Fails as wrong usage with the first message whose condition is true.
void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes);

/// Runs `work` and returns its exit code. Reports why it failed.
[[nodiscard]] ExitCode run_and_report(const std::function<void()>& work);

/// Names the file in a failure that names none.
void name_file(Failure& failure, const std::string& file);

/// Returns what `work` on one of several files returns. A failure names the file.
template <class Work>
auto run_on(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (Failure& failure) {
    name_file(failure, file);
    throw;
  }
}

// Messages and output

[[nodiscard]] std::string input_name(const std::string& file);
enum class Hint : std::uint8_t { none, shown };
/// Describes a diagnostic about a file.
[[nodiscard]] std::string describe_in(const std::string& file, const Diagnostic& diagnostic, Hint hint = Hint::none);

/// Adds --quiet, --progress and --log-format, which hold for the whole run.
void add_log_options(CLI::App& command);
/// Restores their defaults.
void reset_log_options();
/// Whether only errors are of interest.
[[nodiscard]] bool is_quiet() noexcept;

/// Adds a message to the current task, and prints it unless that is left for later.
void report(Message message);
/// Reports a warning that the tool itself has about a file.
void report_warning(const std::string& file, std::string text);
/// Reports what the tool does with a file that not everyone expects.
void report_note(const std::string& file, std::string text);
/// Reports a diagnostic that does not end the subcommand.
void report(const Diagnostic& diagnostic, const std::string& file);
/// Writes a message to standard error, with unprintable characters escaped. Ignores write errors.
void print_message(const Message& message) noexcept;
/// Appends what a message says to an object in JSON.
void append_fields(JsonWriter& json, const Message& message);

/// Writes text to standard output, with unprintable characters other than line breaks escaped.
void print_text(std::string_view text);
/// Writes bytes to standard output unchanged, or adds them to the current task if that is printed later.
void write_stdout(std::string_view bytes);

/// Prints the messages and the text of a task, unless they are printed.
void print_task(const Task& task);

/// A progress bar, if standard error is a terminal and nothing else is wanted there.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws the bar, but not right away nor too often.
  void show(std::uint64_t done, std::uint64_t total);
  /// Makes room for messages.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  Clock::time_point next_;
  std::size_t width_ = 0;
};

/// Returns the name of how a task ended, in JSON. `done` is the name for one that succeeded with work to do.
[[nodiscard]] const char* status_name(const Task& task, const char* done) noexcept;
/// Writes a line of --progress json for a finished task, if that is wanted.
void print_progress(const Task& task, std::size_t index, std::size_t total);
/// Writes how many of several files succeeded, and how many of those needed no work, unless only errors or JSON are
/// wanted.
void print_summary(std::size_t total, std::size_t succeeded, std::size_t unchanged, std::size_t failed);

}  // namespace pchr::tools

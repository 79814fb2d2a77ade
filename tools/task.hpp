// SPDX-License-Identifier: MIT
// What the tool does with one input: its messages and the files that it reads and writes. Workers send it to the
// process that started them.
#pragma once

#include "file_state.hpp"

#include <pchr/diagnostic.hpp>

#include <optional>
#include <string>
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

/// An error or a warning.
struct Message {
  Severity severity = Severity::error;
  std::string file{};                      ///< Empty if it is not about a file.
  std::string text{};                      ///< As printed, with its hint.
  std::optional<Diagnostic> diagnostic{};  ///< Absent if the tool itself reports it.
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

enum class TaskStatus : std::uint8_t {
  done,       ///< Or failed: see the exit code.
  unchanged,  ///< An earlier run has written the same files.
  skipped     ///< The files existed and were not to be replaced.
};

struct Task {
  std::string input{};  ///< As named by the user.
  ExitCode exit_code = ExitCode::success;
  TaskStatus status = TaskStatus::done;
  std::string out{};  ///< Text for standard output.
  std::vector<Message> messages{};
  std::vector<SourceFile> read{};       ///< In order.
  std::vector<std::string> missing{};   ///< Files that were looked for and do not exist.
  std::vector<ListedFolder> folders{};  ///< In which files were searched by name.
  std::vector<WrittenFile> written{};
  std::string stamp_error{};  ///< Why there is no stamp of this task although there should be one.
  bool keeps_states = false;  ///< Whether the states of files and all output are noted, for a stamp. Not sent.
  bool is_printed = false;    ///< Whether this process has printed its messages and its text already. Not sent.
};

/// Returns the name of how a task ended, in JSON. `done` is the name for one that succeeded with work to do.
[[nodiscard]] const char* status_name(const Task& task, const char* done) noexcept;

/// The task that this process is working on. The tool works on one at a time, on its main thread.
[[nodiscard]] Task& current_task() noexcept;

/// Returns a task as bytes, for another process of this program.
[[nodiscard]] std::string task_to_bytes(const Task& task);
/// Returns nothing if the bytes are not those of a task.
[[nodiscard]] std::optional<Task> task_from_bytes(std::string_view bytes);

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Records of what a run has read and written, so that nothing is done twice: stamps for this program, depfiles for
// build systems, a manifest for others.
#pragma once

#include "output.hpp"
#include "sha256.hpp"

#include <map>

namespace pchr::tools {

using RunInput = std::function<void(const std::string& input)>;

struct RecordOptions {
  bool if_changed = false;
  std::string cache;    ///< Folder for the stamps; empty to put them next to the outputs.
  std::string depfile;  ///< Empty for none, like the next two.
  std::string depfile_target;
  std::string manifest;
  bool keeps_errors = false;          ///< Whether a stamp keeps the errors in an input: they are what is reported.
  std::string part{};                 ///< Which part of each input's outputs this run writes; empty for all.
  const CLI::App* command = nullptr;  ///< To find out its options.
};

/// Adds --if-changed, --cache, --depfile, --depfile-target and, unless the subcommand only prints, --manifest.
void add_record_options(CLI::App& command, RecordOptions& options, bool only_prints);

// Files and folders

/// Returns the state of a file before this program reads it. One that is not a regular file, or cannot be read, has a
/// state that is_same() never accepts.
[[nodiscard]] FileState state_to_read(const std::string& path);
/// Returns the state of a file that this program has written.
[[nodiscard]] FileState state_of_written(const std::string& path);
/// Returns whether a file is as it was. Reads it only if its size is the same but its time does not tell; then the time
/// in `state` becomes the current one.
[[nodiscard]] bool is_same(const std::string& path, FileState& state);
/// Returns the sorted names in a folder, or none if it does not exist. Leaves out the hidden files of this program.
[[nodiscard]] std::vector<std::string> names_in_folder(const std::string& folder);

/// Adds a file to those that a task has read, or looked for in vain. Call it before reading the file.
void note_read(Task& task, const std::string& path);
/// Adds a folder to those that a task has searched. Call it before searching.
void note_listing(Task& task, const std::string& folder);

/// Which input or option of a run writes each file.
class Writers {
 public:
  /// Adds an input, which nothing may write. Fails as wrong usage if something does.
  void add_input(const std::string& path);
  /// Adds a file that is written. Fails as wrong usage if it is an input, or another one writes it too.
  void add(const std::string& path, const std::string& writer);

 private:
  std::map<std::string, std::string> writers_;  ///< By normal path; empty for inputs.
};

// Stamps: hidden files that tell what a run has read and written, so that the next one need not do it again.

/// Returns what a stamp keeps of a task, as bytes.
[[nodiscard]] std::string task_to_bytes(const Task& task);
/// Returns nothing if the bytes are not those of a task.
[[nodiscard]] std::optional<Task> task_from_bytes(std::string_view bytes);

/// Returns the path of a stamp: in `cache`, or if that is empty, next to `output`, whose placeholders {folder} and
/// {file} are filled in. `key` is a hash of what decides a result besides files.
[[nodiscard]] std::string stamp_path(const std::string& cache, const std::string& output, const Hash& key);
/// Writes the stamp of a task that has succeeded. Returns why that failed, or nothing: without a stamp, the next run
/// does the work again.
std::string write_stamp(const std::string& path, const Hash& key, const Task& task) noexcept;
/// Returns the task of a stamp if it would have the same result again. Anything that is wrong with a stamp means that
/// it would not.
[[nodiscard]] std::optional<Task> find_unchanged_task(const std::string& path, const Hash& key);

/// Returns the rules of a task for Make and Ninja, as compilers write them with -MMD -MP: one that makes the files
/// written, or `target` if it is not empty, depend on those read, and an empty one for each of these, so that one that
/// is gone does not stop a build. A file that was looked for in vain, or searched, is represented by its folder, unless
/// that has an output in it or `depfile`, the file for the rules: its time would change with every run. Fails if a name
/// has characters that the two programs cannot both read.
[[nodiscard]] Expected<std::string, std::string> depfile_rules(const Task& task, const std::string& target,
                                                               const std::string& depfile);

/// Keeps the records of a run.
class Recorder {
 public:
  /// `output` is the name of the outputs, with placeholders; empty if there are none.
  Recorder(RecordOptions options, std::string output);

  // On any thread, for the current task:

  /// Calls `run` and writes a stamp if it has a result, unless an earlier one has it: then the task becomes that one.
  /// Fails if `run` does, or if a depfile cannot hold a name.
  void run(const std::string& input, const RunInput& run) const;

  // On the thread that reports:

  /// Returns who writes which file: the options for records and, after add(), the inputs.
  [[nodiscard]] const Writers& writers() const { return writers_; }
  /// Adds a task to the depfile and the manifest.
  void add(const Task& task);
  /// Writes them.
  void write();

 private:
  void add_to_manifest(const Task& task);
  /// Returns a task's rules in the depfile, or what is wrong with a name.
  [[nodiscard]] Expected<std::string, std::string> rules_of(const Task& task) const;

  RecordOptions options_;
  std::string output_;
  InputFiles inputs_;  ///< The records never replace them.
  Writers writers_;
  std::string rules_;        ///< The depfile so far.
  bool has_warned_ = false;  ///< That stamps cannot be written.
  JsonWriter manifest_;      ///< assets/schema/manifest.schema.json describes it.
};

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Records of what a run has done: stamps, a depfile and a manifest.
#pragma once

#include "manifest.hpp"
#include "worker.hpp"
#include "writers.hpp"

#include <pchr/export/animation.hpp>

#include <CLI/CLI.hpp>

namespace pchr::tools {

struct RecordOptions {
  bool if_changed = false;
  bool no_overwrite = false;
  std::string cache;    ///< Folder for the stamps; empty to put them next to the outputs.
  std::string depfile;  ///< Empty for none, like the next two.
  std::string depfile_target;
  std::string manifest;
  bool keeps_errors = false;          ///< Whether a stamp keeps the errors in an input: they are what is reported.
  std::string part{};                 ///< Which part of each input's outputs this run writes; empty for all.
  const CLI::App* command = nullptr;  ///< To find out its options.
};

/// Adds --if-changed, --cache, --no-overwrite, --depfile, --depfile-target and --manifest.
void add_record_options(CLI::App& command, RecordOptions& options);
/// Adds those for a subcommand that only prints: --if-changed, --cache, --depfile and --depfile-target.
void add_print_record_options(CLI::App& command, RecordOptions& options);

/// Keeps the records of a run.
class Recorder {
 public:
  /// `output` is the name of the outputs, with placeholders; empty if there are none.
  Recorder(RecordOptions options, std::string output);

  /// Calls `run` for the input of the current task, and writes a stamp if it has a result. Fails if a depfile cannot
  /// hold a name.
  void run(const std::string& input, const RunInput& run) const;

  // In the process that reports:

  /// Returns who writes which file: the options for records and, after add(), the inputs.
  [[nodiscard]] const Writers& writers() const { return writers_; }
  /// Returns the task of an earlier run of which nothing has changed. Thread-safe.
  [[nodiscard]] std::optional<Task> find_unchanged(const std::string& input) const;
  /// Adds a task to the depfile and the manifest.
  void add(const Task& task);
  /// Writes them.
  void write();

 private:
  /// Writes the stamp of a task.
  void keep_task(const std::string& input, Task& task) const;
  [[nodiscard]] std::string stamp_of(const std::string& input, const Hash& key) const;
  /// Returns the target of a task in the depfile; empty for all files that it has written.
  [[nodiscard]] std::string target_of(const Task& task) const;
  /// Returns a task's rules in the depfile, or what is wrong with a name.
  [[nodiscard]] Expected<std::string, std::string> rules_of(const Task& task) const;

  RecordOptions options_;
  std::string output_;
  InputFiles inputs_;  ///< The records never replace them.
  Writers writers_;
  std::string rules_;        ///< The depfile so far.
  bool has_warned_ = false;  ///< That stamps cannot be written.
  Manifest manifest_;
};

}  // namespace pchr::tools

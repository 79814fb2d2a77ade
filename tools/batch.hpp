// SPDX-License-Identifier: MIT
// Many inputs in one run of a subcommand.
#pragma once

#include "record.hpp"
#include "shard.hpp"

#include <CLI/CLI.hpp>

namespace pchr::tools {

struct BatchOptions {
  std::vector<std::string> files;
  std::string files_from;  ///< File with more names, or "-"; empty if there is none.
  WorkerOptions workers;
  RecordOptions record;
  Shard shard{};
  bool shards_outputs = false;  ///< The shard is a part of the outputs of a single file, which the subcommand selects.
  bool summary = true;          ///< Whether to say at the end how many files succeeded.

  /// Whether one file is named, on the command line.
  [[nodiscard]] bool is_single() const { return files.size() == 1 && files_from.empty(); }
  /// Whether there can be more or fewer inputs than one. A single one is run in this process.
  [[nodiscard]] bool is_batch() const { return !is_single() || (shard.count > 1 && !shards_outputs); }
};

/// Adds FILE, --files-from, --jobs, --shard, --keep-going and the options for messages.
void add_batch_options(CLI::App& command, BatchOptions& options);

/// Returns the inputs, with those of the list.
[[nodiscard]] std::vector<std::string> list_inputs(const BatchOptions& options);

/// Prints the messages and the text of a task, unless they are printed.
void print_task(const Task& task);
/// Works on all inputs. If `output` is not empty, its placeholders {folder} and {file} must give a name for each input.
/// `finish` gets the task of each input, in order, and prints it if it is not printed: a single input is run in this
/// process, which prints its messages and its text at once. The default is print_task(). Returns how the batch ended.
[[nodiscard]] ExitCode run_batch(const BatchOptions& options, const std::string& output, const RunInput& run,
                                 const std::function<void(const Task&)>& finish = print_task);

}  // namespace pchr::tools

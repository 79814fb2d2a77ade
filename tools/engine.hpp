// SPDX-License-Identifier: MIT
// Many inputs in one run of a subcommand, on threads.
#pragma once

#include "record.hpp"

#include <memory>

namespace pchr::tools {

/// A share of a batch, for machines that work on it together.
struct Shard {
  std::uint32_t number = 1;  ///< From 1 to `count`.
  std::uint32_t count = 1;
};

/// Parses "3/40".
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);
/// Whether a file belongs to the shard. Depends only on its name, in which \ is the same as /, and is the same in all
/// versions and on all systems.
[[nodiscard]] bool has_file(const Shard& shard, std::string_view name);
/// Returns the first of `total` outputs that belong to the shard, and the one after the last. The shards' ranges follow
/// each other, and their lengths differ by one at most.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> output_range(const Shard& shard, std::uint32_t total);

struct BatchOptions {
  std::vector<std::string> files;
  std::string files_from;   ///< File with more names, or "-"; empty if there is none.
  unsigned jobs = 0;        ///< Number of threads that work on inputs; 0 for the number of cores.
  bool keep_going = false;  ///< If not, no input is started after a failure.
  std::uint64_t max_output = std::numeric_limits<std::uint64_t>::max();  ///< Bytes that are written for each input.
  RecordOptions record;
  Shard shard{};
  bool shards_outputs = false;  ///< The shard is a part of the outputs of a single file, which the subcommand selects.
  bool summary = true;          ///< Whether to say at the end how many files succeeded.

  /// Whether one file is named, on the command line.
  [[nodiscard]] bool is_single() const { return files.size() == 1 && files_from.empty(); }
  /// Whether there can be more or fewer inputs than one.
  [[nodiscard]] bool is_batch() const { return !is_single() || (shard.count > 1 && !shards_outputs); }
};

/// Adds FILE, --files-from, --jobs, --shard, --keep-going and the options for messages.
void add_batch_options(CLI::App& command, BatchOptions& options);
/// Adds --jobs. `what` completes "Number of ... at the same time".
void add_jobs_option(CLI::App& command, BatchOptions& options, const std::string& what);
/// Adds --max-output-mb.
void add_output_limit(CLI::App& command, BatchOptions& options, const char* fallback);

/// Returns the inputs, with those of the list.
[[nodiscard]] std::vector<std::string> list_inputs(const BatchOptions& options);

using FinishTask = std::function<void(const Task&)>;

/// Works on `count` inputs on threads: calls `work` with their numbers, each in a task of its own, whose failure ends
/// that task only. Calls `finish` on this thread with the tasks, in order. If this program is interrupted, nothing is
/// started anymore, and no file stays incomplete.
void run_tasks(std::size_t count, const BatchOptions& options, const std::function<void(std::size_t)>& work,
               const FinishTask& finish);

/// Works on all inputs; on a single one on this thread, which prints its messages and its text at once. If `output` is
/// not empty, its placeholders {folder} and {file} must give a name for each input. `finish` gets the task of each
/// input, in order. Returns how the batch ended.
[[nodiscard]] ExitCode run_batch(const BatchOptions& options, const std::string& output, const RunInput& run,
                                 const FinishTask& finish = print_task);

/// Runs a subcommand for each of its inputs with a copy of its options. `output` and `finish` are as for run_batch().
template <class Options>
[[nodiscard]] ExitCode run_inputs(const Options& options, void (*run)(Options), const std::string& output,
                                  const FinishTask& finish = print_task) {
  // The names of 10,000 files are not copied for each of them.
  Options of_each = options;
  of_each.input.batch.files.clear();
  const auto run_one = [&](const std::string& file) {
    Options of_one = of_each;
    of_one.input.file = file;
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

/// Prints a task of a batch as an element of a list: of an array of JSON, or of texts with an empty line between them.
void print_in_list(const Task& task, bool json, bool& is_first);

/// Runs a subcommand that prints a document for each input. Those of a batch become a list. Fails if any input does.
template <class Options>
void run_and_list(const Options& options, void (*run)(Options), bool json) {
  if (!options.input.batch.is_batch()) return run_all(options, run, "");
  bool is_first = true;
  const ExitCode ended = run_inputs(options, run, "", [&](const Task& task) { print_in_list(task, json, is_first); });
  if (json) write_stdout(is_first ? "[]\n" : "\n]\n");
  if (ended != ExitCode::success) fail(ended);
}

}  // namespace pchr::tools

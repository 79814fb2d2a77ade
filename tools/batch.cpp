// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include "name_pattern.hpp"
#include "platform/file_path.hpp"
#include "platform/pending_file.hpp"
#include "platform/program.hpp"
#include "platform/read_file.hpp"
#include "platform/standard_streams.hpp"
#include "tool.hpp"

#include <set>

namespace pchr::tools {
namespace {

/// Returns the names in a list: separated by NUL if it contains one, else one on each line.
std::vector<std::string> split_list(std::string_view list, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  constexpr std::size_t kMaxName = 65'535;
  if (list.starts_with("\xff\xfe") && list.size() > 3 && list[3] == '\0') {
    fail(ExitCode::bad_data, "{}: the list is UTF-16; expected UTF-8", printable(input_name(file)));
  }
  if (list.starts_with(kByteOrderMark)) list.remove_prefix(kByteOrderMark.size());
  const char separator = list.contains('\0') ? '\0' : '\n';
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    std::string_view name = list.substr(0, end);
    if (separator == '\n' && name.ends_with('\r')) name.remove_suffix(1);
    if (name.size() > kMaxName) {
      fail(ExitCode::bad_data, "{}: name {} has {} bytes; expected at most {}", printable(input_name(file)),
           names.size() + 1, grouped(name.size()), grouped(kMaxName));
    }
    if (!name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

std::vector<std::string> read_list(const std::string& file) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
  if (file == "-") return split_list(text_of(or_fail(read_standard_input(kMaxBytes), file)), file);
  return split_list(text_of(or_fail(read_named_file(file, kMaxBytes), file).bytes()), file);
}

/// Fails as wrong usage if two inputs would write to the same file, or one to an input.
void check_outputs(const std::vector<std::string>& inputs, const std::string& output, Writers writers) {
  check_usage({{output == "-", "the output of several files cannot be standard output"}});
  for (const std::string& input : inputs) writers.add_input(input);
  if (output.empty()) return;
  for (const std::string& input : inputs) {
    NameParts parts = parts_of_input(input);
    parts.clip = "";
    parts.index = parts.frame = 0;
    writers.add(fill_name(output, parts), input);
  }
}

/// Removes at its end what killed runs and workers left in the folders of the outputs. In folders that only the inputs'
/// clips name, the next file that is written there does so.
class Leftovers {
 public:
  Leftovers(const std::vector<std::string>& inputs, const std::string& output) {
    if (output.empty()) return;
    const std::string folder(folder_of(output));
    for (const std::string_view later : {"{clip}", "{index", "{frame"}) {
      if (folder.contains(later)) return;
    }
    for (const std::string& input : inputs) {
      folders_.insert(fill_name(folder, parts_of_input(input)));
    }
  }
  ~Leftovers() {
    for (const std::string& folder : folders_) remove_leftovers(folder);
  }
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;

 private:
  std::set<std::string> folders_;
};

/// Fails as wrong usage if the inputs cannot be run in workers as the options ask.
void check_batch(const BatchOptions& options, const std::vector<std::string>& inputs, const std::string& output,
                 Writers writers) {
  check_usage({{std::ranges::count(inputs, "-") > 0, "standard input can only be a single file"}});
  if (!options.files_from.empty()) writers.add_input(options.files_from);
  check_outputs(inputs, output, std::move(writers));
}

/// Runs a single input in this process.
ExitCode run_alone(const std::string& input, Recorder& recorder, const RunInput& run,
                   const std::function<void(const Task&)>& finish) {
  Task& task = current_task() = {.input = input};
  if (auto unchanged = recorder.find_unchanged(input)) {
    task = *std::move(unchanged);
  } else {
    task.exit_code = run_and_report([&] { run(input); });
    task.is_printed = true;
  }
  finish(task);
  recorder.add(task);
  print_progress(task, 0, 1);
  recorder.write();
  return task.exit_code;
}

/// How a batch goes.
struct Tally {
  std::size_t finished = 0, succeeded = 0, unchanged = 0;
  ExitCode first_failure = ExitCode::success;

  void add(const Task& task) {
    ++finished;
    if (task.exit_code == ExitCode::success) {
      ++succeeded;
      if (task.status != TaskStatus::done) ++unchanged;
    } else if (first_failure == ExitCode::success) {
      first_failure = task.exit_code;
    }
  }
  [[nodiscard]] ExitCode exit_code() const {
    return first_failure == ExitCode::success || succeeded == 0 ? first_failure : ExitCode::some_failed;
  }
};

}  // namespace

std::vector<std::string> list_inputs(const BatchOptions& options) {
  std::vector<std::string> inputs = options.files;
  if (options.files_from.empty()) return inputs;
  for (std::string& file : read_list(options.files_from)) inputs.push_back(std::move(file));
  return inputs;
}

void add_batch_options(CLI::App& command, BatchOptions& options) {
  const auto set_files = [&options](const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      for (std::string& each : expand_wildcards(file)) options.files.push_back(std::move(each));
    }
  };
  command.add_option_function<std::vector<std::string>>("FILE", set_files, "Characters to read; - is standard input")
      ->option_text("[FILE]...");
  begin_group(command, "Many files");
  add_option(command, "--files-from", options.files_from, "LIST",
             "Also read the files named in this file, one per line or separated by NUL; - is standard input");
  add_option(command, "-j,--jobs", options.workers.count, "N",
             "Number of files to work on at the same time (default: the number of cores)", check_range(1, 1024));
  const auto set_shard = [&options](const std::string& text) {
    const std::optional<Shard> shard = parse_shard(text);
    if (!shard) throw CLI::ValidationError("--shard", fmt::format("\"{}\" is not a shard I/N such as 3/40", text));
    options.shard = *shard;
  };
  add_option(
      command, "--shard", set_shard, "I/N",
      "Work on share I of N of the files, or of the outputs of a single file, as other machines do on the others");
  command.add_flag("--keep-going", options.workers.keep_going, "Continue with the other files after a failure");
  add_log_options(command);
}

void print_task(const Task& task) {
  if (task.is_printed) return;
  for (const Message& message : task.messages) print_message(message);
  if (!task.out.empty()) write_stdout(task.out);
}

ExitCode run_batch(const BatchOptions& options, const std::string& output, const RunInput& run,
                   const std::function<void(const Task&)>& finish) {
  RecordOptions record = options.record;
  if (options.shards_outputs && options.shard.count > 1) {
    record.part = fmt::format("-{}-{}", options.shard.number, options.shard.count);
  }
  Recorder recorder(std::move(record), output);
  const auto run_one = [&](const std::string& input) {
    const auto work = [&] { recorder.run(input, run); };
    // The subcommand can give the task a more readable name than the input's.
    options.is_batch() ? run_on(current_task().input, work) : work();
  };
  if (is_worker()) {
    serve(run_one);
    return ExitCode::success;
  }
  check_usage({{options.files.empty() && options.files_from.empty(), "FILE or --files-from is required"}});
  std::vector<std::string> inputs = list_inputs(options);
  if (!options.is_batch() && inputs.size() == 1) {
    return run_alone(inputs.front(), recorder, run_one, finish);
  }
  check_batch(options, inputs, output, recorder.writers());
  if (options.is_batch()) {
    std::erase_if(inputs, [&](const std::string& input) { return !has_file(options.shard, input); });
  }
  const Leftovers leftovers(inputs, output);
  Tally tally;
  ProgressBar bar;
  const auto report_task = [&](const Task& task) {
    bar.erase();
    finish(task);
    recorder.add(task);
    print_progress(task, tally.finished, inputs.size());
    tally.add(task);
    bar.show(tally.finished, inputs.size());
  };
  WorkerOptions workers = options.workers;
  workers.find_done = [&](const std::string& input) { return recorder.find_unchanged(input); };
  run_in_workers(inputs, workers, report_task);
  bar.erase();
  recorder.write();
  if (options.summary && options.is_batch()) {
    print_summary(inputs.size(), tally.succeeded, tally.unchanged, tally.finished - tally.succeeded);
  }
  return tally.exit_code();
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "engine.hpp"

#include "drawing.hpp"
#include "options.hpp"
#include "platform/checksums.hpp"
#include "platform/file_path.hpp"
#include "platform/output_file.hpp"
#include "platform/process.hpp"
#include "platform/files.hpp"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

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

/// Fails as wrong usage if two inputs would write to the same file, or one to an input.
void check_batch(const BatchOptions& options, const std::vector<std::string>& inputs, const std::string& output,
                 Writers writers) {
  check_usage({{std::ranges::count(inputs, "-") > 0, "standard input can only be a single file"}});
  if (!options.files_from.empty()) writers.add_input(options.files_from);
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

/// The threads of run_tasks(), and what they share.
struct TaskThreads {
  std::size_t count;
  bool keep_going;
  unsigned threads_of_each;
  const std::function<void(std::size_t)>& work;

  std::mutex mutex{};
  std::condition_variable changed{};
  // Guarded by the mutex:
  std::size_t begun = 0, running = 0;
  std::vector<std::optional<Task>> done = std::vector<std::optional<Task>>(count);
  std::vector<std::thread> threads{};

  ~TaskThreads() {
    stop();
    for (std::thread& thread : threads) thread.join();
  }

  void start(std::size_t number) {
    const std::scoped_lock lock(mutex);
    threads.reserve(number);
    try {
      for (std::size_t i = 0; i < number; ++i) {
        ++running;
        threads.emplace_back([this] { take_tasks(); });
      }
    } catch (const std::system_error&) {
      // Fewer threads can do the work, if there are any.
      --running;
      if (threads.empty()) throw;
    }
  }

  void take_tasks() {
    Task task;
    set_current_task(task);
    std::unique_lock lock(mutex);
    while (begun < count) {
      const std::size_t number = begun++;
      lock.unlock();
      task = {};
      task.is_printed = false;
      task.threads = threads_of_each;
      task.exit_code = run_and_report([&] { work(number); });
      lock.lock();
      if (task.exit_code != ExitCode::success && !keep_going) begun = count;
      done[number] = std::move(task);
      changed.notify_one();
    }
    lock.unlock();
    close_stage();
    lock.lock();
    --running;
    changed.notify_one();
  }

  void stop() {
    const std::scoped_lock lock(mutex);
    begun = count;
  }

  /// Returns once all threads have ended. If some do not, because they wait for an input, ends this program when none
  /// has a file that is not complete.
  void end_after_interrupt() {
    stop();
    std::unique_lock lock(mutex);
    const auto is_over = [&] { return running == 0; };
    if (changed.wait_for(lock, std::chrono::seconds(1), is_over)) return;
    while (is_any_thread_writing() && !is_over()) changed.wait_for(lock, std::chrono::milliseconds(10));
    end_if_interrupted();
  }
};

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, is_number] = std::from_chars(text.data(), text.data() + text.size(), shard.number);
  if (is_number != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [stopped, is_count] = std::from_chars(slash + 1, end, shard.count);
  if (is_count != std::errc() || stopped != end || shard.number < 1 || shard.number > shard.count) return std::nullopt;
  return shard;
}

bool has_file(const Shard& shard, std::string_view name) {
  std::string path(name);
  std::ranges::replace(path, '\\', '/');
  std::uint64_t hash = fnv1a(path);
  // Its lowest bits depend only on the lowest bits of the characters.
  hash ^= hash >> 32U;
  return hash % shard.count == shard.number - 1;
}

std::pair<std::uint64_t, std::uint64_t> output_range(const Shard& shard, std::uint32_t total) {
  const auto bound = [&](std::uint64_t shards) { return shards * total / shard.count; };
  return {bound(shard.number - 1), bound(shard.number)};
}

std::vector<std::string> list_inputs(const BatchOptions& options) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
  std::vector<std::string> inputs = options.files;
  const std::string& list = options.files_from;
  if (list.empty()) return inputs;
  std::vector<std::string> names =
      list == "-" ? split_list(text_of(or_fail(read_standard_input(kMaxBytes), list)), list)
                  : split_list(text_of(or_fail(read_named_file(list, kMaxBytes), list).bytes()), list);
  std::ranges::move(names, std::back_inserter(inputs));
  return inputs;
}

void add_batch_options(CLI::App& command, BatchOptions& options) {
  const auto set_files = [&options](const std::vector<std::string>& files) {
    for (const std::string& file : files) std::ranges::move(expand_wildcards(file), std::back_inserter(options.files));
  };
  command.add_option_function<std::vector<std::string>>("FILE", set_files, "Characters to read; - is standard input")
      ->option_text("[FILE]...");
  begin_group(command, "Many files");
  add_option(command, "--files-from", options.files_from, "LIST",
             "Also read the files named in this file, one per line or separated by NUL; - is standard input");
  add_jobs_option(command, options, "files to work on");
  const auto set_shard = [&options](const std::string& text) {
    const std::optional<Shard> shard = parse_shard(text);
    if (!shard) throw CLI::ValidationError("--shard", fmt::format("\"{}\" is not a shard I/N such as 3/40", text));
    options.shard = *shard;
  };
  add_option(
      command, "--shard", set_shard, "I/N",
      "Work on share I of N of the files, or of the outputs of a single file, as other machines do on the others");
  command.add_flag("--keep-going", options.keep_going, "Continue with the other files after a failure");
  add_log_options(command);
}

void add_jobs_option(CLI::App& command, BatchOptions& options, const std::string& what) {
  add_option(command, "-j,--jobs", options.jobs, "N",
             fmt::format("Number of {} at the same time (default: the number of cores)", what), check_range(1, 1024));
}

void add_output_limit(CLI::App& command, BatchOptions& options, const char* fallback) {
  begin_group(command, "Output");
  add_mega_option(command, "--max-output-mb", options.max_output,
                  fmt::format("Max size of all files written for each input, in MiB (default: {})", fallback));
}

void run_tasks(std::size_t count, const BatchOptions& options, const std::function<void(std::size_t)>& work,
               const FinishTask& finish) {
  if (count == 0) return;
  catch_interrupts();
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t number = std::min<std::size_t>(options.jobs != 0 ? options.jobs : cores, count);
  const unsigned threads_of_each = std::max(1U, cores / static_cast<unsigned>(number));
  // llvmpipe would start a thread for each core for each of our threads.
  set_default_variable("LP_NUM_THREADS", threads_of_each > 1 ? std::to_string(threads_of_each) : "0");
  TaskThreads threads{count, options.keep_going, threads_of_each, work};
  threads.start(number);
  for (std::optional<Task>& next : threads.done) {
    {
      std::unique_lock lock(threads.mutex);
      // A signal does not end the wait.
      const auto is_over = [&] { return next || threads.running == 0 || interrupted(); };
      while (!threads.changed.wait_for(lock, std::chrono::milliseconds(50), is_over)) {
      }
      if (!next || interrupted()) break;
    }
    finish(*next);
    next.reset();
  }
  if (!interrupted()) return;
  threads.end_after_interrupt();
  fail(ExitCode::environment);
}

ExitCode run_batch(const BatchOptions& options, const std::string& output, const RunInput& run,
                   const FinishTask& finish) {
  RecordOptions record = options.record;
  if (options.shards_outputs && options.shard.count > 1) {
    record.part = fmt::format("-{}-{}", options.shard.number, options.shard.count);
  }
  Recorder recorder(std::move(record), output);
  check_usage({{options.files.empty() && options.files_from.empty(), "FILE or --files-from is required"}});
  std::vector<std::string> inputs = list_inputs(options);
  const bool is_batch = options.is_batch();
  const auto run_one = [&](const std::string& input) {
    Task& task = current_task();
    task.input = input;
    // The subcommand can give the task a more readable name than the input's.
    is_batch ? run_on(task.input, [&] { recorder.run(input, run); }) : recorder.run(input, run);
  };
  if (!is_batch) {
    share_freed_memory();
    Task& task = current_task() = {};
    task.exit_code = run_and_report([&] { run_one(inputs.front()); });
    const Task ended = std::exchange(task, {});
    finish(ended);
    recorder.add(ended);
    print_progress(ended, 0, 1);
    recorder.write();
    return ended.exit_code;
  }
  check_batch(options, inputs, output, recorder.writers());
  std::erase_if(inputs, [&](const std::string& input) { return !has_file(options.shard, input); });
  std::size_t finished = 0, succeeded = 0, unchanged = 0;
  ExitCode first_failure = ExitCode::success;
  ProgressBar bar;
  const auto finish_one = [&](const Task& task) {
    bar.erase();
    finish(task);
    recorder.add(task);
    print_progress(task, finished, inputs.size());
    ++finished;
    if (task.exit_code == ExitCode::success) {
      ++succeeded;
      unchanged += task.is_unchanged ? 1 : 0;
    } else if (first_failure == ExitCode::success) {
      first_failure = task.exit_code;
    }
    bar.show(finished, inputs.size());
  };
  run_tasks(inputs.size(), options, [&](std::size_t number) { run_one(inputs[number]); }, finish_one);
  bar.erase();
  recorder.write();
  if (options.summary) print_summary(inputs.size(), succeeded, unchanged, finished - succeeded);
  return first_failure == ExitCode::success || succeeded == 0 ? first_failure : ExitCode::some_failed;
}

void print_in_list(const Task& task, bool json, bool& is_first) {
  for (const Message& message : task.messages) print_message(message);
  std::string_view document = task.out;
  if (document.empty()) return;
  const bool first = std::exchange(is_first, false);
  if (json) {
    document.remove_suffix(1);
    write_stdout(first ? "[\n" : ",\n");
  } else if (!first) {
    write_stdout("\n");
  }
  write_stdout(document);
}

}  // namespace pchr::tools

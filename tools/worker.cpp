// SPDX-License-Identifier: MIT
#include "worker.hpp"

#include "platform/child_process.hpp"
#include "platform/file_path.hpp"
#include "platform/pending_file.hpp"
#include "platform/program.hpp"
#include "platform/standard_streams.hpp"
#include "platform/terminal.hpp"
#include "tool.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace pchr::tools {
namespace {

constexpr char kFlag[] = "--worker";
constexpr std::uint64_t kMaxMessage = std::uint64_t{1} << 30;

// Set once, by prepare_workers().
struct {
  std::vector<std::string> arguments;
  unsigned threads = 0;  ///< Of this worker; 0 for a process that is none.
} this_process;

std::array<std::byte, 8> size_bytes(std::uint64_t size) { return std::bit_cast<std::array<std::byte, 8>>(size); }

std::optional<std::string> receive(const auto& read) {
  std::array<std::byte, 8> header{};
  if (!read(std::span<std::byte>(header))) return std::nullopt;
  const auto size = std::bit_cast<std::uint64_t>(header);
  if (size > kMaxMessage) return std::nullopt;
  // The memory grows with what arrives.
  constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
  std::string message;
  while (message.size() < size) {
    const std::size_t before = message.size();
    message.resize(static_cast<std::size_t>(std::min(size, before + kStep)));
    if (!read(std::as_writable_bytes(std::span(message).subspan(before)))) return std::nullopt;
  }
  return message;
}

bool send(const std::string& message, const auto& write) {
  return write(std::span<const std::byte>(size_bytes(message.size()))) && write(std::as_bytes(std::span(message)));
}

bool write_to_starter(std::span<const std::byte> bytes) { return write_standard_output(bytes) == 0; }

/// A worker, as the process sees it that started it.
class Worker {
 public:
  explicit Worker(ChildProcess child) : child_(std::move(child)) {}

  /// Works on an input. Returns nothing if the process ends first.
  std::optional<Task> run(const std::string& input) {
    if (!send(input, [&](std::span<const std::byte> bytes) { return child_.write(bytes); })) return std::nullopt;
    const auto bytes = receive([&](std::span<std::byte> room) { return child_.read(room); });
    return bytes ? task_from_bytes(*bytes) : std::nullopt;
  }
  [[nodiscard]] ChildProcess& child() { return child_; }

 private:
  ChildProcess child_;
};

Expected<Worker, std::string> start_worker(unsigned threads) {
  std::vector<std::string> arguments = this_process.arguments;
  arguments.insert(arguments.begin() + 1, {kFlag, std::to_string(threads)});
  auto child = ChildProcess::start(std::move(arguments));
  if (!child) return Unexpected(child.error());
  return Worker(*std::move(child));
}

/// Works on inputs on a thread for each worker.
class Pool {
 public:
  Pool(std::span<const std::string> inputs, const WorkerOptions& options) : inputs_(inputs), options_(options) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(options.count != 0 ? options.count : cores, inputs.size());
    threads_of_each_ = std::max(1U, cores / static_cast<unsigned>(std::max<std::size_t>(count, 1)));
    workers_.resize(count);
    threads_.reserve(count);
    const std::scoped_lock lock(mutex_);
    try {
      for (std::optional<Worker>& worker : workers_) {
        threads_.emplace_back([this, &worker] { work(worker); });
        running_ = taking_ = threads_.size();
      }
    } catch (const std::system_error&) {
      // Fewer threads can do the work, if there are any.
      if (threads_.empty()) throw;
    }
  }

  ~Pool() {
    stop();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Returns the next task in order, or nothing if there are no more.
  std::optional<Task> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      // First: Ctrl+C ends the workers too, which is no failure of their inputs.
      if (interrupted()) break;
      if (const auto found = done_.find(taken_); found != done_.end()) {
        Task task = std::move(found->second);
        done_.erase(found);
        ++taken_;
        return task;
      }
      if (running_ == 0) return std::nullopt;
      // A signal does not end the wait.
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
    lock.unlock();
    stop();
    fail(ExitCode::environment);
  }

 private:
  void stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    for (std::optional<Worker>& worker : workers_) {
      if (worker) worker->child().terminate();
    }
  }

  std::optional<std::size_t> take() {
    const std::scoped_lock lock(mutex_);
    if (!stopped_ && !given_back_.empty()) {
      const std::size_t index = given_back_.back();
      given_back_.pop_back();
      return index;
    }
    if (!stopped_ && begun_ < inputs_.size()) return begun_++;
    --taking_;
    return std::nullopt;
  }

  /// Leaves an input to the other threads, and takes no more. Returns whether there are any.
  bool give_back(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    if (taking_ == 1) return false;
    --taking_;
    given_back_.push_back(index);
    return true;
  }

  void work(std::optional<Worker>& worker) {
    for (auto index = take(); index; index = take()) {
      std::optional<Task> task = run(worker, *index);
      if (!task) break;
      const std::scoped_lock lock(mutex_);
      if (task->exit_code != ExitCode::success && !options_.keep_going) begun_ = inputs_.size();
      done_.emplace(*index, *std::move(task));
      changed_.notify_one();
    }
    if (worker) end(worker);
    const std::scoped_lock lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  /// Returns nothing if the input is left to other threads.
  std::optional<Task> run(std::optional<Worker>& worker, std::size_t index) {
    const std::string& input = inputs_[index];
    const auto failed = [&](const std::string& problem, ExitCode exit_code = ExitCode::environment) {
      const std::string name = options_.name ? options_.name(input) : input;
      Task task{.input = input, .exit_code = exit_code};
      task.messages.push_back({.file = name, .text = fmt::format("pchr: {}: {}", printable(name), problem)});
      return task;
    };
    if (auto done = options_.find_done ? options_.find_done(input) : std::nullopt) return *std::move(done);
    if (!worker) {
      auto started = start_worker(threads_of_each_);
      // The system can limit how many processes there are, or how many pipes to them.
      if (!started && give_back(index)) return std::nullopt;
      if (!started) return failed("cannot start a worker process: " + started.error());
      const std::scoped_lock lock(mutex_);
      worker.emplace(*std::move(started));
      if (stopped_) worker->child().terminate();
    }
    std::optional<Task> task = worker->run(input);
    if (task) return *std::move(task);
    worker->child().kill();  // It can have sent something else than an answer, or go on.
    const std::string how = end(worker);
    return failed(fmt::format("the worker process ended{}{}", how.empty() ? "" : " with ", how));
  }

  // Returns how it ended.
  std::string end(std::optional<Worker>& worker) {
    // stop() must not signal a process that does not exist anymore.
    std::optional<Worker> ending;
    {
      const std::scoped_lock lock(mutex_);
      ending.swap(worker);
      if (stopped_) ending->child().terminate();
    }
    return ending->child().wait();
  }

  std::span<const std::string> inputs_;
  WorkerOptions options_;
  unsigned threads_of_each_ = 1;
  std::vector<std::optional<Worker>> workers_;
  std::vector<std::thread> threads_;

  std::mutex mutex_;  ///< Of what follows, and of the workers' existence.
  std::condition_variable changed_;
  std::map<std::size_t, Task> done_;
  std::vector<std::size_t> given_back_;
  std::size_t begun_ = 0, taken_ = 0;
  std::size_t running_ = 0, taking_ = 0;  ///< Threads that have not ended, and those that still take inputs.
  bool stopped_ = false;
};

}  // namespace

void prepare_workers(std::vector<std::string>& arguments) {
  if (arguments.size() > 2 && arguments[1] == kFlag) {
    this_process.threads = std::max(1U, static_cast<unsigned>(std::strtoul(arguments[2].c_str(), nullptr, 10)));
    end_with_parent();
    // llvmpipe would start a thread for each core in each worker.
    set_default_variable("LP_NUM_THREADS", this_process.threads > 1 ? arguments[2] : "0");
    arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
  }
  this_process.arguments = arguments;
}

bool is_worker() noexcept { return this_process.threads > 0; }

Executor executor() { return thread_executor(this_process.threads); }

void serve(const RunInput& run) {
  const auto read = [](std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), stdin) == bytes.size();
  };
  // Files of a killed process are looked for when the first file in a folder is written, not for each of them.
  std::string last_folder;
  std::shared_ptr<TemporaryNames> names;
  while (const auto input = receive(read)) {
    Task& task = current_task() = {.input = *input};
    task.exit_code = run_and_report([&] { run(*input); });
    release_interrupts();
    end_if_interrupted();
    if (!task.written.empty()) {
      const std::string folder(folder_of(task.written.front().path));
      if (names == nullptr || folder != last_folder) names = remove_leftovers(folder);
      last_folder = folder;
    }
    if (!send(task_to_bytes(task), write_to_starter)) return;
  }
}

void run_in_workers(std::span<const std::string> inputs, const WorkerOptions& options,
                    const std::function<void(const Task&)>& finish) {
  catch_interrupts();
  Pool pool(inputs, options);
  while (const auto task = pool.next()) finish(*task);
}

}  // namespace pchr::tools

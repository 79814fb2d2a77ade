// SPDX-License-Identifier: MIT
// Worker processes: this program with the same arguments, which works on inputs that another process sends. Processes
// draw faster side by side than threads, and a crash costs one input.
#pragma once

#include "task.hpp"

#include <pchr/executor.hpp>

#include <functional>
#include <limits>
#include <span>

namespace pchr::tools {

using RunInput = std::function<void(const std::string& input)>;

/// Remembers this program's arguments for the workers that it starts. If it is a worker itself, removes those that say
/// so.
void prepare_workers(std::vector<std::string>& arguments);

/// Whether another process of this program sends the inputs, and prints messages and standard output.
[[nodiscard]] bool is_worker() noexcept;

/// Returns an executor with this process's share of the processor's cores.
[[nodiscard]] Executor executor();

/// In a worker: works on the inputs that it receives, until there are no more.
void serve(const RunInput& run);

struct WorkerOptions {
  unsigned count = 0;       ///< Number of workers; 0 for the number of cores.
  bool keep_going = false;  ///< If not, no input is started after a failure.
  /// Returns the task of an input that needs no work. Called on several threads.
  std::function<std::optional<Task>(const std::string& input)> find_done{};
  /// Returns what messages call an input. Absent if they call it as it is.
  std::function<std::string(const std::string& input)> name{};
  std::uint64_t max_output = std::numeric_limits<std::uint64_t>::max();  ///< Bytes that are written for each input.
};

/// Works on the inputs in workers. Calls `finish` on this thread, in the order of the inputs.
void run_in_workers(std::span<const std::string> inputs, const WorkerOptions& options,
                    const std::function<void(const Task&)>& finish);

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What a subcommand prints about each of its inputs, as one list.
#pragma once

#include "tool.hpp"

namespace pchr::tools {

/// Prints JSON documents as an array, and texts with an empty line between them.
class PrintedList {
 public:
  explicit PrintedList(bool json) : json_(json) {}
  void add(const Task& task);
  void end() const;

 private:
  bool json_;
  bool empty_ = true;
};

/// Runs a subcommand that prints a document for each input. Those of a batch become a list. Fails if any input does.
template <class Options>
void run_and_list(const Options& options, void (*run)(Options), bool json) {
  const bool is_list = options.input.batch.is_batch();
  PrintedList list(json);
  const auto print = [&](const Task& task) { is_list ? list.add(task) : print_task(task); };
  const ExitCode ended = run_inputs(options, run, "", print);
  if (is_list && !is_worker()) list.end();
  if (ended != ExitCode::success) fail(ended);
}

}  // namespace pchr::tools

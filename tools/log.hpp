// SPDX-License-Identifier: MIT
// What goes to standard error: messages and progress, for people or as JSON.
#pragma once

#include "json.hpp"
#include "task.hpp"

#include <CLI/CLI.hpp>

#include <chrono>

namespace pchr::tools {

/// Adds --quiet, --progress and --log-format, which hold for the whole process.
void add_log_options(CLI::App& command);

/// Whether only errors are of interest.
[[nodiscard]] bool is_quiet() noexcept;

/// Writes a message, with unprintable characters escaped. Ignores write errors.
void print_message(const Message& message) noexcept;

/// Appends what a message says to an object in JSON.
void append_fields(JsonWriter& json, const Message& message);

/// A progress bar, if standard error is a terminal and nothing else is wanted there.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws the bar, but not right away nor too often.
  void show(std::uint64_t done, std::uint64_t total);
  /// Makes room for messages.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  Clock::time_point next_;
  std::size_t width_ = 0;
};

/// Writes a line of --progress json for a finished task, if that is wanted.
void print_progress(const Task& task, std::size_t index, std::size_t total);

/// Writes how many of several files succeeded, and how many of those needed no work, unless only errors or JSON are
/// wanted.
void print_summary(std::size_t total, std::size_t succeeded, std::size_t unchanged, std::size_t failed);

}  // namespace pchr::tools

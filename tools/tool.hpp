// SPDX-License-Identifier: MIT
// What the subcommands share.
#pragma once

#include "input.hpp"
#include "log.hpp"
#include "manual.hpp"
#include "options.hpp"
#include "output.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <memory>

namespace pchr::tools {

// Failures

/// Ends a subcommand, or its work on one of several inputs. Nothing is printed for an empty message.
struct Failure {
  ExitCode exit_code;
  Message message;
};

[[noreturn]] inline void fail(ExitCode exit_code, std::string message = "") {
  throw Failure{exit_code, {.text = std::move(message)}};
}
/// Prefixes the message with the program's name.
template <class... Arguments>
[[noreturn]] void fail(ExitCode exit_code, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fail(exit_code, "pchr: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}
[[noreturn]] void fail(const ExportError& error);
/// Fails with a diagnostic about a named file, and its hint.
[[noreturn]] void fail(const Diagnostic& diagnostic, const std::string& file);

template <class T>
T or_fail(ExportResult<T> result) {
  if (!result) fail(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

template <class T>
T or_fail(Expected<T, Diagnostic> result, const std::string& file) {
  if (!result) fail(result.error(), file);
  return *std::move(result);
}

/// Runs `work` and returns its exit code. Reports why it failed.
[[nodiscard]] ExitCode run_and_report(const std::function<void()>& work);

/// Names the file in a failure that names none.
void name_file(Failure& failure, const std::string& file);

/// Returns what `work` on one of several files returns. A failure names the file.
template <class Work>
auto run_on(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (Failure& failure) {
    name_file(failure, file);
    throw;
  }
}

/// Fails as wrong usage with the first message whose condition is true.
void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes);

// Subcommands

/// Runs a subcommand for each of its inputs with a copy of its options. `output` and `finish` are as for run_batch().
template <class Options>
[[nodiscard]] ExitCode run_inputs(const Options& options, void (*run)(Options), const std::string& output,
                                  const std::function<void(const Task&)>& finish = print_task) {
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

/// Adds a subcommand that calls `run` with its options. The caller adds options to the returned command.
template <class Options, class Run>
std::pair<CLI::App&, Options&> add_subcommand(CLI::App& app, const char* name, const char* description,
                                              const Run& run) {
  CLI::App& command = *app.add_subcommand(name, description);
  const auto options = std::make_shared<Options>();
  command.callback([options, run] { run(*options); });
  return {command, *options};
}

void add_inspect(CLI::App& app);
void add_render(CLI::App& app);
void add_sheet(CLI::App& app);
void add_pose(CLI::App& app);
void add_validate(CLI::App& app);
void add_pack(CLI::App& app);
void add_unpack(CLI::App& app);
void add_convert(CLI::App& app);
void add_diff(CLI::App& app);
void add_report(CLI::App& app);
void add_play(CLI::App& app);

/// Appends the part of inspect's report that describes an artwork, as text (nothing for other characters) or as JSON.
/// @{
void append_artwork(std::string& out, const Imported& imported);
void append_artwork(JsonWriter& json, const Artwork& artwork);
/// @}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "tool.hpp"

#include "platform/standard_streams.hpp"
#include "platform/terminal.hpp"

#include <new>

namespace pchr::tools {

void fail(const ExportError& error) {
  using enum ExportError::Kind;
  if (error.kind == out_of_memory) throw std::bad_alloc();
  const bool is_usage = error.kind == request || error.kind == exists;
  fail(is_usage ? ExitCode::usage : ExitCode::environment, error.message.empty() ? "" : "pchr: " + error.message);
}

void fail(const Diagnostic& diagnostic, const std::string& file) {
  ExitCode code = ExitCode::bad_data;
  if (diagnostic.id == DiagnosticId::unreadable_file) code = ExitCode::unreadable;
  if (diagnostic.id == DiagnosticId::out_of_memory) code = ExitCode::environment;
  // The command line named a bind pose that does not exist; the file is valid.
  if (diagnostic.id == DiagnosticId::unknown_bind_clip) code = ExitCode::usage;
  throw Failure{code, {Severity::error, input_name(file), describe_in(file, diagnostic, Hint::shown), diagnostic}};
}

ExitCode run_and_report(const std::function<void()>& work) try {
  try {
    work();
    return ExitCode::success;
  } catch (const Failure& failure) {
    end_if_interrupted();
    if (!failure.message.text.empty()) report(failure.message);
    // Files appear together or not at all.
    if (failure.exit_code != ExitCode::different) current_task().written.clear();
    return failure.exit_code;
  } catch (const std::bad_alloc&) {
    Task& task = current_task();
    task.written.clear();
    Diagnostic diagnostic;
    diagnostic.id = DiagnosticId::out_of_memory;
    const std::string file = input_name(task.input);
    if (file.empty()) throw;
    report({Severity::error, file, describe_in(file, diagnostic, Hint::shown), diagnostic});
    return ExitCode::environment;
  } catch (const std::exception& error) {
    report({.text = fmt::format("pchr: {}", printable(error.what()))});
    return ExitCode::environment;
  }
} catch (const std::bad_alloc&) {
  // There is no memory for a message about a file, or no file.
  write_standard_error("pchr: out of memory\n");
  return ExitCode::environment;
}

void name_file(Failure& failure, const std::string& file) {
  constexpr std::string_view kProgram = "pchr: ";
  Message& message = failure.message;
  if (!message.file.empty() || !message.text.starts_with(kProgram)) return;
  message.text.insert(kProgram.size(), printable(file) + ": ");
  message.file = file;
}

void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes) {
  for (const auto& [made, message] : mistakes) {
    if (made) fail(ExitCode::usage, "{}", message);
  }
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "task.hpp"

#include "options.hpp"
#include "output.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"

#include <new>

namespace pchr::tools {
namespace {

enum class Progress : std::uint8_t { bar, json, none };

struct LogSettings {
  bool quiet = false;
  bool json = false;
  Progress progress = Progress::bar;
};
// Set by the options. All subcommands report from many places, and all of them follow it.
LogSettings log_settings;

// A pointer: MinGW frees the variables of a thread before it destroys them.
thread_local Task* task_of_thread = nullptr;

}  // namespace

Task& current_task() noexcept {
  static Task of_program;
  return task_of_thread != nullptr ? *task_of_thread : of_program;
}

void set_current_task(Task& task) noexcept { task_of_thread = &task; }

Executor executor() { return thread_executor(current_task().threads); }

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

void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes) {
  for (const auto& [made, message] : mistakes) {
    if (made) fail(ExitCode::usage, "{}", message);
  }
}

ExitCode run_and_report(const std::function<void()>& work) try {
  Task& task = current_task();
  try {
    work();
    return ExitCode::success;
  } catch (const Failure& failure) {
    // On other threads, files can still be open: see run_tasks().
    if (task.is_printed) end_if_interrupted();
    if (!failure.message.text.empty()) report(failure.message);
    // Files appear together or not at all.
    if (failure.exit_code != ExitCode::different) task.written.clear();
    return failure.exit_code;
  } catch (const std::bad_alloc&) {
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

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

std::string describe_in(const std::string& file, const Diagnostic& diagnostic, Hint hint) {
  return describe(diagnostic, input_name(file), {.hint = hint == Hint::shown});
}

void add_log_options(CLI::App& command) {
  begin_group(command, "Messages");
  command.add_flag("--quiet", log_settings.quiet, "Print results and errors only");
  add_choice<Progress>(command, "--progress", log_settings.progress,
                       {{"bar", Progress::bar}, {"json", Progress::json}, {"none", Progress::none}},
                       "Report progress on standard error: a bar on a terminal, or a line of JSON for each file "
                       "(default: bar)");
  add_choice<bool>(command, "--log-format", log_settings.json, {{"text", false}, {"json", true}},
                   "Format of the messages on standard error (default: text)");
}

void reset_log_options() { log_settings = {}; }
bool is_quiet() noexcept { return log_settings.quiet; }

void report(Message message) {
  if (current_task().is_printed) print_message(message);
  current_task().messages.push_back(std::move(message));
}

void report_warning(const std::string& file, std::string text) {
  report({Severity::warning, file, "pchr: warning: " + std::move(text), std::nullopt});
}

void report_note(const std::string& file, std::string text) {
  report({std::nullopt, input_name(file), "pchr: note: " + std::move(text), std::nullopt});
}

void report(const Diagnostic& diagnostic, const std::string& file) {
  report({severity(diagnostic.id), input_name(file), describe_in(file, diagnostic), diagnostic});
}

void print_message(const Message& message) noexcept {
  if (log_settings.quiet && message.severity != Severity::error) return;
  try {
    if (!log_settings.json) return write_standard_error(printable_lines(message.text) + '\n');
    JsonWriter json;
    json.begin_object().fields("version", kJsonVersion, "type", "message");
    append_fields(json, message);
    json.end_object();
    write_standard_error(json.text);
  } catch (const std::bad_alloc&) {
    // The message is lost.
  }
}

void append_fields(JsonWriter& json, const Message& message) {
  json.fields("severity", message.severity ? severity_name(*message.severity) : "note", "file", if_any(message.file),
              "text", message.text);
  json.field_if("diagnostic", message.diagnostic, [&](const Diagnostic& each) { append_diagnostic(json, each); });
}

void print_text(std::string_view text) { write_stdout(printable_lines(text)); }

void write_stdout(std::string_view bytes) {
  Task& task = current_task();
  if (!task.is_printed || task.keeps_states) task.out += bytes;
  if (task.is_printed) or_fail(OutputFiles({}).write("-", std::as_bytes(std::span(bytes))));
}

void print_task(const Task& task) {
  if (task.is_printed) return;
  for (const Message& message : task.messages) print_message(message);
  if (!task.out.empty()) write_stdout(task.out);
}

ProgressBar::ProgressBar()
    : wanted_(log_settings.progress == Progress::bar && !log_settings.quiet && !log_settings.json &&
              current_task().is_printed && is_error_on_terminal()),
      next_(Clock::now() + std::chrono::milliseconds(300)) {}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  if (!wanted_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(50);
  constexpr std::size_t kWidth = 40;
  const auto full = static_cast<std::size_t>(done * kWidth / total);
  const std::string count = fmt::format(" {} of {}", grouped(done), grouped(total));
  write_standard_error(fmt::format("\r{:━<{}}{:╌<{}}{}", "", full, "", kWidth - full, count));
  width_ = kWidth + count.size();
}

void ProgressBar::erase() {
  // Spaces erase the bar on every terminal.
  if (width_ > 0) write_standard_error(fmt::format("\r{:{}}\r", "", std::exchange(width_, 0)));
}

const char* status_name(const Task& task, const char* done) noexcept {
  if (task.exit_code != ExitCode::success) return "failed";
  return task.is_unchanged ? "unchanged" : done;
}

void print_progress(const Task& task, std::size_t index, std::size_t total) {
  if (log_settings.progress != Progress::json) return;
  JsonWriter json;
  json.begin_object().fields("version", kJsonVersion, "type", "progress", "input", task.input, "index", index);
  json.fields("total", total, "exitCode", static_cast<int>(task.exit_code), "status", status_name(task, "done"));
  // The outputs of an unchanged file were there before.
  const std::span<const WrittenFile> written =
      task.is_unchanged ? std::span<const WrittenFile>() : std::span(task.written);
  json.fields("written", std::views::transform(written, &WrittenFile::path));
  json.end_object();
  write_standard_error(json.text);
}

void print_summary(std::size_t total, std::size_t succeeded, std::size_t unchanged, std::size_t failed) {
  if (log_settings.quiet || log_settings.json || log_settings.progress == Progress::json) return;
  std::string text = fmt::format("{}: {} succeeded", counted(total, "file"), grouped(succeeded));
  if (unchanged > 0) text += fmt::format(", {} of them unchanged", grouped(unchanged));
  if (failed > 0) text += fmt::format(", {} failed", grouped(failed));
  if (succeeded + failed < total) text += fmt::format(", {} not started", grouped(total - succeeded - failed));
  write_standard_error(text + '\n');
}

}  // namespace pchr::tools

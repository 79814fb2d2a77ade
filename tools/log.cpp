// SPDX-License-Identifier: MIT
#include "log.hpp"

#include "json.hpp"
#include "platform/standard_streams.hpp"
#include "platform/terminal.hpp"
#include "tool.hpp"

namespace pchr::tools {
namespace {

enum class Progress : std::uint8_t { bar, json, none };

// Set by the options. All subcommands report from many places, and all of them follow it.
struct {
  bool quiet = false;
  bool json = false;
  Progress progress = Progress::bar;
} log_settings;

void write_json_line(const JsonWriter& json) { write_standard_error(json.text); }

}  // namespace

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

void append_fields(JsonWriter& json, const Message& message) {
  json.fields("severity", severity_name(message.severity), "file", if_any(message.file), "text", message.text);
  json.field_if("diagnostic", message.diagnostic, [&](const Diagnostic& each) { append_diagnostic(json, each); });
}

bool is_quiet() noexcept { return log_settings.quiet; }

void print_message(const Message& message) noexcept {
  if (log_settings.quiet && message.severity != Severity::error) return;
  try {
    if (!log_settings.json) return write_standard_error(printable_lines(message.text) + '\n');
    JsonWriter json;
    json.begin_object().fields("version", kJsonVersion, "type", "message");
    append_fields(json, message);
    json.end_object();
    write_json_line(json);
  } catch (const std::bad_alloc&) {
    // The message is lost.
  }
}

ProgressBar::ProgressBar()
    : wanted_(log_settings.progress == Progress::bar && !log_settings.quiet && !log_settings.json && !is_worker() &&
              is_error_on_terminal()),
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

void print_progress(const Task& task, std::size_t index, std::size_t total) {
  if (log_settings.progress != Progress::json) return;
  JsonWriter json;
  json.begin_object().fields("version", kJsonVersion, "type", "progress", "input", task.input, "index", index);
  json.fields("total", total, "exitCode", static_cast<int>(task.exit_code), "status", status_name(task, "done"));
  // The outputs of an unchanged or a skipped file were there before.
  const std::span<const WrittenFile> written =
      task.status == TaskStatus::done ? std::span(task.written) : std::span<const WrittenFile>();
  json.fields("written", std::views::transform(written, &WrittenFile::path));
  json.end_object();
  write_json_line(json);
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

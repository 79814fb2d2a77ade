// SPDX-License-Identifier: MIT
#include "record.hpp"

#include "depfile.hpp"
#include "name_pattern.hpp"
#include "platform/system_error.hpp"
#include "platform/utf8_path.hpp"
#include "stamp.hpp"
#include "tool.hpp"

#include <version.hpp>

#include <utility>

namespace pchr::tools {
namespace {

/// Options that do not change what is written, and that of the output, which counts with {folder} and {file} filled in.
constexpr std::string_view kNotCounted[] = {
    "--files-from", "--jobs",         "--keep-going", "--shard",       "--quiet", "--progress",
    "--log-format", "--depfile",      "--manifest",   "--if-changed",  "--cache", "--depfile-target",
    "--force",      "--no-overwrite", "FILE",         "--max-seconds", "--output"};

void append(std::string& text, std::string_view part) { text.append(part).push_back('\0'); }

/// Returns a hash of what decides a result besides files: this program's version, the subcommand, its options, and the
/// names of the input and the output.
Hash stamp_key(const RecordOptions& options, const std::string& input, const std::string& output) {
  std::string text;
  append(text, reference::version_and_commit());
  append(text, options.command->get_name());
  append(text, input);
  append(text, output);
  append(text, options.part);
  for (const CLI::Option* option : options.command->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::count(kNotCounted, name) > 0) continue;
    append(text, name);
    append(text, std::to_string(option->results().size()));
    for (const std::string& value : option->results()) append(text, value);
  }
  return sha256_of(std::as_bytes(std::span(text)));
}

/// Fills in {folder} and {file}, and leaves other placeholders.
std::string fill_input_name(std::string name, const std::string& input) {
  const NameParts parts = parts_of_input(input);
  for (std::size_t at = 0; (at = name.find('{', at)) != std::string::npos;) {
    const std::string_view rest = std::string_view(name).substr(at);
    const bool is_file = rest.starts_with("{file}");
    if (!is_file && !rest.starts_with("{folder}")) {
      ++at;
      continue;
    }
    const std::string& text = is_file ? *parts.file : *parts.folder;
    name.replace(at, rest.find('}') + 1, text);
    at += text.size();
  }
  return name;
}

void check_rules(const Expected<std::string, std::string>& rules) {
  if (!rules) fail(ExitCode::usage, "{}", rules.error());
}

void add_stamp_options(CLI::App& command, RecordOptions& options, const char* if_changed, const char* cache) {
  options.command = &command;
  begin_group(command, "Nothing twice");
  command.add_flag("--if-changed", options.if_changed, if_changed);
  add_option(command, "--cache", options.cache, "DIR", cache)->needs("--if-changed");
}

void add_depfile_options(CLI::App& command, RecordOptions& options, const char* target) {
  add_option(command, "--depfile", options.depfile, "FILE",
             "Write the files that were read as dependencies for Make and Ninja; {file} makes one for each character");
  add_option(command, "--depfile-target", options.depfile_target, "NAME", target)->needs("--depfile");
}

/// Whether a name differs for each input.
bool fills_input_name(const std::string& name) { return fill_input_name(name, "a") != fill_input_name(name, "b/b"); }

}  // namespace

void add_record_options(CLI::App& command, RecordOptions& options) {
  add_stamp_options(command, options,
                    "Skip a file if neither it, the files that belong to it, the options nor the outputs have changed",
                    "Keep the stamps of --if-changed here, not next to the outputs");
  command
      .add_flag("--no-overwrite", options.no_overwrite,
                "Leave outputs that exist as they are; skip a file if all of its outputs exist")
      ->excludes("--if-changed");
  add_depfile_options(
      command, options,
      "Name that depends on them (default: that of the output or, if it has placeholders, of all files written)");
  add_option(command, "--manifest", options.manifest, "FILE", "List the files written, with their SHA-256, as JSON");
}

void add_print_record_options(CLI::App& command, RecordOptions& options) {
  add_stamp_options(
      command, options,
      "Print a file's report again if neither it, the files that belong to it nor the options have changed",
      "Folder for the stamps of --if-changed, which needs one");
  add_depfile_options(command, options, "Name that depends on them, which --depfile needs");
}

Recorder::Recorder(RecordOptions options, std::string output)
    : options_(std::move(options)), output_(std::move(output)) {
  check_usage({{options_.if_changed && output_ == "-", "--if-changed needs a file for the output"},
               {options_.if_changed && output_.empty() && options_.cache.empty(),
                "--if-changed needs --cache here, because there is no output to keep stamps next to"},
               {!options_.depfile.empty() && output_.empty() && options_.depfile_target.empty(),
                "--depfile needs --depfile-target here, because there is no output that depends on the files"}});
  if (!options_.manifest.empty()) writers_.add(options_.manifest, "--manifest");
  if (!options_.depfile.empty() && !fills_input_name(options_.depfile)) writers_.add(options_.depfile, "--depfile");
  if (options_.cache.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(path_from_utf8(options_.cache), error);
  if (error) {
    fail(ExitCode::environment, "cannot create the folder {}: {}", printable(options_.cache), error_text(error));
  }
}

std::string Recorder::stamp_of(const std::string& input, const Hash& key) const {
  return stamp_path(options_.cache, fill_input_name(output_, input) + options_.part, key);
}

void Recorder::run(const std::string& input, const RunInput& run) const {
  Task& task = current_task();
  task.keeps_states = options_.if_changed;
  try {
    run(input);
  } catch (const Failure& failure) {
    // A failure with a message has cut the report short.
    if (options_.keeps_errors && failure.exit_code == ExitCode::bad_data && failure.message.text.empty()) {
      task.exit_code = failure.exit_code;
      keep_task(input, task);
    }
    throw;
  }
  if (!options_.depfile.empty()) check_rules(rules_of(task));
  if (!options_.if_changed && options_.manifest.empty()) return;
  for (WrittenFile& file : task.written) file.state = state_of_written(file.path);
  if (!task.written.empty() || output_.empty()) keep_task(input, task);
}

void Recorder::keep_task(const std::string& input, Task& task) const {
  if (!options_.if_changed) return;
  const Hash key = stamp_key(options_, input, fill_input_name(output_, input));
  task.stamp_error = write_stamp(stamp_of(input, key), key, task);
}

std::optional<Task> Recorder::find_unchanged(const std::string& input) const {
  if (!options_.if_changed) return std::nullopt;
  const Hash key = stamp_key(options_, input, fill_input_name(output_, input));
  std::optional<Task> task = find_unchanged_task(stamp_of(input, key), key);
  // Running again reports what is wrong with its names.
  if (task && !options_.depfile.empty() && !rules_of(*task)) return std::nullopt;
  return task;
}

std::string Recorder::target_of(const Task& task) const {
  if (!options_.depfile_target.empty()) return fill_input_name(options_.depfile_target, task.input);
  const std::string output = fill_input_name(output_, task.input);
  return std::ranges::find(task.written, output, &WrittenFile::path) != task.written.end() ? output : "";
}

Expected<std::string, std::string> Recorder::rules_of(const Task& task) const {
  return depfile_rules(task, target_of(task), fill_input_name(options_.depfile, task.input));
}

void Recorder::add(const Task& task) {
  if (!task.stamp_error.empty() && !std::exchange(has_warned_, true)) {
    print_message({.severity = Severity::warning,
                   .text = fmt::format("pchr: warning: --if-changed will do the work again: {}", task.stamp_error)});
  }
  for (const WrittenFile& file : task.written) writers_.add(file.path, task.input);
  if (options_.depfile.empty() && options_.manifest.empty()) return;
  for (const SourceFile& file : task.read) inputs_.add(file.path);
  if (!options_.manifest.empty()) manifest_.add(task);
  if (options_.depfile.empty() || task.exit_code != ExitCode::success) return;
  const std::string path = fill_input_name(options_.depfile, task.input);
  const auto rules = rules_of(task);
  check_rules(rules);
  if (path == options_.depfile) {
    rules_ += *rules;
  } else {
    writers_.add(path, "--depfile");
    write_file(path, *rules, Existing::replace, inputs_);
  }
}

void Recorder::write() {
  if (!rules_.empty()) write_file(options_.depfile, rules_, Existing::replace, inputs_);
  if (!options_.manifest.empty()) write_file(options_.manifest, manifest_.finish(), Existing::replace, inputs_);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "isolation.hpp"

#include "name_pattern.hpp"
#include "platform/file_path.hpp"
#include "platform/pending_file.hpp"
#include "platform/read_file.hpp"
#include "platform/sandbox.hpp"
#include "platform/system_error.hpp"
#include "platform/text_converter.hpp"
#include "tool.hpp"

namespace pchr::tools {
namespace {

/// Returns the start of an output's name, up to the first placeholder that the name of the input does not fill.
std::string start_of_name(std::string_view pattern, const std::string& input) {
  std::string start;
  for (;;) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    start += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (!pattern.starts_with("{file}") && !pattern.starts_with("{folder}")) return start;
    const std::size_t end = pattern.find('}') + 1;
    start += fill_name(pattern.substr(0, end), parts_of_input(input));
    pattern.remove_prefix(end);
  }
}

std::string describe(const Sandbox& sandbox, const std::string& folder) {
  std::vector<std::string> parts;
  if (sandbox.seccomp) parts.emplace_back("no network, no other processes, no other files to read (seccomp)");
  if (sandbox.landlock > 0) {
    parts.push_back(fmt::format("no new files{} (Landlock {})",
                                folder.empty() ? "" : fmt::format(" outside \"{}\"", printable(folder)),
                                sandbox.landlock));
  }
  if (sandbox.one_process) parts.emplace_back("no other processes (job object)");
  for (const std::string& reason : sandbox.missing) parts.push_back("not in force: " + reason);
  return fmt::format("pchr: isolated: {}", fmt::join(parts, "; "));
}

}  // namespace

void add_confinement_options(CLI::App& command, WorkerOptions& options) {
  begin_group(command, "Files from strangers");
  command.add_flag("--isolated", options.isolated,
                   "Read only the named files, each in a process that gives up everything else");
  add_mega_option(command, "--max-memory", options.max_memory, "Max memory for each file, in MiB (default: no limit)");
  add_option(command, "--max-seconds", options.max_seconds, "N", "Max time for each file (default: no limit)",
             check_range(1, 1e6));
  begin_group(command, "Options");
}

void add_output_limit(CLI::App& command, WorkerOptions& options) {
  begin_group(command, "Limits");
  add_mega_option(command, "--max-output-mb", options.max_output,
                  fmt::format("Max size of all files written for each input, in MiB (default: {})",
                              options.max_output > 0 ? std::to_string(options.max_output >> 20)
                                                     : "no limit; 1024 with --isolated"));
  begin_group(command, "Options");
}

void limit_allocations(std::uint64_t bytes) {
  if (const std::error_code error = limit_memory(bytes)) {
    fail(ExitCode::environment, "--max-memory does not work here: {}", error_text(error));
  }
}

void NamedFiles::add(const std::string& path, std::uint64_t max_bytes) {
  if (files_.contains(normal_path(path))) return;
  note_read(path);
  FileBytes file = or_fail(read_file(path, max_bytes), path);
  file.storage.resize(file.size);
  files_.emplace(normal_path(path), std::move(file.storage));
}

Expected<std::vector<std::byte>, std::string> NamedFiles::operator()(const std::string& path) const {
  const auto found = files_.find(normal_path(path));
  if (found == files_.end()) return Unexpected<std::string>("it is not named, and --isolated reads no other files");
  return found->second;
}

void ignore_user_settings() {
  // These find the driver. The others can change what it draws, or name files.
  clear_environment({"LD_LIBRARY_PATH", "LIBGL_ALWAYS_SOFTWARE", "LIBGL_DRIVERS_PATH", "__EGL_VENDOR_LIBRARY_DIRS",
                     "__EGL_VENDOR_LIBRARY_FILENAMES", "GBM_BACKENDS_PATH", "GCONV_PATH", "LP_NUM_THREADS"},
                    {{"MESA_SHADER_CACHE_DISABLE", "true"}});
}

std::string folder_of_outputs(const std::string& output, const std::string& input) {
  const std::string folder(folder_of(start_of_name(output, input)));
  return folder.empty() ? "." : folder;
}

std::string lock_down(const std::string& input, const std::string& output, const std::string& text_encoding) {
  // The system loads a converter when it is first used, and keeps those that are in use.
  static const TextConverter japanese("CP932");
  static const TextConverter chosen(text_encoding.empty() ? "UTF-8" : text_encoding);
  discard_standard_error();
  std::vector<std::string> folders;
  if (!output.empty()) {
    folders.push_back(folder_of_outputs(output, input));
    create_folder_of(path_in(folders.front(), "output"));
    // Later, the folder cannot be read.
    remove_leftovers(folders.front());
  }
  return describe(enter_sandbox(folders), folders.empty() ? "" : folders.front());
}

}  // namespace pchr::tools

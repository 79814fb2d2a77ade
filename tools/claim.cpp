// SPDX-License-Identifier: MIT
#include "claim.hpp"

#include "platform/utf8_path.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

/// Returns the rest of a path inside a folder, or nothing if it is not inside.
fs::path path_below(const std::string& folder, const std::string& path) {
  std::error_code error;
  const fs::path base = fs::absolute(path_from_utf8(folder), error).lexically_normal() / "";
  fs::path below = fs::absolute(path_from_utf8(path), error).lexically_normal().lexically_relative(base);
  return error || below.empty() || *below.begin() == ".." ? fs::path() : below;
}

/// Returns whether a path leads to a regular file below a folder without any link on the way.
bool is_file_below(const std::string& folder, const std::string& path) {
  fs::path at = path_from_utf8(folder);
  fs::file_status status;
  for (const fs::path& part : path_below(folder, path)) {
    at /= part;
    std::error_code error;
    status = fs::symlink_status(at, error);
    if (error || fs::is_symlink(status)) return false;
  }
  return fs::is_regular_file(status);
}

}  // namespace

Task believe(Task announced, Task claimed) {
  announced.exit_code = claimed.exit_code;
  announced.status = claimed.status;
  announced.out = printable_lines(claimed.out);
  announced.messages = std::move(claimed.messages);
  announced.written = std::move(claimed.written);
  for (WrittenFile& file : announced.written) file.state = {};
  return announced;
}

void judge_written(Task& task, const std::string& folder) {
  std::set<std::string_view> known;
  for (const WrittenFile& file : task.written) {
    if (known.insert(file.path).second && is_file_below(folder, file.path)) continue;
    task.exit_code = ExitCode::bad_data;
    task.messages.push_back(
        {.file = task.input,
         .text = fmt::format("pchr: {}: its process names an output that it cannot have written: {}",
                             printable(task.input), printable(file.path))});
    task.written.clear();
    return;
  }
}

bool is_below(const std::string& folder, const std::string& path) { return !path_below(folder, path).empty(); }

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "depfile.hpp"

#include "platform/file_path.hpp"
#include "platform/file_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace pchr::tools {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Returns the character of a name that Make or Ninja would not read as part of it, or 0.
char find_unreadable(std::string_view name, bool is_target) {
  // Make expands patterns, and a line with '=' sets a variable. Ninja ends a name at the others.
  const std::string_view unreadable = is_target ? "*=;<>^`|\"&'?%" : "*=;<>^`|\"&'?";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // A backslash would escape what follows, for one of them.
    const bool escapes = c == '\\' && (i + 1 == name.size() || std::string_view(" #:").contains(name[i + 1]));
    if (is_control(c) || escapes || unreadable.contains(c)) return c;
  }
  return 0;
}

/// Names in a depfile, or what is wrong with one of them.
struct NameList {
  std::vector<std::string> names{};
  std::set<std::string> seen{};
  std::string error{};

  void add(const std::string& path, bool is_target) {
    const std::string name = kPathStyle == PathStyle::windows ? normal_path(path) : path;
    if (!seen.insert(normal_path(path)).second) return;
    if (const char c = find_unreadable(name, is_target)) {
      error = fmt::format("Make and Ninja cannot both read {} in a depfile: it contains {}", printable(name),
                          is_control(c) ? "a control character" : fmt::format("'{}'", c));
    }
    // Make would look for the home of a user.
    std::string escaped = name.starts_with('~') ? "./" : "";
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool is_drive = kPathStyle == PathStyle::windows && i == 1;
      if (name[i] == ' ' || name[i] == '#' || (name[i] == ':' && !is_drive)) escaped += '\\';
      if (name[i] == '$') escaped += '$';
      escaped += name[i];
    }
    names.push_back(std::move(escaped));
  }
};

/// Returns the nearest folder of a file that exists. Make would rebuild forever what depends on another.
std::string existing_folder(std::string_view path) {
  std::string_view folder = folder_of(path);
  while (!folder.empty() && folder != folder_of(folder) && find_kind(std::string(folder)) != FileKind::folder) {
    folder = folder_of(folder);
  }
  return folder.empty() ? "." : std::string(folder);
}

}  // namespace

Expected<std::string, std::string> depfile_rules(const Task& task, const std::string& target,
                                                 const std::string& depfile) {
  NameList targets, sources;
  std::set<std::string> busy{absolute_path(existing_folder(depfile))};
  for (const WrittenFile& file : task.written) {
    if (target.empty()) targets.add(file.path, true);
    busy.insert(absolute_path(existing_folder(file.path)));
  }
  if (!target.empty()) {
    targets.add(target, true);
    busy.insert(absolute_path(existing_folder(target)));
  }
  if (targets.names.empty()) return std::string();

  for (const SourceFile& file : task.read) {
    if (file.path != "-") sources.add(file.path, false);
  }
  const auto add_folder = [&](const std::string& folder) {
    if (!busy.contains(absolute_path(folder))) sources.add(folder, false);
  };
  for (const std::string& path : task.missing) add_folder(existing_folder(path));
  for (const ListedFolder& folder : task.folders) add_folder(existing_folder(path_in(folder.path, "any")));
  for (const NameList* list : {&targets, &sources}) {
    if (!list->error.empty()) return Unexpected(list->error);
  }
  std::string rules = fmt::format("{}:", fmt::join(targets.names, " "));
  for (const std::string& source : sources.names) rules += " \\\n  " + source;
  for (const std::string& source : sources.names) rules += "\n" + source + ":";
  return rules + '\n';
}

}  // namespace pchr::tools

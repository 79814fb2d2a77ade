// SPDX-License-Identifier: MIT
#include "character_pairs.hpp"

#include "packed_texts.hpp"
#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/system_error.hpp"
#include "platform/utf8_path.hpp"
#include "tool.hpp"

#include <array>
#include <map>

namespace pchr::tools {
namespace {

/// Maps names below a folder to paths.
std::map<std::string, std::string> find_characters(const std::string& folder, const std::string& except) {
  std::map<std::string, std::string> found;
  // Folders that are left to visit, below `folder`.
  std::vector<std::string> left{""};
  while (!left.empty()) {
    const std::string below = std::move(left.back());
    left.pop_back();
    const std::string here = path_in(folder, below);
    std::error_code error;
    const std::filesystem::directory_iterator opened(path_from_utf8(here), error);
    if (error) fail(ExitCode::unreadable, "cannot read the folder {}: {}", printable(here), error_text(error));
    const auto visit = [&](const std::string& name, FileKind kind) {
      if (name.starts_with('.')) return true;
      const std::string path = path_in(below, name), full = path_in(here, name);
      if (kind == FileKind::folder && !is_same_file(full, except)) left.push_back(path);
      if (kind == FileKind::file && has_character_name(name)) found.emplace(path, full);
      return true;
    };
    visit_system_folder(here, visit);
  }
  return found;
}

}  // namespace

bool are_folders(const std::string& first, const std::string& second) {
  std::size_t folders = 0;
  for (const std::string& path : {first, second}) {
    const FileKind kind = find_kind(path);
    if (kind == FileKind::none) {
      fail(ExitCode::unreadable, "cannot read {}: it does not exist", printable(path));
    }
    folders += kind == FileKind::folder || kind == FileKind::link_to_folder ? 1 : 0;
  }
  if (folders == 1) {
    fail(ExitCode::usage, "{} and {} must be two files or two folders", printable(first), printable(second));
  }
  return folders == 2;
}

std::vector<CharacterPair> pair_characters(const std::string& first, const std::string& second,
                                           const std::string& except) {
  std::map<std::string, std::string> before = find_characters(first, except);
  const std::map<std::string, std::string> after = find_characters(second, except);
  std::vector<CharacterPair> pairs;
  const auto stem = [](std::string_view name) { return with_extension(name, ""); };
  // Those that are on one side only, by their names without extension.
  std::map<std::string, std::vector<std::string>> removed, added;
  for (const auto& [name, path] : before) {
    if (!after.contains(name)) removed[stem(name)].push_back(name);
  }
  for (const auto& [name, path] : after) {
    if (!before.contains(name)) added[stem(name)].push_back(name);
  }
  for (const auto& [name, path] : after) {
    auto found = before.find(name);
    if (found == before.end() && removed[stem(name)].size() == 1 && added[stem(name)].size() == 1) {
      found = before.find(removed[stem(name)].front());
    }
    if (found == before.end()) {
      pairs.push_back({0, name, "", "", path});
    } else {
      pairs.push_back({0, name, found->first, found->second, path});
      before.erase(found);
    }
  }
  for (const auto& [name, path] : before) pairs.push_back({0, name, name, path, ""});
  std::ranges::sort(pairs, {}, &CharacterPair::name);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].number = i + 1;
  return pairs;
}

void run_on_pairs(std::span<const CharacterPair> pairs, const WorkerOptions& options,
                  const std::function<void(const CharacterPair& pair, const Task& task)>& finish) {
  std::vector<std::string> inputs;
  for (const CharacterPair& pair : pairs) {
    inputs.push_back(
        pack_texts(std::array{std::to_string(pair.number), pair.name, pair.first_name, pair.first, pair.second}));
  }
  std::size_t next = 0;
  WorkerOptions workers = options;
  workers.name = [](const std::string& input) { return unpack_texts(input).at(1); };
  run_in_workers(inputs, workers, [&](Task task) {
    const CharacterPair& pair = pairs[next];
    finish(pair, task);
    task.input = pair.name;
    print_progress(task, next++, pairs.size());
  });
}

void serve_pairs(const std::function<void(const CharacterPair& pair)>& run) {
  serve([&](const std::string& input) {
    const std::vector<std::string> parts = unpack_texts(input);
    current_task().input = parts.at(1);
    run({std::stoul(parts.at(0)), parts.at(1), parts.at(2), parts.at(3), parts.at(4)});
  });
}

}  // namespace pchr::tools

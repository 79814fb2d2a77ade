// SPDX-License-Identifier: MIT
#include "character/path.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pchr {

void append_step(std::string& path, const PathStep& step) {
  if (step.name.empty()) {
    path += '[' + std::to_string(step.index) + ']';
  } else {
    if (!path.empty()) path += '.';
    path += step.name;
  }
}

std::vector<PathStep> split_path(std::string_view path) {
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (path[0] == '[') {
      std::uint64_t index = 0;
      const char* const end = std::from_chars(path.data() + 1, path.data() + path.size(), index).ptr;
      steps.emplace_back(index);
      // A key of a file may contain brackets.
      path.remove_prefix(std::min(static_cast<std::size_t>(end - path.data()) + 1, path.size()));
    } else {
      if (path[0] == '.') path.remove_prefix(1);
      const std::size_t length = std::min(path.find_first_of(".["), path.size());
      steps.emplace_back(path.substr(0, length));
      path.remove_prefix(length);
    }
  }
  return steps;
}

std::string_view name_at(const CharacterData& data, std::string_view path) {
  const auto steps = split_path(path);
  if (steps.size() < 2) return {};
  const auto name_in = [&](const auto& items) -> std::string_view {
    return steps[1].index < items.size() ? std::string_view(items[steps[1].index].name) : std::string_view();
  };
  if (steps[0].name == "images") return name_in(data.images);
  if (steps[0].name == "bones") return name_in(data.bones);
  if (steps[0].name == "meshes") return name_in(data.meshes);
  if (steps[0].name == "animations") return name_in(data.clips);
  return {};
}

Diagnostic diagnostic_at(DiagnosticId id, const CharacterData& data, std::string path, std::string detail) {
  std::string name(name_at(data, path));
  return {id, std::move(path), std::move(name), {}, std::move(detail)};
}

}  // namespace pchr

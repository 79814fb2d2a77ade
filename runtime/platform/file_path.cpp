// SPDX-License-Identifier: MIT
#include "platform/file_path.hpp"

#include <algorithm>
#include <algorithm>

namespace pchr {
namespace {

/// Returns where the extension of a name starts. A name that only starts with a dot has none.
std::size_t find_extension(std::string_view name) noexcept {
  const std::size_t dot = name.rfind('.');
  return dot == 0 || dot == std::string_view::npos || name == ".." ? name.size() : dot;
}

}  // namespace

std::string normal_path(std::string_view path) {
  if (path.empty()) return {};
  const bool rooted = path.starts_with('/');
  std::vector<std::string_view> names;
  bool is_folder = false;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    is_folder = name.empty() || name == "." || (name == ".." && !names.empty() && names.back() != "..");
    if (name == ".." && is_folder) {
      names.pop_back();
    } else if (!is_folder && (name != ".." || !rooted)) {
      names.push_back(name);
    }
    if (end + 1 == path.size()) is_folder = true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  std::string result(rooted ? "/" : "");
  for (const std::string_view name : names) {
    if (!result.empty() && !result.ends_with('/')) result += '/';
    result += name;
  }
  if (result.empty()) return ".";
  if (is_folder && !names.empty() && names.back() != "..") result += '/';
  return result;
}

std::string path_in(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  std::string path(folder);
  if (!path.ends_with('/')) path += '/';
  return path += name;
}

std::string_view folder_of(std::string_view path) noexcept {
  const std::size_t end = path.size() - file_name_of(path).size();
  const std::size_t last = path.substr(0, end).find_last_not_of('/');
  if (last == std::string_view::npos) return path.substr(0, std::min<std::size_t>(end, 1));
  return path.substr(0, last + 1);
}

std::string_view file_name_of(std::string_view path) noexcept { return path.substr(path.rfind('/') + 1); }

std::string_view stem_of(std::string_view path) noexcept {
  const std::string_view name = file_name_of(path);
  return name.substr(0, find_extension(name));
}

std::string_view extension_of(std::string_view path) noexcept {
  const std::string_view name = file_name_of(path);
  return name.substr(find_extension(name));
}

std::string with_extension(std::string_view path, std::string_view extension) {
  path.remove_suffix(extension_of(path).size());
  return std::string(path) + std::string(extension);
}

std::vector<std::string_view> names_in(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    if (!name.empty() && name != ".") names.push_back(name);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return names;
}

std::string path_from(std::string_view folder, std::string_view path) {
  if (folder.starts_with('/') != path.starts_with('/')) return {};
  const auto from = names_in(folder), to = names_in(path);
  const auto [first_from, first_to] = std::ranges::mismatch(from, to);
  std::string result;
  for (auto name = first_from; name != from.end(); ++name) result = path_in(result, "..");
  for (auto name = first_to; name != to.end(); ++name) result = path_in(result, *name);
  return result.empty() ? "." : result;
}

}  // namespace pchr

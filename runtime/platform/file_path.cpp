// SPDX-License-Identifier: MIT
#include "platform/file_path.hpp"

#include <algorithm>

namespace pchr {
namespace {

std::string_view separators(PathStyle style) noexcept { return style == PathStyle::windows ? "/\\" : "/"; }

/// A path in its parts: `C:/rest` or `//server/rest`.
struct Parts {
  std::string_view root_name;  ///< Drive or server.
  bool has_separator;          ///< Whether a separator follows the root name.
  std::string_view rest;       ///< Everything after the root name, with the separator.
};

Parts split(std::string_view path, PathStyle style) noexcept {
  const std::string_view separator = separators(style);
  const auto is_separator = [&](std::size_t at) { return at < path.size() && separator.contains(path[at]); };
  std::size_t root = 0;
  if (style == PathStyle::windows && path.size() >= 2) {
    const char drive = static_cast<char>(path[0] | 0x20);
    if (path[1] == ':' && drive >= 'a' && drive <= 'z') root = 2;
    if (is_separator(0) && is_separator(1) && path.size() > 2 && !is_separator(2)) {
      root = std::min(path.find_first_of(separator, 2), path.size());
    }
  }
  return {path.substr(0, root), is_separator(root), path.substr(root)};
}

/// Returns where the extension of a name starts. A name that only starts with a dot has none.
std::size_t find_extension(std::string_view name) noexcept {
  const std::size_t dot = name.rfind('.');
  return dot == 0 || dot == std::string_view::npos || name == ".." ? name.size() : dot;
}

}  // namespace

std::string normal_path(std::string_view path, PathStyle style) {
  if (path.empty()) return {};
  auto [root_name, rooted, rest] = split(path, style);
  std::vector<std::string_view> names;
  bool is_folder = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(separators(style)), rest.size());
    const std::string_view name = rest.substr(0, end);
    is_folder = name.empty() || name == "." || (name == ".." && !names.empty() && names.back() != "..");
    if (name == ".." && is_folder) {
      names.pop_back();
    } else if (!is_folder && (name != ".." || !rooted)) {
      names.push_back(name);
    }
    if (end + 1 == rest.size()) is_folder = true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::string result(root_name);
  if (style == PathStyle::windows) std::ranges::replace(result, '\\', '/');
  if (rooted) result += '/';
  const std::size_t root = result.size();
  for (const std::string_view name : names) {
    if (result.size() > root) result += '/';
    result += name;
  }
  if (result.empty()) return ".";
  if (is_folder && !names.empty() && names.back() != "..") result += '/';
  return result;
}

std::string path_in(std::string_view folder, std::string_view name, PathStyle style) {
  const Parts in = split(folder, style), parts = split(name, style);
  const bool is_on_other_drive = !parts.root_name.empty() && parts.root_name != in.root_name;
  if (folder.empty() || is_on_other_drive || (parts.has_separator && !parts.root_name.empty())) {
    return std::string(name);
  }
  if (parts.has_separator) return std::string(in.root_name) + std::string(name);
  std::string path(folder);
  // `C:name` is in the current folder of a drive.
  const bool is_drive = in.rest.empty() && in.root_name.ends_with(':');
  if (!is_drive && !separators(style).contains(path.back())) path += '/';
  return path += parts.rest;
}

std::string_view folder_of(std::string_view path, PathStyle style) noexcept {
  const auto [root_name, rooted, rest] = split(path, style);
  const std::size_t end = rest.size() - file_name_of(path, style).size();
  const std::size_t last = rest.substr(0, end).find_last_not_of(separators(style));
  const std::size_t size = last == std::string_view::npos ? std::min<std::size_t>(end, 1) : last + 1;
  return path.substr(0, root_name.size() + size);
}

std::string_view file_name_of(std::string_view path, PathStyle style) noexcept {
  const std::string_view rest = split(path, style).rest;
  return rest.substr(rest.find_last_of(separators(style)) + 1);
}

std::string_view stem_of(std::string_view path, PathStyle style) noexcept {
  const std::string_view name = file_name_of(path, style);
  return name.substr(0, find_extension(name));
}

std::string_view extension_of(std::string_view path, PathStyle style) noexcept {
  const std::string_view name = file_name_of(path, style);
  return name.substr(find_extension(name));
}

std::string with_extension(std::string_view path, std::string_view extension, PathStyle style) {
  path.remove_suffix(extension_of(path, style).size());
  return std::string(path) + std::string(extension);
}

std::vector<std::string_view> names_in(std::string_view path, PathStyle style) {
  std::vector<std::string_view> names;
  std::string_view rest = split(path, style).rest;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(separators(style)), rest.size());
    const std::string_view name = rest.substr(0, end);
    if (!name.empty() && name != ".") names.push_back(name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

std::string path_from(std::string_view folder, std::string_view path, PathStyle style) {
  const Parts start = split(folder, style), end = split(path, style);
  if (start.root_name != end.root_name || start.has_separator != end.has_separator) return {};
  const auto from = names_in(folder, style), to = names_in(path, style);
  const auto [first_from, first_to] = std::ranges::mismatch(from, to);
  std::string result;
  for (auto name = first_from; name != from.end(); ++name) result = path_in(result, "..", style);
  for (auto name = first_to; name != to.end(); ++name) result = path_in(result, *name, style);
  return result.empty() ? "." : result;
}

bool is_device_name(std::string_view path, PathStyle style) noexcept {
  const std::string_view name = file_name_of(path, style), root = split(path, style).root_name;
  // `\\.\NUL` is the device on purpose, `\\?\C:\NUL` a file.
  if (root.ends_with('.') || root.ends_with('?')) return false;
  // Windows ignores spaces before an extension, and what follows a colon.
  std::string_view device = name.substr(0, name.find_first_of(".:"));
  while (device.ends_with(' ')) device.remove_suffix(1);
  const auto is = [&](std::string_view other) {
    return std::ranges::equal(device, other, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
  };
  for (const std::string_view other : {"con", "prn", "aux", "nul", "conin$", "conout$"}) {
    if (is(other)) return true;
  }
  if (device.size() < 4) return false;
  const std::string_view number = device.substr(3);
  device = device.substr(0, 3);
  const bool is_number =
      (number.size() == 1 && number[0] >= '0' && number[0] <= '9') || number == "¹" || number == "²" || number == "³";
  return is_number && (is("com") || is("lpt"));
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Lists of files, and what belongs to a file.

#include "document/files.hpp"

#include <pchr/diagnostic.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool digit(char c) { return c >= '0' && c <= '9'; }

/// Opens the neighbor of `tried` among `paths`.
void open_neighbor(Files& files, const std::vector<fs::path>& paths, int direction) {
  const auto at = std::ranges::find(paths, files.tried);
  if (at == paths.end()) return;
  const std::ptrdiff_t next = at - paths.begin() + direction;
  if (next < 0 || next >= std::ssize(paths)) return;
  files.tried = paths[static_cast<std::size_t>(next)];
  files.request = LoadRequest{.paths = {files.tried}, .reason = LoadReason::step};
}

/// The regular files of a folder that `wanted` takes, sorted.
std::vector<fs::path> files_in(const fs::path& folder, bool (*wanted)(const fs::path&)) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (wanted(at->path()) && at->is_regular_file(ignored)) found.push_back(at->path());
  }
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return sorts_before(a.filename().string(), b.filename().string());
  });
  return found;
}

}  // namespace

void open_files(Files& files, std::vector<fs::path> paths) {
  if (paths.empty()) return;
  files.request = LoadRequest{.paths = std::move(paths)};
}

void open_in_list(Files& files, int direction) { open_neighbor(files, files.list, direction); }

void open_in_folder(Files& files, int direction) {
  if (files.tried.empty() || files.tried == kStandardInput) return;
  const fs::path folder = files.tried.has_parent_path() ? files.tried.parent_path() : ".";
  std::vector<fs::path> characters = characters_in(folder);
  if (!files.tried.has_parent_path()) {
    for (fs::path& path : characters) path = path.filename();
  }
  open_neighbor(files, characters, direction);
}

void remember(Files& files, const fs::path& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (error) return;
  std::erase(files.recent, absolute);
  files.recent.insert(files.recent.begin(), std::move(absolute));
  if (files.recent.size() > kMaxRecentFiles) files.recent.resize(kMaxRecentFiles);
}

void remember_textures(Files& files, const fs::path& mesh, const fs::path& folder) {
  std::error_code error;
  TextureFolder added{fs::absolute(mesh, error).lexically_normal().parent_path(),
                      (fs::absolute(folder, error) / "").lexically_normal().parent_path()};
  if (error) return;
  std::vector<TextureFolder>& known = files.texture_folders;
  std::erase(known, added);
  known.insert(known.begin(), std::move(added));
  if (known.size() > kMaxTextureFolders) known.resize(kMaxTextureFolders);
}

std::vector<fs::path> texture_folders_of(const std::vector<TextureFolder>& known, const fs::path& mesh) {
  std::error_code error;
  const fs::path folder = fs::absolute(mesh, error).lexically_normal().parent_path();
  std::vector<fs::path> folders;
  for (const TextureFolder& each : known) {
    if (each.meshes == folder) folders.push_back(each.textures);
  }
  return folders;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool has_character_suffix(const fs::path& path) {
  const std::string name = lower_case(path.filename().string());
  if (name.starts_with('.') || name.ends_with(".markers.json")) return false;
  constexpr std::string_view kSuffixes[] = {".pchr", ".json", ".chp", ".px", ".psk", ".pskx"};
  return std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
}

bool has_image_suffix(const fs::path& path) {
  const std::string name = lower_case(path.filename().string());
  return !name.starts_with('.') && name.ends_with(".png");
}

std::vector<fs::path> characters_in(const fs::path& folder) { return files_in(folder, has_character_suffix); }

std::vector<fs::path> images_in(const fs::path& folder) { return files_in(folder, has_image_suffix); }

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), lower);
  return text;
}

bool sorts_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t begin = at;
        while (at < text.size() && digit(text[at])) ++at;
        return std::string_view(text).substr(begin, at - begin);
      };
      const std::string_view left = number(a, i);
      const std::string_view right = number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    if (lower(a[i]) != lower(b[j])) return lower(a[i]) < lower(b[j]);
    ++i;
    ++j;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

void append_utf8(std::string& text, char32_t code) {
  const auto append = [&](char32_t byte) { text += static_cast<char>(byte); };
  const auto append_low = [&](char32_t bits) { append(0x80 | (bits & 0x3F)); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    append(0xE0 | code >> 12);
    append_low(code >> 6);
  } else {
    append(0xF0 | code >> 18);
    append_low(code >> 12);
    append_low(code >> 6);
  }
  append_low(code);
}

std::string shown_path(const fs::path& path) {
  const std::u8string text = path.u8string();
  return printable(std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
}

}  // namespace pchr::player

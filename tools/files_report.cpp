// SPDX-License-Identifier: MIT
// What inspect says about the files that a character was read from.
#include "files_report.hpp"

#include "table.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <system_error>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCandidates = 20;

bool is_animation(const fs::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return suffix == ".psa";
}

void append_animations(fmt::memory_buffer& out, const std::vector<AnimationFile>& files) {
  if (files.empty()) return;
  const auto attached = static_cast<std::size_t>(std::ranges::count(files, true, &AnimationFile::attached));
  fmt::format_to(std::back_inserter(out), "\n{} animation file{}, {} attached{}\n", grouped(files.size()),
                 files.size() == 1 ? "" : "s", grouped(attached),
                 attached < files.size() ? " (--also-animation attaches others)" : "");
  Table table({{"file"}, {"bones", Align::right}, {"in the mesh", Align::right}, {"attached"}});
  std::size_t candidates = 0;
  for (const AnimationFile& file : files) {
    if (!file.attached && ++candidates > kMaxCandidates) continue;
    table.add({shown(file.path), grouped(file.bones), grouped(file.matched_bones), file.attached ? "yes" : "no"});
  }
  table.append_to(out);
  if (candidates > kMaxCandidates) {
    fmt::format_to(std::back_inserter(out), "  and {} more, which --json lists\n", candidates - kMaxCandidates);
  }
}

}  // namespace

std::vector<fs::path> files_read(const Character& character, const std::vector<fs::path>& announced) {
  std::set<std::string> attached;
  for (const AnimationFile& file : character.data().animation_files) {
    if (file.attached) attached.insert(file.path);
  }
  std::vector<fs::path> files;
  std::set<fs::path> known;
  for (const fs::path& path : announced) {
    std::error_code error;
    const bool looked_at_only = is_animation(path) && !attached.contains(path.string());
    if (looked_at_only || !fs::exists(path, error) || !known.insert(path).second) continue;
    files.push_back(path);
  }
  return files;
}

void append_files(fmt::memory_buffer& out, const Character& character, const std::vector<fs::path>& files) {
  append_animations(out, character.data().animation_files);
  if (files.size() < 2) return;
  fmt::format_to(std::back_inserter(out), "\n{} files read\n", grouped(files.size()));
  for (const fs::path& file : files) fmt::format_to(std::back_inserter(out), "  {}\n", shown(file.string()));
}

void append_files(JsonWriter& json, const Character& character, const std::vector<fs::path>& files) {
  json.key("animationFiles").begin_array(Layout::lines);
  for (const AnimationFile& file : character.data().animation_files) {
    json.begin_object().key("path").value(file.path).key("bones").value(file.bones);
    json.key("matchedBones").value(file.matched_bones).key("attached").value(file.attached).end_object();
  }
  json.end_array();
  json.key("files").begin_array(Layout::lines);
  for (const fs::path& file : files) json.value(file.string());
  json.end_array();
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
#include "animations.hpp"

#include "textures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

bool is_among(const fs::path& path, const std::vector<fs::path>& paths) {
  return std::ranges::any_of(paths, [&](const fs::path& other) {
    std::error_code error;
    return path == other || fs::equivalent(path, other, error);
  });
}

void attach(Session& session, const std::vector<fs::path>& animations) {
  if (!shows_spatial(session)) {
    session.error = fmt::format(
        "{} is an animation of an Unreal mesh: open the .psk file that it was made for, then drop it on that",
        shown_path(animations.front().filename()));
    return;
  }
  // Named, so that those that were found by themselves stay.
  std::vector<fs::path> all = attached_animations(*session.document);
  const std::size_t before = all.size();
  for (const fs::path& path : animations) {
    if (!is_among(path, all)) all.push_back(path);
  }
  if (all.size() == before) {
    return show_notice(session.notice, shown_path(animations.front().filename()) + " is attached already");
  }
  LoadOptions options = session.document->source.options;
  options.animations = std::move(all);
  open_again(session, std::move(options));
  session.files.request->reason = LoadReason::attach;
}

}  // namespace

bool has_animation_suffix(const fs::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return suffix == ".psa";
}

std::vector<fs::path> attached_animations(const Document& document) {
  std::vector<fs::path> paths;
  for (const AnimationFile& file : document.character().data().animation_files) {
    if (file.attached) paths.emplace_back(file.path);
  }
  return paths;
}

void open_with_animations(Session& session, std::vector<fs::path> paths) {
  if (paths.size() == 1 && shows_spatial(session) && is_texture_folder(paths.front())) {
    return add_texture_folder(session, paths.front());
  }
  const auto first_animation = std::ranges::stable_partition(
      paths, [](const fs::path& path) { return is_folder(path) || !has_animation_suffix(path); });
  std::vector<fs::path> animations(first_animation.begin(), first_animation.end());
  paths.erase(first_animation.begin(), first_animation.end());
  if (paths.empty()) {
    if (!animations.empty()) attach(session, animations);
    return;
  }
  open_files(session.files, std::move(paths));
  if (animations.empty()) return;
  session.files.request->options = session.files.options;
  session.files.request->options->animations = std::move(animations);
}

void show_attached(Session& session, const Character& before) {
  const Document& document = *session.document;
  const auto clips = document.character().clips();
  std::uint32_t added = 0;
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = 0; i < clips.size(); ++i) {
    if (before.find_clip(clips[i].name)) continue;
    if (!first) first = i;
    ++added;
  }
  const std::vector<fs::path>& asked = document.source.options.animations;
  const std::string name = asked.empty() ? std::string("It") : shown_path(asked.back().filename());
  if (!first) return show_notice(session.notice, name + " has brought no clip: see the problems (P)");
  choose_clip(session, *first);
  show_notice(session.notice, fmt::format("{} is attached: {} more clip{}", name, added, added == 1 ? "" : "s"));
}

}  // namespace pchr::player

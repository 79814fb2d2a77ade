// SPDX-License-Identifier: MIT
#include "app/unreal_files.hpp"

#include "platform/utf8_path.hpp"
namespace pchr::player {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> texts;
  for (const fs::path& path : paths) texts.push_back(utf8_of(path));
  return texts;
}

bool is_among(const fs::path& path, const std::vector<fs::path>& paths) {
  return std::ranges::any_of(paths, [&](const fs::path& other) {
    std::error_code error;
    return path == other || fs::equivalent(path, other, error);
  });
}

void attach(App& app, const std::vector<fs::path>& animations) {
  if (!app.shows_3d()) {
    app.error = fmt::format("{} is an Unreal animation: open its .psk mesh first, then drop the animation again",
                            shown_path(animations.front().filename()));
    return;
  }
  // Name all files, so that the ones that were found automatically stay.
  std::vector<fs::path> all = attached_animations(*app.document);
  const std::size_t before = all.size();
  for (const fs::path& path : animations) {
    if (!is_among(path, all)) all.push_back(path);
  }
  if (all.size() == before) {
    return show_notice(app.notice, shown_path(animations.front().filename()) + " is already attached");
  }
  ImportOptions options = app.document->source.options;
  options.animations = texts_of(all);
  reload(app, std::move(options));
  app.files.request->reason = LoadReason::attach;
}

bool has_textures(const fs::path& folder, int& entries_left, bool below) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && entries_left-- > 0; at.increment(error)) {
    std::error_code unknown;
    if (at->is_directory(unknown)) {
      folders.push_back(at->path());
    } else if (has_extension(at->path(), {".png", ".bmp", ".tga", ".jpg", ".mat"})) {
      return true;
    }
  }
  return below &&
         std::ranges::any_of(folders, [&](const fs::path& in) { return has_textures(in, entries_left, false); });
}

/// Returns whether a folder dropped on a mesh is meant for its textures: the folder or one in it has image or material
/// files, and it has no characters.
bool is_texture_folder(const fs::path& folder) {
  int entries_left = 10'000;
  return is_folder(folder) && characters_in(folder).empty() && has_textures(folder, entries_left, true);
}

}  // namespace

bool has_animation_suffix(const fs::path& path) { return has_extension(path, {".psa"}); }

std::vector<fs::path> attached_animations(const Document& document) {
  std::vector<fs::path> paths;
  for (const AnimationFile& file : document.imported.animation_files) {
    if (file.attached) paths.push_back(path_from_utf8(file.path));
  }
  return paths;
}

void open_with_animations(App& app, std::vector<fs::path> paths) {
  if (paths.size() == 1 && app.shows_3d() && is_texture_folder(paths.front())) {
    return add_texture_folder(app, paths.front());
  }
  const auto first_animation = std::ranges::stable_partition(
      paths, [](const fs::path& path) { return is_folder(path) || !has_animation_suffix(path); });
  std::vector<fs::path> animations(first_animation.begin(), first_animation.end());
  paths.erase(first_animation.begin(), first_animation.end());
  if (paths.empty()) {
    if (!animations.empty()) attach(app, animations);
    return;
  }
  open_files(app.files, std::move(paths));
  if (animations.empty()) return;
  app.files.request->options = app.files.options;
  app.files.request->options->animations = texts_of(animations);
}

void show_attached(App& app, const Character& before) {
  const Document& document = *app.document;
  const auto clips = document.character().clips();
  std::vector<ClipId> added;
  for (const ClipId clip : clips.ids()) {
    if (before.find_clip(clips[clip].name) == ClipId::none) added.push_back(clip);
  }
  const std::vector<std::string>& requested = document.source.options.animations;
  const std::string name =
      requested.empty() ? std::string("The file") : shown_path(path_from_utf8(requested.back()).filename());
  if (added.empty()) return show_notice(app.notice, name + " added no clips; see Problems (P)", NoticeKind::warning);
  choose_clip(app.playback, document.character(), added.front());
  show_notice(app.notice, fmt::format("Attached {}: {} new clip{}", name, added.size(), added.size() == 1 ? "" : "s"),
              NoticeKind::success);
}

void add_texture_folder(App& app, const fs::path& folder) {
  if (!app.shows_3d()) return;
  remember_textures(app.files, app.document->path, folder);
  reload(app);
  show_notice(app.notice, "Looking for textures in " + shown_path(folder));
}

}  // namespace pchr::player

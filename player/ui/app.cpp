// SPDX-License-Identifier: MIT
#include "ui/app.hpp"

#include "platform/desktop.hpp"
#include "platform/utf8_path.hpp"
#include "view/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnsaved =
    "The rig or the states have unsaved changes. Save them with Ctrl+S, or repeat to discard them.";

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
  std::vector<fs::path> all = attached_animations(*app.document());
  const std::size_t before = all.size();
  for (const fs::path& path : animations) {
    if (!is_among(path, all)) all.push_back(path);
  }
  if (all.size() == before) {
    return show_notice(app.notice, shown_path(animations.front().filename()) + " is already attached");
  }
  ImportOptions options = app.document()->source.options;
  options.animations = texts_of(all);
  reload(app, std::move(options));
  app.requests.pending->reason = LoadReason::attach;
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

/// Reloads the open mesh with the textures in and below `folder`, and remembers the folder for all meshes next to it.
void add_texture_folder(App& app, const fs::path& folder) {
  if (!app.shows_3d()) return;
  remember_textures(app.requests, app.document()->path, folder);
  reload(app);
  show_notice(app.notice, "Looking for textures in " + shown_path(folder));
}

/// Continues at `seconds` of the clock of the clips beside the open one, after another clip has become the open one.
void continue_at(App& app, double seconds, bool playing) {
  Transport& clock = app.playback.clock;
  const double duration = clock.duration_seconds();
  clock.seek_seconds(duration > 0 ? seconds - std::floor(seconds / duration) * duration : 0);
  if (!playing) clock.pause();
  app.clock = {seconds, clock.seconds()};
}

}  // namespace

void show_notice(Notice& notice, Notice shown) {
  notice = std::move(shown);
  notice.seconds_left = notice.buttons[0].command != nullptr ? kNoticeWithButtonsSeconds : kNoticeSeconds;
}

void show_notice(Notice& notice, std::string text, NoticeKind kind) {
  show_notice(notice, Notice{.text = std::move(text), .kind = kind});
}

bool pass(Notice& notice, double seconds) {
  if (notice.text.empty()) return false;
  notice.seconds_left -= seconds;
  if (notice.seconds_left > 0) return false;
  notice = {};
  return true;
}

std::unique_ptr<Actor> replace_open(App& app, std::unique_ptr<Actor> next, std::optional<ClipId> clip, Opened opened) {
  std::unique_ptr<Actor> before = take(app, Role::open);
  Document* const left = before != nullptr ? &before->document : nullptr;
  next->role = Role::open;
  next->place = Vec2{0.0F};
  Document& document = add(app, std::move(next)).document;
  app.comparison.chosen = false;
  app.comparison.figure.by.reset();
  app.error = read_sidecar(document);
  if (!document.bind) document.bind = document.rig.saved.bind;
  if (left && opened != Opened::reloaded) forget_unsaved_rig(*left);
  if (opened != Opened::reloaded) {
    if (std::string error = recover_rig(document); !error.empty()) {
      app.error += (app.error.empty() ? "" : "\n") + error;
    }
  }
  if (left) document.atlas = carried_over(left->atlas, left->character(), document.character());
  if (left && opened == Opened::reloaded) {
    std::vector<AlphaMask> masks = std::move(document.selection.masks);
    document.selection = carried_over(left->selection, left->character(), document.character());
    document.selection.masks = std::move(masks);
    document.artwork_layers = left->artwork_layers;
    app.find(Role::open)->motion.travel = before->motion.travel;
    continue_rig(document, *left);
    reload_file(app.playback, played(*left), played(document), clip);
    return before;
  }
  const bool was_offered = absolute_path(document.path) == app.unsaved_rig;
  if (was_offered) app.unsaved_rig.clear();
  const bool restores = was_offered && std::exchange(app.restores_rig, false);
  if (document.rig.recovered) restores ? restore_rig(app) : offer_unsaved_rig(app);
  take(app, Role::previous);
  app.comparison.with_previous = false;
  const bool same_units = left && left->is_3d() == document.is_3d();
  app.view.fit = opened == Opened::stepped && same_units ? Fit::center : Fit::clip;
  app.view.followed.reset();
  // A 3D character has its own up axis, and flipping y would turn its faces inside out.
  if (document.is_3d()) app.view.camera.flip_y = false;
  play_file(app.playback, played(document), clip);
  return before;
}

void open_with_animations(App& app, std::vector<fs::path> paths) {
  if (paths.size() == 1 && app.shows_3d() && is_texture_folder(paths.front())) {
    return add_texture_folder(app, paths.front());
  }
  const auto first_animation = std::ranges::stable_partition(
      paths, [](const fs::path& path) { return is_folder(path) || !has_extension(path, {".psa"}); });
  std::vector<fs::path> animations(first_animation.begin(), first_animation.end());
  paths.erase(first_animation.begin(), first_animation.end());
  if (paths.empty()) {
    if (!animations.empty()) attach(app, animations);
    return;
  }
  open_files(app.requests, std::move(paths));
  if (animations.empty()) return;
  app.requests.pending->options = app.requests.options;
  app.requests.pending->options->animations = texts_of(animations);
}

std::vector<fs::path> attached_animations(const Document& document) {
  std::vector<fs::path> paths;
  for (const AnimationFile& file : document.imported.animation_files) {
    if (file.attached) paths.push_back(path_from_utf8(file.path));
  }
  return paths;
}

void show_attached(App& app, const Character& before) {
  const Document& document = *app.document();
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

void reload(App& app) {
  if (!app.document() || app.document()->path == kStandardInputName) return;
  reload(app, app.document()->source.options);
  app.requests.pending->reason = LoadReason::reload;
}

void reload(App& app, ImportOptions options) {
  if (!app.document()) return;
  Document& document = *app.document();
  const Clip* clip = app.current_clip();
  const bool is_standard_input = document.path == kStandardInputName;
  document.source.options = std::move(options);
  app.requests.pending = LoadRequest{.paths = {is_standard_input ? kStandardInput : document.path},
                                     .reason = LoadReason::options,
                                     .clip = clip != nullptr ? clip->name : std::string(),
                                     .options = document.source.options};
}

void use_choice(App& app) {
  const fs::path chosen = std::exchange(app.browser.chosen, {});
  if (app.browser.purpose == BrowseFor::background) {
    set_background_image(app.view, chosen);
  } else if (app.browser.purpose == BrowseFor::textures) {
    add_texture_folder(app, chosen);
  } else if (app.browser.purpose == BrowseFor::exports) {
    set_export_folder(app.exports, chosen);
  } else {
    app.screenshots_in = ScreenshotFolder::chosen;
    app.screenshot_folder = chosen;
  }
}

void set_background_image(View& view, const fs::path& path) {
  view.image = absolute_path(path);
  view.background = Background::image;
}

bool can_choose_bind_pose(const App& app) noexcept {
  // Skeletons of other editors store theirs.
  return can_rig(app) && !app.shows_chara() && !app.shows_artwork() && !app.document()->character().clips().empty() &&
         app.document()->character().data().bind_pose.x.empty();
}

const BindPose& chosen_bind_pose(const App& app) noexcept {
  const BindPose& given = app.document()->source.options.bind_pose;
  return given == BindPose() ? app.document()->rig.rig.bind : given;
}

void choose_bind_pose(App& app, BindPose bind) {
  Document& document = *app.document();
  if (BindPose& given = document.source.options.bind_pose; given != BindPose()) {
    document.bind = std::exchange(given, {});
  }
  document.rig.rig.bind = std::move(bind);
}

void follow_bind_pose(App& app) {
  if (!app.document() || app.document()->source.options.bind_pose != BindPose()) return;
  const BindPose& wanted = app.document()->rig.rig.bind;
  if (app.document()->bind == wanted) return;
  reload(app, app.document()->source.options);
  app.requests.pending->bind = wanted;
}

void save_rig(App& app) {
  if (!app.document()) return;
  Document& document = *app.document();
  if (document.path == kStandardInputName) return show_notice(app.notice, "Standard input has no folder to save to");
  if (std::string error = save_rig(document); !error.empty()) {
    app.error = std::move(error);
  } else {
    show_notice(app.notice, "Saved " + utf8_of(document.sidecar.path.filename()), NoticeKind::success);
  }
}

void offer_unsaved_rig(App& app) {
  const bool open = app.document() && app.document()->rig.recovered;
  const fs::path& character = open ? app.document()->path : app.unsaved_rig;
  if (character.empty()) return;
  show_notice(app.notice, {.text = shown_path(character.filename()) + " has changes to its rig that were not saved",
                           .kind = NoticeKind::warning,
                           .buttons = {{{"rig-restore", "Restore"}, {"rig-discard", "Discard"}}}});
  app.notice.seconds_left = kStays;
}

void restore_rig(App& app) {
  if (app.document() && app.document()->rig.recovered) {
    RigEditor& rig = app.document()->rig;
    commit(rig);
    rig.rig = *std::exchange(rig.recovered, std::nullopt);
    commit(rig);
    app.view.rig = has_unsaved_rig(rig);
    if (!app.view.rig) set_mode(app, PlaybackMode::states);
    open_dock(app, Dock::left);
  } else if (!app.unsaved_rig.empty()) {
    app.restores_rig = true;
    open_files(app.requests, {app.unsaved_rig});
  }
}

void discard_offered_rig(App& app) {
  if (app.document() && app.document()->rig.recovered) {
    app.document()->rig.recovered.reset();
    // Newer changes may have replaced those in the file.
    if (!has_unsaved_changes(app.document()->rig)) forget_unsaved_rig(*app.document());
  } else if (!app.unsaved_rig.empty()) {
    remove_autosave(std::exchange(app.unsaved_rig, {}));
  }
}

bool may_leave(App& app) {
  if (!app.document() || !has_unsaved_changes(app.document()->rig)) return true;
  if (app.notice.text == kUnsaved) {
    app.notice = {};
    return true;
  }
  show_notice(app.notice, kUnsaved, NoticeKind::warning);
  return false;
}

bool would_lose_work(const App& app) noexcept {
  return app.exports.running || (app.document() && has_unsaved_changes(app.document()->rig));
}

bool may_quit(App& app) noexcept { return !would_lose_work(app) || std::exchange(app.asks_to_quit, true); }

void open_to_compare(OpenRequests& requests, const fs::path& path) {
  requests.pending = LoadRequest{.paths = {path}, .reason = LoadReason::compare};
}

void swap_sides(App& app) {
  Comparison& comparison = app.comparison;
  if (!comparing(app) || comparison.with_previous || !comparison.clip || !app.playback.clip) return;
  const ClipId to_first = *comparison.clip;
  const ClipId to_second = *app.playback.clip;
  const double seconds = app.clock.seconds;
  const bool was_playing = app.playback.playing();
  comparison.wanted = app.document()->character().clips()[to_second].name;
  comparison.clip = to_second;
  if (auto first = take(app, Role::compared)) {
    const auto fit = app.view.fit;
    auto second = take(app, Role::open);
    app.requests.tried = first->document.path;
    replace_open(app, std::move(first), to_first, Opened::fresh);
    second->role = Role::compared;
    add(app, std::move(second));
    app.view.fit = fit;
  } else {
    select_clip(app.playback, app.document()->character(), to_first);
  }
  comparison.chosen = false;
  comparison.figure.by.reset();
  continue_at(app, seconds, was_playing);
}

void toggle_in_lineup(App& app, const fs::path& path) {
  if (Actor* const member = find_in_lineup(app, path)) {
    take(app, *member);
  } else if (!app.document() || path != app.document()->path) {
    app.requests.beside.push_back(path);
  }
}

void choose_in_cast(App& app, std::size_t entry) {
  if (entry >= app.cast.entries.size()) return;
  Actor* const member = find_in_lineup(app, app.cast.entries[entry].path);
  member != nullptr ? activate_member(app, *member) : open_entry(app.cast, app.requests, entry);
}

void activate_member(App& app, Actor& member) {
  if (!app.document() || !may_leave(app)) return;
  const Camera camera = app.view.camera;
  const bool playing = app.playback.playing();
  const double seconds = app.clock.seconds;
  const Vec2 place = member.place;
  const auto clip = lineup_clip(app, member);
  const auto clip_before = app.playback.clip;
  const auto slot_of = [&](const Actor& actor) {
    return std::ranges::find(app.actors, &actor, &std::unique_ptr<Actor>::get);
  };
  Actor& previous = *app.find(Role::open);
  const auto from = slot_of(previous);
  std::unique_ptr<Actor> next = std::exchange(*slot_of(member), std::move(*from));
  app.actors.erase(from);
  previous.role = Role::beside;
  previous.own_clip = clip_before;
  previous.figure.by.reset();
  app.requests.tried = next->document.path;
  replace_open(app, std::move(next), clip, Opened::fresh);
  for (Actor& each : app.members()) each.place -= place;
  app.lineup.ground -= place.y;
  app.lineup.selected = nullptr;
  continue_at(app, seconds, playing);
  app.view.camera = camera;
  app.view.camera.center -= place;
  app.view.fit.reset();
  if (auto& fitted = app.view.fitted) fitted = Rect{fitted->min - place, fitted->max - place};
}

void open_dock(App& app, Dock dock) noexcept {
  app.view.panels = true;
  app.arrangement.folded[std::to_underlying(dock)] = false;
  app.arrangement.over = dock;  // Without effect if there is room beside the canvas.
}

void close_dock(App& app, Dock dock) noexcept {
  if (app.arrangement.over == dock) {
    app.arrangement.over.reset();
  } else {
    app.arrangement.folded[std::to_underlying(dock)] = true;
  }
}

bool is_rigging(const App& app) noexcept { return app.view.rig && can_rig(app); }

bool edits_states(const App& app) noexcept {
  return app.document() && app.playback.mode() == PlaybackMode::states && !is_rigging(app);
}

void pick(App& app, Vec2 point, float reach) {
  if (!app.document()) return;
  Selection& selection = app.document()->selection;
  const Character& character = app.document()->character();
  std::vector<BoneId> bones;
  if (app.view.skeleton) bones = bones_at(character, posed(app), point, reach * kJointReach);
  select_at(selection, character, posed(app), point, reach, bones);
  if ((selection.mesh || selection.bone) && app.view.tab == Tab::facts) app.view.tab = Tab::inside;
}

void open_menu(App& app, ContextMenu menu) {
  app.menu = menu;
  app.menu.opens = true;
}

void open_canvas_menu(App& app, Vec2 point, float reach) {
  if (!app.document()) return;
  Selection& selection = app.document()->selection;
  const Pick before{selection.mesh, selection.bone};
  select_nothing(selection);  // Or a second click would select the part behind.
  pick(app, point, reach);
  const auto same = [&](const Pick& each) {
    return each.mesh == before.mesh && (each.mesh || each.bone == before.bone);
  };
  if (const auto kept = std::ranges::find_if(selection.stack, same); kept != selection.stack.end()) {
    selection.depth = static_cast<std::size_t>(kept - selection.stack.begin());
    selection.mesh = kept->mesh;
    selection.bone = kept->bone;
  }
  open_menu(app, {.on = MenuOn::canvas});
}

Document& listed_document(App& app) noexcept {
  return app.view.second_problems && comparing(app) ? second_document(app) : *app.document();
}

void choose_problem(App& app, std::size_t index) {
  if (!app.document() || index >= listed_document(app).problems.size()) return;
  Document& document = listed_document(app);
  document.problem = index;
  document.reveal_problem = true;
  const ProblemPlace& place = document.problems[index].place;
  if (place.mesh) {
    select_mesh(document.selection, document.character(), *place.mesh);
  } else if (place.bone) {
    select_bone(document.selection, *place.bone);
  }
  if (place.state && &document == app.document()) {
    app.view.rig = false;
    set_mode(app, PlaybackMode::states);
    if (exists(document.rig.rig.states, *place.state)) document.rig.selected_state = place.state;
  }
  if (!place.clip) return;
  set_mode(app, PlaybackMode::clip);
  if (&document != app.document()) {
    compare_clip(app, *place.clip);
  } else if (app.playback.clip != place.clip) {
    select_clip(app.playback, document.character(), *place.clip);
  }
  if (place.frame) seek_frame(app.playback, *place.frame);
}

void choose_neighbor(App& app, int direction) {
  if (!app.document()) return;
  Document& document = *app.document();
  const Character& character = document.character();
  if (app.view.tab == Tab::problems) {
    const Document& listed = listed_document(app);
    const std::size_t first = direction > 0 ? 0 : listed.problems.size() - 1;
    return choose_problem(app, listed.problem ? *listed.problem + static_cast<std::size_t>(direction) : first);
  }
  if (app.view.tab == Tab::atlas && !document.selection.mesh && !character.meshes().empty()) {
    const auto last = MeshId(character.meshes().size() - 1);
    return select_mesh(document.selection, character, direction > 0 ? MeshId{} : last);
  }
  select_neighbor(document.selection, character, direction);
}

bool atlas_is_shown(const App& app) noexcept {
  const View& view = app.view;
  if (!app.document() || app.document()->character().data().images.empty() || view.presenting) return false;
  return view.tab == Tab::atlas && (view.panels || app.document()->atlas.large);
}

bool atlas_is_large(const App& app) noexcept { return atlas_is_shown(app) && app.document()->atlas.large; }

void toggle_large_atlas(App& app) noexcept {
  app.view.tab = Tab::atlas;
  if (!app.document()) return;
  Atlas& atlas = app.document()->atlas;
  atlas.large = !atlas_is_large(app);
  atlas.fitted = true;
}

std::string safe_file_name(std::string name) {
  constexpr std::size_t kMaxBytes =
      80;  // For the name of the file and that of the clip: file systems allow 255 in total.
  constexpr std::string_view kRefused = "/\\:*?\"<>|";
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kRefused.find(c) != std::string_view::npos) c = '_';
  }
  if (name.size() <= kMaxBytes) return name;
  std::size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  name.resize(end);
  return name;
}

std::string screenshot_stem(const App& app) {
  const Document& document = *app.document();
  std::string stem = safe_file_name(utf8_of(document.path.stem()));
  if (const auto at = playhead(app.playback)) {
    const bool animated = app.playback.mix() != nullptr || app.playback.machine() != nullptr;
    const std::uint32_t frame = animated ? at->position.frame : shown_time(app.playback).frame;
    stem += fmt::format("_{}_{}", safe_file_name(document.character().clips()[at->clip].name), frame);
  }
  return stem;
}

std::vector<fs::path> output_folders(const fs::path& file) {
  std::vector<fs::path> folders;
  if (file != kStandardInputName) folders.push_back(parent_of(absolute_path(file)));
  folders.push_back(image_folder());
  folders.push_back(home_folder());
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
  return folders;
}

std::vector<fs::path> screenshot_folders(const App& app) {
  std::vector<fs::path> folders = output_folders(app.document()->path);
  const fs::path preferred = app.screenshots_in == ScreenshotFolder::images   ? image_folder()
                             : app.screenshots_in == ScreenshotFolder::chosen ? app.screenshot_folder
                                                                              : fs::path();
  if (!preferred.empty()) folders.insert(folders.begin(), preferred);
  return folders;
}

std::string describe_screenshot_folder(const App& app) {
  const auto folders = app.document() ? screenshot_folders(app) : std::vector<fs::path>();
  return folders.empty() ? "Save a screenshot" : "Save in " + shown_path(folders.front());
}

std::string title(const App& app) {
  if (!app.document()) return "Pachario player";
  std::string text = app.document()->name();
  if (has_unsaved_changes(app.document()->rig)) text += "*";
  const Clip* clip = app.current_clip();
  if (app.playback.game() != nullptr) {
    if (const auto at = playhead(app.playback)) clip = &app.document()->character().clips()[at->clip];
  }
  if (clip != nullptr) text += " \u2013 " + clip->name;
  return text + " \u2013 Pachario player";
}

std::string cast_place(const App& app) {
  const auto at = place_of(app.cast, app.requests.tried);
  const std::string place = at ? fmt::to_string(*at + 1) : "\u2013";
  return fmt::format("{} / {}", place, app.cast.entries.size());
}

}  // namespace pchr::player

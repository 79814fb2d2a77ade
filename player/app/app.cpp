// SPDX-License-Identifier: MIT
#include "app/app.hpp"

#include "app/background_image.hpp"
#include "app/sidecar.hpp"
#include "app/unreal_files.hpp"

#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

/// How many frames long a clip that plays step by step can rest on one before its rig moves on without it. More than
/// one, or the rig could move just before each frame.
constexpr double kHeldFrames = 1.5;

/// Returns whether the parts that the rig moves wait for the next frame of a clip that plays step by step.
bool rig_waits(const App& app) noexcept {
  const Playback& playback = app.playback;
  const Clip* clip = app.current_clip();
  if (!playback.playing() || !playback.shows_clip() || playback.settings.sampling != Sampling::step) return false;
  if (clip == nullptr || clip->frame_count < 2 || !(clip->frames_per_second > 0)) return false;
  return app.document->motion.seconds * clip->frames_per_second < kHeldFrames * playback.settings.hold;
}

/// Poses the character unless the current pose is up to date. Returns whether the pose changed.
bool update_pose(App& app) {
  Document& document = *app.document;
  const Playback& playback = app.playback;
  PosedBy now{.mode = playback.mode(),
              .clip = playback.clip.value_or(ClipId::none),
              .rotation = rotation_of(app, document.character()),
              .hidden = document.selection.hidden};
  if (playback.mix() == nullptr) now.time = shown_time(playback);
  if (const Game* game = playback.game()) {
    now.game = {game->state.phase(), game->state.pending(), game->state.idle_cycles()};
    now.clip = game->state.clip();
  }
  RigMotion& motion = document.motion;
  RigMotion::Applied rig;
  if (can_rig(app) && app.view.rig_plays && !comparing(app) && !document.rig.rig.empty()) {
    rig = {document.rig.rig, app.view.rig_follows_mouse ? app.cursor : std::nullopt};
  }
  const bool same = now == app.figure.by && !needs_pose(playback);
  if (same && rig == motion.applied && (!rig.rig || motion.seconds == 0 || rig_waits(app))) return false;
  const auto& before = app.figure.by;
  const bool jumps = !before || before->mode != now.mode || before->clip != now.clip || before->time != now.time ||
                     before->game != now.game || needs_pose(playback);
  pose(app.playback, document.character(), app.figure.posed);
  if (rig.rig) {
    // Without playing time, the pose was chosen, not played.
    if (!motion.applied.rig || (jumps && motion.seconds == 0)) reset(motion);
    apply_motion(motion, *rig.rig, rig.target, document.character(), *document.markers, playhead(playback),
                 app.figure.posed.pose);
    update(document.character(), app.figure.posed);
  }
  motion.applied = std::move(rig);
  rotate(now.rotation, app.figure.posed);
  remove_hidden(document.selection, app.figure.posed.draw_list);
  app.figure.by = std::move(now);
  ++app.figure.revision;
  return true;
}

}  // namespace

std::optional<Document> replace_document(App& app, Document next, std::optional<ClipId> clip, Opened opened) {
  std::optional<Document> before = std::exchange(app.document, std::move(next));
  Document& document = *app.document;
  document.model.set_filter(filter_of(app.view, document.character()));
  app.figure.by.reset();
  app.comparison.chosen = false;
  app.comparison.figure.by.reset();
  app.names_changed = true;
  app.error = read_sidecar(document);
  if (!document.bind) document.bind = document.rig.saved.bind;
  if (before && opened != Opened::reloaded) forget_unsaved_rig(*before);
  if (opened != Opened::reloaded) recover_rig(document);
  if (before) document.atlas = carried_over(before->atlas, before->character(), document.character());
  if (before && opened == Opened::reloaded) {
    std::vector<AlphaMask> masks = std::move(document.selection.masks);
    document.selection = carried_over(before->selection, before->character(), document.character());
    document.selection.masks = std::move(masks);
    document.artwork_layers = before->artwork_layers;
    continue_rig(document, *before);
    reload_file(app.playback, before->played(), document.played(), clip);
    return before;
  }
  const bool was_offered = absolute_path(document.path) == app.unsaved_rig;
  if (was_offered) app.unsaved_rig.clear();
  const bool restores = was_offered && std::exchange(app.restores_rig, false);
  if (document.rig.recovered) restores ? restore_rig(app) : offer_unsaved_rig(app);
  app.previous.reset();
  app.comparison.with_previous = false;
  const bool same_units = before && before->is_3d() == document.is_3d();
  app.view.fit = opened == Opened::stepped && same_units ? Fit::center : Fit::clip;
  app.view.followed.reset();
  // A 3D character has its own up axis, and flipping y would turn its faces inside out.
  if (document.is_3d()) app.view.camera.flip_y = false;
  play_file(app.playback, document.played(), clip);
  return before;
}

void reload(App& app) {
  if (!app.document || app.document->path == kStandardInputName) return;
  reload(app, app.document->source.options);
  app.files.request->reason = LoadReason::reload;
}

void reload(App& app, ImportOptions options) {
  if (!app.document) return;
  Document& document = *app.document;
  const Clip* clip = app.current_clip();
  const bool is_standard_input = document.path == kStandardInputName;
  document.source.options = std::move(options);
  app.files.request = LoadRequest{.paths = {is_standard_input ? kStandardInput : document.path},
                                  .reason = LoadReason::options,
                                  .clip = clip != nullptr ? clip->name : std::string(),
                                  .options = document.source.options};
}

void set_second_player(App& app, bool on) {
  if (!app.shows_chara()) return;
  ImportOptions options = app.document->source.options;
  options.second_player = on;
  reload(app, std::move(options));
}

bool can_choose_bind_pose(const App& app) noexcept {
  return can_rig(app) && !app.shows_chara() && !app.shows_artwork() && !app.document->character().clips().empty();
}

const BindPose& chosen_bind_pose(const App& app) noexcept {
  const BindPose& given = app.document->source.options.bind_pose;
  return given == BindPose() ? app.document->rig.rig.bind : given;
}

void choose_bind_pose(App& app, BindPose bind) {
  Document& document = *app.document;
  if (BindPose& given = document.source.options.bind_pose; given != BindPose()) {
    document.bind = std::exchange(given, {});
  }
  document.rig.rig.bind = std::move(bind);
}

void follow_bind_pose(App& app) {
  if (!app.document || app.document->source.options.bind_pose != BindPose()) return;
  const BindPose& wanted = app.document->rig.rig.bind;
  if (app.document->bind == wanted) return;
  reload(app, app.document->source.options);
  app.files.request->bind = wanted;
}

void use_choice(App& app) {
  const std::filesystem::path chosen = std::exchange(app.browser.chosen, {});
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

bool advance(App& app, double seconds) {
  if (!app.document) return false;
  const double before = app.playback.clock.seconds();
  if (app.playback.playing()) app.document->motion.seconds += seconds * std::abs(app.playback.settings.speed);
  bool changed = advance(app.playback, seconds);
  changed |= update_pose(app);
  changed |= advance_lineup(app, before, seconds);
  if (!comparing(app)) return changed;
  choose_second(app);
  const ClipTime shown = second_time(app);
  advance_comparison(app, before, seconds);
  return changed || shown != second_time(app);
}

const PoseBuffers& posed(App& app) {
  update_pose(app);
  return app.figure.posed;
}

Affine3 rotation_of(const App& app, const Character& character) noexcept {
  return rotation_of(app.view, character, app.document->pivot);
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

void reset_panels(App& app) noexcept {
  app.arrangement = {};
  app.view.panels = true;
}

bool can_rig(const App& app) noexcept {
  return app.document && !app.document->is_3d() && !app.document->character().bones().empty();
}

bool is_rigging(const App& app) noexcept { return app.view.rig && can_rig(app); }

void set_mode(App& app, PlaybackMode mode) {
  if (app.document) set_mode(app.playback, app.document->played(), mode);
}

void set_pixels(App& app, Pixels pixels) {
  app.view.pixels = pixels;
  const auto apply = [&](Model& model) { model.set_filter(filter_of(app.view, model.character())); };
  if (app.document) apply(app.document->model);
  if (app.comparison.file) apply(app.comparison.file->model);
  if (app.previous) apply(app.previous->model);
  for (LineupMember& member : app.lineup.members) apply(member.document.model);
}

void pick(App& app, Vec2 point, float reach) {
  if (!app.document) return;
  Selection& selection = app.document->selection;
  const Character& character = app.document->character();
  std::vector<BoneId> bones;
  if (app.view.skeleton) bones = bones_at(character, posed(app), point, reach * kJointReach);
  select_at(selection, character, posed(app), point, reach, bones);
  if ((selection.mesh || selection.bone) && app.view.tab == Tab::facts) app.view.tab = Tab::inside;
}

void open_canvas_menu(App& app, Vec2 point, float reach) {
  if (!app.document) return;
  Selection& selection = app.document->selection;
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
  return app.view.second_problems && comparing(app) && compares_files(app) ? second_document(app) : *app.document;
}

void choose_problem(App& app, std::size_t index) {
  if (!app.document || index >= listed_document(app).problems.size()) return;
  Document& document = listed_document(app);
  const bool is_second = &document != &*app.document;
  document.problem = index;
  document.reveal_problem = true;
  const ProblemPlace& place = document.problems[index].place;
  if (place.mesh) {
    select_mesh(document.selection, document.character(), *place.mesh);
  } else if (place.bone) {
    select_bone(document.selection, *place.bone);
  }
  if (!place.clip) return;
  set_mode(app, PlaybackMode::clip);
  if (is_second) {
    compare_clip(app, *place.clip);
  } else if (app.playback.clip != place.clip) {
    select_clip(app.playback, document.character(), *place.clip);
  }
  if (place.frame) seek_frame(app.playback, *place.frame);
}

void choose_neighbor(App& app, int direction) {
  if (!app.document) return;
  Document& document = *app.document;
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
  if (!app.document || app.document->character().data().images.empty() || view.presenting) return false;
  return view.tab == Tab::atlas && (view.panels || app.document->atlas.large);
}

bool atlas_is_large(const App& app) noexcept { return atlas_is_shown(app) && app.document->atlas.large; }

void toggle_large_atlas(App& app) noexcept {
  app.view.tab = Tab::atlas;
  if (!app.document) return;
  Atlas& atlas = app.document->atlas;
  atlas.large = !atlas_is_large(app);
  atlas.fitted = true;
}

std::string cast_place(const App& app) {
  const auto at = place_of(app.cast, app.files.tried);
  const std::string place = at ? fmt::to_string(*at + 1) : "\u2013";
  return fmt::format("{} / {}", place, app.cast.entries.size());
}

std::string title(const App& app) {
  if (!app.document) return "Pachario player";
  std::string text = app.document->name();
  if (has_unsaved_changes(app.document->rig)) text += "*";
  const Clip* clip = app.current_clip();
  if (app.playback.game() != nullptr) {
    if (const auto at = playhead(app.playback)) clip = &app.document->character().clips()[at->clip];
  }
  if (clip != nullptr) text += " \u2013 " + clip->name;
  return text + " \u2013 Pachario player";
}

}  // namespace pchr::player

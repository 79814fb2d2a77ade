// SPDX-License-Identifier: MIT
// Opening files, choosing clips and moving time.
#include "session.hpp"

#include "branch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

void open_model(Session& session, const std::filesystem::path& path, Model model, std::optional<std::uint32_t> clip,
                const Extent& bounds) {
  const Vec3 pivot = pivot_of(model.character());
  session.document = Document{.path = path, .model = std::move(model), .bounds = bounds, .pivot = pivot};
  session.selection = {};
  ++session.files_opened;
  session.error.clear();
  Document& document = *session.document;
  document.model.set_filter(filter_of(session.view, document.character()));
  if (!clip) return;
  document.known_bounds.resize(document.character().clips().size());
  document.known_bounds[*clip] = bounds;
  select_clip(session, *clip);
}

}  // namespace

void show_model(Session& session, const std::filesystem::path& path, Model model, std::optional<std::uint32_t> clip,
                const Extent& bounds, std::vector<AlphaMask> masks) {
  open_model(session, path, std::move(model), clip, bounds);
  session.selection.masks = std::move(masks);
  session.view.fitted = true;
  // A spatial character's axis that is up is chosen, and its faces know which side is outside.
  if (shows_spatial(session)) session.view.camera.flip_y = false;
  if (clip) session.document->clock.play();
}

void show_model_again(Session& session, Model model, std::optional<std::uint32_t> clip, const Extent& bounds,
                      std::vector<AlphaMask> masks) {
  if (!session.document) return;
  const Document& before = *session.document;
  const Clip* clip_before = before.current_clip();
  const std::string name = clip_before != nullptr ? clip_before->name : std::string();
  const double seconds = before.clock.seconds();
  const std::optional<FrameRange> range = before.clock.range();
  const bool was_playing = before.clock.playing();
  const std::filesystem::path path = before.path;
  Selection selection = carried_over(session.selection, before.character(), model.character());
  const std::uint32_t opened_before = session.files_opened;
  const Character character_before = before.character();

  open_model(session, path, std::move(model), clip, bounds);
  session.selection = std::move(selection);
  session.selection.masks = std::move(masks);
  // Another clip may have been chosen while the file was being read.
  if (const auto same_name = session.document->character().find_clip(name)) select_clip(session, *same_name);
  session.reveal_clip = false;
  const Clip* shown = session.document->current_clip();
  if (shown == nullptr) return;
  carry_over_drive(session, character_before, opened_before);
  if (was_playing || clip_before == nullptr) session.document->clock.play();
  if (shown->name != name) return;
  session.document->clock.set_range(*shown, range);
  session.document->clock.seek_seconds(seconds);
}

void open_again(Session& session) {
  if (!session.document || session.document->path == kStandardInputName) return;
  open_again(session, session.document->source.options);
}

void open_again(Session& session, LoadOptions options) {
  if (!session.document) return;
  Document& document = *session.document;
  const Clip* clip = document.current_clip();
  const bool piped = document.path == kStandardInputName;
  document.source.options = std::move(options);
  session.files.request = LoadRequest{.paths = {piped ? kStandardInput : document.path},
                                      .reason = LoadReason::reload,
                                      .clip = clip != nullptr ? clip->name : std::string(),
                                      .options = document.source.options};
}

void set_turntable(Session& session, const Turntable& turntable) {
  const Turntable wanted = limited(turntable);
  if (wanted == session.view.turntable) return;
  session.view.turntable = wanted;
  refresh(session);
}

void reset_turntable(Session& session) {
  set_turntable(session, seen_from(session.view.turntable, Side::front));
  session.view.fitted = true;
}

Affine3 turn_of(const Session& session, const Character& character) noexcept {
  return character.is_spatial() ? turn_of(session.view.turntable, session.document->pivot) : kIdentity3;
}

void set_second_player(Session& session, bool on) {
  if (!shows_chara(session)) return;
  LoadOptions options = session.document->source.options;
  options.second_player = on;
  open_again(session, std::move(options));
}

void select_clip(Session& session, std::uint32_t clip) {
  if (!session.document || clip >= session.document->character().clips().size()) return;
  Document& document = *session.document;
  const Clip& chosen = document.character().clips()[clip];
  if (chosen.frame_count == 0) return;
  const bool was_playing = document.clock.playing();
  document.clip = clip;
  document.clock = Transport(chosen, session.playback);
  if (!was_playing) document.clock.pause();
  document.shown.reset();
  document.bounds = bounds_of_clip(document.character(), clip, document.known_bounds);
  session.reveal_clip = true;
}

void select_neighbour(Session& session, int direction) {
  if (!session.document || !session.document->clip) return;
  const auto clips = session.document->character().clips();
  for (std::int64_t i = std::int64_t{*session.document->clip} + direction; i >= 0 && i < std::ssize(clips);
       i += direction) {
    if (clips[static_cast<std::size_t>(i)].frame_count == 0) continue;
    select_clip(session, static_cast<std::uint32_t>(i));
    return;
  }
}

void set_playback(Session& session, Playback playback) {
  playback.times = std::clamp(playback.times, 1U, kMostTimes);
  playback.hold = std::clamp(playback.hold, 1U, kLongestHold);
  playback.speed = std::copysign(std::clamp(std::abs(playback.speed), kSlowest, kFastest), playback.speed);
  session.playback = playback;
  if (session.document) session.document->clock.configure(playback);
}

void set_loop_mode(Session& session, LoopMode mode) {
  Playback playback = session.playback;
  playback.mode = mode;
  playback.counted = false;
  set_playback(session, playback);
}

void set_speed(Session& session, double speed) {
  Playback playback = session.playback;
  playback.speed = speed;
  set_playback(session, playback);
}

void set_range(Session& session, std::optional<FrameRange> range) {
  if (!session.document || !session.document->clip || !shows_clip(session)) return;
  session.document->clock.set_range(*session.document->current_clip(), range);
}

void set_pixels(Session& session, Pixels pixels) {
  session.view.pixels = pixels;
  const auto apply = [&](Model& model) { model.set_filter(filter_of(session.view, model.character())); };
  if (session.document) apply(session.document->model);
  if (session.comparison.file) apply(session.comparison.file->model);
}

Filter filter_of(const View& view, const Character& character) noexcept {
  const bool hard = view.pixels == Pixels::hard || (view.pixels == Pixels::automatic && character.data().pixel_art);
  return hard ? Filter::nearest : Filter::trilinear;
}

bool has_hard_pixels(const Session& session) noexcept {
  return !shows_spatial(session) && session.document &&
         filter_of(session.view, session.document->character()) == Filter::nearest;
}

void pick(Session& session, Vec2 point, float reach) {
  if (!session.document) return;
  select_at(session.selection, session.document->character(), session.document->posed, point, reach);
  if (session.selection.mesh && session.view.tab == Tab::facts) session.view.tab = Tab::inside;
}

void set_problems(Session& session, std::vector<Problem> problems) {
  session.problems = std::move(problems);
  session.problem.reset();
}

void choose_problem(Session& session, std::size_t index) {
  if (!session.document || index >= session.problems.size()) return;
  session.problem = index;
  session.reveal_problem = true;
  const ProblemPlace& place = session.problems[index].place;
  if (place.mesh) {
    select_mesh(session.selection, session.document->character(), *place.mesh);
  } else if (place.bone) {
    select_bone(session.selection, *place.bone);
  }
  if (!place.clip) return;
  set_drive(session, Drive::clip);
  if (session.document->clip != place.clip) select_clip(session, *place.clip);
  if (place.frame) seek_frame(session, *place.frame);
}

void choose_neighbour(Session& session, int direction) {
  if (!session.document) return;
  const Character& character = session.document->character();
  if (session.view.tab == Tab::atlas && !session.selection.mesh && !character.meshes().empty()) {
    const auto count = static_cast<std::uint32_t>(character.meshes().size());
    return select_mesh(session.selection, character, direction > 0 ? 0 : count - 1);
  }
  if (session.view.tab != Tab::problems) return select_neighbour(session.selection, character, direction);
  if (!session.problem) return choose_problem(session, direction > 0 ? 0 : session.problems.size() - 1);
  choose_problem(session, *session.problem + static_cast<std::size_t>(direction));
}

void toggle_tab(View& view, Tab tab) noexcept { view.tab = view.tab == tab ? Tab::facts : tab; }

bool atlas_is_shown(const Session& session) noexcept {
  const View& view = session.view;
  if (!session.document || session.document->character().data().images.empty() || view.presenting) return false;
  return view.tab == Tab::atlas && (view.panels || session.atlas.large);
}

bool atlas_is_large(const Session& session) noexcept { return session.atlas.large && atlas_is_shown(session); }

void toggle_large_atlas(Session& session) noexcept {
  session.atlas.large = !atlas_is_large(session);
  session.atlas.fitted = true;
  session.view.tab = Tab::atlas;
}

void refresh(Session& session) {
  session.mix.changed = true;
  session.comparison.shown.reset();
  if (session.document) session.document->shown.reset();
}

std::string title(const Session& session) {
  if (!session.document) return "Pachario player";
  std::string text = session.document->name();
  const Clip* clip = session.document->current_clip();
  if (const auto at = playhead(session); at && in_game(session))
    clip = &session.document->character().clips()[at->clip];
  if (clip != nullptr) text += " \u2013 " + clip->name;
  return text + " \u2013 Pachario player";
}

}  // namespace pchr::player

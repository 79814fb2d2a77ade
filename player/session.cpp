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
                const Rect& bounds) {
  session.document = Document{.path = path, .model = std::move(model), .bounds = bounds};
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

void request_again(Session& session, LoadOptions options) {
  const Document& document = *session.document;
  const Clip* clip = document.current_clip();
  const bool piped = document.path == kStandardInputName;
  session.files.request = LoadRequest{.paths = {piped ? kStandardInput : document.path},
                                      .reason = LoadReason::reload,
                                      .clip = clip != nullptr ? clip->name : std::string(),
                                      .options = std::move(options)};
}

/// The markers beside a newly opened file.
void read_markers(Session& session) {
  Timeline& timeline = session.timeline;
  if (timeline.markers_file == session.files_opened) return;
  timeline.markers_file = session.files_opened;
  timeline.markers = std::make_shared<Markers>();
  const std::filesystem::path path = markers_path(session.document->path);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  auto markers = load_markers(path, session.document->character());
  if (markers) {
    timeline.markers = std::make_shared<Markers>(std::move(*markers));
  } else {
    session.error = describe(markers.error(), path.filename().string());
  }
}

/// A mix of another file is begun anew.
void begin_new_mix(Session& session) {
  if (session.mix_file == session.files_opened) return;
  session.mix_file = session.files_opened;
  session.mix.on = session.document->clip.has_value();
  if (!session.mix.on) return;
  begin_mix(session.mix, session.document->character(), session.timeline.markers, *session.document->clip);
}

bool advance_mix(Session& session, double seconds) {
  Mix& mix = session.mix;
  Document& document = *session.document;
  if (mix.animator->sampling() != session.playback.sampling) {
    mix.animator->set_sampling(session.playback.sampling);
    mix.changed = true;
  }
  if (document.clock.playing()) advance(mix, seconds, session.playback.speed);
  if (!mix.changed) return false;
  mix.animator->pose(document.posed);
  document.shown.reset();
  mix.changed = false;
  return true;
}

bool advance_clip(Session& session, double seconds) {
  Document& document = *session.document;
  if (!document.clip) {
    if (document.shown) return false;
    pose_bind(document.character(), document.posed);
    document.shown = FramePosition{};
    return true;
  }
  const bool was_playing = document.clock.playing();
  document.clock.advance(seconds);
  const bool ended = was_playing && !document.clock.playing();
  const FramePosition position = document.clock.position(session.playback.sampling, session.playback.hold);
  if (document.shown && same(*document.shown, position)) return ended;
  pose_clip(document.character(), *document.clip, position, document.posed);
  document.shown = position;
  return true;
}

}  // namespace

void show_model(Session& session, const std::filesystem::path& path, Model model, std::optional<std::uint32_t> clip,
                const Rect& bounds, std::vector<AlphaMask> masks) {
  open_model(session, path, std::move(model), clip, bounds);
  session.selection.masks = std::move(masks);
  session.view.fitted = true;
  if (clip) session.document->clock.play();
}

void show_model_again(Session& session, Model model, std::optional<std::uint32_t> clip, const Rect& bounds,
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
  const bool had_mix = session.mix.animator && session.mix_file == session.files_opened;

  open_model(session, path, std::move(model), clip, bounds);
  session.selection = std::move(selection);
  session.selection.masks = std::move(masks);
  // Another clip may have been chosen while the file was being read.
  if (const auto same_name = session.document->character().find_clip(name)) select_clip(session, *same_name);
  session.reveal_clip = false;
  const Clip* shown = session.document->current_clip();
  if (shown == nullptr) return;
  if (had_mix) {
    read_markers(session);
    go_on_with(session.mix, session.document->character(), session.timeline.markers, *session.document->clip);
    session.mix_file = session.files_opened;
  }
  if (was_playing || clip_before == nullptr) session.document->clock.play();
  if (shown->name != name) return;
  session.document->clock.set_range(*shown, range);
  session.document->clock.seek_seconds(seconds);
}

void open_again(Session& session) {
  if (!session.document || session.document->path == kStandardInputName) return;
  request_again(session, session.document->source.options);
}

void set_second_player(Session& session, bool on) {
  if (!shows_chara(session)) return;
  LoadOptions options = session.document->source.options;
  options.second_player = on;
  request_again(session, std::move(options));
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

bool advance(Session& session, double seconds) {
  if (!session.document) return false;
  read_markers(session);
  if (session.mix.on) begin_new_mix(session);
  const double before = session.document->clock.seconds();
  const bool changed = session.mix.on ? advance_mix(session, seconds) : advance_clip(session, seconds);
  if (changed) leave_out_hidden(session.selection, session.document->posed.draw_list);
  return advance_comparison(session, before, seconds) || changed;
}

void toggle_playing(Session& session) {
  if (!session.document) return;
  Transport& clock = session.document->clock;
  clock.playing() ? clock.pause() : clock.play();
}

void step_frames(Session& session, std::int64_t frames) {
  if (!session.document) return;
  session.document->clock.pause();
  mixing(session) ? step(session.mix, frames) : session.document->clock.step(frames);
}

void seek_frame(Session& session, std::uint32_t frame) {
  if (!session.document) return;
  session.document->clock.pause();
  mixing(session) ? seek_frame(session.mix, frame) : session.document->clock.seek_frame(frame);
}

void seek_first_frame(Session& session) {
  if (session.document) seek_frame(session, mixing(session) ? 0 : session.document->clock.played().first);
}

void seek_last_frame(Session& session) {
  if (!session.document) return;
  const auto at = playhead(session);
  if (!at) return;
  const std::uint32_t count = session.document->character().clips()[at->clip].frame_count;
  seek_frame(session, mixing(session) ? count - 1 : session.document->clock.played().last);
}

void set_mixing(Session& session, bool on) {
  if (!session.document || on == session.mix.on) return;
  session.mix.on = on && session.document->clip;
  session.mix.changed = true;
  session.document->shown.reset();
  if (session.mix.on) begin_new_mix(session);
}

void choose_clip(Session& session, std::uint32_t clip) {
  mixing(session) ? fade_to(session.mix, clip) : select_clip(session, clip);
}

std::optional<Playhead> playhead(const Session& session) noexcept {
  if (!session.document || !session.document->clip) return std::nullopt;
  const Sampling sampling = session.playback.sampling;
  const Play* play = mixing(session) ? playing_clip(session.mix) : nullptr;
  if (play != nullptr && play->is_clip())
    return Playhead{play->clip, play->clock.position(sampling), play->clock.seconds()};
  const Transport& clock = session.document->clock;
  return Playhead{*session.document->clip, clock.position(sampling), clock.seconds()};
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
  if (!session.document || !session.document->clip || mixing(session)) return;
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
  return session.document && filter_of(session.view, session.document->character()) == Filter::nearest;
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
  set_mixing(session, false);
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
  if (!session.document || session.document->character().images().empty() || view.presenting) return false;
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

bool playing(const Session& session) noexcept { return session.document && session.document->clock.playing(); }

std::string title(const Session& session) {
  if (!session.document) return "Pachario player";
  std::string text = session.document->name();
  if (const Clip* clip = session.document->current_clip()) text += " \u2013 " + clip->name;
  return text + " \u2013 Pachario player";
}

}  // namespace pchr::player

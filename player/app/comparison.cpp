// SPDX-License-Identifier: MIT
#include "app/comparison.hpp"

#include "app/app.hpp"
#include "document/loader.hpp"

#include <cmath>

namespace pchr::player {
namespace {

/// Returns the next clip with frames after `clip`, wrapping around, perhaps to itself.
std::optional<ClipId> clip_after(const Character& character, std::optional<ClipId> clip) {
  const std::size_t count = character.clips().size();
  for (std::size_t i = 1; i <= count; ++i) {
    const auto next = ClipId(((clip ? index(*clip) : count - 1) + i) % count);
    if (has_frames(character, next)) return next;
  }
  return std::nullopt;
}

/// Returns the user's choice; else, in another file, the clip with the first one's name, or at its place, or the file's
/// default; else the following clip.
std::optional<ClipId> clip_to_compare(const App& app) {
  const Comparison& comparison = app.comparison;
  const Character& character = second_document(app).character();
  const auto wanted = character.find_clip(comparison.wanted);
  if (!comparison.wanted.empty() && has_frames(character, wanted)) return wanted;
  if (!compares_files(app)) return clip_after(character, app.playback.clip);
  const Clip* first = app.current_clip();
  const auto same_name = first != nullptr ? character.find_clip(first->name) : ClipId::none;
  if (has_frames(character, same_name)) return same_name;
  if (app.playback.clip && has_frames(character, *app.playback.clip)) return app.playback.clip;
  return default_clip(character);
}

/// Chooses the second clip again, from another file or another version of it.
void forget_second(Comparison& comparison) {
  comparison.clip.reset();
  comparison.chosen = false;
  comparison.figure.by.reset();
}

}  // namespace

bool comparing(const App& app) noexcept {
  return app.comparison.mode != CompareMode::off && app.document && app.playback.shows_clip();
}

Document& second_document(App& app) noexcept {
  if (app.comparison.with_previous && app.previous) return *app.previous;
  return app.comparison.file ? *app.comparison.file : *app.document;
}
const Document& second_document(const App& app) noexcept { return second_document(const_cast<App&>(app)); }

bool compares_files(const App& app) noexcept { return app.document && &second_document(app) != &*app.document; }

std::string second_name(const App& app) {
  const Document& second = second_document(app);
  if (app.previous && &second == &*app.previous) return "Previous save";
  const std::filesystem::path name = second.path.filename();
  const bool is_alike = &second != &*app.document && name == app.document->path.filename();
  return shown_path(is_alike ? absolute_path(second.path).parent_path().filename() / name : name);
}

std::optional<Rect> shown_bounds(App& app, Fit fit) {
  if (!app.document) return std::nullopt;
  const auto seen = [&](Document& document, std::optional<ClipId> clip) {
    if (fit == Fit::all) clip.reset();
    return seen_bounds(rotation_of(app, document.character()), extent_of(document, clip));
  };
  if (lining_up(app)) return lineup_bounds(app);
  Rect bounds = seen(*app.document, app.playback.clip);
  if (!comparing(app)) return bounds;
  choose_second(app);
  bounds.include(seen(second_document(app), app.comparison.clip));
  return bounds;
}

void set_compare_mode(App& app, CompareMode mode) {
  if (!app.document) return;
  if (mode != CompareMode::off) set_mode(app, PlaybackMode::clip);
  app.comparison.mode = mode;
  if (mode != CompareMode::off || !app.comparison.with_previous) return;
  app.comparison.with_previous = false;
  app.comparison.wanted.clear();
  forget_second(app.comparison);
}

void cycle_compare_mode(App& app) {
  const int next = comparing(app) ? (static_cast<int>(app.comparison.mode) + 1) % 4 : 1;
  set_compare_mode(app, static_cast<CompareMode>(next));
}

void toggle_difference(App& app) {
  const bool shown = comparing(app) && app.comparison.mode == CompareMode::difference;
  set_compare_mode(app, shown ? CompareMode::wipe : CompareMode::difference);
}

void compare_clip(App& app, ClipId clip) {
  if (!app.document || !second_document(app).character().clips().contains(clip)) return;
  app.comparison.wanted = second_document(app).character().clips()[clip].name;
  app.comparison.clip.reset();
  app.comparison.chosen = false;
}

void compare_file(App& app, std::optional<Document> file) {
  Comparison& comparison = app.comparison;
  comparison.file = std::move(file);
  app.names_changed = true;
  if (comparison.file) comparison.file->model.set_filter(filter_of(app.view, comparison.file->character()));
  comparison.with_previous = false;
  comparison.wanted.clear();
  forget_second(comparison);
  if (comparison.mode == CompareMode::off) set_compare_mode(app, CompareMode::side_by_side);
}

void reload_compared(App& app, Document file) {
  Comparison& comparison = app.comparison;
  comparison.file = std::move(file);
  comparison.file->model.set_filter(filter_of(app.view, comparison.file->character()));
  app.names_changed = true;
  forget_second(comparison);
}

void keep_previous(App& app, Document previous) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
  std::uint64_t bytes = previous.model.gpu_bytes();
  for (const Image& image : previous.character().images()) bytes += image.bytes.size();
  app.previous.reset();
  if (bytes <= kMaxBytes) app.previous = std::move(previous);
  if (!app.comparison.with_previous) return;
  forget_second(app.comparison);
  if (!app.previous) set_compare_mode(app, CompareMode::off);
}

void toggle_previous(App& app) {
  if (!app.previous) return;
  Comparison& comparison = app.comparison;
  if (comparing(app) && comparison.with_previous) return set_compare_mode(app, CompareMode::off);
  comparison.with_previous = true;
  comparison.wanted.clear();
  forget_second(comparison);
  set_compare_mode(app, CompareMode::wipe);
}

void open_to_compare(Files& files, const std::filesystem::path& path) {
  files.request = LoadRequest{.paths = {path}, .reason = LoadReason::compare};
}

void swap_sides(App& app) {
  if (!comparing(app) || app.comparison.with_previous || !app.comparison.clip || !app.playback.clip) return;
  Comparison& comparison = app.comparison;
  Playback& playback = app.playback;
  const ClipId to_first = *comparison.clip;
  const ClipId to_second = *playback.clip;
  const double seconds = comparison.clock.seconds;
  const bool was_playing = playback.playing();
  comparison.wanted = app.document->character().clips()[to_second].name;
  comparison.clip = to_second;
  if (comparison.file) {
    const auto fit = app.view.fit;
    Document first = *std::exchange(comparison.file, std::nullopt);
    Document second = *std::exchange(app.document, std::nullopt);
    app.files.tried = first.path;
    replace_document(app, std::move(first), to_first, Opened::fresh);
    comparison.file = std::move(second);
    app.view.fit = fit;
  } else {
    select_clip(playback, app.document->character(), to_first);
  }
  comparison.chosen = false;
  comparison.figure.by.reset();
  Transport& clock = playback.clock;
  const double duration = clock.duration_seconds();
  clock.seek_seconds(duration > 0 ? seconds - std::floor(seconds / duration) * duration : 0);
  if (!was_playing) clock.pause();
  comparison.clock = {seconds, clock.seconds()};
}

void move_divider(Comparison& comparison, float by) {
  comparison.divider = std::clamp(comparison.divider + by, 0.0F, 1.0F);
}

void choose_second(App& app) {
  Comparison& comparison = app.comparison;
  if (comparison.chosen && comparison.chosen_for == app.playback.clip) return;
  comparison.chosen = true;
  comparison.chosen_for = app.playback.clip;
  comparison.clip = clip_to_compare(app);
  // Two clips of one file do not follow each other.
  if (compares_files(app) || !comparison.clip) return;
  comparison.wanted = app.document->character().clips()[*comparison.clip].name;
}

void advance_comparison(App& app, double before, double seconds) {
  follow(app.comparison.clock, app.playback, before, seconds);
}

ClipTime second_time(const App& app) noexcept {
  const Comparison& comparison = app.comparison;
  if (!comparison.clip) return {};
  return time_in(second_document(app).character().clips()[*comparison.clip], comparison.clock, app.playback);
}

const PoseBuffers& second_posed(App& app) {
  choose_second(app);
  advance_comparison(app, app.playback.clock.seconds(), 0);  // The first clip may have been moved.
  Comparison& comparison = app.comparison;
  Figure& figure = comparison.figure;
  const Character& character = second_document(app).character();
  PosedBy now{.clip = comparison.clip.value_or(ClipId::none),
              .time = second_time(app),
              .rotation = rotation_of(app, character)};
  const Selection& selection = second_document(app).selection;
  now.hidden = selection.hidden;
  if (now == figure.by) return figure.posed;
  pose_clip_or_bind(character, now.clip, now.time, figure.posed);
  rotate(now.rotation, figure.posed);
  remove_hidden(selection, figure.posed.draw_list);
  figure.by = std::move(now);
  return figure.posed;
}

}  // namespace pchr::player

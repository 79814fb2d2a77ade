// SPDX-License-Identifier: MIT
// What is compared, and its time.
#include "compare.hpp"

#include "session.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

bool has_frames(const Character& character, std::optional<std::uint32_t> clip) {
  return clip && character.clips()[*clip].frame_count > 0;
}

/// The next clip with frames after `clip`, round about; `clip` itself where there is no other.
std::optional<std::uint32_t> clip_after(const Character& character, std::optional<std::uint32_t> clip) {
  const auto count = static_cast<std::uint32_t>(character.clips().size());
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::uint32_t next = (clip.value_or(count - 1) + i) % count;
    if (has_frames(character, next)) return next;
  }
  return std::nullopt;
}

/// The clip that was chosen; else in another file the one with the first's name, else one beside it.
std::optional<std::uint32_t> clip_to_compare(const Session& session) {
  const Comparison& comparison = session.comparison;
  const Character& character = compared_model(session).character();
  const auto wanted = character.find_clip(comparison.wanted);
  if (!comparison.wanted.empty() && has_frames(character, wanted)) return wanted;
  if (!comparison.file) return clip_after(character, session.document->clip);
  const Clip* first = session.document->current_clip();
  const auto same_name = first != nullptr ? character.find_clip(first->name) : std::nullopt;
  if (has_frames(character, same_name)) return same_name;
  const bool still_there = comparison.clip && *comparison.clip < character.clips().size();
  return still_there && has_frames(character, comparison.clip) ? comparison.clip : clip_after(character, std::nullopt);
}

/// Chooses the second's clip where the first's, or one of the files, is another than it was.
void follow(Session& session) {
  Comparison& comparison = session.comparison;
  Document& document = *session.document;
  const bool opened = comparison.files_opened != session.files_opened;
  if (!opened && comparison.beside == document.clip) return;
  comparison.files_opened = session.files_opened;
  comparison.beside = document.clip;
  comparison.clip = clip_to_compare(session);
  comparison.shown.reset();
  const Character& character = compared_model(session).character();
  // Of two clips of one file each is chosen by itself.
  if (!comparison.file && comparison.clip) comparison.wanted = character.clips()[*comparison.clip].name;
  KnownBounds& known = comparison.file ? comparison.file->known_bounds : document.known_bounds;
  comparison.bounds =
      comparison.clip ? bounds_of_clip(character, *comparison.clip, known) : character_extent(character);
}

/// Where the second clip is, wrapped by its own length unless the first plays once.
FramePosition position_at(const Clip& clip, const Comparison& comparison, const Playback& playback, bool wraps) {
  // The time at which a frame begins may have been rounded to just before it.
  constexpr double kRounding = 1e-9;
  Clip length;
  length.looping = wraps;
  length.frames_per_second = clip.frames_per_second;
  length.frame_count = clip.frame_count;
  const FramePosition position = frame_position(length, comparison.seconds + kRounding, playback.sampling);
  if (playback.hold <= 1) return position;
  const std::uint32_t held = position.frame / playback.hold * playback.hold;
  return {held, held, 0};
}

void choose_anew(Session& session) { session.comparison.files_opened = session.files_opened - 1; }

}  // namespace

Extent bounds_of_clip(const Character& character, std::uint32_t clip, KnownBounds& known) {
  known.resize(character.clips().size());
  if (!known[clip]) known[clip] = clip_extent(character, clip);
  return *known[clip];
}

bool comparing(const Session& session) noexcept {
  return session.comparison.mode != CompareMode::off && session.document && shows_clip(session);
}

const Model& compared_model(const Session& session) noexcept {
  return session.comparison.file ? session.comparison.file->model : session.document->model;
}

std::string compared_name(const Session& session) {
  const auto& file = session.comparison.file;
  return shown_path((file ? file->path : session.document->path).filename());
}

std::optional<Rect> shown_bounds(const Session& session) {
  if (!session.document) return std::nullopt;
  const auto seen = [&](const Character& character, const Extent& extent) {
    return seen_bounds(turn_of(session, character), extent);
  };
  Rect bounds = seen(session.document->character(), session.document->bounds);
  if (comparing(session)) bounds.include(seen(compared_model(session).character(), session.comparison.bounds));
  return bounds;
}

void set_compare_mode(Session& session, CompareMode mode) {
  if (!session.document) return;
  if (mode != CompareMode::off) set_drive(session, Drive::clip);
  session.comparison.mode = mode;
  session.comparison.shown.reset();
}

void cycle_compare_mode(Session& session) {
  const int next = comparing(session) ? (static_cast<int>(session.comparison.mode) + 1) % 3 : 1;
  set_compare_mode(session, static_cast<CompareMode>(next));
}

void compare_clip(Session& session, std::uint32_t clip) {
  if (!session.document || clip >= compared_model(session).character().clips().size()) return;
  session.comparison.wanted = compared_model(session).character().clips()[clip].name;
  session.comparison.clip.reset();
  choose_anew(session);
}

void compare_file(Session& session, std::optional<ComparedFile> file) {
  Comparison& comparison = session.comparison;
  comparison.file = std::move(file);
  ++comparison.files_compared;
  if (comparison.file) {
    Model& model = comparison.file->model;
    model.set_filter(filter_of(session.view, model.character()));
  }
  comparison.wanted.clear();
  comparison.clip.reset();
  choose_anew(session);
  if (comparison.mode == CompareMode::off) set_compare_mode(session, CompareMode::side_by_side);
}

void open_to_compare(Session& session, const std::filesystem::path& path) {
  session.files.request = LoadRequest{.paths = {path}, .reason = LoadReason::compare};
}

void swap_sides(Session& session) {
  if (!comparing(session) || !session.comparison.clip || !session.document->clip) return;
  Comparison& comparison = session.comparison;
  Document& document = *session.document;
  const std::uint32_t to_first = *comparison.clip;
  const std::uint32_t to_second = *document.clip;
  const double seconds = comparison.seconds;
  const bool was_playing = document.clock.playing();
  comparison.wanted = document.character().clips()[to_second].name;
  comparison.clip = to_second;
  if (comparison.file) {
    ComparedFile file = *std::exchange(
        comparison.file, ComparedFile{document.path, std::move(document.model), std::move(session.selection.masks),
                                      std::move(document.known_bounds), std::move(document.source)});
    const bool fitted = session.view.fitted;
    session.files.tried = file.path;
    const Extent bounds = bounds_of_clip(file.model.character(), to_first, file.known_bounds);
    show_model(session, file.path, std::move(file.model), to_first, bounds, std::move(file.masks));
    session.document->source = std::move(file.source);
    session.view.fitted = fitted;
  } else {
    select_clip(session, to_first);
  }
  choose_anew(session);
  Transport& clock = session.document->clock;
  const double duration = clock.duration_seconds();
  clock.seek_seconds(duration > 0 ? seconds - std::floor(seconds / duration) * duration : 0);
  if (!was_playing) clock.pause();
  comparison.seconds = seconds;
  comparison.first_seconds = clock.seconds();
}

void move_divider(Session& session, float by) {
  session.comparison.divider = std::clamp(session.comparison.divider + by, 0.0F, 1.0F);
}

bool advance_comparison(Session& session, double before, double seconds) {
  if (!comparing(session)) return false;
  follow(session);
  Comparison& comparison = session.comparison;
  const Transport& clock = session.document->clock;
  const LoopMode mode = clock.effective_mode();
  const bool jumped = before != comparison.first_seconds;
  if (mode != LoopMode::loop || clock.range() || jumped) {
    comparison.seconds = clock.seconds();
  } else if (clock.seconds() != before) {
    comparison.seconds += seconds * session.playback.speed;
  }
  comparison.first_seconds = clock.seconds();

  const Character& character = compared_model(session).character();
  if (!comparison.clip) {
    if (comparison.shown) return false;
    pose_bind(character, comparison.posed);
    turn(turn_of(session, character), comparison.posed);
    comparison.shown = FramePosition{};
    return true;
  }
  const FramePosition position =
      position_at(character.clips()[*comparison.clip], comparison, session.playback, mode != LoopMode::once);
  if (comparison.shown && same(*comparison.shown, position)) return false;
  pose_clip(character, *comparison.clip, position, comparison.posed);
  turn(turn_of(session, character), comparison.posed);
  // What is hidden is known by the open file's meshes.
  if (!comparison.file) leave_out_hidden(session.selection, comparison.posed.draw_list);
  comparison.shown = position;
  return true;
}

}  // namespace pchr::player

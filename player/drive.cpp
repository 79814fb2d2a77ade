// SPDX-License-Identifier: MIT
// What moves the character: the clock over one clip, the animator of a mix, the rules of a game.
#include "drive.hpp"

#include "session.hpp"

#include <cmath>

namespace pchr::player {
namespace {

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
  begin_mix(session.mix, session.document->character(), session.timeline.markers, *session.document->clip);
}

/// A game of another file is begun anew.
void begin_new_game(Session& session) {
  if (session.game_file == session.files_opened) return;
  session.game_file = session.files_opened;
  begin_game(session.game, session.document->character());
}

/// Begins what is to be shown where that is of another file, or shows a clip where this one has nothing for it.
void follow_file(Session& session) {
  if (session.drive == Drive::mix && !session.document->clip) session.drive = Drive::clip;
  if (session.drive == Drive::game && !shows_chara(session)) session.drive = Drive::clip;
  if (session.drive == Drive::mix) begin_new_mix(session);
  if (session.drive == Drive::game) begin_new_game(session);
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
  turn(turn_of(session, document.character()), document.posed);
  document.shown.reset();
  mix.changed = false;
  return true;
}

bool advance_game(Session& session, double seconds) {
  CharaState& state = *session.game.state;
  Document& document = *session.document;
  // A game has no way back.
  if (document.clock.playing()) state.advance(seconds * std::abs(session.playback.speed));
  const GameMoment moment{state.clip(), state.phase(), state.pending(), state.idle_cycles()};
  const FramePosition position = state.position(session.playback.sampling);
  if (document.shown && moment == session.game.shown && same(*document.shown, position)) return false;
  moment.clip ? pose_clip(document.character(), *moment.clip, position, document.posed)
              : pose_bind(document.character(), document.posed);
  session.game.shown = moment;
  document.shown = position;
  return true;
}

bool advance_clip(Session& session, double seconds) {
  Document& document = *session.document;
  if (!document.clip) {
    if (document.shown) return false;
    pose_bind(document.character(), document.posed);
    turn(turn_of(session, document.character()), document.posed);
    document.shown = FramePosition{};
    return true;
  }
  const bool was_playing = document.clock.playing();
  document.clock.advance(seconds);
  const bool ended = was_playing && !document.clock.playing();
  const FramePosition position = document.clock.position(session.playback.sampling, session.playback.hold);
  if (document.shown && same(*document.shown, position)) return ended;
  pose_clip(document.character(), *document.clip, position, document.posed);
  turn(turn_of(session, document.character()), document.posed);
  document.shown = position;
  return true;
}

}  // namespace

void carry_over_drive(Session& session, const Character& before, std::uint32_t opened_before) {
  const Document& document = *session.document;
  if (session.mix.animator && session.mix_file == opened_before) {
    read_markers(session);
    go_on_with(session.mix, document.character(), session.timeline.markers, *document.clip);
    session.mix_file = session.files_opened;
  }
  if (session.game.state && session.game_file == opened_before && shows_chara(session)) {
    go_on_with(session.game, before, document.character());
    session.game_file = session.files_opened;
  }
}

bool advance(Session& session, double seconds) {
  if (!session.document) return false;
  read_markers(session);
  follow_file(session);
  const double before = session.document->clock.seconds();
  const bool changed = session.drive == Drive::mix    ? advance_mix(session, seconds)
                       : session.drive == Drive::game ? advance_game(session, seconds)
                                                      : advance_clip(session, seconds);
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
  if (mixing(session)) return step(session.mix, frames);
  if (in_game(session)) return step(session.game, session.document->character(), frames);
  session.document->clock.step(frames);
}

void seek_frame(Session& session, std::uint32_t frame) {
  if (!session.document) return;
  session.document->clock.pause();
  if (mixing(session)) return seek_frame(session.mix, frame);
  if (in_game(session)) return session.game.state->seek_frame(frame);
  session.document->clock.seek_frame(frame);
}

void seek_first_frame(Session& session) {
  if (session.document) seek_frame(session, shows_clip(session) ? session.document->clock.played().first : 0);
}

void seek_last_frame(Session& session) {
  if (!session.document) return;
  const auto at = playhead(session);
  if (!at) return;
  const std::uint32_t count = session.document->character().clips()[at->clip].frame_count;
  seek_frame(session, shows_clip(session) ? session.document->clock.played().last : count - 1);
}

void set_drive(Session& session, Drive drive) {
  if (!session.document || drive == session.drive) return;
  session.drive = drive;
  session.mix.changed = true;
  session.document->shown.reset();
  follow_file(session);
  if (session.drive == Drive::game) session.document->clock.play();
}

bool mixing(const Session& session) noexcept {
  return session.drive == Drive::mix && session.mix_file == session.files_opened;
}

bool in_game(const Session& session) noexcept {
  return session.drive == Drive::game && session.game_file == session.files_opened;
}

bool shows_clip(const Session& session) noexcept { return !mixing(session) && !in_game(session); }

void choose_clip(Session& session, std::uint32_t clip) {
  mixing(session) ? fade_to(session.mix, clip) : select_clip(session, clip);
}

std::optional<Playhead> playhead(const Session& session) noexcept {
  if (!session.document || !session.document->clip) return std::nullopt;
  const Sampling sampling = session.playback.sampling;
  const Play* play = mixing(session) ? playing_clip(session.mix) : nullptr;
  if (play != nullptr && play->is_clip())
    return Playhead{play->clip, play->clock.position(sampling), play->clock.seconds()};
  if (in_game(session)) {
    const CharaState& state = *session.game.state;
    return state.clip() ? std::optional(Playhead{*state.clip(), state.position(sampling), state.seconds()})
                        : std::nullopt;
  }
  const Transport& clock = session.document->clock;
  return Playhead{*session.document->clip, clock.position(sampling), clock.seconds()};
}

bool playing(const Session& session) noexcept { return session.document && session.document->clock.playing(); }

}  // namespace pchr::player

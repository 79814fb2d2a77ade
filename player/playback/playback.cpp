// SPDX-License-Identifier: MIT
#include "playback/playback.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

/// Leaves a mix or game for one clip.
void show_one_clip(Playback& playback) {
  if (Mix* mix = playback.mix()) {
    playback.fade_seconds = mix->fade_seconds;
    playback.last_mix = std::move(*mix);
  }
  if (Game* game = playback.game()) {
    playback.rules = game->state.rules();
    playback.last_game = std::move(*game);
  }
  playback.now = OneClip{};
}

}  // namespace

void set_mode(Playback& playback, const Played& played, PlaybackMode mode) {
  if (mode == playback.mode()) return;
  show_one_clip(playback);
  const Character& character = played.character;
  if (mode == PlaybackMode::mix && playback.clip) {
    if (!playback.last_mix) {
      playback.last_mix = begin_mix(character, played.markers, *playback.clip, playback.fade_seconds);
    }
    playback.now = *std::exchange(playback.last_mix, std::nullopt);
    playback.mix()->changed = true;
  }
  if (mode == PlaybackMode::game && played.chara) {
    if (!playback.last_game) {
      const CharaRules& before = playback.rules;
      playback.last_game = Game{CharaState(character, rules_of(*played.chara, before.profile, before.side))};
    }
    playback.now = *std::exchange(playback.last_game, std::nullopt);
    playback.clock.play();
  }
}

void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip) {
  const PlaybackMode mode = playback.mode();
  show_one_clip(playback);
  playback.last_mix.reset();
  playback.last_game.reset();
  playback.clip.reset();
  playback.clock = {};
  if (clip) {
    select_clip(playback, played.character, *clip);
    playback.clock.play();
  }
  set_mode(playback, played, mode);
}

void play_file_again(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip) {
  const Character& character = played.character;
  const std::string name = playback.clip ? before.character.clips()[*playback.clip].name : std::string();
  const auto range = playback.clock.range();
  const double seconds = playback.clock.seconds();
  const bool plays = playback.playing() || !playback.clip;
  const PlaybackMode mode = playback.mode();
  show_one_clip(playback);
  playback.clip.reset();
  playback.clock = {};
  if (clip) {
    // Another clip may have been chosen while the file was being read.
    select_clip(playback, character, *clip);
    select_clip(playback, character, character.find_clip(name));
    if (plays) playback.clock.play();
    const Clip& shown = character.clips()[*playback.clip];
    if (shown.name == name) {
      playback.clock.set_range(shown, range);
      playback.clock.seek_seconds(seconds);
    }
    if (playback.last_mix) go_on_with(*playback.last_mix, character, played.markers, *playback.clip);
  } else {
    playback.last_mix.reset();
  }
  if (playback.last_game && played.chara) {
    go_on_with(*playback.last_game, before.chara, character, played.chara);
  } else {
    playback.last_game.reset();
  }
  const bool playing = playback.playing();
  set_mode(playback, played, mode);
  if (!playing) playback.clock.pause();
  playback.reveal_clip = false;
}

void select_clip(Playback& playback, const Character& character, ClipId clip) {
  if (!character.clips().contains(clip) || character.clips()[clip].frame_count == 0) return;
  const bool was_playing = playback.playing();
  playback.clip = clip;
  playback.clock = Transport(character.clips()[clip], playback.settings);
  if (!was_playing) playback.clock.pause();
  playback.reveal_clip = true;
}

void select_neighbor(Playback& playback, const Character& character, int direction) {
  if (!playback.clip) return;
  const auto clips = character.clips();
  for (std::int64_t i = static_cast<std::int64_t>(*playback.clip) + direction; i >= 0 && i < std::ssize(clips);
       i += direction) {
    if (clips[static_cast<std::size_t>(i)].frame_count == 0) continue;
    return select_clip(playback, character, ClipId(i));
  }
}

void choose_clip(Playback& playback, const Character& character, ClipId clip) {
  if (Mix* mix = playback.mix()) return fade_to(*mix, clip);
  select_clip(playback, character, clip);
}

void set_settings(Playback& playback, PlaybackSettings settings) {
  settings.times = std::clamp(settings.times, 1U, kMaxTimes);
  settings.hold = std::clamp(settings.hold, 1U, kMaxHold);
  settings.speed = std::copysign(std::clamp(std::abs(settings.speed), kMinSpeed, kMaxSpeed), settings.speed);
  playback.settings = settings;
  playback.clock.configure(settings);
}

void set_speed(Playback& playback, double speed) {
  PlaybackSettings settings = playback.settings;
  settings.speed = speed;
  set_settings(playback, settings);
}

void set_range(Playback& playback, const Character& character, std::optional<FrameRange> range) {
  if (playback.clip && playback.shows_clip()) playback.clock.set_range(character.clips()[*playback.clip], range);
}

bool advance(Playback& playback, double seconds) {
  if (!playback.playing()) return false;
  if (Mix* mix = playback.mix()) {
    advance(*mix, seconds, playback.settings.speed);
  } else if (Game* game = playback.game()) {
    // A game has no way back.
    game->state.advance(seconds * std::abs(playback.settings.speed));
  } else if (playback.clip) {
    playback.clock.advance(seconds);
    return !playback.playing();
  }
  return false;
}

std::optional<Playhead> playhead(const Playback& playback) noexcept {
  if (!playback.clip) return std::nullopt;
  const Sampling sampling = playback.settings.sampling;
  if (const Mix* mix = playback.mix()) {
    const Play* play = playing_clip(*mix);
    if (play != nullptr && play->kind == Play::Kind::clip)
      return Playhead{play->clip, play->clock.position(sampling), play->clock.seconds()};
  }
  if (const Game* game = playback.game()) {
    const CharaState& state = game->state;
    if (state.clip() == ClipId::none) return std::nullopt;
    return Playhead{state.clip(), state.position(sampling), state.seconds()};
  }
  return Playhead{*playback.clip, playback.clock.position(sampling), playback.clock.seconds()};
}

ClipTime shown_time(const Playback& playback) noexcept {
  if (const Game* game = playback.game()) return game->state.position(playback.settings.sampling);
  return playback.clip ? playback.clock.position(playback.settings.sampling, playback.settings.hold) : ClipTime{};
}

bool needs_pose(const Playback& playback) noexcept {
  const Mix* mix = playback.mix();
  return mix != nullptr && (mix->changed || mix->animator.sampling() != playback.settings.sampling);
}

void pose(Playback& playback, const Character& character, PoseBuffers& out) {
  if (Mix* mix = playback.mix()) {
    mix->changed = false;
    mix->animator.set_sampling(playback.settings.sampling);
    return mix->animator.pose(out);
  }
  const Game* game = playback.game();
  const ClipId clip = game != nullptr ? game->state.clip() : playback.clip.value_or(ClipId::none);
  clip != ClipId::none ? pose_clip(character, clip, shown_time(playback), out) : pose_bind(character, out);
}

void toggle_playing(Playback& playback) { playback.playing() ? playback.clock.pause() : playback.clock.play(); }

void step_frames(Playback& playback, const Character& character, std::int64_t frames) {
  playback.clock.pause();
  if (Mix* mix = playback.mix()) return step(*mix, frames);
  if (Game* game = playback.game()) return step(*game, character, frames);
  playback.clock.step(frames);
}

void seek_frame(Playback& playback, std::uint32_t frame) {
  playback.clock.pause();
  if (Mix* mix = playback.mix()) return seek_frame(*mix, frame);
  if (Game* game = playback.game()) return game->state.seek_frame(frame);
  playback.clock.seek_frame(frame);
}

void seek_first_frame(Playback& playback) {
  seek_frame(playback, playback.shows_clip() ? playback.clock.played().first : 0);
}

void seek_last_frame(Playback& playback, const Character& character) {
  const auto at = playhead(playback);
  if (!at) return;
  seek_frame(playback,
             playback.shows_clip() ? playback.clock.played().last : character.clips()[at->clip].frame_count - 1);
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#include "playback/playback.hpp"

#include "document/loader.hpp"
#include "document/turntable.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

void discard_mix(Playback& playback) {
  if (playback.last_mix) playback.fade_seconds = playback.last_mix->fade_seconds;
  playback.last_mix.reset();
}

void discard_game(Playback& playback) {
  if (playback.last_game) playback.rules = playback.last_game->state.rules();
  playback.last_game.reset();
}

}  // namespace

void set_mode(Playback& playback, const Played& played, PlaybackMode mode) {
  if (mode == playback.current) return;
  playback.current = PlaybackMode::clip;
  if (mode == PlaybackMode::mix && playback.clip) {
    if (!playback.last_mix) {
      playback.last_mix = begin_mix(played.character, played.markers, *playback.clip, playback.fade_seconds);
    }
    playback.last_mix->changed = true;
    playback.current = mode;
  } else if (mode == PlaybackMode::game && played.chara) {
    if (!playback.last_game) {
      const CharaRules rules = rules_of(*played.chara, playback.rules.profile, playback.rules.side);
      playback.last_game = Game{CharaState(played.character, rules)};
    }
    playback.clock.play();
    playback.current = mode;
  }
}

void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip) {
  const PlaybackMode mode = std::exchange(playback.current, PlaybackMode::clip);
  discard_mix(playback);
  discard_game(playback);
  playback.clip.reset();
  playback.clock = {};
  if (clip) select_clip(playback, played.character, *clip);
  set_mode(playback, played, mode);
}

void reload_file(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip) {
  const Character& character = played.character;
  const std::string name = playback.clip ? before.character.clips()[*playback.clip].name : std::string();
  const Transport clock = std::exchange(playback.clock, {});
  const bool plays = clock.playing() || !playback.clip;
  const PlaybackMode mode = std::exchange(playback.current, PlaybackMode::clip);
  playback.clip.reset();
  if (clip) {
    // The user may have chosen another clip while the file was being read.
    select_clip(playback, character, *clip);
    select_clip(playback, character, character.find_clip(name));
    if (!plays) playback.clock.pause();
    const Clip& shown = character.clips()[*playback.clip];
    if (shown.name == name) {
      playback.clock.set_range(shown, clock.range());
      clock.outside_range() ? playback.clock.seek_frame(clock.frame()) : playback.clock.seek_seconds(clock.seconds());
    }
    if (playback.last_mix) continue_with(*playback.last_mix, character, played.markers, *playback.clip);
  } else {
    discard_mix(playback);
  }
  if (playback.last_game && played.chara) {
    continue_with(*playback.last_game, before.chara, character, played.chara);
  } else {
    discard_game(playback);
  }
  const bool playing = playback.playing();
  set_mode(playback, played, mode);
  if (!playing) playback.clock.pause();
  playback.reveal_clip = false;
}

void select_clip(Playback& playback, const Character& character, ClipId clip) {
  if (!has_frames(character, clip)) return;
  playback.clip = clip;
  playback.clock = Transport(character.clips()[clip], playback.settings);
  playback.reveal_clip = true;
}

void select_neighbor(Playback& playback, const Character& character, int direction) {
  if (!playback.clip) return;
  const auto clips = character.clips();
  ClipId next = *playback.clip;
  do {
    next = ClipId(static_cast<std::int64_t>(next) + direction);
  } while (clips.contains(next) && clips[next].frame_count == 0);
  select_clip(playback, character, next);
}

void choose_clip(Playback& playback, const Character& character, ClipId clip) {
  Mix* mix = playback.mix();
  if (mix == nullptr) return select_clip(playback, character, clip);
  fade_to(*mix, clip);
  playback.clock.play();
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
    // A game cannot run backward.
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
  pose_clip_or_bind(character, clip, shown_time(playback), out);
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

void scrub(Playback& playback, std::uint32_t frame) {
  if (!playback.scrubbed) playback.scrubbed = playback.playing();
  seek_frame(playback, frame);
}

void end_scrub(Playback& playback) {
  if (std::exchange(playback.scrubbed, std::nullopt).value_or(false)) playback.clock.play();
}

double seconds_of_rest(const Playback& playback) noexcept {
  return playback.shows_clip() ? playback.clock.seconds_of_rest() : 0;
}

void follow(FollowingClock& clock, const Playback& playback, double before, double passed) {
  const Transport& followed = playback.clock;
  const bool jumped = before != clock.followed;
  if (!playback.shows_clip()) {
    // A mix and a game have clocks of their own.
    if (playback.playing()) clock.seconds += passed * std::abs(playback.settings.speed);
  } else if (followed.effective_mode() != LoopMode::loop || followed.range() || jumped) {
    clock.seconds = followed.seconds();
  } else if (followed.seconds() != before) {
    clock.seconds += passed * playback.settings.speed;
  }
  clock.followed = followed.seconds();
}

ClipTime time_in(const Clip& clip, const FollowingClock& clock, const Playback& playback) noexcept {
  // A frame's start time may have been rounded down to just before it.
  constexpr double kRounding = 1e-9;
  Clip length;
  length.looping = playback.clock.effective_mode() != LoopMode::once;
  length.frames_per_second = clip.frames_per_second;
  length.frame_count = clip.frame_count;
  const PlaybackSettings& settings = playback.settings;
  const ClipTime time = clip_time(length, clock.seconds + kRounding, settings.sampling);
  return settings.hold > 1 ? held(time.frame, settings.hold) : time;
}

void reset(RigMotion& motion) noexcept {
  for (RigInstance& instance : motion.state.instances) instance.reset = true;
  motion.seconds = 0;
  motion.travelled = 0;
}

bool is_planted(const FootPlant& foot, std::span<const Marker> markers, std::uint32_t frame, bool looping) noexcept {
  std::optional<bool> before, at_end;
  for (const Marker& marker : markers) {
    const bool plants = marker.name == foot.plant;
    if (!plants && marker.name != foot.lift) continue;
    at_end = plants;
    if (marker.frame <= frame) before = plants;
  }
  return before.value_or(looping && at_end.value_or(false));
}

void apply_motion(RigMotion& motion, const Rig& rig, std::optional<Vec2> target, const Character& character,
                  const Markers& markers, const std::optional<Playhead>& playhead, Pose& pose) {
  RigState& state = motion.state;
  prepare(rig, state);
  motion.travelled += motion.travel * motion.seconds;
  const Vec2 place{static_cast<float>(motion.travelled), 0.0F};
  state.instances[0].placement = placement(place);
  if (target) *target += place;
  const auto aim = [&](const auto& constraints, std::span<RigControl> controls) {
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      controls[i].target = constraints[i].target_bone == BoneId::none ? target : std::nullopt;
    }
  };
  aim(rig.aims, state.aims);
  aim(rig.ik, state.ik);
  // A target would take precedence over the ground.
  for (const FootPlant& foot : rig.feet) {
    if (foot.ik < rig.ik.size()) state.ik[foot.ik].target.reset();
  }
  for (std::size_t i = 0; i < rig.feet.size(); ++i) {
    state.feet[i].planted = playhead && is_planted(rig.feet[i], markers.of_clip(playhead->clip),
                                                   playhead->position.frame, character.clips()[playhead->clip].looping);
  }
  apply_rig(rig, character, std::exchange(motion.seconds, 0.0), state, pose);
}

}  // namespace pchr::player

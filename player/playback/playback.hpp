// SPDX-License-Identifier: MIT
// What animates the character: a clip, a mix of clips, state machines or a game, and the rig on top.
#pragma once

#include "document/text.hpp"

#include <pchr/3d.hpp>
#include <pchr/animator.hpp>
#include <pchr/character.hpp>
#include <pchr/clock.hpp>
#include <pchr/export/animation.hpp>
#include <pchr/import/pomyu.hpp>
#include <pchr/states.hpp>

#include <algorithm>
#include <optional>

namespace pchr::player {

inline constexpr double kMinSpeed = 0.05;
inline constexpr double kMaxSpeed = 8.0;
inline constexpr std::uint32_t kMaxTimes = 99;
inline constexpr std::uint32_t kMaxHold = 6;
/// How long a clip that does not loop stays on its end before it repeats.
inline constexpr double kEndSeconds = 0.5;

/// Playback settings, kept across clips and files.
struct PlaybackSettings {
  LoopMode mode = LoopMode::from_file;
  bool counted = false;     ///< Stop after `times` loops, if the mode loops.
  std::uint32_t times = 3;  ///< 1..kMaxTimes.
  double speed = 1.0;       ///< kMinSpeed..kMaxSpeed, negative for reverse.
  Sampling sampling = Sampling::step;
  std::uint32_t hold = 1;  ///< Number of frames to hold each image for, 2 for "on twos"; 1..kMaxHold.
  bool operator==(const PlaybackSettings&) const = default;
};

/// Plays a clip or a range of it with a Clock. Frames and seconds are always relative to the whole clip. A clip that is
/// not marked as looping repeats after a short rest on its end, unless the mode says otherwise. Playback that starts
/// outside the range goes on into it.
class Transport {
 public:
  Transport() = default;
  /// Starts playing `clip` from its beginning.
  Transport(const Clip& clip, const PlaybackSettings& settings);

  /// Applies `settings` from the current frame on.
  void configure(const PlaybackSettings& settings) noexcept;
  /// Plays only `range`, clamped to the clip, starting at its frame nearest to the current one. Loops unless the
  /// settings say otherwise. If absent, plays the whole clip.
  void set_range(const Clip& clip, std::optional<FrameRange> range) noexcept;
  [[nodiscard]] const std::optional<FrameRange>& range() const noexcept { return range_; }
  /// Returns whether the current frame is outside the range.
  [[nodiscard]] bool outside_range() const noexcept { return outside_; }
  /// Returns the range, or all frames if there is none.
  [[nodiscard]] FrameRange played() const noexcept;

  void play() noexcept;  ///< Restarts if playback has ended.
  void pause() noexcept;
  [[nodiscard]] bool playing() const noexcept { return shown_clock().playing() || rested_; }
  void advance(double seconds) noexcept;
  /// Returns how long the clip still rests on its end, or 0 if it does not.
  [[nodiscard]] double seconds_of_rest() const noexcept { return rested_ ? kEndSeconds - *rested_ : 0; }

  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to the clip.
  void seek_seconds(double seconds) noexcept;     ///< Clamped to the played frames.
  /// Pauses. Wraps within the played frames unless they play once or the current frame is outside of them.
  void step(std::int64_t frames) noexcept;

  [[nodiscard]] std::uint32_t frame() const noexcept {
    return outside_ ? whole_.frame() : played().first + clock_.frame();
  }
  [[nodiscard]] double seconds() const noexcept {
    return outside_ ? whole_.seconds() : first_seconds_ + clock_.seconds();
  }
  [[nodiscard]] double duration_seconds() const noexcept { return duration_seconds_; }
  [[nodiscard]] std::uint64_t loop() const noexcept { return loops_; }  ///< Completed loops.
  /// Returns the current frame, or the held one.
  [[nodiscard]] ClipTime position(Sampling sampling, std::uint32_t hold = 1) const noexcept;
  [[nodiscard]] LoopMode effective_mode() const noexcept { return clock_.effective_mode(); }

 private:
  [[nodiscard]] LoopMode clock_mode() const noexcept;
  [[nodiscard]] bool finished() const noexcept { return times_ > 0 && loops_ >= times_; }
  [[nodiscard]] const Clock& shown_clock() const noexcept { return outside_ ? whole_ : clock_; }
  [[nodiscard]] bool repeats() const noexcept;
  [[nodiscard]] double seconds_to_range() const noexcept;
  void restart() noexcept;

  Clock clock_;                   ///< Runs over the played frames.
  Clock whole_;                   ///< Runs over all frames, once.
  bool outside_ = false;          ///< Whether `whole_` is shown, until it reaches the played frames.
  std::optional<double> rested_;  ///< Seconds since the end was reached, while it rests there.
  std::optional<FrameRange> range_;
  std::uint32_t frame_count_ = 0;
  double duration_seconds_ = 0;
  double first_seconds_ = 0;  ///< Start of the first played frame.
  LoopMode mode_ = LoopMode::from_file;
  std::uint32_t times_ = 0;  ///< 0 for no limit.
  std::uint64_t loops_ = 0;
};

/// Returns the frame that is held at `frame`.
[[nodiscard]] inline ClipTime held(std::uint32_t frame, std::uint32_t hold) noexcept {
  return {frame / hold * hold, frame / hold * hold, 0};
}

/// Returns the next round speed above (+1) or below (-1) `speed`, with the same sign.
[[nodiscard]] double neighboring_speed(double speed, int direction) noexcept;

/// A clip that loops on top of the crossfade.
struct MixLayer {
  ClipId clip{};
  float weight = 1.0F;
  LayerMode mode = LayerMode::override_below;
  // If neither is set, the layer moves all bones.
  std::optional<BoneId> bone{};     ///< Root of the subtree that the layer moves.
  std::optional<NamedMask> mask{};  ///< The bones that it moves instead.
  bool operator==(const MixLayer&) const = default;
};

struct MixEvent {
  ShortText text{};
  double age_seconds = 0;
};

struct Mix {
  static constexpr double kLeadSeconds = 0.8;  ///< How long a replay shows the first clip.
  static constexpr std::size_t kMaxLayers = 8;

  Animator animator;
  ClipId from{};
  ClipId to{};
  double fade_seconds = 0.3;
  std::vector<MixLayer> layers;

  std::optional<double> until_fade{};  ///< Absent once the fade has started.
  bool changed = true;                 ///< Whether the animator has moved since the last pose.
  std::array<MixEvent, 8> events{};    ///< Newest first.
  std::size_t event_count = 0;
};

/// Starts a crossfade from `clip`, which must have frames, to the next clip that moves.
[[nodiscard]] Mix begin_mix(const Character& character, std::shared_ptr<const Markers> markers, ClipId clip,
                            double fade_seconds = 0.3);

/// Continues with another version of the character: the same crossfade and layers, matched by name, at the same time.
/// Drops layers of missing clips; the crossfade uses `replacement` instead, which must have frames.
void continue_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers,
                   std::span<const NamedMask> masks, ClipId replacement);

/// Shows `from`, then fades to `to`. Layers restart.
void replay(Mix& mix);
/// Fades from the current clip to `clip`.
void fade_to(Mix& mix, ClipId clip);
/// Replays the crossfade from `clip`. Ignores a clip without frames.
void set_from(Mix& mix, ClipId clip);

void add_layer(Mix& mix, ClipId clip);
void remove_layer(Mix& mix, std::size_t layer);
void set_layer_clip(Mix& mix, std::size_t layer, ClipId clip);
/// Applies a layer's edited weight, mode and bones.
void update_layer(Mix& mix, std::size_t layer);

void advance(Mix& mix, double seconds, double speed);
/// Steps by frames of the current clip; fades advance as well.
void step(Mix& mix, std::int64_t frames);
void seek_frame(Mix& mix, std::uint32_t frame);

/// Returns the current clip: the target of the fade once it has started.
[[nodiscard]] const Play* playing_clip(const Mix& mix) noexcept;

/// The character's state machines, running.
struct Machine {
  std::shared_ptr<const StateGraph> graph;
  Animator animator;
  StateMachine machine;
  std::vector<std::string> held{};  ///< Keys that are down, see press_key().
  bool due = true;                  ///< Whether it advances even while paused, because a parameter was set.
  bool changed = true;              ///< Whether the animator has moved since the last pose.
};

/// Sets a parameter; takes effect even while paused. Ignores an index out of range.
void set_parameter(Machine& machine, std::size_t parameter, float value);
/// Enters a state at once, by the names of its layer and itself, with a short fade. Ignores unknown names.
void enter_state(Machine& machine, std::string_view layer, std::string_view state);
/// Sets the parameters that have `key` as a key of the keyboard: while it is held, a number has its maximum and a
/// boolean is the opposite of what it starts with; then, they are as at the start. A trigger is fired when the key goes
/// down. Ignores a key that goes up after it was pressed for something else.
void press_key(Machine& machine, std::string_view key, bool down);
/// Returns whether a parameter has that key.
[[nodiscard]] bool has_key(const Machine& machine, std::string_view key) noexcept;

/// In the order of the keys 1 to 9 and 0.
enum class GameEvent : std::uint8_t { bad, good, great, fever, ojama, dance, begin, clear, fail, full_clear };

struct GameEventText {
  const char* label;
  const char* explanation;
};
[[nodiscard]] const GameEventText& text_of(GameEvent event) noexcept;

struct Game {
  CharaState state;
  Disturbance disturbance = Disturbance::none;
  bool over = false;  ///< Whether the song has ended.
};

/// The visible state of a game apart from the pose.
struct GameMoment {
  CharaPhase phase = CharaPhase::idle;
  std::optional<CharaAnimation> pending{};
  std::uint32_t idle_cycles = 0;
  bool operator==(const GameMoment&) const = default;
};

/// Continues with another version of the character. Applies its file's rules if they differ from those in `before`.
void continue_with(Game& game, const std::optional<CharaInfo>& before, const Character& character,
                   const std::optional<CharaInfo>& info);

void trigger(Game& game, GameEvent event);
/// Loops an animation, or returns to idle if it is already looping.
void toggle_animation(Game& game, CharaAnimation animation);
/// Toggles the nearest available animation before (-1) or after (+1) the current one.
void play_neighbor(Game& game, int direction);
void set_rules(Game& game, const CharaRules& rules);
void change_gauge(Game& game, double by);

/// Steps by frames of the current animation: backward to its first frame at most, forward like time.
void step(Game& game, const Character& character, std::int64_t frames);

/// Returns whether `event` is the disturbance in progress.
[[nodiscard]] bool is_active(const Game& game, GameEvent event) noexcept;
/// Writes an animation's number and name, such as "09 rival bad".
const char* write_name(CharaAnimation animation, ShortText& text);
/// Describes what the character is doing and waiting for, in one or two lines. May use `text` as the buffer.
[[nodiscard]] const char* describe(const Game& game, ShortText& text);

enum class PlaybackMode : std::uint8_t { clip, mix, game, states };

struct Playback {
  PlaybackSettings settings{};
  std::optional<ClipId> clip{};  ///< Absent if no clip has frames; shows the bind pose.
  Transport clock{};             ///< Plays `clip`. Its play state also applies to a mix and a game.
  PlaybackMode current = PlaybackMode::clip;
  std::optional<Mix> last_mix{};           ///< This file's mix; kept while another mode is shown.
  std::optional<Game> last_game{};         ///< This file's game; kept while another mode is shown.
  std::optional<Machine> last_machine{};   ///< This file's machines as they could run last; also kept.
  std::optional<States> followed{};        ///< What follow_states() has seen last.
  std::vector<Diagnostic> state_errors{};  ///< Why that cannot run; empty if it can.
  double fade_seconds = 0.3;               ///< From the previous file's mix, for new ones.
  CharaRules rules{};                      ///< From the previous file's game, for new ones.
  bool reveal_clip = false;                ///< Scroll the clip list to `clip`.
  bool keeps_settings = false;             ///< Whether `settings` outlive the program.
  std::optional<bool> scrubbed{};          ///< While the playhead is dragged, whether playback goes on afterwards.

  [[nodiscard]] PlaybackMode mode() const noexcept { return current; }
  [[nodiscard]] bool shows_clip() const noexcept { return current == PlaybackMode::clip; }
  /// Return the mix, the machines or the game if they are shown, else null. Without machines that can run, the clip
  /// plays in their place.
  /// @{
  [[nodiscard]] Mix* mix() noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] const Mix* mix() const noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] Machine* machine() noexcept {
    return current == PlaybackMode::states && last_machine ? &*last_machine : nullptr;
  }
  [[nodiscard]] const Machine* machine() const noexcept { return const_cast<Playback*>(this)->machine(); }
  [[nodiscard]] Game* game() noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  [[nodiscard]] const Game* game() const noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  /// @}
  [[nodiscard]] bool playing() const noexcept { return clock.playing(); }
};

/// The open character, with the markers, masks and machines next to its file.
struct Played {
  const Character& character;
  const std::shared_ptr<const Markers>& markers;
  const std::vector<NamedMask>& masks;
  const std::optional<CharaInfo>& chara;  ///< For Pomyu characters.
  const States& states;
};

struct Playhead {
  ClipId clip{};
  ClipTime position;
  double seconds = 0;
};

/// Everything that a pose depends on. Equal values give equal poses.
struct PosedBy {
  PlaybackMode mode = PlaybackMode::clip;
  GameMoment game{};
  ClipId clip = ClipId::none;
  ClipTime time{};
  Affine3 rotation = kIdentity3;
  std::vector<std::uint8_t> hidden{};
  bool operator==(const PosedBy&) const = default;
};

struct Figure {
  PoseBuffers posed{};
  std::optional<PosedBy> by{};  ///< Absent if nothing is posed.
  std::uint64_t revision = 0;   ///< Changes with the pose.
};

/// Switches to a clip, the mix, the machines or the game. Falls back to a clip if a mix or the machines have no clip
/// with frames or a game no Pomyu character. Machines and a game run at once.
void set_mode(Playback& playback, const Played& played, PlaybackMode mode);
/// Runs the machines as they are now, if they are shown and have changed. They keep their parameters and states.
void follow_states(Playback& playback, const Played& played);
/// Plays a newly opened file from the start of `clip`.
void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip);
/// Continues with another version of the file `before`: the same clip (by name, else `clip`), time, range, mix,
/// machines and game.
void reload_file(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip);

/// Plays `clip` from its start. Ignores a clip without frames.
void select_clip(Playback& playback, const Character& character, ClipId clip);
/// Selects the nearest clip with frames before (-1) or after (+1) the current one.
void select_neighbor(Playback& playback, const Character& character, int direction);
/// Plays a clip, or fades to it in a mix.
void choose_clip(Playback& playback, const Character& character, ClipId clip);

/// Applies settings, clamped to their limits.
void set_settings(Playback& playback, PlaybackSettings settings);
void set_speed(Playback& playback, double speed);
/// Plays only the frames in `range`; absent for all frames.
void set_range(Playback& playback, const Character& character, std::optional<FrameRange> range);

/// Advances time. Returns whether playback ended.
bool advance(Playback& playback, double seconds);
/// Returns the current clip and time; nothing if nothing plays.
[[nodiscard]] std::optional<Playhead> playhead(const Playback& playback) noexcept;
/// Returns the shown time of that clip, with the frame hold applied.
[[nodiscard]] ClipTime shown_time(const Playback& playback) noexcept;
/// Returns whether a mix or the machines have changed since they were last posed.
[[nodiscard]] bool needs_pose(const Playback& playback) noexcept;
void pose(Playback& playback, const Character& character, PoseBuffers& out);

void toggle_playing(Playback& playback);
/// Move the playhead and pause. Machines go back to their start instead of to a first frame, and nowhere else.
/// @{
void step_frames(Playback& playback, const Character& character, std::int64_t frames);
void seek_frame(Playback& playback, std::uint32_t frame);
void seek_first_frame(Playback& playback);
void seek_last_frame(Playback& playback, const Character& character);
/// @}

/// Drags the playhead to `frame`. Playback pauses until end_scrub().
void scrub(Playback& playback, std::uint32_t frame);
void end_scrub(Playback& playback);
/// Returns how long the image stays the same although the clip plays, because it rests on its end.
[[nodiscard]] double seconds_of_rest(const Playback& playback) noexcept;

/// Runs with the playing clip, but past its end while it loops, so that every clip loops over its own length.
struct FollowingClock {
  double seconds = 0;   ///< Not wrapped.
  double followed = 0;  ///< The playing clip's time when `seconds` was last updated.
};

/// Moves `clock` to the time of the playing clip, which was `before` and advanced by `passed` seconds.
void follow(FollowingClock& clock, const Playback& playback, double before, double passed);
/// Returns the position of `clip`, which loops unless the playing clip plays once.
[[nodiscard]] ClipTime time_in(const Clip& clip, const FollowingClock& clock, const Playback& playback) noexcept;

/// The rig of the open character.
struct PlayedRig : RigMotion {
  /// What a pose depends on in addition to PosedBy.
  struct Applied {
    std::optional<Rig> rig{};  ///< Absent if none is applied.
    std::optional<Vec2> target{};
    bool operator==(const Applied&) const = default;
  };
  Applied applied{};
};

/// Consecutive frames in which a bone's value stays the same.
struct LaneRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::int32_t value = 0;
  bool operator==(const LaneRun&) const = default;
};

/// One bone's values over a clip, as shown in the timeline.
struct Lanes {
  std::vector<LaneRun> keys;     ///< 1 where the bone is not as in the frame before.
  std::vector<LaneRun> visible;  ///< 0 or 1.
  std::vector<LaneRun> z_order;
};

/// Returns whether samples `a` and `b` differ.
[[nodiscard]] inline bool differ(const BoneSamples& samples, std::size_t a, std::size_t b) noexcept {
  const auto differs = [&](const auto& values) { return !values.empty() && values[a] != values[b]; };
  return differs(samples.x) || differs(samples.y) || differs(samples.rotation_degrees) || differs(samples.scale_x) ||
         differs(samples.scale_y) || differs(samples.opacity) || differs(samples.visible) || differs(samples.z_order) ||
         differs(samples.samples_3d);
}

/// Finds the runs of `bone` over `clip`. Empty if the bone does not exist.
[[nodiscard]] inline Lanes find_lanes(const Clip& clip, std::size_t bone_count, BoneId bone) {
  Lanes lanes;
  if (index(bone) >= bone_count) return lanes;
  const auto add = [](std::vector<LaneRun>& runs, std::uint32_t frame, std::int32_t value) {
    if (runs.empty() || runs.back().value != value) runs.push_back({frame, frame, value});
    runs.back().last = frame;
  };
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const std::size_t sample = frame * bone_count + index(bone);
    add(lanes.keys, frame, frame > 0 && differ(clip.samples, sample, sample - bone_count) ? 1 : 0);
    add(lanes.visible, frame, clip.samples.visible[sample]);
    add(lanes.z_order, frame, clip.samples.z_order[sample]);
  }
  return lanes;
}

/// The lanes found last.
struct LaneCache {
  ClipId clip = ClipId::none;
  BoneId bone = BoneId::none;
  Lanes lanes{};
};

/// Returns the run that contains `frame`, which must exist.
[[nodiscard]] inline const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept {
  return *(std::ranges::upper_bound(runs, frame, {}, &LaneRun::first) - 1);
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// What animates the character: a clip, a mix or a game, and the rig on top.
#pragma once

#include "playback/game.hpp"
#include "playback/mix.hpp"
#include "playback/transport.hpp"

#include <pchr/3d.hpp>
#include <pchr/character.hpp>
#include <pchr/rig.hpp>

#include <algorithm>

namespace pchr::player {

enum class PlaybackMode : std::uint8_t { clip, mix, game };

struct Playback {
  PlaybackSettings settings{};
  std::optional<ClipId> clip{};  ///< Absent if no clip has frames; shows the bind pose.
  Transport clock{};             ///< Plays `clip`. Its play state also applies to a mix and a game.
  PlaybackMode current = PlaybackMode::clip;
  std::optional<Mix> last_mix{};    ///< This file's mix; kept while another mode is shown.
  std::optional<Game> last_game{};  ///< This file's game; kept while another mode is shown.
  double fade_seconds = 0.3;        ///< From the previous file's mix, for new ones.
  CharaRules rules{};               ///< From the previous file's game, for new ones.
  bool reveal_clip = false;         ///< Scroll the clip list to `clip`.
  bool keeps_settings = false;      ///< Whether `settings` outlive the program.
  std::optional<bool> scrubbed{};   ///< While the playhead is dragged, whether playback goes on afterwards.

  [[nodiscard]] PlaybackMode mode() const noexcept { return current; }
  [[nodiscard]] bool shows_clip() const noexcept { return current == PlaybackMode::clip; }
  /// Return the mix or game if it is shown, else null.
  /// @{
  [[nodiscard]] Mix* mix() noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] const Mix* mix() const noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] Game* game() noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  [[nodiscard]] const Game* game() const noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  /// @}
  [[nodiscard]] bool playing() const noexcept { return clock.playing(); }
};

/// The open character, with the markers next to its file.
struct Played {
  const Character& character;
  const std::shared_ptr<const Markers>& markers;
  const std::optional<CharaInfo>& chara;  ///< For Pomyu characters.
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

/// Switches to a clip, the mix or the game. Falls back to a clip if a mix has no clip with frames or a game no Pomyu
/// character. A game starts at once.
void set_mode(Playback& playback, const Played& played, PlaybackMode mode);
/// Plays a newly opened file from the start of `clip`.
void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip);
/// Continues with another version of the file `before`: the same clip (by name, else `clip`), time, range, mix and
/// game.
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
/// Returns whether a mix has changed since it was last posed.
[[nodiscard]] bool needs_pose(const Playback& playback) noexcept;
void pose(Playback& playback, const Character& character, PoseBuffers& out);

void toggle_playing(Playback& playback);
/// Move the playhead and pause.
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

struct RigMotion {
  /// What a pose depends on in addition to PosedBy.
  struct Applied {
    std::optional<Rig> rig{};  ///< Absent if none is applied.
    std::optional<Vec2> target{};
    bool operator==(const Applied&) const = default;
  };

  RigState state{};
  double seconds = 0;  ///< Time played since the rig was applied.
  float travel = 0;    ///< Pixels per second that the character seems to move along x.
  double travelled = 0;
  Applied applied{};
};

/// Puts springs and feet at rest.
void reset(RigMotion& motion) noexcept;
/// Returns whether a foot is on the ground: whether the last of its markers up to `frame` plants it. A loop continues
/// with the markers at its end.
[[nodiscard]] bool is_planted(const FootPlant& foot, std::span<const Marker> markers, std::uint32_t frame,
                              bool looping) noexcept;
/// Applies a rig to a sampled pose and advances it by `motion.seconds`. Aims and limbs without a target bone use
/// `target`.
void apply_motion(RigMotion& motion, const Rig& rig, std::optional<Vec2> target, const Character& character,
                  const Markers& markers, const std::optional<Playhead>& playhead, Pose& pose);

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

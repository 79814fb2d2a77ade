// SPDX-License-Identifier: MIT
// What animates the character: a clip, a mix or a game.
#pragma once

#include "playback/game.hpp"
#include "playback/mix.hpp"
#include "playback/transport.hpp"

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
/// Poses a clip, or the bind pose if `clip` is none.
void pose_clip_or_bind(const Character& character, ClipId clip, ClipTime time, PoseBuffers& out);

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

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// What moves the character: one clip, a mix or a game.
#pragma once

#include "playback/game.hpp"
#include "playback/mix.hpp"
#include "playback/transport.hpp"

namespace pchr::player {

enum class PlaybackMode : std::uint8_t { clip, mix, game };

struct Playback {
  PlaybackSettings settings{};
  std::optional<ClipId> clip{};  ///< Absent where no clip has frames: the bind pose shows.
  Transport clock{};             ///< Over that clip. Its play state counts for a mix and a game, too.
  PlaybackMode current = PlaybackMode::clip;
  std::optional<Mix> last_mix{};    ///< Of this file; shown in its mode, else kept as it was left.
  std::optional<Game> last_game{};  ///< The same.
  double fade_seconds = 0.3;        ///< Of the last file's mix, for new ones.
  CharaRules rules{};               ///< Of the last file's game, the same.
  bool reveal_clip = false;         ///< The list of clips scrolls to `clip`.

  [[nodiscard]] PlaybackMode mode() const noexcept { return current; }
  [[nodiscard]] bool shows_clip() const noexcept { return current == PlaybackMode::clip; }
  /// Return the mix or the game while it is shown, else null.
  /// @{
  [[nodiscard]] Mix* mix() noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] const Mix* mix() const noexcept { return current == PlaybackMode::mix ? &*last_mix : nullptr; }
  [[nodiscard]] Game* game() noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  [[nodiscard]] const Game* game() const noexcept { return current == PlaybackMode::game ? &*last_game : nullptr; }
  /// @}
  [[nodiscard]] bool playing() const noexcept { return clock.playing(); }
};

/// The open character and the markers beside it.
struct Played {
  const Character& character;
  const std::shared_ptr<const Markers>& markers;
  const std::optional<CharaInfo>& chara;  ///< Of a Pomyu character.
};

struct Playhead {
  ClipId clip{};
  ClipTime position;
  double seconds = 0;
};

/// All that a pose depends on: where it is the same, so is the pose.
struct PosedBy {
  PlaybackMode mode = PlaybackMode::clip;
  GameMoment game{};
  ClipId clip = ClipId::none;
  ClipTime time{};
  Affine3 turn = kIdentity3;
  std::vector<std::uint8_t> hidden{};
  bool operator==(const PosedBy&) const = default;
};

struct Figure {
  PoseBuffers posed{};
  std::optional<PosedBy> by{};  ///< Absent where nothing is posed.
};

/// Shows one clip, the mix or the game; one clip where a mix lacks a clip with frames, or a game a Pomyu character.
/// A game plays at once.
void set_mode(Playback& playback, const Played& played, PlaybackMode mode);
/// Plays a file that was just opened, from the start of `clip`.
void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip);
/// Continues with another state of the file, which was `before`: with the clip (by its name, else `clip`), its time and
/// range, the mix and the game.
void play_file_again(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip);

/// Shows `clip` from its start, playing if the clip before was. Ignores a clip without frames.
void select_clip(Playback& playback, const Character& character, ClipId clip);
/// Selects the nearest clip with frames before (-1) or after (+1) the current one.
void select_neighbor(Playback& playback, const Character& character, int direction);
/// Selects a clip, or in a mix fades to it.
void choose_clip(Playback& playback, const Character& character, ClipId clip);

/// Applies settings, brought within their limits.
void set_settings(Playback& playback, PlaybackSettings settings);
void set_speed(Playback& playback, double speed);
/// Plays only these frames of the clip; absent: all.
void set_range(Playback& playback, const Character& character, std::optional<FrameRange> range);

/// Lets time pass. Returns whether playing came to its end.
bool advance(Playback& playback, double seconds);
/// Returns the clip and time that show; nothing where nothing plays.
[[nodiscard]] std::optional<Playhead> playhead(const Playback& playback) noexcept;
/// Returns the time of that clip that shows, held where the settings say so.
[[nodiscard]] ClipTime shown_time(const Playback& playback) noexcept;
/// Returns whether a mix has changed since it was last posed.
[[nodiscard]] bool needs_pose(const Playback& playback) noexcept;
void pose(Playback& playback, const Character& character, PoseBuffers& out);
/// Poses a clip, or for `none` the bind pose.
void pose_clip_or_bind(const Character& character, ClipId clip, ClipTime time, PoseBuffers& out);

void toggle_playing(Playback& playback);
/// Move what is played, which pauses.
/// @{
void step_frames(Playback& playback, const Character& character, std::int64_t frames);
void seek_frame(Playback& playback, std::uint32_t frame);
void seek_first_frame(Playback& playback);
void seek_last_frame(Playback& playback, const Character& character);
/// @}

}  // namespace pchr::player

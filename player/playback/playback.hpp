// SPDX-License-Identifier: MIT
// What moves the character, and moving it: one clip, a mix or a game.
#pragma once

#include "playback/game.hpp"
#include "playback/mix.hpp"
#include "playback/transport.hpp"

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <variant>

namespace pchr::player {

enum class PlaybackMode : std::uint8_t { clip, mix, game };

/// The clip of Playback plays alone.
struct OneClip {};

struct Playback {
  PlaybackSettings settings{};
  std::optional<ClipId> clip{};  ///< Absent where the character has no clip with frames: its bind pose is shown.
  Transport clock{};             ///< Over that clip. Whether it plays counts for a mix and a game, too.
  std::variant<OneClip, Mix, Game> now{};
  std::optional<Mix> last_mix{};    ///< Of this file, as it was left.
  std::optional<Game> last_game{};  ///< The same.
  double fade_seconds = 0.3;        ///< Of new mixes: those of the last one.
  CharaRules rules{};               ///< The same of games.
  bool reveal_clip = false;         ///< The list of clips scrolls to the one that is shown.

  [[nodiscard]] PlaybackMode mode() const noexcept { return static_cast<PlaybackMode>(now.index()); }
  [[nodiscard]] bool shows_clip() const noexcept { return mode() == PlaybackMode::clip; }
  [[nodiscard]] Mix* mix() noexcept { return std::get_if<Mix>(&now); }
  [[nodiscard]] const Mix* mix() const noexcept { return std::get_if<Mix>(&now); }
  [[nodiscard]] Game* game() noexcept { return std::get_if<Game>(&now); }
  [[nodiscard]] const Game* game() const noexcept { return std::get_if<Game>(&now); }
  [[nodiscard]] bool playing() const noexcept { return clock.playing(); }
};

/// What is played: the character that is open and the markers beside it.
struct Played {
  const Character& character;
  const std::shared_ptr<const Markers>& markers;
  const std::optional<CharaInfo>& chara;  ///< Of a Pomyu character.
};

/// Where the clip is that is shown, or of a mix or a game the one that plays.
struct Playhead {
  ClipId clip{};
  ClipTime position;
  double seconds = 0;
};

/// Shows one clip, the mix or the game, as far as the character has what that needs: a mix a clip with frames, a game
/// a Pomyu character. A game plays at once.
void set_mode(Playback& playback, const Played& played, PlaybackMode mode);
/// Plays a file that was just opened, from the start of `clip`.
void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip);
/// Goes on with another state of the file, which was `before`: with the clip (by its name, else `clip`), its time and
/// range, the mix and the game.
void play_file_again(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip);

/// Shows clip `clip` from its start, playing if the clip before was. A clip without frames is left alone.
void select_clip(Playback& playback, const Character& character, ClipId clip);
/// Selects the nearest clip with frames before (-1) or after (+1) the one that is shown.
void select_neighbor(Playback& playback, const Character& character, int direction);
/// Selects a clip, or in a mix fades to it.
void choose_clip(Playback& playback, const Character& character, ClipId clip);

/// Plays on with other settings, brought within their limits.
void set_settings(Playback& playback, PlaybackSettings settings);
void set_speed(Playback& playback, double speed);
/// Plays these frames of the clip alone; absent: all.
void set_range(Playback& playback, const Character& character, std::optional<FrameRange> range);

/// Lets time pass. Returns whether playing came to its end.
bool advance(Playback& playback, double seconds);
/// Returns the clip and time that show; nothing where nothing plays.
[[nodiscard]] std::optional<Playhead> playhead(const Playback& playback) noexcept;
/// Returns the time of that clip that shows, held where the settings say so.
[[nodiscard]] ClipTime shown_time(const Playback& playback) noexcept;
/// Returns whether a mix shows something else than when it was last posed.
[[nodiscard]] bool needs_pose(const Playback& playback) noexcept;
/// Poses the character as playing has it now.
void pose(Playback& playback, const Character& character, PoseBuffers& out);

void toggle_playing(Playback& playback);
void step_frames(Playback& playback, const Character& character, std::int64_t frames);  ///< Pauses.
void seek_frame(Playback& playback, std::uint32_t frame);                               ///< Pauses.
void seek_first_frame(Playback& playback);                                              ///< Of what is played. Pauses.
void seek_last_frame(Playback& playback, const Character& character);                   ///< The same.

}  // namespace pchr::player

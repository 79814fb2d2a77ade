// SPDX-License-Identifier: MIT
// What moves the character, and moving it.
#pragma once

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <optional>

namespace pchr::player {

struct Session;

/// The clock over one clip, the animator of a mix, or the rules of a game.
enum class Drive : std::uint8_t { clip, mix, game };

/// Where the clip is that is shown, or of a mix or a game the one that plays.
struct Playhead {
  std::uint32_t clip = 0;
  FramePosition position;
  double seconds = 0;
};

/// Shows one clip, the mix or the game. A clip where the file has nothing for those: without a clip with frames there
/// is no mix, and only a Pomyu character has a game. That plays at once.
void set_drive(Session& session, Drive drive);
/// Whether the mix is shown and is of the file that is open.
[[nodiscard]] bool mixing(const Session& session) noexcept;
/// Whether the game is shown and is of the file that is open.
[[nodiscard]] bool in_game(const Session& session) noexcept;
/// Whether one clip is shown.
[[nodiscard]] bool shows_clip(const Session& session) noexcept;
/// A mix and a game that were of the file when `opened_before` were open go on with what has just come in place of
/// `before`.
void carry_over_drive(Session& session, const Character& before, std::uint32_t opened_before);

/// Selects a clip, or in a mix fades to it.
void choose_clip(Session& session, std::uint32_t clip);
[[nodiscard]] std::optional<Playhead> playhead(const Session& session) noexcept;
/// Whether time passes: the picture changes without any input.
[[nodiscard]] bool playing(const Session& session) noexcept;

/// Moves time and poses the character. Returns whether the picture changed.
bool advance(Session& session, double seconds);

void toggle_playing(Session& session);
void step_frames(Session& session, std::int64_t frames);  ///< Pauses.
void seek_frame(Session& session, std::uint32_t frame);   ///< Pauses.
void seek_first_frame(Session& session);                  ///< Of what is played. Pauses.
void seek_last_frame(Session& session);                   ///< Of what is played. Pauses.

}  // namespace pchr::player

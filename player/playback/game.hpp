// SPDX-License-Identifier: MIT
// Plays a Pomyu character by its games' rules, with events triggered by hand.
#pragma once

#include "document/text.hpp"

#include <pchr/import/pomyu.hpp>

namespace pchr::player {

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

}  // namespace pchr::player

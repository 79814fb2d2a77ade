// SPDX-License-Identifier: MIT
// A Pomyu character as games play it, with the game's events triggered by hand.
#pragma once

#include "ui/text.hpp"

#include <pchr/import/pomyu.hpp>

namespace pchr::player {

/// Events in the order of the keys 1 to 9 and 0.
enum class GameEvent : std::uint8_t { bad, good, great, fever, ojama, dance, begin, clear, fail, full_clear };

struct GameEventText {
  const char* label;
  const char* explanation;
};
[[nodiscard]] const GameEventText& text_of(GameEvent event) noexcept;

struct Game {
  CharaState state;
  Disturbance disturbance = Disturbance::none;
  bool over = false;  ///< The song has ended.
};

/// The part of a game that is shown besides the pose.
struct GameMoment {
  CharaPhase phase = CharaPhase::idle;
  std::optional<CharaAnimation> pending{};
  std::uint32_t idle_cycles = 0;
  bool operator==(const GameMoment&) const = default;
};

/// Continues with another state of the character. Its file's rules apply where they differ from those `before`.
void go_on_with(Game& game, const std::optional<CharaInfo>& before, const Character& character,
                const std::optional<CharaInfo>& info);

void happen(Game& game, GameEvent event);
/// Plays an animation repeatedly, or idles where it plays already.
void toggle_animation(Game& game, CharaAnimation animation);
/// Toggles the nearest animation before (-1) or after (+1) the current one that the character has.
void play_neighbor(Game& game, int direction);
void set_rules(Game& game, const CharaRules& rules);
void change_gauge(Game& game, double by);

/// Moves by frames of the current animation: back to its first at most, forward as time passes.
void step(Game& game, const Character& character, std::int64_t frames);

/// Returns whether `event` is the current disturbance.
[[nodiscard]] bool goes_on(const Game& game, GameEvent event) noexcept;
/// Writes an animation's number and name, such as "09 rival bad".
const char* write_name(CharaAnimation animation, ShortText& text);
/// Describes what the character does and waits for, in one or two lines, into `text` where needed.
[[nodiscard]] const char* describe(const Game& game, ShortText& text);

}  // namespace pchr::player

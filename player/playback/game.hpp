// SPDX-License-Identifier: MIT
// A Pomyu character as games play it, with what happens in the game told by hand.
#pragma once

#include "ui/text.hpp"

#include <pchr/import/pomyu.hpp>

#include <optional>

namespace pchr::player {

/// What may happen, in the order of the keys 1 to 9 and 0.
enum class GameEvent : std::uint8_t { bad, good, great, fever, ojama, dance, begin, clear, fail, full_clear };
inline constexpr std::size_t kGameEvents = 10;

struct GameEventText {
  const char* label;
  const char* explanation;
};
[[nodiscard]] const GameEventText& text_of(GameEvent event) noexcept;

/// What of a game has to be seen besides the moment of the clip.
struct GameMoment {
  ClipId clip = ClipId::none;
  CharaPhase phase = CharaPhase::idle;
  std::optional<CharaAnimation> pending{};
  std::uint32_t idle_cycles = 0;
  bool operator==(const GameMoment&) const = default;
};

struct Game {
  CharaState state;
  Disturbance disturbance = Disturbance::none;
  bool over = false;   ///< The song is.
  GameMoment shown{};  ///< When the character was last posed.
};

/// Goes on where it is with `character`, which was `before`. What its file says of itself counts where it is new.
void go_on_with(Game& game, const std::optional<CharaInfo>& before, const Character& character,
                const std::optional<CharaInfo>& info);

void happen(Game& game, GameEvent event);
/// Plays an animation again and again, or where it does so already, idles.
void toggle_animation(Game& game, CharaAnimation animation);
/// The same with the nearest animation before (-1) or after (+1) the one that plays that the character has.
void play_neighbor(Game& game, int direction);
void set_rules(Game& game, const CharaRules& rules);
void change_gauge(Game& game, double by);

/// Moves by frames of the animation that plays: back to its first at most, on as time passes.
void step(Game& game, const Character& character, std::int64_t frames);

/// Returns whether `event` is what goes on: a disturbance.
[[nodiscard]] bool goes_on(const Game& game, GameEvent event) noexcept;
/// The number and the name of an animation, such as "09 rival bad".
const char* write_name(CharaAnimation animation, ShortText& text);
/// What it does and waits for, in one line or two. `text` is room for it.
[[nodiscard]] const char* describe(const Game& game, ShortText& text);

}  // namespace pchr::player

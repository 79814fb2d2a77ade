// SPDX-License-Identifier: MIT
#include "playback/game.hpp"

#include <pchr/pose.hpp>

#include <algorithm>

namespace pchr::player {
namespace {

constexpr GameEventText kTexts[] = {
    {"Bad", "Judge a note bad"},
    {"Good", "Judge a note good"},
    {"Great", "Judge a note great"},
    {"Fever", "Judge a note great with a full gauge"},
    {"Ojama", "Start or stop the rival's attack"},
    {"Dance", "Start or stop the rival's dance over the playfield"},
    {"Start", "Start the song"},
    {"Clear", "End the song, cleared by the player"},
    {"Fail", "End the song, failed by the player"},
    {"Full", "End the song, cleared with a full gauge"},
};

std::uint32_t wait_of(const CharaRules& rules) noexcept {
  return rules.profile == CharaProfile::beatoraja ? 1 : std::max(rules.wait, 1U);
}

Disturbance disturbance_of(GameEvent event) noexcept {
  return event == GameEvent::ojama   ? Disturbance::ojama
         : event == GameEvent::dance ? Disturbance::dance
                                     : Disturbance::none;
}

const char* describe_idling(const Game& game, ShortText& text) {
  const CharaState& state = game.state;
  const CharaRules& rules = state.rules();
  const std::uint32_t wait = wait_of(rules);
  const std::uint32_t cycle = std::min(state.idle_cycles() + 1, wait);
  if (const auto pending = state.pending()) {
    ShortText name;
    write_name(*pending, name);
    if (wait == 1) return write(text, "Finishes its idle cycle,\nthen {}", name.data());
    return write(text, "Finishes idle cycle {} of {},\nthen {}", cycle, wait, name.data());
  }
  if (rules.legacy) return "Idle; reacts to notes at once";
  if (cycle == wait) return "Idle; reacts to notes after this cycle";
  return write(text, "Idle; reacts to notes after {} cycles", wait - cycle + 1);
}

}  // namespace

const GameEventText& text_of(GameEvent event) noexcept { return kTexts[static_cast<std::size_t>(event)]; }

void continue_with(Game& game, const std::optional<CharaInfo>& before, const Character& character,
                   const std::optional<CharaInfo>& info) {
  game.state.set_character(character);
  if (before == info) return;
  const CharaRules& rules = game.state.rules();
  game.state.set_rules(rules_of(info.value_or(CharaInfo{}), rules.profile, rules.side));
}

void trigger(Game& game, GameEvent event) {
  constexpr Judgment kJudgments[] = {Judgment::bad, Judgment::good, Judgment::great, Judgment::great};
  CharaState& state = game.state;
  if (event == GameEvent::fever || event == GameEvent::full_clear) state.set_gauge(1);
  if (event <= GameEvent::fever) return state.judge(kJudgments[static_cast<std::size_t>(event)]);
  const bool stops = is_active(game, event);
  game.disturbance = stops ? Disturbance::none : disturbance_of(event);
  game.over = event >= GameEvent::clear;
  if (event <= GameEvent::dance) return state.disturb(game.disturbance);
  event == GameEvent::begin ? state.begin_song() : state.end_song(event != GameEvent::fail);
}

void toggle_animation(Game& game, CharaAnimation animation) {
  if (game.state.clip_of(animation) == ClipId::none) return;
  const bool chosen = game.state.phase() == CharaPhase::held && !game.over && game.disturbance == Disturbance::none;
  game.over = false;
  game.disturbance = Disturbance::none;
  if (chosen && game.state.animation() == animation) return game.state.disturb(Disturbance::none);
  game.state.play(animation);
}

void play_neighbor(Game& game, int direction) {
  if (!game.state.animation()) return;
  for (int number = static_cast<int>(*game.state.animation()) + direction;
       number >= 1 && number <= static_cast<int>(kCharaAnimations); number += direction) {
    const auto animation = static_cast<CharaAnimation>(number);
    if (game.state.clip_of(animation) != ClipId::none) return toggle_animation(game, animation);
  }
}

void set_rules(Game& game, const CharaRules& rules) {
  const bool other_part = rules.side != game.state.rules().side || rules.profile != game.state.rules().profile;
  game.state.set_rules(rules);
  if (other_part && game.disturbance != Disturbance::none) game.state.disturb(game.disturbance);
}

void change_gauge(Game& game, double by) { game.state.set_gauge(game.state.gauge() + by); }

void step(Game& game, const Character& character, std::int64_t frames) {
  constexpr double kRounding = 1e-9;  // A frame's start time may have been rounded down to just before it.
  if (game.state.clip() == ClipId::none) return;
  CharaState& state = game.state;
  const std::uint32_t frame = state.position().frame;
  if (frames < 0) return state.seek_frame(frame - static_cast<std::uint32_t>(std::min<std::int64_t>(-frames, frame)));
  for (; frames > 0; --frames) {
    const Clip& clip = character.clips()[state.clip()];
    state.advance(seconds_of_frame(clip, state.position().frame + 1) - state.seconds() + kRounding);
  }
}

bool is_active(const Game& game, GameEvent event) noexcept {
  return game.disturbance != Disturbance::none && game.disturbance == disturbance_of(event);
}

const char* write_name(CharaAnimation animation, ShortText& text) {
  write(text, "{}", clip_name(animation));
  std::ranges::replace(text, '_', ' ');
  return text.data();
}

const char* describe(const Game& game, ShortText& text) {
  const CharaState& state = game.state;
  if (!state.animation()) return "Nothing plays without 01 neutral";
  if (state.phase() == CharaPhase::idle) return describe_idling(game, text);
  if (state.phase() == CharaPhase::held) {
    if (game.over) return "Loops: the song is over";
    return game.disturbance != Disturbance::none ? "Loops until the rival stops" : "Loops, as chosen here";
  }
  const auto pending = state.pending();
  if (!pending || !state.rules().legacy) return "Plays once, then idles";
  ShortText name;
  return write(text, "Plays once, then {}", write_name(*pending, name));
}

}  // namespace pchr::player

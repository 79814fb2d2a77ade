// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/import/pomyu.hpp>

#include <cmath>
#include <vector>

namespace chara_test {
using namespace pchr;
using namespace pchr::test;

namespace {

using A = CharaAnimation;
using Animations = std::vector<A>;

/// Makes a character with these animations, each one second long with ten frames.
Character character_with(const Animations& animations) {
  CharacterData data = two_bone_arm();
  data.clips.clear();
  for (const A animation : animations) {
    Clip clip = resting_clip(std::string(clip_name(animation)), 10, data.bones.size());
    clip.frames_per_second = 10;
    data.clips.push_back(std::move(clip));
  }
  return *Character::build(std::move(data));
}

const Animations kAll{A::neutral, A::second, A::ojama,     A::miss,        A::standing,    A::fever,
                      A::great,   A::good,   A::rival_bad, A::rival_fever, A::rival_great, A::rival_good,
                      A::unknown, A::dance,  A::win,       A::lose,        A::fever_win,   A::attacked};

/// Returns the animations that play in the middle of each of the next `seconds` seconds.
Animations played(CharaState& state, int seconds) {
  Animations animations;
  for (int i = 0; i < seconds; ++i) {
    state.advance(0.5);
    animations.push_back(state.animation().value());
    state.advance(0.5 + 1e-9);
  }
  return animations;
}

A reaction_to(Judgment judgment, double gauge, const CharaRules& rules) {
  CharaState state(character_with(kAll), rules);
  state.set_gauge(gauge);
  state.judge(judgment);
  state.advance(1.5);
  return state.animation().value();
}

}  // namespace

TEST_CASE("the idle animation depends on the gauge: neutral, second, then both alternating", "[chara]") {
  CharaState state(character_with(kAll));
  CHECK(played(state, 2) == Animations{A::neutral, A::neutral});
  state.set_gauge(0.5);
  CHECK(played(state, 3) == Animations{A::neutral, A::second, A::second});  // The current cycle finishes first.
  state.set_gauge(0.76);
  CHECK(played(state, 5) == Animations{A::second, A::neutral, A::second, A::neutral, A::second});
  state.set_gauge(0.2);
  CHECK(played(state, 3) == Animations{A::neutral, A::neutral, A::neutral});
}

TEST_CASE("the character reacts once to the latest judgment, after the idle cycle", "[chara]") {
  CharaState state(character_with(kAll));
  state.advance(0.3);
  state.judge(Judgment::bad);
  state.judge(Judgment::great);
  CHECK(state.animation() == A::neutral);
  state.advance(0.8);
  CHECK(state.animation() == A::great);
  CHECK(state.position().frame == 1);
  state.judge(Judgment::good);  // During a reaction: ignored.
  CHECK(played(state, 3) == Animations{A::great, A::neutral, A::neutral});
}

TEST_CASE("a file can require more idle cycles before a reaction", "[chara]") {
  CharaState state(character_with(kAll), {.wait = 3});
  state.judge(Judgment::good);
  CHECK(played(state, 5) == Animations{A::neutral, A::neutral, A::neutral, A::good, A::neutral});
}

TEST_CASE("a legacy character reacts immediately, but finishes a running reaction first", "[chara]") {
  CharaState state(character_with(kAll), {.legacy = true, .wait = 3});
  state.advance(0.3);
  state.judge(Judgment::bad);
  CHECK(state.animation() == A::miss);
  CHECK(state.position().frame == 0);
  state.advance(0.5);
  state.judge(Judgment::good);
  CHECK(state.animation() == A::miss);
  state.advance(0.6);
  CHECK(state.animation() == A::good);
  state.advance(1.0);
  CHECK(state.animation() == A::neutral);
}

TEST_CASE("reactions depend on the side, the gauge and the game", "[chara]") {
  const CharaRules player{}, rival{.side = CharaSide::rival};
  CHECK(reaction_to(Judgment::great, 0.4, player) == A::great);
  CHECK(reaction_to(Judgment::great, 1.0, player) == A::fever);
  CHECK(reaction_to(Judgment::good, 1.0, player) == A::good);
  CHECK(reaction_to(Judgment::bad, 1.0, player) == A::miss);
  CHECK(reaction_to(Judgment::great, 0.4, rival) == A::rival_great);
  CHECK(reaction_to(Judgment::great, 1.0, rival) == A::rival_fever);
  CHECK(reaction_to(Judgment::good, 0.4, rival) == A::rival_good);
  CHECK(reaction_to(Judgment::bad, 0.4, rival) == A::rival_bad);
  for (const CharaSide side : {CharaSide::player, CharaSide::rival}) {
    const CharaRules beatoraja{.profile = CharaProfile::beatoraja, .side = side, .wait = 4};
    CHECK(reaction_to(Judgment::bad, 0.4, beatoraja) == A::rival_fever);
    CHECK(reaction_to(Judgment::great, 0.4, beatoraja) == A::great);
    CHECK(reaction_to(Judgment::great, 1.0, beatoraja) == A::fever);
  }
  CharaState state(character_with(kAll), {.profile = CharaProfile::beatoraja});
  state.set_gauge(0.9);
  CHECK(played(state, 3) == Animations{A::neutral, A::neutral, A::neutral});
}

TEST_CASE("a song starts with standing, and its end depends on the side and the gauge", "[chara]") {
  CharaState state(character_with(kAll));
  state.begin_song();
  CHECK(played(state, 2) == Animations{A::standing, A::neutral});
  state.set_gauge(0.8);
  state.end_song(true);
  CHECK(played(state, 3) == Animations{A::win, A::win, A::win});
  state.judge(Judgment::great);
  CHECK(played(state, 1) == Animations{A::win});
  state.set_gauge(1.0);
  state.end_song(true);
  CHECK(state.animation() == A::fever_win);
  state.end_song(false);
  CHECK(state.animation() == A::lose);
  CharaState rival(character_with(kAll), {.side = CharaSide::rival});
  rival.set_gauge(1.0);
  rival.end_song(true);
  CHECK(rival.animation() == A::lose);
  rival.end_song(false);
  CHECK(rival.animation() == A::win);
}

TEST_CASE("a disturbance interrupts everything, stays until it ends and loops from its loop start", "[chara]") {
  CharacterData data = character_with(kAll).data();
  for (Clip& clip : data.clips) clip.loop_start = 5;
  const Character character = *Character::build(std::move(data));
  CharaState player(character), rival(character, {.side = CharaSide::rival});
  player.disturb(Disturbance::dance);
  CHECK(player.animation() == A::attacked);
  rival.disturb(Disturbance::ojama);
  CHECK(rival.animation() == A::ojama);
  rival.disturb(Disturbance::dance);
  CHECK(rival.animation() == A::dance);
  rival.advance(1.25);
  CHECK(rival.position().frame == 7);
  rival.disturb(Disturbance::none);
  CHECK(rival.animation() == A::neutral);
  CHECK(rival.position().frame == 0);
}

TEST_CASE("missing animations are replaced", "[chara]") {
  CharaState state(character_with({A::neutral, A::great, A::win}));
  state.begin_song();
  CHECK(state.animation() == A::neutral);
  state.set_gauge(1.0);
  CHECK(played(state, 2) == Animations{A::neutral, A::neutral});
  state.judge(Judgment::great);
  CHECK(played(state, 2) == Animations{A::neutral, A::great});
  state.end_song(true);
  CHECK(state.animation() == A::win);
  state.end_song(false);
  CHECK(state.animation() == A::neutral);
  CharaState nothing(character_with({A::great}));
  nothing.advance(1);
  CHECK_FALSE(nothing.animation());
  CHECK(nothing.clip() == ClipId::none);
}

TEST_CASE("any time step is accepted", "[chara]") {
  CharaState state(character_with(kAll));
  for (const double seconds : {0.0, -1.0, 1e300, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    state.advance(seconds);
    CHECK(state.animation() == A::neutral);
  }
  state.play(A::unknown);
  state.advance(3.25);
  CHECK(state.animation() == A::unknown);
  CHECK(state.clip() == state.clip_of(A::unknown));
  CHECK(state.position().frame == 2);
}

TEST_CASE("the pending reaction and the idle cycles are reported", "[chara]") {
  CharaState state(character_with({A::neutral, A::great}), {.wait = 2});
  CHECK(state.phase() == CharaPhase::idle);
  CHECK_FALSE(state.pending());
  state.set_gauge(1.0);
  state.judge(Judgment::great);
  CHECK(state.pending() == A::great);  // Replaces fever.
  state.advance(1.25);
  CHECK(state.idle_cycles() == 1);
  CHECK(state.seconds() == Approx(0.25));
  state.seek_frame(7);
  CHECK(state.position().frame == 7);
  state.advance(0.35);
  CHECK(state.animation() == A::great);
  CHECK(state.phase() == CharaPhase::reaction);
  CHECK_FALSE(state.pending());
  CHECK(state.idle_cycles() == 0);
  state.play(A::great);
  CHECK(state.phase() == CharaPhase::held);
}

TEST_CASE("new rules apply immediately and drop the pending judgment", "[chara]") {
  CharaState state(character_with(kAll), {.wait = 2});
  state.advance(0.5);
  state.judge(Judgment::bad);
  state.set_rules({.side = CharaSide::rival, .wait = 1});
  CHECK_FALSE(state.pending());
  CHECK(state.position().frame == 5);
  state.judge(Judgment::bad);
  state.advance(0.6);
  CHECK(state.animation() == A::rival_bad);
}

TEST_CASE("a state continues with another character at the same time, or with a replacement", "[chara]") {
  CharaState state(character_with(kAll), {.wait = 2});
  state.judge(Judgment::good);
  state.advance(1.45);
  state.set_character(character_with({A::great, A::good, A::neutral}));
  CHECK(state.animation() == A::neutral);
  CHECK(state.clip() == ClipId{2});
  CHECK(state.position().frame == 4);
  CHECK(state.pending() == A::good);
  CHECK(state.idle_cycles() == 1);
  state.advance(0.6);
  CHECK(state.animation() == A::good);
  state.set_character(character_with({A::neutral}));
  CHECK(state.animation() == A::neutral);
  CHECK(state.position().frame == 0);
  state.set_character(character_with({A::good}));
  CHECK_FALSE(state.animation());
  state.set_character(character_with(kAll));
  CHECK(state.animation() == A::neutral);
}

}  // namespace chara_test

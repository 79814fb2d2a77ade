// SPDX-License-Identifier: MIT
// Mixes and games.
#include "playback/playback.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "ui/app.hpp"

#include <pchr/offscreen.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::test::mix_test {
namespace {

using player::Mix;

/// Clips "left" and "right" hold the root at x = 0 and x = 10. A second bone is its child.
Character left_and_right() {
  CharacterData data;
  data.images.push_back(plain_image(2, 2, {255, 255, 255, 255}));
  data.bones = {{.name = "root", .parent = BoneId::none}, {.name = "arm", .parent = BoneId{0}}};
  add_quad(data, "quad", 0, {{0, 0}, {4, 4}}, 0);
  data.clips = {resting_clip("left", 12, 2), resting_clip("empty", 0, 2), resting_clip("right", 12, 2)};
  for (Clip& clip : data.clips) clip.looping = true;
  for (std::size_t i = 0; i < 24; ++i) data.clips[2].samples.x[i] = 10;
  return *Character::build(std::move(data));
}

float root_x(Mix& mix, std::size_t bone = 0) {
  Pose pose;
  mix.animator.sample(pose);
  return pose.x[bone];
}

Mix begun() { return player::begin_mix(left_and_right(), std::make_shared<Markers>(), ClipId{0}); }

bool near(float a, float b) { return std::abs(a - b) < 0.01F; }

}  // namespace

TEST_CASE("a replay shows the first clip, fades for the given time and ends on the second", "[mix]") {
  Mix mix = begun();
  CHECK(mix.from == ClipId{0});
  CHECK(mix.to == ClipId{2});
  mix.fade_seconds = 0.4;
  player::advance(mix, Mix::kLeadSeconds - 0.01, 1.0);
  CHECK(near(root_x(mix), 0));
  player::advance(mix, 0.21, 1.0);
  CHECK(near(root_x(mix), 5));
  player::advance(mix, 0.21, 1.0);
  CHECK(near(root_x(mix), 10));
  player::replay(mix);
  CHECK(near(root_x(mix), 0));
}

TEST_CASE("a mix plays at the given speed", "[mix]") {
  Mix mix = begun();
  mix.fade_seconds = 0.4;
  player::advance(mix, (Mix::kLeadSeconds + 0.2) / 4, 4.0);
  CHECK(near(root_x(mix), 5));
}

TEST_CASE("fading to a clip starts at once, and a clip without frames is ignored", "[mix]") {
  Mix mix = begun();
  player::fade_to(mix, ClipId{1});
  CHECK(mix.to == ClipId{2});
  player::fade_to(mix, ClipId{99});
  CHECK(mix.to == ClipId{2});
  mix.fade_seconds = 0.2;
  player::fade_to(mix, ClipId{2});
  CHECK(mix.from == ClipId{0});
  player::advance(mix, 0.1, 1.0);
  CHECK(near(root_x(mix), 5));
}

TEST_CASE("layers override or add by weight on the bones of their subtree", "[mix]") {
  Mix mix = begun();
  player::add_layer(mix, ClipId{2});
  mix.layers[0].weight = 0.5F;
  mix.layers[0].bone = BoneId{1};
  player::update_layer(mix, 0);
  player::advance(mix, 0.01, 1.0);
  CHECK(near(root_x(mix, 0), 0));
  CHECK(near(root_x(mix, 1), 5));
  mix.layers[0] = {.clip = ClipId{2}, .weight = 1.0F, .mode = LayerMode::additive};
  player::update_layer(mix, 0);
  CHECK(near(root_x(mix, 0), 10));
  player::add_layer(mix, ClipId{2});
  mix.layers[1].mode = LayerMode::additive;
  player::update_layer(mix, 1);
  CHECK(near(root_x(mix, 0), 20));
  player::remove_layer(mix, 0);
  CHECK(near(root_x(mix, 0), 10));
  player::set_layer_clip(mix, 0, ClipId{0});
  player::advance(mix, 0.5, 1.0);
  CHECK(near(root_x(mix, 0), 0));
}

TEST_CASE("steps and seeks move the current clip", "[mix]") {
  Mix mix = begun();
  player::step(mix, 3);
  CHECK(player::playing_clip(mix)->clock.frame() == 3);
  player::step(mix, -1);
  CHECK(player::playing_clip(mix)->clock.frame() == 2);
  player::seek_frame(mix, 7);
  CHECK(player::playing_clip(mix)->clock.frame() == 7);
}

TEST_CASE("animator events are kept newest first, up to a limit", "[mix]") {
  Mix mix = begun();
  player::advance(mix, 0.01, 1.0);
  REQUIRE(mix.event_count == 1);
  CHECK(std::string_view(mix.events[0].text.data()) == "started left");
  player::advance(mix, 0.5, 1.0);
  CHECK(std::string_view(mix.events[0].text.data()) == "looped left");
  CHECK(mix.events[1].age_seconds > mix.events[0].age_seconds);
  for (int i = 0; i < 100; ++i) player::advance(mix, 0.6, 1.0);
  CHECK(mix.event_count == mix.events.size());
}

TEST_CASE("a mix continues with a reloaded file, matched by name", "[mix]") {
  Mix mix = begun();
  player::add_layer(mix, ClipId{2});
  mix.layers[0].bone = BoneId{1};
  mix.layers[0].weight = 0.5F;
  player::update_layer(mix, 0);
  player::add_layer(mix, ClipId{2});
  mix.layers[1].mask = NamedMask{"forearm", {BoneId{1}}};
  player::update_layer(mix, 1);
  CHECK(mix.animator.layer_options(2).mask == BoneMask{0, 1});
  player::add_layer(mix, ClipId{2});
  mix.layers[2].mask = NamedMask{"dropped", {BoneId{1}}};
  player::add_layer(mix, ClipId{0});
  player::advance(mix, Mix::kLeadSeconds + 1.0, 1.0);
  const double seconds = player::playing_clip(mix)->clock.seconds();

  CharacterData data = left_and_right().data();
  std::swap(data.clips[0], data.clips[2]);
  data.clips[2].name = "gone";
  data.bones.insert(data.bones.begin() + 1, {.name = "tail", .parent = BoneId{0}});
  for (Clip& clip : data.clips) {
    const float x = clip.samples.x.empty() ? 0 : clip.samples.x[0];
    clip.samples.resize(std::size_t{clip.frame_count} * 3);
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) clip.samples.x[i] = x;
  }
  const std::vector<NamedMask> masks{{"upper", {BoneId{0}}}, {"forearm", {BoneId{2}}}};
  player::continue_with(mix, *Character::build(std::move(data)), std::make_shared<Markers>(), masks, ClipId{0});
  CHECK(mix.to == ClipId{0});
  REQUIRE(mix.layers.size() == 3);
  CHECK(mix.layers[0].clip == ClipId{0});
  CHECK(mix.layers[0].bone == BoneId{2});
  CHECK(mix.layers[0].weight == 0.5F);
  CHECK(mix.layers[1].mask == masks[1]);
  CHECK(mix.animator.layer_options(2).mask == BoneMask{0, 0, 1});
  CHECK_FALSE(mix.layers[2].mask);
  CHECK(mix.animator.layer_options(3).mask.empty());
  CHECK(player::playing_clip(mix)->clip == ClipId{0});
  CHECK(player::playing_clip(mix)->clock.seconds() == Approx(seconds));
}

}  // namespace pchr::test::mix_test

namespace pchr::player::game_test {
namespace {

using A = CharaAnimation;

/// All animations except `unknown`, ten frames in one second each; two idle cycles before a reaction.
constexpr CharaInfo kModern{.legacy = false, .wait = 2};

CharacterData chara_data() {
  CharacterData data = test::two_bone_arm();
  data.clips.clear();
  for (std::uint32_t i = 1; i <= kCharaAnimations; ++i) {
    if (static_cast<A>(i) == A::unknown) continue;
    data.clips.push_back(test::resting_clip(std::string(clip_name(static_cast<A>(i))), 10, data.bones.size(), 10));
  }
  return data;
}

Character chara() { return Character::build(chara_data()).value(); }

Game begun(CharaInfo info = kModern) { return {CharaState(chara(), rules_of(info, {}, {}))}; }

std::string description_of(const Game& game) {
  ShortText text;
  return describe(game, text);
}

struct Shown : Windowless {
  void show(CharacterData data, std::optional<CharaInfo> info = {}) {
    show_model(app, "hero.chp", model(std::move(data)), ClipId{0}, info);
    advance(app, 0);
  }
  [[nodiscard]] CharaState& state() { return app.playback.game()->state; }
};

}  // namespace

TEST_CASE("each game event plays its animation", "[player][game]") {
  struct Case {
    GameEvent event;
    A player, rival;
  };
  for (const auto& [event, player, rival] :
       {Case{GameEvent::bad, A::miss, A::rival_bad}, Case{GameEvent::good, A::good, A::rival_good},
        Case{GameEvent::great, A::great, A::rival_great}, Case{GameEvent::fever, A::fever, A::rival_fever},
        Case{GameEvent::ojama, A::attacked, A::ojama}, Case{GameEvent::dance, A::attacked, A::dance},
        Case{GameEvent::begin, A::standing, A::standing}, Case{GameEvent::clear, A::win, A::lose},
        Case{GameEvent::fail, A::lose, A::win}, Case{GameEvent::full_clear, A::fever_win, A::lose}}) {
    INFO(text_of(event).label);
    for (const CharaSide side : {CharaSide::player, CharaSide::rival}) {
      Game game = begun({.legacy = true, .wait = 1});
      CharaRules rules = game.state.rules();
      rules.side = side;
      set_rules(game, rules);
      trigger(game, event);
      CHECK(game.state.animation() == (side == CharaSide::player ? player : rival));
    }
  }
}

TEST_CASE("a disturbance lasts until it is repeated, and another one replaces it", "[player][game]") {
  Game game = begun();
  CharaRules rules = game.state.rules();
  rules.side = CharaSide::rival;
  set_rules(game, rules);
  trigger(game, GameEvent::ojama);
  CHECK(is_active(game, GameEvent::ojama));
  trigger(game, GameEvent::dance);
  CHECK(game.state.animation() == A::dance);
  CHECK_FALSE(is_active(game, GameEvent::ojama));
  rules.side = CharaSide::player;
  set_rules(game, rules);
  CHECK(game.state.animation() == A::attacked);
  trigger(game, GameEvent::dance);
  CHECK(game.state.animation() == A::neutral);
  CHECK_FALSE(is_active(game, GameEvent::dance));
}

TEST_CASE("the description says what plays and what comes next", "[player][game]") {
  Game game = begun();
  CHECK(description_of(game) == "Idle; reacts to notes after 2 cycles");
  trigger(game, GameEvent::great);
  CHECK(description_of(game) == "Finishes idle cycle 1 of 2,\nthen 07 great");
  game.state.advance(1.5);
  CHECK(description_of(game) == "Finishes idle cycle 2 of 2,\nthen 07 great");
  game.state.advance(1.0);
  CHECK(description_of(game) == "Plays once, then idles");
  game.state.advance(4.0);
  CHECK(description_of(game) == "Idle; reacts to notes after this cycle");
  trigger(game, GameEvent::ojama);
  CHECK(description_of(game) == "Loops until the rival stops");
  trigger(game, GameEvent::clear);
  CHECK(description_of(game) == "Loops: the song is over");
  toggle_animation(game, A::dance);
  CHECK(description_of(game) == "Loops, as chosen here");

  Game legacy = begun({.legacy = true, .wait = 1});
  CHECK(description_of(legacy) == "Idle; reacts to notes at once");
  trigger(legacy, GameEvent::bad);
  trigger(legacy, GameEvent::good);
  CHECK(description_of(legacy) == "Plays once, then 08 good");

  Game impatient = begun({.legacy = false, .wait = 1});
  trigger(impatient, GameEvent::bad);
  CHECK(description_of(impatient) == "Finishes its idle cycle,\nthen 04 miss");
}

TEST_CASE("an animation loops until it is chosen again, and stepping skips missing ones", "[player][game]") {
  Game game = begun();
  toggle_animation(game, A::rival_good);
  game.state.advance(3.5);
  CHECK(game.state.animation() == A::rival_good);
  play_neighbor(game, 1);
  CHECK(game.state.animation() == A::dance);
  play_neighbor(game, -1);
  CHECK(game.state.animation() == A::rival_good);
  toggle_animation(game, A::rival_good);
  CHECK(game.state.animation() == A::neutral);
  CHECK(game.state.phase() == CharaPhase::idle);
  toggle_animation(game, A::unknown);
  CHECK(game.state.phase() == CharaPhase::idle);
  play_neighbor(game, -1);
  CHECK(game.state.animation() == A::neutral);
}

TEST_CASE("steps go back within the animation, and forward as the game does", "[player][game]") {
  const Character character = chara();
  Game game = begun();
  step(game, character, 3);
  CHECK(game.state.position().frame == 3);
  step(game, character, -2);
  CHECK(game.state.position().frame == 1);
  step(game, character, -10);
  CHECK(game.state.position().frame == 0);
  trigger(game, GameEvent::good);
  step(game, character, 19);
  CHECK(game.state.animation() == A::neutral);
  CHECK(game.state.position().frame == 9);
  step(game, character, 1);
  CHECK(game.state.animation() == A::good);
  CHECK(game.state.position().frame == 0);
}

TEST_CASE("only a Pomyu character has a game, and another file starts a new one", "[player][game]") {
  Shown shown;
  shown.show(chara_data(), kModern);
  set_mode(shown.app, PlaybackMode::game);
  REQUIRE(shown.app.playback.game() != nullptr);
  CHECK(shown.app.playback.playing());
  CHECK(title(shown.app).find("01_neutral") != std::string::npos);
  trigger(*shown.app.playback.game(), GameEvent::clear);
  advance(shown.app, 0);
  CHECK(playhead(shown.app.playback)->clip == shown.state().clip_of(A::win));
  CHECK(title(shown.app).find("15_win") != std::string::npos);
  shown.show(chara_data(), CharaInfo{.legacy = true, .wait = 1});
  CHECK(shown.app.playback.game() != nullptr);
  CHECK(shown.state().animation() == A::neutral);
  CHECK(shown.state().rules().legacy);
  shown.show(test::sliding_quad());
  CHECK(shown.app.playback.shows_clip());
  set_mode(shown.app, PlaybackMode::game);
  CHECK(shown.app.playback.shows_clip());
}

TEST_CASE("a reloaded file continues its game with its new rules", "[player][game]") {
  Shown shown;
  shown.show(chara_data(), kModern);
  set_mode(shown.app, PlaybackMode::game);
  shown.state().set_gauge(0.4);
  trigger(*shown.app.playback.game(), GameEvent::great);
  advance(shown.app, 1.35);
  CharacterData changed = chara_data();
  changed.clips[0].frame_count = 9;
  changed.clips.insert(changed.clips.begin(), test::resting_clip("another", 2, changed.bones.size()));
  changed.clips[1] = test::resting_clip(std::string(clip_name(A::neutral)), 8, changed.bones.size(), 10);
  reload_model(shown.app, shown.model(changed), ClipId{1}, kModern);
  REQUIRE(shown.app.playback.game() != nullptr);
  CHECK(shown.state().animation() == A::neutral);
  CHECK(shown.state().position().frame == 3);
  CHECK(shown.state().pending() == A::great);
  CHECK(shown.state().idle_cycles() == 1);
  CHECK(shown.state().gauge() == 0.4);
  CHECK(shown.state().rules().wait == 2);
  reload_model(shown.app, shown.model(changed), ClipId{1}, CharaInfo{.legacy = false, .wait = 5});
  CHECK(shown.state().rules().wait == 5);
  CHECK(shown.state().position().frame == 3);
}

TEST_CASE("a game redraws only for a new frame or state", "[player][game]") {
  Shown shown;
  shown.show(chara_data(), kModern);
  set_mode(shown.app, PlaybackMode::game);
  CHECK(advance(shown.app, 0));
  CHECK_FALSE(advance(shown.app, 0.05));
  CHECK(advance(shown.app, 0.06));
  trigger(*shown.app.playback.game(), GameEvent::good);
  CHECK(advance(shown.app, 0));
  CHECK_FALSE(advance(shown.app, 0));
  toggle_playing(shown.app.playback);
  CHECK_FALSE(advance(shown.app, 5.0));
  CHECK(shown.state().animation() == A::neutral);
  set_speed(shown.app.playback, -2.0);  // A game cannot run backward.
  toggle_playing(shown.app.playback);
  advance(shown.app, 1.0);
  CHECK(shown.state().animation() == A::good);
}

}  // namespace pchr::player::game_test

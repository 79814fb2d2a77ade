// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/states.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace state_machine_test {
using namespace pchr;
using namespace pchr::test;
using Kind = StateEvent::Kind;
using Test = StateCondition::Test;

namespace {

/// A clip of `frames` frames at 10 per second, in which the bone "root" is at x = `base` + frame.
struct Track {
  std::string name;
  std::uint32_t frames;
  bool looping;
  float base;
};

Character character_of(const std::vector<Track>& tracks) {
  CharacterData data;
  data.bones = {{"root", BoneId::none}, {"arm", BoneId{0}}};
  for (const Track& track : tracks) {
    Clip clip = resting_clip(track.name, track.frames, 2, 10);
    clip.looping = track.looping;
    for (std::uint32_t i = 0; i < track.frames; ++i)
      clip.samples.x[2 * i] = clip.samples.x[2 * i + 1] = track.base + static_cast<float>(i);
    data.clips.push_back(std::move(clip));
  }
  return build(std::move(data));
}

/// Clips: "bind", "idle" (1 s, loop), "walk" (2 s, loop), "run" (1 s, loop), "jump" (0.5 s, once).
Character hero() {
  return character_of({{"bind", 1, false, 0},
                       {"idle", 10, true, 100},
                       {"walk", 20, true, 200},
                       {"run", 10, true, 300},
                       {"jump", 5, false, 400},
                       {"land", 2, false, 500}});
}

State plays(const std::string& name, const std::string& clip) {
  return {.name = name, .kind = State::Kind::clip, .clip = clip};
}

StateParameter number(const std::string& name, float min = 0, float max = 1) {
  return {.name = name, .min = min, .max = max};
}
StateParameter boolean(const std::string& name) { return {.name = name, .kind = StateParameter::Kind::boolean}; }
StateParameter trigger(const std::string& name) { return {.name = name, .kind = StateParameter::Kind::trigger}; }

StateCondition when(const std::string& parameter) { return {.parameter = parameter}; }
StateCondition above(const std::string& parameter, float value) { return {parameter, Test::above, value}; }
StateCondition below(const std::string& parameter, float value) { return {parameter, Test::below, value}; }

States states_of(std::vector<StateParameter> parameters, std::vector<State> states,
                 std::vector<StateTransition> transitions) {
  return {std::move(parameters),
          {{.name = "body", .states = std::move(states), .transitions = std::move(transitions)}}};
}

std::shared_ptr<const StateGraph> graph_of(const States& states, const Character& character = hero(),
                                           const Markers& markers = {}) {
  auto graph = make_state_graph(states, character, {}, markers);
  if (!graph) FAIL(describe(graph.error()));
  return *graph;
}

/// A machine with its animator. Sampling is smooth.
struct Actor {
  explicit Actor(const States& states, const Character& character = hero(), const Markers& markers = {})
      : animator(character), machine(graph_of(states, character, markers)) {
    animator.set_sampling(Sampling::smooth);
  }

  std::string state(std::uint32_t layer = 0) const {
    return pchr::states_of(machine.graph()).layers[layer].states[machine.status(animator, layer).state].name;
  }
  StateStatus status(std::uint32_t layer = 0) const { return machine.status(animator, layer); }

  /// Advances, and returns events such as "idle left 0.5", "move entered 0.5", "move:steps 0.5".
  std::string advance(double seconds) {
    std::string text;
    for (const StateEvent& event : machine.advance(animator, seconds)) {
      const StateLayer& layer = pchr::states_of(machine.graph()).layers[event.layer];
      constexpr const char* kNames[] = {"left", "entered", "named"};
      if (!text.empty()) text += ", ";
      text += layer.states[event.state].name + ' ';
      text += event.name != nullptr ? *event.name : kNames[static_cast<int>(event.kind)];
      const double rounded = std::round(event.seconds * 1e6) / 1e6;
      std::string seconds_text = std::to_string(rounded);
      seconds_text.erase(seconds_text.find_last_not_of('0') + 1);
      text += ' ' + seconds_text;
    }
    return text;
  }

  float x() {
    Pose pose;
    animator.sample(pose);
    return pose.x[0];
  }

  Animator animator;
  StateMachine machine;
};

}  // namespace

TEST_CASE("a machine enters its first state in the first advance", "[states]") {
  Actor actor(states_of({}, {plays("idle", "idle"), plays("walk", "walk")}, {}));
  CHECK(actor.x() == 0);
  CHECK(actor.advance(0.25) == "idle entered 0.");
  CHECK(actor.state() == "idle");
  CHECK(actor.x() == 102.5F);
  CHECK(actor.advance(0.25).empty());
  CHECK(actor.status().phase == Approx(0.5));

  States other = states_of({}, {plays("idle", "idle"), plays("walk", "walk")}, {});
  other.layers[0].first = "walk";
  Actor walker(other);
  CHECK(walker.advance(0) == "walk entered 0.");
  CHECK(walker.x() == 200);
}

TEST_CASE("a transition is taken when its conditions hold", "[states]") {
  Actor actor(states_of({number("speed", 0, 2), boolean("grounded")}, {plays("idle", "idle"), plays("walk", "walk")},
                        {{.from = "idle", .to = "walk", .conditions = {above("speed", 0.5F), when("grounded")}},
                         {.from = "walk", .to = "idle", .conditions = {below("speed", 0.5F)}}}));
  actor.advance(0.1);
  actor.machine.set("speed", 1);
  CHECK(actor.advance(0.1).empty());
  actor.machine.set("speed", 0.5F);
  actor.machine.set("grounded", 1);
  CHECK(actor.advance(0.1).empty());
  actor.machine.set("speed", 5);
  CHECK(actor.machine.values()[0] == 2);
  CHECK(actor.advance(0.1) == "idle left 0., walk entered 0.");
  CHECK(actor.x() == 201);
  actor.machine.set("speed", 0.5F);
  CHECK(actor.advance(0.1).empty());
  actor.machine.set("speed", 0.25F);
  CHECK(actor.advance(0) == "walk left 0., idle entered 0.");
}

TEST_CASE("parameters are set by name or index, within their range", "[states]") {
  Actor actor(states_of({number("speed", -1, 2), boolean("grounded"), trigger("jump")}, {plays("idle", "idle")}, {}));
  StateMachine& machine = actor.machine;
  CHECK(machine.find_parameter("jump") == 2U);
  CHECK_FALSE(machine.find_parameter("fly"));
  CHECK_FALSE(machine.set("fly", 1));
  CHECK_FALSE(machine.set(3, 1));
  CHECK(machine.set(0, -5));
  CHECK(machine.set("speed", NAN));
  CHECK(machine.set(1, 7));
  CHECK(machine.fire("jump"));
  CHECK(std::ranges::equal(machine.values(), std::vector<float>{-1, 1, 1}));
  machine.set("jump", 0);
  CHECK(machine.values()[2] == 0);
}

TEST_CASE("a transition in the middle of a step takes effect there", "[states]") {
  Actor actor(states_of({}, {plays("jump", "jump"), plays("walk", "walk")},
                        {{.from = "jump", .to = "walk", .at_end = true, .fade_seconds = 0.2}}));
  CHECK(actor.advance(0.6) == "jump entered 0., jump left 0.5, walk entered 0.5");
  // Half of the last frame of the jump, half of 0.1 s of the walk.
  CHECK(actor.x() == Approx((404 + 201) / 2.0));
  CHECK(actor.status().progress == Approx(0.5));
  CHECK(actor.status().from == 0);
  CHECK(actor.status().transition == 0);
  actor.advance(0.1);
  CHECK(actor.status().from == UINT32_MAX);
  CHECK(actor.status().transition == UINT32_MAX);
  CHECK(actor.x() == Approx(202));
}

TEST_CASE("a transition waits for its time, in durations of the clip", "[states]") {
  Actor actor(states_of({}, {plays("idle", "idle"), plays("walk", "walk"), plays("run", "run")},
                        {{.from = "idle", .to = "walk", .after = 1.5}, {.from = "walk", .to = "run", .after = 0.25}}));
  CHECK(actor.advance(10) == "idle entered 0., idle left 1.5, walk entered 1.5, walk left 2., run entered 2.");
  CHECK(actor.status().phase == Approx(8));
}

TEST_CASE("at the end of each loop, a transition whose conditions hold is taken", "[states]") {
  Actor actor(states_of({boolean("go")}, {plays("idle", "idle"), plays("walk", "walk")},
                        {{.from = "idle", .to = "walk", .conditions = {when("go")}, .at_end = true}}));
  actor.advance(2.3);
  CHECK(actor.status().phase == Approx(2.3));
  actor.machine.set("go", 1);
  CHECK(actor.advance(0.5).empty());
  CHECK(actor.advance(0.5) == "idle left 0.2, walk entered 0.2");

  // The time that a step ends at is the end of a loop, too, whatever rounding says.
  for (const int steps : {10, 3, 7, 60}) {
    Actor other(states_of({boolean("go")}, {plays("idle", "idle"), plays("walk", "walk")},
                          {{.from = "idle", .to = "walk", .conditions = {when("go")}, .at_end = true}}));
    for (int i = 0; i < steps; ++i) other.advance(1.0 / steps);
    other.machine.set("go", 1);
    CHECK(other.advance(0.1) == "idle left 0., walk entered 0.");
  }
}

TEST_CASE("the first transition in the list that is possible wins", "[states]") {
  const std::vector<StateTransition> both{{.from = "idle", .to = "walk", .conditions = {above("speed", 0.1F)}},
                                          {.from = "idle", .to = "run", .conditions = {above("speed", 0.5F)}},
                                          {.from = "idle", .to = "jump", .after = 0.05}};
  Actor actor(states_of({number("speed")},
                        {plays("idle", "idle"), plays("walk", "walk"), plays("run", "run"), plays("jump", "jump")},
                        both));
  actor.machine.set("speed", 1);
  actor.advance(0.1);
  CHECK(actor.state() == "walk");
  Actor other(states_of({number("speed")},
                        {plays("idle", "idle"), plays("walk", "walk"), plays("run", "run"), plays("jump", "jump")},
                        {both[2], both[1], both[0]}));
  other.machine.set("speed", 1);
  other.advance(0);
  CHECK(other.state() == "run");
}

TEST_CASE("a transition from any state starts in all but its target", "[states]") {
  Actor actor(states_of({trigger("hit"), boolean("hurt")},
                        {plays("idle", "idle"), plays("walk", "walk"), plays("hit", "jump")},
                        {{.to = "hit", .conditions = {when("hurt")}},
                         {.from = "hit", .to = "hit", .conditions = {when("hit")}},
                         {.from = "hit", .to = "walk", .at_end = true}}));
  actor.machine.set("hurt", 1);
  CHECK(actor.advance(0.1) == "idle entered 0., idle left 0., hit entered 0.");
  actor.machine.fire("hit");
  CHECK(actor.advance(0.1) == "hit left 0., hit entered 0.");
  CHECK(actor.status().phase == Approx(0.2));
  actor.machine.set("hurt", 0);
  CHECK(actor.advance(0.5) == "hit left 0.4, walk entered 0.4");
}

TEST_CASE("a trigger stays set until a transition uses it up, in all layers at once", "[states]") {
  States states = states_of({trigger("jump"), boolean("grounded")}, {plays("idle", "idle"), plays("jump", "jump")},
                            {{.from = "idle", .to = "jump", .conditions = {when("jump"), when("grounded")}},
                             {.from = "jump", .to = "idle", .at_end = true}});
  states.layers.push_back(states.layers[0]);
  states.layers[1].name = "arms";
  states.layers[1].transitions[0].conditions.pop_back();
  states.layers[1].transitions[0].after = 0.5;
  Actor actor(states);
  actor.machine.fire("jump");
  actor.advance(0.4);
  CHECK(actor.state(0) == "idle");
  CHECK(actor.machine.values()[0] == 1);
  actor.advance(0.1);
  CHECK(actor.state(1) == "jump");
  CHECK(actor.machine.values()[0] == 0);
  actor.machine.set("grounded", 1);
  actor.advance(0.5);
  CHECK(actor.state(0) == "idle");
  actor.advance(0.5);
  actor.machine.fire("jump");
  actor.advance(0);
  CHECK(actor.state(0) == "jump");
  CHECK(actor.state(1) == "jump");
  CHECK(actor.machine.values()[0] == 0);
}

TEST_CASE("only an interruptible fade can be interrupted", "[states]") {
  for (const bool interruptible : {true, false}) {
    Actor actor(
        states_of({boolean("go")}, {plays("idle", "idle"), plays("walk", "walk"), plays("run", "run")},
                  {{.from = "idle", .to = "walk", .after = 0.1, .fade_seconds = 0.4, .interruptible = interruptible},
                   {.from = "walk", .to = "run", .conditions = {when("go")}}}));
    actor.machine.set("go", 1);
    const std::string events = actor.advance(1);
    CHECK(events == std::string("idle entered 0., idle left 0.1, walk entered 0.1, ") +
                        (interruptible ? "walk left 0.1, run entered 0.1" : "walk left 0.5, run entered 0.5"));
  }
}

TEST_CASE("transitions that need no time end after a few", "[states]") {
  // find_state_errors() refuses this.
  Actor actor(states_of({trigger("go"), boolean("on")}, {plays("idle", "idle"), plays("walk", "walk")},
                        {{.from = "idle", .to = "walk", .conditions = {when("on")}, .at_end = true},
                         {.from = "walk", .to = "idle", .conditions = {when("on")}, .after = 1e-12}}));
  actor.machine.set("on", 1);
  CHECK_FALSE(actor.advance(2.5).empty());
}

TEST_CASE("events of states carry names, in order", "[states]") {
  States states =
      states_of({}, {plays("jump", "jump"), plays("walk", "walk")}, {{.from = "jump", .to = "walk", .at_end = true}});
  states.layers[0].states[0].on_enter = {"take off", "cry"};
  states.layers[0].states[0].on_leave = {"land"};
  states.layers[0].states[1].on_enter = {"steps"};
  Actor actor(states);
  CHECK(actor.advance(1) ==
        "jump entered 0., jump take off 0., jump cry 0., jump left 0.5, jump land 0.5, "
        "walk entered 0.5, walk steps 0.5");
  CHECK(actor.machine.events().size() == 7);
  CHECK(actor.advance(1).empty());
  CHECK(actor.machine.events().empty());
}

TEST_CASE("the animator's events span the whole step", "[states]") {
  Actor actor(
      states_of({}, {plays("jump", "jump"), plays("run", "run")}, {{.from = "jump", .to = "run", .at_end = true}}));
  actor.animator.set_markers(
      std::make_shared<Markers>(std::vector<Marker>{{actor.animator.character().find_clip("run"), 2, "step"}}));
  actor.animator.set_speed(2);
  actor.machine.advance(actor.animator, 1);
  std::vector<std::pair<AnimatorEvent::Kind, double>> events;
  for (const AnimatorEvent& event : actor.animator.events())
    events.emplace_back(event.kind, std::round(event.seconds * 1e6) / 1e6);
  using enum AnimatorEvent::Kind;
  CHECK(events == std::vector<std::pair<AnimatorEvent::Kind, double>>{
                      {started, 0}, {finished, 0.25}, {started, 0.25}, {marker, 0.35}, {looped, 0.75}});
}

TEST_CASE("a blend space on a line mixes the two clips around the parameter", "[states]") {
  const State move{.name = "move",
                   .kind = State::Kind::blend_1d,
                   .points = {{"run", Vec2{2, 0}}, {"idle", Vec2{0, 0}}, {"walk", Vec2{1, 0}}},
                   .x = "speed"};
  Actor actor(states_of({number("speed", -1, 3)}, {move}, {}));
  actor.machine.set("speed", 1);
  actor.advance(0.5);
  CHECK(actor.x() == Approx(205));  // A quarter of the walk, which lasts 2 s.
  actor.machine.set("speed", 1.5F);
  actor.advance(0);
  CHECK(actor.x() == Approx((205 + 302.5) / 2));
  // Now one duration is 1.5 s.
  actor.advance(0.75);
  CHECK(actor.status().phase == Approx(0.75));
  CHECK(actor.x() == Approx((215 + 307.5) / 2));
  for (const float below : {0.0F, -1.0F}) {
    actor.machine.set("speed", below);
    actor.advance(0);
    CHECK(actor.x() == Approx(107.5));
  }
  actor.machine.set("speed", 3);
  actor.advance(0.5);
  CHECK(actor.status().phase == Approx(1.25));
  CHECK(actor.x() == Approx(302.5));
}

TEST_CASE("a blend space in the plane mixes the three clips around the parameters", "[states]") {
  const Character character = character_of({{"left", 10, true, 0},
                                            {"right", 10, true, 100},
                                            {"up", 10, true, 1000},
                                            {"down", 10, true, 10000},
                                            {"middle", 10, true, 0}});
  const State aim{.name = "aim",
                  .kind = State::Kind::blend_2d,
                  .points = {{"left", Vec2{-1, 0}},
                             {"right", Vec2{1, 0}},
                             {"up", Vec2{0, 1}},
                             {"down", Vec2{0, -1}},
                             {"middle", Vec2{0, 0}}},
                  .x = "x",
                  .y = "y"};
  Actor actor(states_of({number("x", -2, 2), number("y", -2, 2)}, {aim}, {}), character);
  const auto value = [&](float x, float y) {
    actor.machine.set("x", x);
    actor.machine.set("y", y);
    actor.advance(0);
    return actor.x();
  };
  CHECK(value(0, 0) == 0);
  CHECK(value(1, 0) == Approx(100));
  CHECK(value(0.5F, 0.25F) == Approx(0.5 * 100 + 0.25 * 1000));
  CHECK(value(0.25F, -0.25F) == Approx(0.25 * 100 + 0.25 * 10000));
  CHECK(value(-0.5F, -0.5F) == Approx(0.5 * 10000));
  // Outside, the nearest point of the hull counts.
  CHECK(value(2, 0) == Approx(100));
  CHECK(value(1, 1) == Approx(0.5 * 100 + 0.5 * 1000));
  CHECK(value(0, 2) == Approx(1000));
  CHECK(value(-2, -2) == Approx(0.5 * 10000));
  // It never jumps.
  float before = value(-2, -1.3F);
  for (int i = 1; i <= 4000; ++i) {
    const float angle = static_cast<float>(i) * 0.01F, radius = 2.0F - static_cast<float>(i) * 0.0005F;
    const float x = radius * std::cos(angle), y = radius * std::sin(angle);
    const float now = value(x, y);
    if (i > 1) {
      INFO(x << ' ' << y);
      CHECK(std::abs(now - before) < 400);
    }
    before = now;
  }
}

TEST_CASE("a sequence plays its start, its loop, and its end when a transition waits for it", "[states]") {
  const State jump{.name = "jump", .kind = State::Kind::sequence, .clip = "idle", .start = "jump", .end = "land"};
  Actor actor(states_of({boolean("grounded"), trigger("hit")}, {jump, plays("walk", "walk"), plays("hit", "run")},
                        {{.from = "jump", .to = "hit", .conditions = {when("hit")}},
                         {.from = "jump", .to = "walk", .conditions = {when("grounded")}, .at_end = true}}));
  actor.advance(0.25);
  CHECK(actor.x() == Approx(402.5));
  CHECK(actor.status().phase == Approx(0.5));
  actor.advance(0.5);
  CHECK(actor.x() == Approx(102.5));
  CHECK(actor.status().phase == Approx(1.25));
  actor.machine.set("grounded", 1);
  CHECK(actor.advance(0.1).empty());
  CHECK(actor.x() == Approx(501));
  actor.machine.set("grounded", 0);
  CHECK(actor.advance(0.2) == "jump left 0.1, walk entered 0.1");

  Actor other(pchr::states_of(actor.machine.graph()));
  other.machine.set("grounded", 1);
  CHECK(other.advance(0.5) == "jump entered 0., jump left 0.2, walk entered 0.2");
  Actor hit(pchr::states_of(actor.machine.graph()));
  hit.advance(0.7);
  hit.machine.fire("hit");
  CHECK(hit.advance(0.1) == "jump left 0., hit entered 0.");
}

TEST_CASE("an empty state shows the layers below, and counts seconds", "[states]") {
  States states = states_of({}, {plays("walk", "walk")}, {});
  states.layers.push_back({.name = "arms",
                           .states = {{.name = "nothing"}, plays("wave", "jump")},
                           .transitions = {{.from = "nothing", .to = "wave", .after = 1.5},
                                           {.from = "wave", .to = "nothing", .at_end = true, .fade_seconds = 0.2}}});
  Actor actor(states);
  actor.advance(0.5);
  CHECK(actor.x() == Approx(205));
  CHECK(actor.status(1).phase == Approx(0.5));
  CHECK(actor.advance(1.1) == "nothing left 1., wave entered 1.");
  CHECK(actor.x() == Approx(401));
  CHECK(actor.advance(0.5) == "wave left 0.4, nothing entered 0.4");
  CHECK(actor.x() == Approx((404 + 201) / 2.0));
}

}  // namespace state_machine_test

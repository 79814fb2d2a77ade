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

/// A clip of `frames` frames at `rate` per second, in which the bone "root" is at x = `base` + frame.
struct Track {
  std::string name;
  std::uint32_t frames;
  bool looping;
  float base;
  float rate = 10;
};

Character character_of(const std::vector<Track>& tracks) {
  CharacterData data;
  data.bones = {{"root", BoneId::none}, {"arm", BoneId{0}}};
  for (const Track& track : tracks) {
    Clip clip = resting_clip(track.name, track.frames, 2, track.rate);
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
  for (const char* name : {"speed", "grounded", "fly"}) CHECK_FALSE(machine.fire(name));
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

  // Backwards in reverse is forward.
  Actor reversed(pchr::states_of(actor.machine.graph()));
  reversed.animator.set_speed(-2);
  CHECK(reversed.advance(-0.5) == "jump entered 0., jump left 0.25, run entered 0.25");
  reversed.advance(0.125);
  CHECK(reversed.status().phase == Approx(0.25));
  CHECK(reversed.advance(0.25).empty());
  const auto loop = std::ranges::find(reversed.animator.events(), looped, &AnimatorEvent::kind);
  REQUIRE(loop != reversed.animator.events().end());
  CHECK(loop->seconds == Approx(0.125));
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

TEST_CASE("clips of a blend space whose markers have the same names stay in step", "[states]") {
  // Steps at 0.4 and 1.4 s of 2 s, and at 0.1 and 0.7 s of 1 s. The run begins with the other foot.
  const Character character = hero();
  const ClipId walk = character.find_clip("walk"), run = character.find_clip("run");
  const Markers markers(
      {{walk, 4, "left"}, {walk, 14, "right"}, {run, 1, "right"}, {run, 7, "left"}, {run, 3, "puff"}});
  const State move{.name = "move",
                   .kind = State::Kind::blend_1d,
                   .points = {{"walk", Vec2{0, 0}}, {"run", Vec2{1, 0}}},
                   .x = "speed"};
  Actor actor(states_of({number("speed")}, {move}, {}), character, markers);
  actor.animator.set_markers(std::make_shared<Markers>(markers));
  const auto steps = [&](double seconds) {
    actor.machine.advance(actor.animator, seconds);
    std::string names;
    for (const AnimatorEvent& event : actor.animator.events()) {
      if (event.marker == nullptr) continue;
      const double rounded = std::round(event.seconds * 1e6) / 1e6;
      names += event.marker->name + ' ' + std::to_string(rounded).substr(0, 5) + ' ';
    }
    return names;
  };
  CHECK(steps(0.4) == "left 0.400 ");
  CHECK(actor.x() == Approx(204));
  actor.machine.set("speed", 1);
  steps(0);
  CHECK(actor.x() == Approx(307));
  // Halfway to the right foot, which the run sets down after 0.4 s (over its end) and the walk after 1 s.
  CHECK(steps(0.2).empty());
  CHECK(actor.x() == Approx(309));
  actor.machine.set("speed", 0);
  steps(0);
  CHECK(actor.x() == Approx(209));
  actor.machine.set("speed", 0.5F);
  CHECK(steps(0.36) == "right 0.350 ");
  actor.machine.set("speed", 1);
  // 0.6 s from right to left, of which the step took 0.01 / 0.8.
  CHECK(steps(0.7) == "puff 0.192 left 0.592 ");
  const double phase = actor.status().phase;
  CHECK(phase > 1);
  CHECK(steps(2) == "right 0.292 puff 0.492 left 0.892 ");
  CHECK(actor.status().phase == Approx(phase + 2));

  // The other way.
  actor.animator.set_speed(-1);
  CHECK(steps(2) == "left 0.007 puff 0.407 right 0.607 ");
  CHECK(actor.status().phase == Approx(phase));
}

TEST_CASE("clips of a blend space that plays once start and end together", "[states]") {
  const Character character = hero();
  const ClipId walk = character.find_clip("walk"), run = character.find_clip("run");
  const Markers markers({{walk, 5, "hit"}, {run, 8, "hit"}});
  const State attack{.name = "attack",
                     .kind = State::Kind::blend_1d,
                     .points = {{"walk", Vec2{0, 0}}, {"run", Vec2{1, 0}}},
                     .x = "speed",
                     .loop = LoopMode::once};
  Actor actor(
      states_of({number("speed")}, {attack, plays("idle", "idle")}, {{.from = "attack", .to = "idle", .at_end = true}}),
      character, markers);
  actor.machine.set("speed", 1);
  actor.advance(0.8);
  CHECK(actor.x() == Approx(308));
  actor.machine.set("speed", 0);
  actor.advance(0);
  CHECK(actor.x() == Approx(205));
  actor.machine.set("speed", 0.5F);
  // 0.8 s is the mean of 1.5 and 0.2 s.
  CHECK(actor.advance(1) == "attack left 0.85, idle entered 0.85");
  CHECK(actor.x() == Approx(101.5));
}

TEST_CASE("root motion of a blend space is that of its clips", "[states]") {
  const State move{.name = "move",
                   .kind = State::Kind::blend_1d,
                   .points = {{"walk", Vec2{0, 0}}, {"run", Vec2{1, 0}}},
                   .x = "speed"};
  Actor actor(states_of({number("speed")}, {move}, {}));
  actor.animator.set_root_motion(RootMotion{BoneId{0}});
  actor.machine.set("speed", 0.25F);
  actor.machine.advance(actor.animator, 0.1);
  (void)actor.animator.take_root_motion();
  // In each duration of 1.75 s, the walk moves 20 and the run 10.
  actor.machine.advance(actor.animator, 3.5);
  CHECK(actor.animator.take_root_motion().x == Approx(2 * (0.75 * 20 + 0.25 * 10)));
  actor.machine.advance(actor.animator, 0.35);
  CHECK(actor.animator.take_root_motion().x == Approx(0.2 * (0.75 * 20 + 0.25 * 10)));
  CHECK_FALSE(actor.animator.plays_alone());
  actor.animator.set_root_motion({});
  actor.machine.set("speed", 1);
  actor.machine.advance(actor.animator, 0);
  const auto alone = actor.animator.plays_alone();
  REQUIRE(alone);
  CHECK(alone->clip == actor.animator.character().find_clip("run"));
}

TEST_CASE("a synchronized transition starts at the phase of the old state", "[states]") {
  for (const bool synchronized : {false, true}) {
    Actor actor(states_of({trigger("go")}, {plays("walk", "walk"), plays("run", "run")},
                          {{.from = "walk", .to = "run", .conditions = {when("go")}, .synchronized = synchronized}}));
    actor.advance(2.5);
    actor.machine.fire("go");
    actor.advance(0);
    CHECK(actor.x() == Approx(synchronized ? 302.5 : 300));
    CHECK(actor.status().phase == 0);
  }
}

TEST_CASE("the speed of a state can be a parameter, also while it fades out", "[states]") {
  State walk = plays("walk", "walk");
  walk.speed = 2;
  walk.speed_parameter = "rate";
  Actor actor(states_of({number("rate", -1, 2), trigger("go")}, {walk, plays("idle", "idle")},
                        {{.from = "walk", .to = "idle", .conditions = {when("go")}, .fade_seconds = 1}}));
  actor.machine.set("rate", 1);
  actor.advance(0.5);
  CHECK(actor.x() == Approx(210));
  actor.machine.set("rate", 0.5F);
  actor.advance(0.1);
  CHECK(actor.x() == Approx(211));
  actor.machine.fire("go");
  actor.machine.set("rate", 2);
  actor.advance(0.1);
  CHECK(actor.x() == Approx(0.9 * 215 + 0.1 * 101));
  Actor back(pchr::states_of(actor.machine.graph()));
  back.machine.set("rate", -1);
  back.advance(0.5);
  CHECK(back.x() == Approx(210));
}

TEST_CASE("while a state plays in reverse, no transition waits for a later time", "[states]") {
  State walk = plays("walk", "walk");
  walk.speed_parameter = "rate";
  const std::vector<State> states{walk, plays("idle", "idle")};
  Actor later(states_of({number("rate", -1, 1)}, states, {{.from = "walk", .to = "idle", .after = 0.25}}));
  later.machine.set("rate", -1);
  CHECK(later.advance(10) == "walk entered 0.");
  later.machine.set("rate", 1);
  CHECK(later.advance(20) == "walk left 10.5, idle entered 10.5");
  Actor end(states_of({number("rate", -1, 1)}, states, {{.from = "walk", .to = "idle", .at_end = true}}));
  end.machine.set("rate", -1);
  CHECK(end.advance(10) == "walk entered 0., walk left 2., idle entered 2.");
}

TEST_CASE("a clip that ended turns around with its speed", "[states]") {
  State door = plays("door", "jump");
  door.speed_parameter = "v";
  Actor actor(states_of({number("v", -1, 1)}, {door}, {}));
  actor.machine.set("v", 1);
  actor.advance(2);
  const float end = actor.x();
  actor.machine.set("v", -1);
  actor.advance(2);
  CHECK(actor.x() == 400);
  actor.machine.set("v", 0);
  actor.advance(1);
  actor.machine.set("v", 1);
  actor.advance(2);
  CHECK(actor.x() == end);
  CHECK(end > 400);
}

TEST_CASE("a fade that cannot be interrupted and takes almost no time does not stop time", "[states]") {
  Actor actor(states_of(
      {boolean("go")}, {plays("idle", "idle"), plays("walk", "walk")},
      {{.from = "idle", .to = "walk", .conditions = {when("go")}, .fade_seconds = 1e-10, .interruptible = false},
       {.from = "walk", .to = "idle", .after = 5}}));
  actor.advance(0);
  actor.machine.set("go", 1);
  CHECK(actor.advance(0) == "idle left 0., walk entered 0.");
  CHECK(actor.advance(0).empty());
  actor.machine.set("go", 0);
  CHECK(actor.advance(12) == "walk left 10., idle entered 10.");
}

TEST_CASE("steps of any length end", "[states]") {
  Actor actor(
      states_of({}, {plays("idle", "idle"), plays("run", "run")},
                {{.from = "idle", .to = "run", .at_end = true}, {.from = "run", .to = "idle", .at_end = true}}));
  actor.advance(0);
  actor.machine.advance(actor.animator, 1e9);
  CHECK(actor.machine.events().size() <= 200'000);
  actor.machine.advance(actor.animator, -HUGE_VAL);
  CHECK(std::isfinite(actor.status().phase));
}

TEST_CASE("layers have masks, modes and weights by parameters", "[states]") {
  States states = states_of({number("wave")}, {plays("walk", "walk")}, {});
  states.layers.push_back(
      {.name = "arms", .mask = "arm", .weight = 0.5F, .weight_parameter = "wave", .states = {plays("wave", "jump")}});
  states.layers.push_back({.name = "breath",
                           .mode = LayerMode::additive,
                           .reference_clip = "idle",
                           .reference_frame = 2,
                           .states = {plays("breath", "idle")}});
  const Character character = hero();
  const std::vector<NamedMask> masks{{"arm", {BoneId{1}}}};
  Animator animator(character);
  StateMachine machine(make_state_graph(states, character, masks).value());
  machine.set("wave", 1);
  machine.advance(animator, 0.2);
  Pose pose;
  animator.sample(pose);
  CHECK(pose.x[0] == Approx(202));
  CHECK(pose.x[1] == Approx((202 + 402) / 2.0));
  machine.set("wave", 0);
  machine.advance(animator, 0.1);
  animator.sample(pose);
  CHECK(pose.x[0] == Approx(204));
  CHECK(pose.x[1] == Approx(204));
}

TEST_CASE("a state can be entered at once", "[states]") {
  Actor actor(states_of({}, {plays("idle", "idle"), plays("walk", "walk")}, {}));
  CHECK_FALSE(actor.machine.enter(actor.animator, 1, 0));
  CHECK_FALSE(actor.machine.enter(actor.animator, 0, 2));
  actor.advance(0);
  CHECK(actor.machine.enter(actor.animator, 0, 1, 0.5));
  CHECK(actor.state() == "walk");
  CHECK(actor.status().from == 0);
  CHECK(actor.status().transition == UINT32_MAX);
  CHECK(actor.advance(0.25) == "idle left 0., walk entered 0.");
  CHECK(actor.status().progress == Approx(0.5));
  actor.advance(0.25);
  CHECK(actor.status().from == UINT32_MAX);
}

TEST_CASE("going backwards, states play in reverse and no transition is taken", "[states]") {
  Actor actor(states_of({boolean("go")}, {plays("idle", "idle"), plays("walk", "walk")},
                        {{.from = "idle", .to = "walk", .conditions = {when("go")}}}));
  actor.advance(1.3);
  actor.machine.set("go", 1);
  CHECK(actor.advance(-0.5).empty());
  CHECK(actor.status().phase == Approx(0.8));
  CHECK(actor.x() == Approx(108));
  CHECK(actor.advance(0) == "idle left 0., walk entered 0.");
  CHECK(actor.advance(NAN).empty());
}

namespace {

/// A machine with all kinds of states, in three layers, and random transitions.
States random_states(std::mt19937& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  const auto real = [&] { return static_cast<double>(below(1000)) / 1000; };
  States states;
  states.parameters = {number("speed"), boolean("a"), boolean("b"), trigger("t"), number("rate", 0.25F, 2)};
  states.parameters[4].value = 1;
  for (const char* layer_name : {"one", "two", "three"}) {
    StateLayer layer{.name = layer_name};
    if (below(3) == 0) layer.weight_parameter = "speed";
    layer.states = {plays("idle", "idle"),
                    plays("jump", "jump"),
                    {.name = "move",
                     .kind = State::Kind::blend_1d,
                     .points = {{"idle", Vec2{0, 0}}, {"walk", Vec2{0.5F, 0}}, {"run", Vec2{1, 0}}},
                     .x = "speed"},
                    {.name = "plane",
                     .kind = State::Kind::blend_2d,
                     .points = {{"idle", Vec2{0, 0.25F}}, {"walk", Vec2{1, 1}}, {"run", Vec2{0.5F, 2}}},
                     .x = "speed",
                     .y = "rate"},
                    {.name = "fall", .kind = State::Kind::sequence, .clip = "run", .start = "jump", .end = "land"},
                    {.name = "hop", .kind = State::Kind::sequence, .clip = "idle", .start = "land"},
                    {.name = "nothing"}};
    for (State& state : layer.states) {
      state.on_enter = {"in"};
      if (state.kind == State::Kind::empty) continue;
      state.speed = 0.5 + real();
      if (below(3) == 0) state.speed_parameter = "rate";
    }
    for (int i = 0; i < 14; ++i) {
      StateTransition transition;
      const int to = below(7), from = below(7);
      transition.to = layer.states[static_cast<std::size_t>(to)].name;
      if (below(5) > 0) transition.from = layer.states[static_cast<std::size_t>(from)].name;
      if (below(2) == 0) transition.conditions.push_back({"a", below(2) == 0 ? Test::is_true : Test::is_false});
      if (below(2) == 0) transition.conditions.push_back({"b", below(2) == 0 ? Test::is_true : Test::is_false});
      if (below(3) == 0) transition.conditions.push_back(above("speed", static_cast<float>(real() * 0.9)));
      if (below(4) == 0) transition.conditions.push_back(when("t"));
      transition.at_end = below(3) == 0;
      transition.after = 0.1 + real() * (below(3) == 0 ? 2 : 0.8);
      transition.fade_seconds = below(3) == 0 ? 0 : real() * 0.5;
      transition.synchronized = below(3) == 0;
      transition.interruptible = below(3) > 0;
      layer.transitions.push_back(transition);
    }
    states.layers.push_back(layer);
  }
  return states;
}

struct Reported {
  StateEvent::Kind kind;
  std::uint32_t layer, state;
  double seconds;
};

struct Outcome {
  std::vector<Reported> events;
  std::vector<std::tuple<AnimatorEvent::Kind, std::uint32_t, ClipId, double>> animator_events;
  std::vector<StateStatus> status;
  Pose pose;
};

/// Runs a machine for some seconds, in which parameters change at times that are the same for all `parts`, into which
/// each step is divided.
Outcome run(const States& states, const Character& character, const Markers& markers, unsigned seed, int parts) {
  Outcome outcome;
  Actor actor(states, character, markers);
  actor.animator.set_markers(std::make_shared<Markers>(markers));
  actor.animator.set_root_motion(RootMotion{BoneId{0}});
  std::mt19937 random(seed);
  double time = 0;
  for (int step = 0; step < 20; ++step) {
    for (const char* name : {"speed", "a", "b", "t", "rate"}) {
      const double value = static_cast<double>(random() % 1000) / 1000;
      if (random() % 2 == 0)
        actor.machine.set(name, static_cast<float>(name[1] == '\0' ? std::round(value) : value * 2));
    }
    const double seconds = static_cast<double>(random() % 100) / 50;
    for (int part = 0; part < parts; ++part) {
      for (const StateEvent& event : actor.machine.advance(actor.animator, seconds / parts))
        outcome.events.push_back({event.kind, event.layer, event.state, time + event.seconds});
      for (const AnimatorEvent& event : actor.animator.events()) {
        for (std::uint64_t i = 0; i < event.count && event.kind != AnimatorEvent::Kind::marker; ++i)
          outcome.animator_events.emplace_back(event.kind, event.layer, event.clip, i == 0 ? time + event.seconds : -1);
      }
      time += seconds / parts;
    }
  }
  for (std::uint32_t layer = 0; layer < states.layers.size(); ++layer) outcome.status.push_back(actor.status(layer));
  actor.animator.sample(outcome.pose);
  return outcome;
}

}  // namespace

TEST_CASE("one long step gives what many short ones give", "[states]") {
  const Character character = hero();
  const ClipId walk = character.find_clip("walk"), run_clip = character.find_clip("run");
  const Markers markers(
      {{walk, 4, "left"}, {walk, 14, "right"}, {run_clip, 1, "right"}, {run_clip, 7, "left"}, {ClipId{1}, 3, "blink"}});
  std::size_t taken = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const States states = random_states(random);
    const Outcome whole = run(states, character, markers, seed, 1);
    taken += whole.events.size();
    for (const int parts : {2, 5, 64}) {
      INFO("parts " << parts);
      const Outcome divided = run(states, character, markers, seed, parts);
      REQUIRE(whole.events.size() == divided.events.size());
      for (std::size_t i = 0; i < whole.events.size(); ++i) {
        CHECK(whole.events[i].kind == divided.events[i].kind);
        CHECK(whole.events[i].layer == divided.events[i].layer);
        CHECK(whole.events[i].state == divided.events[i].state);
        CHECK(std::abs(whole.events[i].seconds - divided.events[i].seconds) < 1e-6);
      }
      CHECK(whole.animator_events.size() == divided.animator_events.size());
      for (std::size_t layer = 0; layer < whole.status.size(); ++layer) {
        const StateStatus &a = whole.status[layer], &b = divided.status[layer];
        CHECK(a.state == b.state);
        CHECK(a.from == b.from);
        CHECK(a.transition == b.transition);
        CHECK(a.progress == Approx(b.progress).margin(1e-5));
        CHECK(a.phase == Approx(b.phase).margin(1e-6));
      }
      for (std::size_t bone = 0; bone < 2; ++bone)
        CHECK(whole.pose.x[bone] == Approx(divided.pose.x[bone]).margin(0.02));
    }
  }
  CHECK(taken > 3000);
}

TEST_CASE("a copy of a machine and its animator goes back in time", "[states]") {
  const Character character = hero();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Actor actor(random_states(random), character);
    const auto play_on = [](Actor& each, unsigned number) {
      std::mt19937 values(number);
      std::string text;
      for (int i = 0; i < 40; ++i) {
        for (const char* name : {"speed", "a", "b", "t"}) each.machine.set(name, static_cast<float>(values() % 2));
        text += each.advance(0.037);
        text += ' ' + std::to_string(each.x()) + '\n';
      }
      return text;
    };
    play_on(actor, seed);
    const Actor before = actor;
    const std::string first = play_on(actor, seed + 100);
    actor = before;
    CHECK(play_on(actor, seed + 100) == first);
  }
}

TEST_CASE("a saved machine continues where it was", "[states]") {
  const Character character = hero();
  int continued = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    States states = random_states(random);
    // Fades that are under way are not saved.
    for (StateLayer& layer : states.layers) {
      for (StateTransition& transition : layer.transitions) transition.fade_seconds = 0;
    }
    Actor actor(states, character), other(states, character);
    const auto play_on = [&](Actor& each, unsigned number, int count) {
      std::mt19937 values(number);
      std::string text;
      for (int i = 0; i < count; ++i) {
        for (const char* name : {"speed", "a", "b", "t", "rate"})
          each.machine.set(name, static_cast<float>(values() % 3) / 2);
        text += each.advance(0.0371);
        text += ' ' + std::to_string(each.x()) + '\n';
      }
      return text;
    };
    play_on(actor, seed, 50 + static_cast<int>(seed % 7));
    const std::string saved = actor.machine.save(actor.animator);
    CHECK(saved.size() < 1000);
    CHECK(other.machine.restore(other.animator, saved));
    CHECK(other.machine.save(other.animator) == saved);
    bool fades = false;
    for (std::uint32_t layer = 0; layer < 3; ++layer) {
      for (const Play& play : actor.animator.plays(layer)) fades |= play.weight() < 1;
    }
    if (fades) continue;  // The end of a sequence.
    CHECK(play_on(other, seed + 100, 40) == play_on(actor, seed + 100, 40));
    ++continued;
  }
  CHECK(continued > 20);
}

TEST_CASE("only a saved text is restored", "[states]") {
  const States states = states_of({number("speed")}, {plays("idle", "idle"), plays("walk \n 3:x", "walk")}, {});
  Actor actor(states);
  actor.machine.enter(actor.animator, 0, 1);
  actor.machine.set("speed", 0.5F);
  actor.advance(0.3);
  const std::string saved = actor.machine.save(actor.animator);
  for (std::size_t size = 0; size < saved.size(); ++size) {
    Actor other(states);
    const bool whole_lines = size > 0 && saved[size - 1] == '\n' && saved.substr(0, size).ends_with("\n") &&
                             (size == saved.find('\n') + 1 || size == saved.find('\n', saved.find('\n') + 1) + 1);
    INFO(size);
    CHECK(other.machine.restore(other.animator, saved.substr(0, size)) == whole_lines);
    CHECK_FALSE(other.machine.restore(other.animator, saved.substr(0, size) + "\x01" + saved.substr(size)));
    other.advance(0.1);
  }
  Actor same(states);
  CHECK(same.machine.restore(same.animator, saved));
  CHECK(same.advance(0).empty());
  CHECK(same.animator.events().empty());

  Actor other(states_of({number("height")}, {plays("idle", "idle"), plays("run", "run")}, {}));
  CHECK(other.machine.restore(other.animator, saved));
  CHECK(other.state() == "idle");
  CHECK(other.advance(0).empty());
  CHECK_FALSE(other.machine.restore(other.animator, "pchr states 1\nlayer 999999999999999999999:x"));
}

TEST_CASE("a damaged text is refused, or restored within bounds", "[states]") {
  const State fall{.name = "fall", .kind = State::Kind::sequence, .clip = "idle", .start = "jump", .end = "land"};
  const States states = states_of({number("speed")}, {fall, {.name = "nothing"}},
                                  {{.from = "fall", .to = "nothing", .after = 3, .at_end = true}});
  const std::string begin = "pchr states 1\nlayer 4:body 4:fall 0: ";
  const auto restores = [&](const std::string& text) {
    Actor actor(states);
    return actor.machine.restore(actor.animator, text);
  };
  CHECK(restores(begin + "1 20000000000000 0 0\n"));
  CHECK_FALSE(restores(begin + "3 0 0 0\n"));
  CHECK_FALSE(restores(begin + "1 20000000000002 0 0\n"));
  CHECK_FALSE(restores(begin + "1 8000000000000000 0 0\n"));
  CHECK_FALSE(restores(begin + "1 0 7ff0000000000000 0\n"));
  CHECK_FALSE(restores(begin + "1 0 0 7fe0000000000000\n"));
  CHECK_FALSE(restores("pchr states 1\nvalue 5:speed 7fc00000\n"));
  CHECK_FALSE(restores("pchr states 1\nvalue 5:speed 100000000\n"));

  Actor actor(states);
  actor.advance(2.25);
  const std::string saved = actor.machine.save(actor.animator);
  for (std::size_t bit = 0; bit < 8 * saved.size(); ++bit) {
    std::string damaged = saved;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    Actor other(states);
    if (!other.machine.restore(other.animator, damaged)) continue;
    INFO(damaged);
    other.advance(0.1);
    other.advance(1e300);
    CHECK(std::isfinite(other.status().phase));
    CHECK(restores(other.machine.save(other.animator)));
  }
}

TEST_CASE("a machine goes on with another version of its character", "[states]") {
  States states = states_of({number("speed"), trigger("jump")},
                            {plays("idle", "idle"),
                             {.name = "move",
                              .kind = State::Kind::blend_1d,
                              .points = {{"walk", Vec2{0, 0}}, {"run", Vec2{1, 0}}},
                              .x = "speed"},
                             {.name = "jump", .kind = State::Kind::sequence, .clip = "run", .start = "jump"}},
                            {{.from = "idle", .to = "move", .conditions = {above("speed", 0.1F)}, .fade_seconds = 0.5},
                             {.from = "move", .to = "jump", .conditions = {when("jump")}}});
  Actor actor(states);
  actor.advance(0.1);
  actor.machine.set("speed", 0.5F);
  actor.advance(0.25);
  const float before = actor.x();

  // Other clips, other states before these, and another number of parameters.
  const Character version = character_of({{"run", 10, true, 300},
                                          {"new", 10, true, 1000},
                                          {"walk", 20, true, 200},
                                          {"jump", 5, false, 400},
                                          {"idle", 10, true, 100}});
  States edited = states;
  edited.parameters.insert(edited.parameters.begin(), number("height"));
  edited.layers[0].states.insert(edited.layers[0].states.begin(), plays("new", "new"));
  edited.layers[0].states[2].speed = 0.5;
  edited.layers[0].first = "new";
  CHECK(actor.animator.rebind(version).clips.empty());
  actor.machine.rebind(actor.animator, graph_of(edited, version));
  CHECK(actor.state() == "move");
  CHECK(actor.machine.values()[1] == 0.5F);
  CHECK(actor.advance(0).empty());
  CHECK(actor.x() == before);
  CHECK(actor.status().from == 1);
  CHECK(actor.status().progress == 0.5F);
  actor.advance(0.3);
  CHECK(actor.status().from == UINT32_MAX);
  CHECK(actor.status().phase == Approx((0.25 + 0.15) / 1.5));
  actor.machine.fire("jump");
  CHECK(actor.advance(0.1) == "move left 0., jump entered 0.");

  // A state that no longer exists gives way to the first. A layer that no longer exists stops.
  states.layers.push_back(states.layers[0]);
  states.layers[1].name = "arms";
  Actor other(states);
  other.machine.set("speed", 1);
  other.advance(0.7);
  CHECK(other.animator.plays(1).size() == 1);
  std::erase_if(states.layers[0].states, [](const State& state) { return state.name == "move"; });
  states.layers[0].transitions.clear();
  states.layers.pop_back();
  other.machine.rebind(other.animator, graph_of(states));
  CHECK(other.state() == "idle");
  CHECK(other.animator.plays(1).empty());
  other.advance(0.1);
  CHECK(other.x() == Approx(101));
}

TEST_CASE("fades and counted loops go on with another version of the machine", "[states]") {
  const Character character = character_of(
      {{"bind", 1, false, 0}, {"walk", 20, true, 200}, {"still", 1, true, 50, 0}, {"jump", 5, false, 400}});
  const State hop{.name = "hop", .kind = State::Kind::sequence, .clip = "walk", .start = "jump"};
  const States states =
      states_of({}, {plays("still", "still"), plays("walk", "walk"), {.name = "nothing"}, hop},
                {{.from = "still", .to = "walk", .after = 2.5, .fade_seconds = 0.5, .interruptible = false},
                 {.from = "walk", .to = "nothing", .after = 0.1, .fade_seconds = 0.5},
                 {.from = "nothing", .to = "hop", .after = 1.5}});
  States edited = states;
  edited.layers[0].states.insert(edited.layers[0].states.begin(), plays("new", "jump"));
  Actor actor(states, character);
  const auto rebind = [&](const States& to) { actor.machine.rebind(actor.animator, graph_of(to, character)); };

  actor.advance(1.75);
  rebind(edited);
  CHECK(actor.status().phase == 1.75);
  CHECK(actor.advance(1) == "still left 0.75, walk entered 0.75");

  // This fade cannot be interrupted.
  rebind(states);
  CHECK(actor.status().from == 0);
  CHECK(actor.status().transition == 0);
  CHECK(actor.status().progress == Approx(0.5));
  CHECK(actor.advance(0.5) == "walk left 0.25, nothing entered 0.25");

  // Half of the fade to nothing.
  const float before = actor.x();
  CHECK(before > 100);
  rebind(edited);
  CHECK(actor.x() == before);
  CHECK(actor.status().from == 2);
  CHECK(actor.status().progress == Approx(0.5));
  CHECK(actor.status().phase == Approx(0.25));
  actor.advance(0.25);
  CHECK(actor.x() == 0);
  CHECK(actor.status().from == UINT32_MAX);

  // A part of a sequence that is gone.
  actor.advance(2);
  CHECK(actor.state() == "hop");
  CHECK(actor.x() > 200);
  CHECK(actor.x() < 400);
  edited.layers[0].states.back().clip.clear();
  rebind(edited);
  CHECK(actor.x() >= 400);

  // Another animator, which has no layers.
  actor.animator = Animator(character);
  rebind(states);
  CHECK(actor.state() == "hop");
  CHECK(actor.advance(0.1).empty());
  CHECK(actor.x() == Approx(401));
}

TEST_CASE("a machine goes on while its parts get other names", "[states]") {
  const auto named = [](std::string speed, std::string walk, std::string layer, StateParameter::Kind jump) {
    States states = states_of({number(speed), trigger("jump")}, {plays("idle", "idle"), plays(walk, "walk")},
                              {{.from = "idle", .to = walk, .conditions = {above(speed, 0.1F)}, .fade_seconds = 0.5},
                               {.from = walk, .to = "idle", .at_end = true}});
    states.parameters[1] = {.name = jump == StateParameter::Kind::trigger ? "jump" : "hop", .kind = jump};
    states.layers[0].name = std::move(layer);
    return states;
  };
  using Type = StateParameter::Kind;
  Actor actor(named("speed", "walk", "body", Type::trigger));
  actor.machine.set("speed", 0.5F);
  actor.machine.fire("jump");
  actor.advance(0.25);
  const float before = actor.x();
  const StateStatus status = actor.status();
  REQUIRE(status.transition == 0);
  actor.machine.rebind(actor.animator, graph_of(named("pace", "going", "legs", Type::boolean)));
  CHECK(actor.machine.values()[0] == 0.5F);
  CHECK(actor.machine.values()[1] == 0);  // Of another type.
  CHECK(actor.state() == "going");
  CHECK(actor.status().from == 0);
  CHECK(actor.status().transition == 0);
  CHECK(actor.status().progress == status.progress);
  actor.advance(0);
  CHECK(actor.x() == before);
  // Exchanged names are other parts.
  States exchanged = named("pace", "going", "legs", Type::boolean);
  std::swap(exchanged.layers[0].states[0].name, exchanged.layers[0].states[1].name);
  std::swap(exchanged.layers[0].states[0].clip, exchanged.layers[0].states[1].clip);
  actor.machine.rebind(actor.animator, graph_of(exchanged));
  CHECK(actor.state() == "going");
  CHECK(actor.status().state == 0);
}

}  // namespace state_machine_test

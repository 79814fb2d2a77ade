// SPDX-License-Identifier: MIT
// Errors in state machines.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/import/import.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace state_errors_test {
using namespace pchr;
using namespace pchr::test;

namespace {

Character dancer() {
  CharacterData data;
  data.bones = {{"hip", BoneId::none}, {"hand", BoneId{0}}};
  for (const char* name : {"idle", "walk", "run"}) data.clips.push_back(resting_clip(name, 4, 2));
  return Character::build(std::move(data)).value();
}

/// Returns the errors of machines, which a file with the mask "arm" holds.
std::vector<Diagnostic> errors_of(const std::string& states) {
  CAPTURE(states);
  const std::string text = R"({"masks": [{"name": "arm", "bones": ["hand"]}], "states": )" + states + "}";
  const auto loaded = load_rig(std::as_bytes(std::span(text)), dancer());
  if (!loaded) FAIL(describe(loaded.error()));
  CHECK(std::ranges::all_of(loaded->state_errors, [](const Diagnostic& error) { return error.line > 0; }));
  return loaded->state_errors;
}

/// Checks that machines have this error only.
void has_error(const std::string& states, DiagnosticId id, std::string_view path, const std::string& detail) {
  const std::vector<Diagnostic> errors = errors_of(states);
  CAPTURE(states);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].id == id);
  CHECK(errors[0].path == path);
  CHECK(errors[0].detail == detail);
}

constexpr const char* kParameters = R"("parameters": [
  {"name": "speed", "type": "number", "max": 2}, {"name": "turn", "type": "number", "min": -1},
  {"name": "ground", "type": "boolean"}, {"name": "jump", "type": "trigger"}])";

/// Returns machines with one layer: `rest` follows its name.
std::string layer(std::string_view rest) {
  return fmt::format(R"({{{}, "layers": [{{"name": "body", {}}}]}})", kParameters, rest);
}

/// Returns machines with one state: `rest` follows its name.
std::string state(std::string_view rest) { return layer(fmt::format(R"("states": [{{"name": "a", {}}}])", rest)); }

/// Returns machines with states from a to d, and these transitions.
std::string transitions(std::string_view list) {
  return layer(fmt::format(R"("states": [{{"name": "a"}}, {{"name": "b"}}, {{"name": "c"}}, {{"name": "d"}}],
                              "transitions": [{}])",
                           list));
}

}  // namespace

TEST_CASE("machines without mistakes have no errors", "[states]") {
  CHECK(errors_of("{}").empty());
  CHECK(errors_of(R"({"parameters": [{"name": "left", "type": "boolean", "key": "left"},
                                     {"name": "right", "type": "trigger", "key": "left"},
                                     {"name": "5", "type": "number", "min": -3, "max": -1, "value": -2, "key": "5"}]})")
            .empty());
  CHECK(errors_of(layer(R"("mask": "arm", "mode": "additive", "reference": {"clip": "walk", "frame": 3},
    "weightParameter": "speed", "first": "c", "states": [
      {"name": "a", "blend": [{"clip": "run", "at": 2}, {"clip": "walk", "at": 1}], "parameter": "speed",
       "speedParameter": "speed", "loop": true, "enter": ["hello"]},
      {"name": "b", "parameters": ["turn", "speed"],
       "blend": [{"clip": "idle", "at": [0, 0]}, {"clip": "walk", "at": [0, 1]}, {"clip": "walk", "at": [1, 0]}]},
      {"name": "c", "sequence": {"start": "walk"}}])"))
            .empty());
}

TEST_CASE("names in machines must exist once", "[states]") {
  using enum DiagnosticId;
  has_error(R"({"parameters": [{"name": "", "type": "number"}]})", state_name, "states.parameters[0].name",
            "is empty, but must be a name");
  has_error(R"({"parameters": [{"name": "a", "type": "number"}, {"name": "a", "type": "trigger"}]})", state_name,
            "states.parameters[1].name", R"(is "a", but an earlier parameter has that name)");
  has_error(R"({"layers": [{"name": "a", "states": [{"name": "b"}]}, {"name": "a", "states": [{"name": "b"}]}]})",
            state_name, "states.layers[1].name", R"(is "a", but an earlier layer has that name)");
  has_error(layer(R"("states": [{"name": "a"}, {"name": "a"}])"), state_name, "states.layers[0].states[1].name",
            R"(is "a", but an earlier state has that name)");
  has_error(layer(R"("mask": "leg", "states": [{"name": "a"}])"), state_name, "states.layers[0].mask",
            R"(is "leg", but there is no such mask)");
  has_error(layer(R"("first": "b", "states": [{"name": "a"}])"), state_name, "states.layers[0].first",
            R"(is "b", but the layer has no such state)");
  has_error(layer(R"("mode": "additive", "reference": {"clip": "hop"}, "states": [{"name": "a"}])"), state_name,
            "states.layers[0].reference.clip", R"(is "hop", but the character has no such clip)");
  has_error(layer(R"("weightParameter": "ground", "states": [{"name": "a"}])"), wrong_type,
            "states.layers[0].weightParameter", R"(is "ground", but must be a parameter that is a number)");
  has_error(state(R"("clip": "hop")"), state_name, "states.layers[0].states[0].clip",
            R"(is "hop", but the character has no such clip)");
  has_error(state(R"("clip": "walk", "speedParameter": "pace")"), state_name,
            "states.layers[0].states[0].speedParameter", R"(is "pace", but there is no such parameter)");
  has_error(state(R"("sequence": {"start": "walk", "loop": "hop"})"), state_name,
            "states.layers[0].states[0].sequence.loop", R"(is "hop", but the character has no such clip)");
  has_error(state(R"("sequence": {"end": "walk"})"), missing_value, "states.layers[0].states[0].sequence",
            R"(has no clips, but needs "start" or "loop")");
  has_error(state(R"("enter": ["hello", ""])"), state_name, "states.layers[0].states[0].enter[1]",
            "is empty, but must be the name of an event");
  has_error(transitions(R"({"from": "e", "to": "a"})"), state_name, "states.layers[0].transitions[0].from",
            R"(is "e", but the layer has no such state)");
  has_error(transitions(R"({"to": "e"})"), state_name, "states.layers[0].transitions[0].to",
            R"(is "e", but the layer has no such state)");
  has_error(transitions(R"({"to": "a", "when": [{"parameter": "pace", "above": 1}]})"), state_name,
            "states.layers[0].transitions[0].when[0].parameter", R"(is "pace", but there is no such parameter)");
}

TEST_CASE("values in machines must be in their ranges", "[states]") {
  using enum DiagnosticId;
  has_error(R"({"parameters": [{"name": "a", "type": "number", "min": 1}]})", value_out_of_range,
            "states.parameters[0].max", "is 1, but must be greater than min, which is 1");
  has_error(R"({"parameters": [{"name": "a", "type": "number", "value": -0.5}]})", value_out_of_range,
            "states.parameters[0].value", "is -0.5, but must be from 0 to 1");
  has_error(R"({"parameters": [{"name": "a", "type": "trigger", "key": "A"}]})", value_out_of_range,
            "states.parameters[0].key",
            R"(is "A", but must be a letter from a to z, a digit, space, enter, shift, left, right, up or down)");
  has_error(layer(R"("weight": 1.5, "states": [{"name": "a"}])"), value_out_of_range, "states.layers[0].weight",
            "is 1.5, but must be from 0 to 1");
  has_error(layer(R"("mode": "additive", "reference": {"clip": "walk", "frame": 4}, "states": [{"name": "a"}])"),
            value_out_of_range, "states.layers[0].reference.frame", R"(is 4, but clip "walk" has 4 frames)");
  has_error(layer(R"("states": [])"), missing_value, "states.layers[0].states",
            "has no states, but needs at least one");
  has_error(state(R"("clip": "walk", "speed": -1)"), value_out_of_range, "states.layers[0].states[0].speed",
            "is -1, but must be from 0 to 1000");
  has_error(transitions(R"({"to": "a", "after": -1, "atEnd": true})"), value_out_of_range,
            "states.layers[0].transitions[0].after", "is -1, but must be from 0 to 1000");
  has_error(transitions(R"({"to": "a", "fade": 61, "atEnd": true})"), value_out_of_range,
            "states.layers[0].transitions[0].fade", "is 61, but must be from 0 to 60");

  States states;
  states.parameters = {{"fly", StateParameter::Kind::boolean, 2}, {"fire", StateParameter::Kind::trigger, 1}};
  states.layers = {{.name = "body", .states = {{.name = "a", .kind = State::Kind::clip, .clip = "walk"}}}};
  states.layers[0].states[0].loop = LoopMode::ping_pong;
  const std::vector<Diagnostic> errors = find_state_errors(states, dancer(), {});
  REQUIRE(errors.size() == 3);
  CHECK(describe(errors[0]) == "states.parameters[0].value is 2, but must be 0 or 1");
  CHECK(describe(errors[1]) == "states.parameters[1].value is 1, but must be 0");
  CHECK(errors[2].path == "states.layers[0].states[0].loop");
}

TEST_CASE("conditions must fit their parameters and be able to hold", "[states]") {
  using enum DiagnosticId;
  const auto when = [](std::string_view conditions) {
    return transitions(fmt::format(R"({{"to": "a", "when": [{}]}})", conditions));
  };
  const std::string place = "states.layers[0].transitions[0].when";
  has_error(when(R"({"parameter": "speed"})"), wrong_type, place + "[0].parameter",
            R"(is "speed", a number, which needs "above" or "below")");
  has_error(when(R"({"parameter": "ground", "above": 0.5})"), wrong_type, place + "[0].parameter",
            R"(is "ground", a boolean, which needs "is" or nothing)");
  has_error(when(R"({"parameter": "jump", "is": false})"), wrong_type, place + "[0].parameter",
            R"(is "jump", a trigger, which can only be set)");
  has_error(when(R"({"parameter": "speed", "above": 2})"), value_out_of_range, place + "[0].above",
            R"(is 2, but "speed" is at most 2)");
  has_error(when(R"({"parameter": "turn", "below": -1.5})"), value_out_of_range, place + "[0].below",
            R"(is -1.5, but "turn" is at least -1)");
  has_error(when(R"({"parameter": "speed", "above": 1}, {"parameter": "ground"}, {"parameter": "speed", "below": 1})"),
            value_out_of_range, place + "[2]", R"(cannot hold together with an earlier condition on "speed")");
  has_error(when(R"({"parameter": "ground"}, {"parameter": "ground", "is": false})"), value_out_of_range, place + "[1]",
            R"(cannot hold together with an earlier condition on "ground")");
  CHECK(errors_of(when(R"({"parameter": "speed", "above": 0.5}, {"parameter": "speed", "below": 1},
                          {"parameter": "jump"}, {"parameter": "jump", "is": true})"))
            .empty());
}

TEST_CASE("the clips of a blend space must be apart", "[states]") {
  using enum DiagnosticId;
  const std::string place = "states.layers[0].states[0].blend";
  has_error(state(R"("blend": [], "parameter": "speed")"), blend_points, place, "has 0 clips, but needs at least 2");
  has_error(state(R"("blend": [{"clip": "walk", "at": 1}], "parameter": "speed")"), blend_points, place,
            "has 1 clip, but needs at least 2");
  has_error(state(R"("blend": [{"clip": "walk", "at": 1}, {"clip": "run", "at": 1}], "parameter": "speed")"),
            blend_points, place + "[1].at", "is the same as that of blend[0]");
  has_error(state(R"("blend": [{"clip": "walk", "at": 1}, {"clip": "hop", "at": 2}], "parameter": "speed")"),
            state_name, place + "[1].clip", R"(is "hop", but the character has no such clip)");
  has_error(state(R"("blend": [{"clip": "walk", "at": 1}, {"clip": "run", "at": 2}], "parameter": "jump")"), wrong_type,
            "states.layers[0].states[0].parameter", R"(is "jump", but must be a parameter that is a number)");
  const auto plane = [](std::string_view points) {
    return state(fmt::format(R"("parameters": ["turn", "speed"], "blend": [{}])", points));
  };
  has_error(plane(R"({"clip": "walk", "at": [0, 0]}, {"clip": "run", "at": [0, 1]})"), blend_points, place,
            "has 2 clips, but needs at least 3");
  has_error(
      plane(R"({"clip": "walk", "at": [0, 0]}, {"clip": "run", "at": [0.1, 0.2]}, {"clip": "idle", "at": [0.3, 0.6]})"),
      blend_points, place, "has all clips on one line, but two parameters need an area");
  CHECK(errors_of(plane(R"({"clip": "walk", "at": [0, 0]}, {"clip": "run", "at": [0.1, 0.2]},
                           {"clip": "idle", "at": [0.3, 0.61]})"))
            .empty());
  // The ranges of the parameters do not count.
  CHECK(errors_of(plane(R"({"clip": "walk", "at": [0, 0]}, {"clip": "run", "at": [0.0001, 500]},
                           {"clip": "idle", "at": [0, 1000]})"))
            .empty());
  has_error(plane(R"({"clip": "walk", "at": [0, 0]}, {"clip": "run", "at": [0.0001, 500]},
                     {"clip": "idle", "at": [0.0002, 1000]})"),
            blend_points, place, "has all clips on one line, but two parameters need an area");
}

TEST_CASE("transitions that lead back without time passing are an error", "[states]") {
  const auto leads_back = [](const std::string& states, std::string_view path, std::string_view detail) {
    has_error(states, DiagnosticId::instant_cycle, path, std::string(detail));
  };
  leads_back(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "fade": 0.5})"),
             "states.layers[0].transitions[1]", R"(leads back to "a" without time passing: a > b > a)");
  leads_back(transitions(R"({"from": "b", "to": "b", "when": [{"parameter": "ground"}]})"),
             "states.layers[0].transitions[0]", R"(leads back to "b" without time passing: b > b)");
  leads_back(transitions(R"({"from": "a", "to": "b", "when": [{"parameter": "speed", "above": 0.5}]},
                            {"from": "b", "to": "a", "when": [{"parameter": "speed", "below": 0.6}]})"),
             "states.layers[0].transitions[1]", R"(leads back to "a" without time passing: a > b > a)");
  leads_back(transitions(R"({"to": "b", "when": [{"parameter": "ground"}]}, {"to": "c"})"),
             "states.layers[0].transitions[0]", R"(leads back to "b" without time passing: b > c > b)");
  leads_back(transitions(R"({"from": "d", "to": "b"}, {"from": "b", "to": "c"}, {"from": "b", "to": "a"},
                            {"from": "c", "to": "d"})"),
             "states.layers[0].transitions[0]", R"(leads back to "b" without time passing: b > c > d > b)");

  const auto is_fine = [](const std::string& states) { CHECK(errors_of(states).empty()); };
  is_fine(transitions(R"({"from": "a", "to": "b", "when": [{"parameter": "speed", "above": 0.5}]},
                         {"from": "b", "to": "a", "when": [{"parameter": "speed", "below": 0.5}]})"));
  is_fine(transitions(R"({"from": "a", "to": "b", "when": [{"parameter": "ground"}]},
                         {"from": "b", "to": "c"}, {"from": "c", "to": "a", "when": [{"parameter": "ground", "is": false}]})"));
  is_fine(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "after": 0.1})"));
  is_fine(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "atEnd": true})"));
  is_fine(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "when": [{"parameter": "jump"}]})"));
  is_fine(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "fade": 0.1, "interruptible": false})"));
  is_fine(transitions(R"({"to": "b", "when": [{"parameter": "ground"}]},
                         {"to": "c", "when": [{"parameter": "ground", "is": false}]})"));
  leads_back(transitions(R"({"from": "a", "to": "b"}, {"from": "b", "to": "a", "interruptible": false})"),
             "states.layers[0].transitions[1]", R"(leads back to "a" without time passing: a > b > a)");
}

TEST_CASE("the search for cycles ends in any machine", "[states]") {
  States states;
  for (int i = 0; i < 20; ++i) states.parameters.push_back({fmt::format("p{}", i), StateParameter::Kind::boolean});
  StateLayer& body = states.layers.emplace_back(StateLayer{.name = "body"});
  // Each step chooses the value of a parameter; the last one undoes each choice.
  for (int i = 0; i < 42; ++i) body.states.push_back({.name = fmt::format("s{}", i)});
  const auto add = [&](int from, int to, int parameter, StateCondition::Test test) {
    body.transitions.push_back({.from = fmt::format("s{}", from),
                                .to = fmt::format("s{}", to),
                                .conditions = {{fmt::format("p{}", parameter), test}}});
  };
  for (int i = 0; i < 40; ++i) {
    add(i, i + 1, i % 20, StateCondition::Test::is_true);
    add(i, i + 1, i % 20, StateCondition::Test::is_false);
  }
  const Character character = dancer();
  CHECK(find_state_errors(states, character, {}).empty());
  add(40, 41, 0, StateCondition::Test::is_true);
  add(41, 0, 0, StateCondition::Test::is_false);
  CHECK(find_state_errors(states, character, {}).empty());
  body.transitions.back().conditions.clear();
  const std::vector<Diagnostic> errors = find_state_errors(states, character, {});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].id == DiagnosticId::instant_cycle);
}

TEST_CASE("machines have limits", "[states]") {
  const Character character = dancer();
  const auto refuses = [&](const auto& edit, std::string_view expected) {
    States states;
    states.parameters = {{"go", StateParameter::Kind::trigger}, {"x"}};
    states.layers = {{.name = "body", .states = {{.name = "a"}}}};
    CHECK(find_state_errors(states, character, {}).empty());
    edit(states, 1);
    CHECK(find_state_errors(states, character, {}).empty());
    edit(states, 0);
    const std::vector<Diagnostic> errors = find_state_errors(states, character, {});
    REQUIRE_FALSE(errors.empty());
    CHECK(errors[0].id == DiagnosticId::state_limit);
    CHECK(describe(errors[0]) == expected);
  };
  // Each fills a list up to its limit less `room`, then exceeds it by one.
  const auto fill = [](auto& list, std::size_t limit, int room, const auto& make) {
    const std::size_t count = room != 0 ? limit : limit + 1;
    while (list.size() < count) list.push_back(make(list.size()));
  };
  refuses(
      [&](States& states, int room) {
        fill(states.parameters, kMaxStateParameters, room,
             [](std::size_t i) { return StateParameter{fmt::format("p{}", i)}; });
      },
      "states.parameters has 257 elements, but at most 256 are allowed");
  refuses(
      [&](States& states, int room) {
        fill(states.layers, Animator::kMaxLayers, room,
             [](std::size_t i) { return StateLayer{.name = fmt::format("l{}", i), .states = {{.name = "a"}}}; });
      },
      "states.layers has 65 elements, but at most 64 are allowed");
  refuses(
      [&](States& states, int room) {
        fill(states.layers[0].states, kMaxStates, room,
             [](std::size_t i) { return State{.name = fmt::format("s{}", i)}; });
      },
      "states.layers[0].states has 257 elements, but at most 256 are allowed");
  refuses(
      [&](States& states, int room) {
        fill(states.layers[0].transitions, kMaxStateTransitions, room,
             [](std::size_t /*i*/) { return StateTransition{.to = "a"}; });
      },
      "states.layers[0].transitions has 4097 elements, but at most 4096 are allowed");
  refuses(
      [&](States& states, int room) {
        states.layers[0].transitions.resize(1);
        states.layers[0].transitions[0].to = "a";
        fill(states.layers[0].transitions[0].conditions, kMaxStateConditions, room,
             [](std::size_t /*i*/) { return StateCondition{"go"}; });
      },
      "states.layers[0].transitions[0].when has 65 elements, but at most 64 are allowed");
  refuses(
      [&](States& states, int room) {
        fill(states.layers[0].states[0].on_leave, kMaxStateEvents, room, [](std::size_t /*i*/) { return "event"; });
      },
      "states.layers[0].states[0].leave has 65 elements, but at most 64 are allowed");
  refuses(
      [&](States& states, int room) {
        State& state = states.layers[0].states[0];
        state.kind = State::Kind::blend_1d;
        state.x = "x";
        fill(state.points, kMaxBlendPoints, room,
             [](std::size_t i) { return BlendPoint{"walk", Vec2{static_cast<float>(i), 0}}; });
      },
      "states.layers[0].states[0].blend has 65 elements, but at most 64 are allowed");

  States states;
  states.layers = {{.name = "body", .states = {{.name = "a"}}}};
  states.layers[0].transitions.resize(1000);
  CHECK(find_state_errors(states, character, {}).size() == 256);
}

}  // namespace state_errors_test

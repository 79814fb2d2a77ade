// SPDX-License-Identifier: MIT
// The file next to a character: its rig, or the older one with markers only.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <pchr/load.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace sidecar_test {
using namespace pchr;
using namespace pchr::test;

namespace {

Character arm() {
  CharacterData data;
  data.bones = {{"upper", BoneId::none}, {"lower", BoneId{0}}, {"hand \"left\"", BoneId{1}}};
  data.clips = {resting_clip("bind", 2, 3)};
  return Character::build(std::move(data)).value();
}

Expected<Sidecar, LoadError> parse(std::string_view text) { return load_rig(std::as_bytes(std::span(text)), arm()); }

Expected<Markers, LoadError> parse_markers(std::string_view text) {
  const Character character = Character::build(sliding_quad()).value();
  return load_markers(std::as_bytes(std::span(text)), character);
}

}  // namespace

TEST_CASE("a sidecar file holds markers, masks and every kind of constraint", "[sidecar]") {
  const Character character = arm();
  const std::string text = R"({
    "$schema": "rig.schema.json",
    "markers": [{"clip": "bind", "frame": 1, "name": "step"}],
    "masks": [{"name": "arm", "bones": ["lower", "upper"]}, {"name": "\u624b", "bones": ["hand \"left\""]}],
    "aim": [{"name": "look", "bone": "upper", "axis": 90, "min": -30, "max": 40.5, "softness": 10, "weight": 0.5}],
    "ik": [{"name": "arm", "upper": "upper", "lower": "lower", "end": "hand \"left\"", "bend": "clockwise",
            "softness": 4, "stretch": 1.5}],
    "feet": [{"name": "hand", "ik": "arm", "plant": "grab", "lift": "let go", "fadeIn": 0, "fadeOut": 0.25}],
    "springs": [{"name": "all", "bones": "upper", "frequency": 3, "damping": 0.25, "drag": 2, "gravity": [0, -900],
                 "limit": 45, "tip": [0, 30], "weight": 0.75},
                {"bones": ["lower"]}],
    "wind": [40, -5], "gusts": 0.5, "step": 0.01
  })";
  const auto loaded = parse(text);
  REQUIRE(loaded);
  CHECK(loaded->markers.all().size() == 1);
  Rig expected;
  expected.aims = {{.name = "look",
                    .bone = BoneId{0},
                    .axis_degrees = 90,
                    .min_degrees = -30,
                    .max_degrees = 40.5F,
                    .softness_degrees = 10,
                    .weight = 0.5F}};
  expected.ik = {{.name = "arm",
                  .upper = BoneId{0},
                  .lower = BoneId{1},
                  .end = BoneId{2},
                  .bend = Bend::clockwise,
                  .softness_pixels = 4,
                  .max_stretch = 1.5F}};
  expected.feet = {
      {.name = "hand", .ik = 0, .plant = "grab", .lift = "let go", .fade_in_seconds = 0, .fade_out_seconds = 0.25F}};
  expected.springs = {{.name = "all",
                       .bones = {BoneId{0}, BoneId{1}, BoneId{2}},
                       .tip = {0, 30},
                       .frequency = 3,
                       .damping = 0.25F,
                       .drag = 2,
                       .gravity = {0, -900},
                       .limit_degrees = 45,
                       .weight = 0.75F},
                      {.bones = {BoneId{1}}}};
  expected.wind = {40, -5}, expected.gusts = 0.5F, expected.step_seconds = 0.01;
  CHECK(loaded->rig == expected);
  CHECK(loaded->masks == std::vector<NamedMask>{{"arm", {BoneId{1}, BoneId{0}}}, {"手", {BoneId{2}}}});
  CHECK(find_mask(loaded->masks, character, "arm") == BoneMask{1, 1, 0});
  CHECK(find_mask(loaded->masks, character, "手") == BoneMask{0, 0, 1});
  CHECK_FALSE(find_mask(loaded->masks, character, "leg"));

  const std::string saved = save_rig(*loaded, character);
  const auto again = parse(saved);
  REQUIRE(again);
  CHECK(again->rig == expected);
  CHECK(again->masks == loaded->masks);
  CHECK(std::ranges::equal(again->markers.all(), loaded->markers.all()));
  CHECK(save_rig(*again, character) == saved);
  CHECK_THAT(saved, contains(R"("gravity": [0, -900])") && contains(R"("end": "hand \"left\"")"));
  CHECK(saved.find("fps") == std::string::npos);
}

TEST_CASE("an empty sidecar file is a rig without constraints", "[sidecar]") {
  const auto loaded = parse("{}");
  REQUIRE(loaded);
  CHECK(loaded->rig == Rig());
  CHECK(loaded->markers.all().empty());
  CHECK(loaded->masks.empty());
  CHECK(save_rig({}, arm()) == "{}\n");
}

TEST_CASE("an invalid sidecar file is refused with the path, the line and the value", "[sidecar]") {
  const auto refuses = [](const std::string& text, DiagnosticId id, std::string_view path, const std::string& detail) {
    CAPTURE(text);
    const auto loaded = parse("{\n" + text + "\n}");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().id == id);
    CHECK(loaded.error().path == path);
    CHECK_THAT(loaded.error().detail, contains(detail));
    if (id != DiagnosticId::invalid_json) CHECK(loaded.error().line >= 1);
  };
  refuses(R"("springs": [)", DiagnosticId::invalid_json, "", "");
  refuses(R"("springs": 3)", DiagnosticId::wrong_type, "springs", "must be an array");
  refuses(R"("spring": [])", DiagnosticId::unknown_field, "spring", "is not a known field; expected ");
  refuses(R"("springs": [3])", DiagnosticId::wrong_type, "springs[0]", "is 3, but must be an object with bones");
  refuses(R"("springs": [{}])", DiagnosticId::missing_value, "springs[0].bones", "is missing");
  refuses(R"("springs": [{"bones": 4}])", DiagnosticId::wrong_type, "springs[0].bones", "is 4, but must be an array");
  refuses(R"("springs": [{"bones": []}])", DiagnosticId::value_out_of_range, "springs[0]", "has no bones");
  refuses(R"("springs": [{"bones": ["tail"]}])", DiagnosticId::value_out_of_range, "springs[0].bones[0]",
          R"(is "tail", but the character has no such bone)");
  refuses(R"("springs": [{"bones": ["lower", "upper"]}])", DiagnosticId::value_out_of_range, "springs[0]",
          "not a child of the one before");
  refuses(R"("springs": [{"bones": [], "dampening": 1}])", DiagnosticId::unknown_field, "springs[0].dampening",
          "is not a known field; expected name, bones, tip, frequency, damping");
  refuses(R"("springs": [{"bones": [], "damping": "soft"}])", DiagnosticId::wrong_type, "springs[0].damping",
          R"(is "soft", but must be a number)");
  refuses(R"("springs": [{"bones": [], "damping": -1}])", DiagnosticId::value_out_of_range, "springs[0].damping",
          "is -1, but must be from 0 to 100");
  refuses(R"("springs": [{"bones": [], "gravity": [1]}])", DiagnosticId::wrong_type, "springs[0].gravity",
          "is [1], but must be two numbers");
  refuses(R"("springs": [{"bones": [], "gravity": [1, 1e9]}])", DiagnosticId::value_out_of_range,
          "springs[0].gravity[1]", "from");
  refuses(R"("springs": [{"bones": [], "limit": 1, "limit": 2}])", DiagnosticId::contradiction, "springs[0].limit",
          "twice");
  refuses(R"("aim": [{"bone": "upper", "weight": 2}])", DiagnosticId::value_out_of_range, "aim[0].weight",
          "is 2, but must be from 0 to 1");
  refuses(R"("ik": [{"upper": "upper", "lower": "upper"}])", DiagnosticId::value_out_of_range, "ik[0]",
          "not a child of the upper bone");
  refuses(R"("ik": [{"upper": "upper", "lower": "lower", "bend": "left"}])", DiagnosticId::value_out_of_range,
          "ik[0].bend", R"(is "left", but must be "animated")");
  refuses(R"("feet": [{"ik": "leg"}])", DiagnosticId::value_out_of_range, "feet[0].ik", R"(is "leg", but no ik)");
  refuses(R"("masks": {})", DiagnosticId::wrong_type, "masks", "must be an array");
  refuses(R"("masks": [{"bones": ["upper"]}])", DiagnosticId::missing_value, "masks[0].name", "is missing");
  refuses(R"("masks": [{"name": "arm"}])", DiagnosticId::missing_value, "masks[0].bones", "is missing");
  refuses(R"("masks": [{"name": "arm", "bones": "upper"}])", DiagnosticId::wrong_type, "masks[0].bones",
          R"(is "upper", but must be an array of bones)");
  refuses(R"("masks": [{"name": "arm", "bones": ["upper", "tail"]}])", DiagnosticId::value_out_of_range,
          "masks[0].bones[1]", R"(is "tail", but the character has no such bone)");
  refuses(R"("masks": [{"name": "arm", "bones": []}])", DiagnosticId::value_out_of_range, "masks[0].bones",
          "is empty, but must have at least one bone");
  refuses(R"("masks": [{"name": "", "bones": ["upper"]}])", DiagnosticId::value_out_of_range, "masks[0].name",
          "is empty");
  refuses(R"("masks": [{"name": "arm", "bones": ["upper"]}, {"name": "arm", "bones": ["lower"]}])",
          DiagnosticId::value_out_of_range, "masks[1].name", R"(is "arm", but an earlier mask has that name)");
  refuses(R"("masks": [{"name": "arm", "bones": ["upper"], "bone": 1}])", DiagnosticId::unknown_field, "masks[0].bone",
          "is not a known field; expected name, bones");
  refuses(R"("markers": [{"clip": "bind", "frame": 2, "name": "x"}])", DiagnosticId::value_out_of_range,
          "markers[0].frame", "is 2, but clip \"bind\" has 2 frames");

  const auto followed = parse("{\"gusts\": 1}\n extra");
  REQUIRE_FALSE(followed);
  CHECK(describe(followed.error(), "hero.rig.json") ==
        "hero.rig.json: error E107: text follows the end of the JSON object (line 2, column 2)");
  refuses(R"("bind": "idle")", DiagnosticId::wrong_type, "bind", R"(is "idle", but must be {"clip": "idle")");
  refuses(R"("bind": {"frame": 1})", DiagnosticId::missing_value, "bind.clip", "is missing");
  refuses(R"("bind": {"clip": "bind", "time": 1})", DiagnosticId::unknown_field, "bind.time",
          "is not a known field; expected clip, frame");
  refuses(R"("bind": {"clip": "bind", "frame": -1})", DiagnosticId::value_out_of_range, "bind.frame",
          "is -1, but must be a whole number");
  refuses(R"("bind": {"clip": "bind", "frame": 4294967296})", DiagnosticId::value_out_of_range, "bind.frame",
          "which is too large");
  refuses(R"("bind": {"clip": "walk"})", DiagnosticId::value_out_of_range, "bind.clip",
          R"(is "walk", but the character has no such clip)");
  refuses(R"("bind": {"clip": "bind", "frame": 2})", DiagnosticId::value_out_of_range, "bind.frame",
          R"(is 2, but clip "bind" has 2 frames)");

  const auto many = [](std::string_view element, int count) {
    std::string list(element);
    for (int i = 1; i < count; ++i) list += fmt::format(",{}", element);
    return list;
  };
  refuses(fmt::format(R"("aim": [{}])", many(R"({"bone": "upper"})", 257)), DiagnosticId::rig_limit, "aim",
          "has more than 256 elements, but at most 256 are allowed");
  refuses(fmt::format(R"("springs": [{}])", many(R"({"bones": "upper"})", 1025)), DiagnosticId::rig_limit, "springs",
          "has more than 1024 elements, but at most 1024 are allowed");
  refuses(fmt::format(R"("step": 0.001, "springs": [{}])", many(R"({"bones": ["upper"]})", 1001)),
          DiagnosticId::rig_limit, "step", "is 0.001, with which springs move bones 1001000 times per second");
  CHECK(parse(fmt::format(R"({{"step": 0.001, "springs": [{}]}})", many(R"({"bones": ["upper"]})", 1000))));

  const auto placed = parse("{\n  \"springs\": [\n    {\"bones\": [],\n     \"limit\": 999}]}");
  REQUIRE_FALSE(placed);
  CHECK(placed.error().line == 4);
  CHECK_THAT(describe(placed.error(), "hero.rig.json"), contains("springs[0].limit is 999") && contains("line 4"));
}

TEST_CASE("a sidecar file holds state machines", "[sidecar][states]") {
  const std::string text = R"({
  "masks": [
    {"name": "arm", "bones": ["lower"]}
  ],
  "states": {
    "parameters": [
      {"name": "speed", "type": "number", "min": -1, "max": 2.5, "value": 0.5, "key": "right"},
      {"name": "力", "type": "number"},
      {"name": "grounded", "type": "boolean", "value": true, "key": "g"},
      {"name": "jump", "type": "trigger"}
    ],
    "layers": [
      {
        "name": "body",
        "first": "idle",
        "states": [
          {"name": "idle", "clip": "bind", "speed": 0.5, "speedParameter": "speed", "loop": true, "enter": ["a", "b"], "leave": ["c"]},
          {"name": "once", "clip": "bind", "loop": false},
          {"name": "move", "blend": [{"clip": "bind", "at": 0.5}, {"clip": "bind", "at": 1}], "parameter": "speed"},
          {"name": "aim", "blend": [{"clip": "bind", "at": [0, 1]}, {"clip": "bind", "at": [0, 0]}, {"clip": "bind", "at": [-1, 0.25]}], "parameters": ["speed", "力"]},
          {"name": "leap", "sequence": {"start": "bind", "loop": "bind", "end": "bind"}, "speed": 2},
          {"name": "nothing"}
        ],
        "transitions": [
          {"from": "idle", "to": "move", "when": [{"parameter": "speed", "above": 0.125}, {"parameter": "speed", "below": 2}, {"parameter": "grounded", "is": false}, {"parameter": "jump"}], "after": 0.5, "atEnd": true, "fade": 0.2, "sync": true, "interruptible": false},
          {"to": "idle", "when": [{"parameter": "jump"}]}
        ]
      },
      {
        "name": "arms",
        "mask": "arm",
        "mode": "additive",
        "reference": {"clip": "bind", "frame": 1},
        "weight": 0.75,
        "weightParameter": "speed",
        "states": [
          {"name": "wave", "clip": "bind"}
        ]
      }
    ]
  }
}
)";
  const auto loaded = parse(text);
  REQUIRE(loaded);
  CHECK(loaded->state_errors.empty());
  using Test = StateCondition::Test;
  States expected;
  expected.parameters = {
      {.name = "speed", .value = 0.5F, .min = -1, .max = 2.5F, .key = "right"},
      {.name = "力"},
      {.name = "grounded", .kind = StateParameter::Kind::boolean, .value = 1, .key = "g"},
      {.name = "jump", .kind = StateParameter::Kind::trigger},
  };
  const std::vector<BlendPoint> line{{"bind", {0.5F, 0}}, {"bind", {1, 0}}};
  const std::vector<BlendPoint> area{{"bind", {0, 1}}, {"bind", {0, 0}}, {"bind", {-1, 0.25F}}};
  StateLayer body{.name = "body", .first = "idle"};
  body.states = {
      {.name = "idle",
       .kind = State::Kind::clip,
       .clip = "bind",
       .speed = 0.5,
       .speed_parameter = "speed",
       .loop = LoopMode::loop,
       .on_enter = {"a", "b"},
       .on_leave = {"c"}},
      {.name = "once", .kind = State::Kind::clip, .clip = "bind", .loop = LoopMode::once},
      {.name = "move", .kind = State::Kind::blend_1d, .points = line, .x = "speed"},
      {.name = "aim", .kind = State::Kind::blend_2d, .points = area, .x = "speed", .y = "力"},
      {.name = "leap", .kind = State::Kind::sequence, .clip = "bind", .start = "bind", .end = "bind", .speed = 2},
      {.name = "nothing"},
  };
  body.transitions = {
      {.from = "idle",
       .to = "move",
       .conditions =
           {{"speed", Test::above, 0.125F}, {"speed", Test::below, 2}, {"grounded", Test::is_false}, {"jump"}},
       .after = 0.5,
       .at_end = true,
       .fade_seconds = 0.2,
       .synchronized = true,
       .interruptible = false},
      {.to = "idle", .conditions = {{"jump"}}},
  };
  StateLayer arms{.name = "arms",
                  .mask = "arm",
                  .mode = LayerMode::additive,
                  .reference_clip = "bind",
                  .reference_frame = 1,
                  .weight = 0.75F,
                  .weight_parameter = "speed"};
  arms.states = {{.name = "wave", .kind = State::Kind::clip, .clip = "bind"}};
  expected.layers = {body, arms};
  CHECK(loaded->states == expected);
  const std::string saved = save_rig(*loaded, arm());
  CHECK(saved == text);
  CHECK(parse(saved)->states == expected);
  CHECK(parse(R"({"states": {}})")->states == States());
}

TEST_CASE("an unfinished state machine is loaded with its errors and saved again", "[sidecar][states]") {
  const std::string text = R"({
  "springs": [
    {"bones": ["upper"]}
  ],
  "states": {
    "parameters": [
      {"name": "", "type": "trigger"}
    ],
    "layers": [
      {
        "name": "body",
        "mask": "arm",
        "states": [
          {"name": "idle", "clip": ""},
          {"name": "move", "blend": [], "parameter": ""},
          {"name": "aim", "blend": [], "parameters": ["", ""]},
          {"name": "leap", "sequence": {}}
        ],
        "transitions": [
          {"to": "", "when": [{"parameter": "pace", "above": 1000000}], "after": -1}
        ]
      },
      {
        "name": "",
        "states": []
      }
    ]
  }
}
)";
  const auto loaded = parse(text);
  REQUIRE(loaded);
  CHECK(loaded->rig.springs.size() == 1);
  CHECK(save_rig(*loaded, arm()) == text);
  std::string described;
  for (const Diagnostic& error : loaded->state_errors) {
    described += fmt::format("{}:{}: {}\n", error.line, error.column, describe(error));
  }
  CHECK(described == R"(7:16: states.parameters[0].name is empty, but must be a name
12:17: states.layers[0].mask is "arm", but there is no such mask
14:36: states.layers[0].states[0].clip is empty, but must name a clip
15:37: states.layers[0].states[1].blend has 0 clips, but needs at least 2
15:54: states.layers[0].states[1].parameter is empty, but must name a parameter
16:36: states.layers[0].states[2].blend has 0 clips, but needs at least 3
16:55: states.layers[0].states[2].parameters[0] is empty, but must name a parameter
16:59: states.layers[0].states[2].parameters[1] is empty, but must name a parameter
17:40: states.layers[0].states[3].sequence has no clips, but needs "start" or "loop"
20:18: states.layers[0].transitions[0].to is empty, but must name a state
20:45: states.layers[0].transitions[0].when[0].parameter is "pace", but there is no such parameter
20:82: states.layers[0].transitions[0].after is -1, but must be from 0 to 1000
24:17: states.layers[1].name is empty, but must be a name
25:19: states.layers[1].states has no states, but needs at least one
)");
}

TEST_CASE("a state machine of another shape is refused with the path and the value", "[sidecar][states]") {
  const auto refuses = [](const std::string& states, DiagnosticId id, std::string_view path,
                          const std::string& detail) {
    CAPTURE(states);
    const auto loaded = parse(R"({"states": )" + states + "}");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().id == id);
    CHECK(loaded.error().path == path);
    CHECK_THAT(loaded.error().detail, contains(detail));
    CHECK(loaded.error().line == 1);
  };
  using enum DiagnosticId;
  refuses("[]", wrong_type, "states", "is [], but must be an object with layers");
  refuses(R"({"layer": []})", unknown_field, "states.layer", "is not a known field; expected parameters, layers");
  refuses(R"({"parameters": {}})", wrong_type, "states.parameters", "must be an array");
  refuses(R"({"parameters": [{"name": "a"}]})", missing_value, "states.parameters[0].type", "is missing");
  refuses(R"({"parameters": [{"name": "a", "type": "float"}]})", value_out_of_range, "states.parameters[0].type",
          R"(is "float", but must be "number", "boolean" or "trigger")");
  refuses(R"({"parameters": [{"name": "a", "type": "number", "value": true}]})", wrong_type,
          "states.parameters[0].value", "is true, but must be a number");
  refuses(R"({"parameters": [{"name": "a", "type": "number", "max": 1e300}]})", value_out_of_range,
          "states.parameters[0].max", "is 1e300, but must be from");
  refuses(R"({"parameters": [{"name": "a", "type": "boolean", "value": 1}]})", wrong_type, "states.parameters[0].value",
          "is 1, but must be true or false");
  refuses(R"({"parameters": [{"name": "a", "type": "boolean", "max": 1}]})", unknown_field, "states.parameters[0].max",
          "is not a known field; expected name, type, value, key");
  refuses(R"({"parameters": [{"name": "a", "type": "trigger", "value": false}]})", unknown_field,
          "states.parameters[0].value", "is not a known field; expected name, type, key");
  refuses(R"({"layers": [{"states": []}]})", missing_value, "states.layers[0].name", "is missing");
  refuses(R"({"layers": [{"name": "a"}]})", missing_value, "states.layers[0].states", "is missing");
  refuses(R"({"layers": [{"name": "a", "states": [], "mode": "add"}]})", value_out_of_range, "states.layers[0].mode",
          R"(is "add", but must be "override" or "additive")");
  refuses(R"({"layers": [{"name": "a", "states": [], "reference": {"clip": "bind"}}]})", unknown_field,
          "states.layers[0].reference", "is not a known field; expected name, mask, mode, weight");
  refuses(R"({"layers": [{"name": "a", "states": [], "mode": "additive", "reference": "bind"}]})", wrong_type,
          "states.layers[0].reference", R"(is "bind", but must be {"clip": "idle", "frame": 0})");
  refuses(
      R"({"layers": [{"name": "a", "states": [], "mode": "additive", "reference": {"clip": "bind", "frame": 0.5}}]})",
      wrong_type, "states.layers[0].reference.frame", "is 0.5, but must be a whole number");
  const auto refuses_state = [&](const std::string& state, DiagnosticId id, const std::string& field,
                                 const std::string& detail) {
    refuses(R"({"layers": [{"name": "a", "states": [)" + state + "]}]}", id, "states.layers[0].states[0]" + field,
            detail);
  };
  refuses_state("3", wrong_type, "", "is 3, but must be an object with name");
  refuses_state(R"({"name": "a", "clip": 3})", wrong_type, ".clip", "is 3, but must be a string");
  refuses_state(R"({"name": "a", "clip": "b", "blend": []})", contradiction, ".blend",
                "is given, but a state has only one of clip, blend and sequence");
  refuses_state(R"({"name": "a", "clip": "b", "sequence": {}})", contradiction, ".sequence", "is given, but a state");
  refuses_state(R"({"name": "a", "speed": 1})", unknown_field, ".speed",
                "is not a known field; expected name, clip, blend, sequence, enter, leave");
  refuses_state(R"({"name": "a", "sequence": {}, "loop": true})", unknown_field, ".loop", "is not a known field");
  refuses_state(R"({"name": "a", "sequence": {"middle": "b"}})", unknown_field, ".sequence.middle",
                "is not a known field; expected start, loop, end");
  refuses_state(R"({"name": "a", "clip": "b", "loop": "yes"})", wrong_type, ".loop",
                R"(is "yes", but must be true or false)");
  refuses_state(R"({"name": "a", "blend": []})", missing_value, ".parameter", "is missing");
  refuses_state(R"({"name": "a", "blend": [{"clip": "b"}], "parameter": "x"})", missing_value, ".blend[0].at",
                "is missing");
  refuses_state(R"({"name": "a", "blend": [{"clip": "b", "at": [1, 2]}], "parameter": "x"})", wrong_type,
                ".blend[0].at", "is [1,2], but must be a number");
  refuses_state(R"({"name": "a", "blend": [{"clip": "b", "at": 1}], "parameters": ["x", "y"]})", wrong_type,
                ".blend[0].at", "is 1, but must be two numbers");
  refuses_state(R"({"name": "a", "blend": [], "parameters": ["x"]})", wrong_type, ".parameters",
                R"(is ["x"], but must be two names)");
  refuses_state(R"({"name": "a", "blend": [], "parameters": ["x", 2]})", wrong_type, ".parameters[1]",
                "is 2, but must be a string");
  refuses_state(R"({"name": "a", "enter": "step"})", wrong_type, ".enter",
                R"(is "step", but must be an array of strings)");
  refuses_state(R"({"name": "a", "name": "b"})", contradiction, ".name", "is given twice with different values");
  const auto refuses_transition = [&](const std::string& transition, DiagnosticId id, const std::string& field,
                                      const std::string& detail) {
    refuses(R"({"layers": [{"name": "a", "states": [], "transitions": [)" + transition + "]}]}", id,
            "states.layers[0].transitions[0]" + field, detail);
  };
  refuses_transition("{}", missing_value, ".to", "is missing");
  refuses_transition(R"({"to": "a", "when": {"parameter": "b"}})", wrong_type, ".when", "must be an array");
  refuses_transition(R"({"to": "a", "when": [{"above": 1}]})", missing_value, ".when[0].parameter", "is missing");
  refuses_transition(R"({"to": "a", "when": [{"parameter": "b", "above": 1, "below": 2}]})", contradiction,
                     ".when[0].below", "is given, but a condition has only one of above, below and is");
  refuses_transition(R"({"to": "a", "when": [{"parameter": "b", "equals": 1}]})", unknown_field, ".when[0].equals",
                     "is not a known field; expected parameter, above, below, is");
  refuses_transition(R"({"to": "a", "when": [{"parameter": "b", "is": 1}]})", wrong_type, ".when[0].is",
                     "is 1, but must be true or false");
  refuses_transition(R"({"to": "a", "fade": "slow"})", wrong_type, ".fade", R"(is "slow", but must be a number)");
}

TEST_CASE("Kiri's rig file is as the library writes it, without errors", "[sidecar][states]") {
  const auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  const auto loaded = load_rig(test::utf8_of(asset("kiri.rig.json")), *character);
  REQUIRE(loaded);
  CHECK(loaded->state_errors.empty());
  CHECK(loaded->states.layers.size() == 2);
  CHECK(save_rig(*loaded, *character) == read_text(asset("kiri.rig.json")));
}

TEST_CASE("a sidecar file holds a bind pose", "[sidecar]") {
  const auto frame = parse(R"({"bind": {"clip": "bind", "frame": 1}})");
  REQUIRE(frame);
  REQUIRE(frame->bind);
  CHECK(std::get<ClipBindPose>(*frame->bind).clip == "bind");
  CHECK(std::get<ClipBindPose>(*frame->bind).frame == 1);
  CHECK(save_rig(*frame, arm()) == "{\n  \"bind\": {\"clip\": \"bind\", \"frame\": 1}\n}\n");
  const auto identity = parse(R"({"bind": "identity"})");
  REQUIRE(identity);
  CHECK(std::holds_alternative<IdentityBindPose>(*identity->bind));
  CHECK(save_rig(*identity, arm()) == "{\n  \"bind\": \"identity\"\n}\n");
  CHECK(std::get<ClipBindPose>(*parse(R"({"bind": {"clip": "bind"}})")->bind).frame == 0);
}

TEST_CASE("import uses the bind pose of the rig file unless the caller chooses one", "[sidecar]") {
  const std::filesystem::path folder = fresh_folder("sidecar_bind");
  const std::string hero = (folder / "hero.pchr").string();
  write_file(hero, write_v1(sliding_quad()));
  const auto write_rig = [&](std::string_view text) { write_file(rig_path(hero), std::as_bytes(std::span(text))); };
  const auto source = [&](const ImportOptions& options = {}) {
    return import_character(hero, options).value().character.bind_pose_source();
  };
  CHECK(source() == BindPoseSource{ClipId{0}, 0});
  write_rig(R"({"bind": {"clip": "slide", "frame": 2}, "gusts": 0.5})");
  CHECK(source() == BindPoseSource{ClipId{1}, 2});
  CHECK(source({.bind_pose = ClipBindPose{"slide", 3}}) == BindPoseSource{ClipId{1}, 3});
  CHECK(source({.bind_pose = IdentityBindPose{}}) == BindPoseSource{});
  CHECK(source({.rig = asset("kiri.rig.json").string()}) == BindPoseSource{ClipId{0}, 0});
  const Bytes bytes = read_file(hero);
  CHECK(import_character(bytes)->character.bind_pose_source() == BindPoseSource{ClipId{0}, 0});
  CHECK(import_character(bytes, {.rig = rig_path(hero)})->character.bind_pose_source() == BindPoseSource{ClipId{1}, 2});
  std::vector<std::string> announced;
  const auto note = [&](const std::string& path) { announced.push_back(path); };
  REQUIRE(import_character(hero, {.before_reading = note}));
  CHECK(announced == std::vector{hero, rig_path(hero)});

  for (const char* broken : {R"({"bind": {"clip": "dance"}})", R"({"bind": 3})", "{"}) {
    INFO(broken);
    write_rig(broken);
    const auto imported = import_character(hero);
    REQUIRE(imported);
    CHECK(imported->character.bind_pose_source() == BindPoseSource{ClipId{0}, 0});
    REQUIRE(imported->rig_error);
    CHECK(imported->rig_file == rig_path(hero));
  }
  CHECK_FALSE(import_character(hero, {.bind_pose = IdentityBindPose{}})->rig_error);
}

TEST_CASE("the rig file is read before the older file with markers only", "[sidecar]") {
  CHECK(rig_path("folder/hero.pchr") == "folder/hero.rig.json");
  const std::filesystem::path folder = fresh_folder("sidecar");
  const std::string hero = (folder / "hero.pchr").string();
  CHECK_FALSE(find_sidecar(hero));
  const auto write = [](const std::string& path, std::string_view text) {
    write_file(path, std::as_bytes(std::span(text)));
  };
  write(markers_path(hero), R"({"markers": [{"clip": "bind", "frame": 0, "name": "old"}], "note": 1})");
  CHECK(find_sidecar(hero) == markers_path(hero));
  CHECK(load_rig(markers_path(hero), arm())->markers.all()[0].name == "old");
  write(rig_path(hero), R"({"markers": [{"clip": "bind", "frame": 0, "name": "new"}], "gusts": 1})");
  CHECK(find_sidecar(hero) == rig_path(hero));
  CHECK(load_rig(rig_path(hero), arm())->markers.all()[0].name == "new");
  CHECK(load_rig((folder / "nowhere.rig.json").string(), arm()).error().id == DiagnosticId::unreadable_file);
}

TEST_CASE("markers are sorted by clip and frame", "[markers]") {
  const auto markers = parse_markers(R"({"markers": [
    {"clip": "slide", "frame": 3, "name": "b"}, {"clip": "slide", "frame": 1, "name": "a", "note": "kept for people"},
    {"clip": "bind", "frame": 0, "name": "c"}, {"clip": "slide", "frame": 3, "name": "a"}]})");
  REQUIRE(markers);
  CHECK(markers->of_clip(ClipId{0}).size() == 1);
  CHECK(std::ranges::equal(markers->of_clip(ClipId{1}),
                           std::vector<Marker>{{ClipId{1}, 1, "a"}, {ClipId{1}, 3, "b"}, {ClipId{1}, 3, "a"}}));
  CHECK(markers->of_clip(ClipId{2}).empty());
}

TEST_CASE("an invalid marker file is refused with the path and the value", "[markers]") {
  const auto refuses = [](std::string_view text, DiagnosticId id, std::string_view path, const std::string& detail) {
    CAPTURE(text);
    const auto markers = parse_markers(text);
    REQUIRE_FALSE(markers);
    CHECK(markers.error().id == id);
    CHECK(markers.error().path == path);
    CHECK_THAT(markers.error().detail, contains(detail));
  };
  refuses("", DiagnosticId::invalid_json, "", "");
  refuses(R"({"markers": [)", DiagnosticId::invalid_json, "", "");
  refuses("[]", DiagnosticId::wrong_type, "", "markers");
  refuses("{}", DiagnosticId::missing_value, "markers", "is missing");
  refuses(R"({"markers": 3})", DiagnosticId::wrong_type, "markers", "must be an array");
  refuses(R"({"markers": [3]})", DiagnosticId::wrong_type, "markers[0]", "is 3, but must be an object");
  refuses(R"({"markers": [{"clip": "slide", "frame": 0}]})", DiagnosticId::missing_value, "markers[0].name",
          "is missing");
  refuses(R"({"markers": [{"clip": 7, "frame": 0, "name": "x"}]})", DiagnosticId::wrong_type, "markers[0].clip",
          "is 7, but must be the name of a clip");
  refuses(R"({"markers": [{"clip": "slid", "frame": 0, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].clip", "slid");
  refuses(R"({"markers": [{"clip": "slide", "frame": 4, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].frame", "is 4, but clip \"slide\" has 4 frames");
  refuses(R"({"markers": [{"clip": "slide", "frame": -1, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].frame", "is -1, but must be a whole number");
  refuses(R"({"markers": [{"clip": "slide", "frame": 0.5, "name": "x"}]})", DiagnosticId::wrong_type,
          "markers[0].frame", "is 0.5, but must be a whole number");
}

TEST_CASE("duplicate keys in a marker file must have equal values", "[markers]") {
  CHECK(parse_markers(
      R"({"markers": [{"clip": "bind", "clip": "bind", "frame": 0, "frame": 0, "name": "a", "name": "a"}]})"));
  CHECK(parse_markers(R"({"markers": [], "markers": [], "note": 1, "note": 2})"));
  const auto contradicts = [](std::string_view text, std::string_view path) {
    CAPTURE(text);
    const auto markers = parse_markers(text);
    REQUIRE_FALSE(markers);
    CHECK(markers.error().id == DiagnosticId::contradiction);
    CHECK(markers.error().path == path);
  };
  const std::string one = R"([{"clip": "bind", "frame": 0, "name": "a"}])";
  contradicts(R"({"markers": [], "markers": )" + one + "}", "markers");
  contradicts(R"({"markers": )" + one + R"(, "markers": []})", "markers");
  contradicts(R"({"markers": [{"clip": "bind", "clip": "slide", "frame": 0, "name": "a"}]})", "markers[0].clip");
  contradicts(R"({"markers": [{"clip": "slide", "frame": 0, "frame": 1, "name": "a"}]})", "markers[0].frame");
  contradicts(R"({"markers": [{"clip": "slide", "frame": 0, "name": "a", "name": "b"}]})", "markers[0].name");
}

TEST_CASE("markers are in a file next to the character", "[markers]") {
  CHECK(markers_path("folder/hero.pchr") == std::filesystem::path("folder/hero.markers.json"));
  const auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  const auto markers = load_markers(rig_path(test::utf8_of(asset("kiri.pchr"))), *character);
  REQUIRE(markers);
  CHECK(markers->all().size() == 6);
  CHECK(load_markers(test::utf8_of(asset("no such file.markers.json")), *character).error().id ==
        DiagnosticId::unreadable_file);
}

}  // namespace sidecar_test

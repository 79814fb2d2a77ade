// SPDX-License-Identifier: MIT
// Editing, playing and saving state machines, without a window.
#include "ui/commands.hpp"
#include "ui/panels.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <string>

namespace pchr::player::states_test {
namespace {

namespace fs = std::filesystem;
using Kind = StateRef::Kind;

const std::string kArm = R"({
  "markers": [{"clip": "bend", "frame": 2, "name": "click"}],
  "states": {
    "parameters": [
      {"name": "speed", "type": "number", "min": 0, "max": 2, "value": 0, "key": "right"},
      {"name": "resting", "type": "boolean", "value": true, "key": "g"},
      {"name": "jump", "type": "trigger", "key": "space"}
    ],
    "layers": [{
      "name": "base",
      "states": [
        {"name": "still", "clip": "bind"},
        {"name": "moving", "clip": "bend"},
        {"name": "jumping", "clip": "bend", "loop": false}
      ],
      "transitions": [
        {"from": "still", "to": "moving", "when": [{"parameter": "speed", "above": 0.5}]},
        {"from": "moving", "to": "still", "when": [{"parameter": "speed", "below": 0.5}]},
        {"to": "jumping", "when": [{"parameter": "jump"}]},
        {"from": "jumping", "to": "still", "atEnd": true}
      ]
    }]
  }
})";

/// A layer with the states "a" and "b", with transitions from each to the other.
States two_states() {
  StateLayer layer{.name = "base",
                   .first = "a",
                   .states = {{.name = "a", .kind = State::Kind::clip, .clip = "bind", .speed_parameter = "speed"},
                              {.name = "b", .kind = State::Kind::blend_1d, .x = "speed"}},
                   .transitions = {{.from = "a", .to = "b", .conditions = {{.parameter = "speed", .value = 1}}},
                                   {.to = "a", .at_end = true}}};
  layer.weight_parameter = "speed";
  return {.parameters = {{.name = "speed"}}, .layers = {layer}};
}

struct Shown : Windowless {
  fs::path folder;

  explicit Shown(const std::string& name, const std::string& text = kArm)
      : folder(test::fresh_folder("player/states-" + name)) {
    test::write_file(folder / "arm.rig.json", std::as_bytes(std::span(text)));
    show_model(app, folder / "arm.pchr", model(test::two_bone_arm()), ClipId{1});
    REQUIRE(app.error.empty());
    set_mode(app, PlaybackMode::states);
    advance(app, 0);
  }

  [[nodiscard]] States& states() { return app.document()->rig.rig.states; }
  [[nodiscard]] const Machine& machine() const { return *app.playback.machine(); }
  [[nodiscard]] std::string state() const {
    return states_of(*machine().graph).layers[0].states[machine().machine.status(machine().animator).state].name;
  }
  [[nodiscard]] float value(std::string_view parameter) const {
    return machine().machine.values()[*machine().machine.find_parameter(parameter)];
  }
  void press(int key, int modifiers = 0) { handle_key(app, {.key = key, .modifiers = modifiers}); }
};

}  // namespace

TEST_CASE("a renamed part takes along what refers to it, and names stay unique", "[player][states]") {
  States states = two_states();
  const StateRef speed{Kind::parameter, 0, 0}, a{Kind::state, 0, 0};
  rename(states, speed, "pace");
  const StateLayer& layer = states.layers[0];
  CHECK(layer.states[0].speed_parameter == "pace");
  CHECK(layer.states[1].x == "pace");
  CHECK(layer.weight_parameter == "pace");
  CHECK(layer.transitions[0].conditions[0].parameter == "pace");
  rename(states, a, "first");
  CHECK(layer.first == "first");
  CHECK(layer.transitions[0].from == "first");
  CHECK(layer.transitions[1].to == "first");
  CHECK(layer.transitions[1].from.empty());  // From any state.
  rename(states, a, "b");
  CHECK(name_of(states, a) == "b 2");
  CHECK(layer.transitions[0].from == "b 2");
  CHECK(layer.transitions[0].to == "b");
  rename(states, a, "");
  CHECK(name_of(states, a) == "b 2");
  CHECK(name_of(states, add_state(states, 0, {.name = "b"})) == "b 3");
  CHECK(name_of(states, add_parameter(states, {.name = "pace"})) == "pace 2");
}

TEST_CASE("a removed state takes its transitions along, and parts move within their list", "[player][states]") {
  States states = two_states();
  const StateRef second{Kind::transition, 0, 1};
  CHECK(move(states, second, -1) == StateRef{Kind::transition, 0, 0});
  CHECK(states.layers[0].transitions[0].at_end);
  CHECK(move(states, second, 5) == second);
  remove(states, {Kind::state, 0, 0});
  CHECK(states.layers[0].states.size() == 1);
  CHECK(states.layers[0].transitions.empty());
  CHECK(states.layers[0].first.empty());
  remove(states, {Kind::layer, 0, 0});
  remove(states, {Kind::layer, 0, 0});
  CHECK(states.empty());
  CHECK_FALSE(exists(states, {Kind::state, 0, 0}));
}

TEST_CASE("the errors of a machine are assigned to its parts", "[player][states]") {
  const auto part_of = [](const std::string& path) {
    Diagnostic error;
    error.path = path;
    error.detail = "is wrong";
    return state_problems({&error, 1}).front();
  };
  CHECK(part_of("states.parameters[1].key").part == StateRef{Kind::parameter, 0, 1});
  CHECK(part_of("states.layers[2].mask").part == StateRef{Kind::layer, 0, 2});
  CHECK(part_of("states.layers[2].states[3].blend[1].at").part == StateRef{Kind::state, 2, 3});
  CHECK(part_of("states.layers[2].states[3].blend[1].at").field == "blend[1].at");
  CHECK(part_of("states.layers[0].transitions[4]").part == StateRef{Kind::transition, 0, 4});
  CHECK(part_of("states.layers[0].transitions[4]").field.empty());
  CHECK_FALSE(part_of("states.layers").part);
  CHECK(part_of("states.layers").text == "states.layers is wrong");
}

TEST_CASE("a label shows a name with any character", "[player][states]") {
  for (const std::string name : {"run##fast", "###", "#", "a#b##"}) {
    std::string label = full_label(name);
    CHECK(ImGui::FindRenderedTextEnd(label.c_str()) == label.c_str() + label.size());
    std::erase(label, '\r');
    CHECK(label == name);
  }
}

TEST_CASE("conditions are described in words", "[player][states]") {
  using Test = StateCondition::Test;
  StateTransition transition{.conditions = {{"speed", Test::above, 0.1F}, {"ground", Test::is_false}, {"jump"}}};
  CHECK(describe_conditions(transition) == "speed > 0.1, not ground, jump");
  CHECK(describe_conditions({.after = 0.5, .at_end = true}) == "at the end, after 0.5");
}

TEST_CASE("a machine plays in place of the clip, and the Clips tab goes back", "[player][states]") {
  Shown shown("plays");
  App& app = shown.app;
  CHECK(shown.state() == "still");
  CHECK(playhead(app.playback)->clip == ClipId{0});
  set_parameter(*app.playback.machine(), 0, 1);
  advance(app, 0.01);
  CHECK(shown.state() == "moving");
  CHECK(playhead(app.playback)->clip == ClipId{1});
  const std::uint32_t before = playhead(app.playback)->position.frame;
  advance(app, 0.25);
  CHECK(playhead(app.playback)->position.frame == before + 3);
  set_mode(app, PlaybackMode::clip);
  CHECK(app.playback.machine() == nullptr);
  CHECK(playhead(app.playback)->clip == ClipId{1});
  set_mode(app, PlaybackMode::states);
  CHECK(shown.state() == "moving");
  // Another file has no machine.
  show_model(app, shown.folder / "other.pchr", shown.model(test::two_bone_arm()), ClipId{1});
  advance(app, 0.1);
  CHECK(app.playback.machine() == nullptr);
  CHECK(playhead(app.playback)->clip == ClipId{1});
}

TEST_CASE("keys of parameters play the machine, and the others stay commands", "[player][states]") {
  Shown shown("keys");
  App& app = shown.app;
  shown.press(GLFW_KEY_RIGHT);
  CHECK(shown.value("speed") == 2);
  advance(app, 0.01);
  CHECK(shown.state() == "moving");
  release_key(app, GLFW_KEY_RIGHT);
  CHECK(shown.value("speed") == 0);
  advance(app, 0.01);
  CHECK(shown.state() == "still");
  // Shift+Right is a command, so the key that goes up plays nothing.
  set_parameter(*app.playback.machine(), 0, 1.5F);
  shown.press(GLFW_KEY_RIGHT, GLFW_MOD_SHIFT);
  release_key(app, GLFW_KEY_RIGHT);
  CHECK(shown.value("speed") == 1.5F);
  set_parameter(*app.playback.machine(), 0, 0);
  app.playback.clock.play();
  advance(app, 0.01);
  // A boolean is the opposite of what it starts with.
  shown.press(GLFW_KEY_G);
  CHECK(shown.value("resting") == 0);
  release_key(app, GLFW_KEY_G);
  CHECK(shown.value("resting") == 1);

  CHECK(app.playback.playing());
  shown.press(GLFW_KEY_SPACE);
  CHECK(shown.value("jump") == 1);
  release_key(app, GLFW_KEY_SPACE);
  CHECK(shown.value("jump") == 1);
  advance(app, 0.01);
  CHECK(shown.state() == "jumping");
  CHECK(shown.value("jump") == 0);
  CHECK(app.playback.playing());
  shown.press(GLFW_KEY_SPACE, GLFW_MOD_SHIFT);
  CHECK_FALSE(app.playback.playing());
  shown.press(GLFW_KEY_B);
  CHECK(app.view.skeleton);
  set_mode(app, PlaybackMode::clip);
  shown.press(GLFW_KEY_SPACE);
  CHECK(app.playback.playing());
}

TEST_CASE("the next key is the key of the parameter that waits for one", "[player][states]") {
  Shown shown("key");
  App& app = shown.app;
  app.document()->rig.selected_state = {StateRef::Kind::parameter, 0, 2};
  app.key_for = 2;
  shown.press(GLFW_KEY_F5);
  CHECK(app.key_for);
  shown.press(GLFW_KEY_J);
  CHECK_FALSE(app.key_for);
  CHECK(shown.states().parameters[2].key == "j");
  advance(app, 0);
  shown.press(GLFW_KEY_J);
  CHECK(shown.value("jump") == 1);
  app.key_for = 2;
  shown.press(GLFW_KEY_ESCAPE);
  CHECK(shown.states().parameters[2].key == "j");
  // A command is run, and a part that is selected meanwhile gets no key.
  app.key_for = 2;
  shown.press(GLFW_KEY_O, GLFW_MOD_CONTROL);
  CHECK_FALSE(app.key_for);
  CHECK(app.browser.open);
  app.browser.open = false;
  app.key_for = 2;
  app.document()->rig.selected_state = {StateRef::Kind::parameter, 0, 1};
  shown.press(GLFW_KEY_K);
  CHECK_FALSE(app.key_for);
  CHECK(app.view.weights);
  CHECK(shown.states().parameters[2].key == "j");
  app.document()->rig.selected_state = {StateRef::Kind::parameter, 0, 2};
  app.key_for = 2;
  shown.press(GLFW_KEY_DELETE);
  CHECK(shown.states().parameters[2].key.empty());
  CHECK(shown.states().parameters.size() == 3);
}

TEST_CASE("while paused, parameters take effect, and steps advance the machine by frames", "[player][states]") {
  Shown shown("paused");
  App& app = shown.app;
  toggle_playing(app.playback);
  set_parameter(*app.playback.machine(), 0, 2);
  CHECK(advance(app, 5));
  CHECK(shown.state() == "moving");
  CHECK(playhead(app.playback)->position.frame == 0);
  CHECK_FALSE(advance(app, 5));
  run_command(app, "next-frame");
  run_command(app, "next-frame");
  CHECK(playhead(app.playback)->position.frame == 2);
  run_command(app, "previous-frame");
  CHECK(playhead(app.playback)->position.frame == 1);
  // The first frame is the start of the machine.
  run_command(app, "first-frame");
  CHECK(shown.state() == "still");
  CHECK(shown.value("speed") == 0);
}

TEST_CASE("after an error the machine runs on as it was, and the part that is wrong is found", "[player][states]") {
  Shown shown("error");
  App& app = shown.app;
  shown.states().layers[0].transitions[0].to = "nowhere";
  advance(app, 0.01);
  const std::vector<StateProblem> problems = state_problems(app.playback.state_errors);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].part == StateRef{Kind::transition, 0, 0});
  CHECK(problems[0].field == "to");
  set_parameter(*app.playback.machine(), 0, 2);
  advance(app, 0.01);
  CHECK(shown.state() == "moving");
  run_command(app, "rig-undo");
  advance(app, 0.01);
  CHECK(app.playback.state_errors.empty());
  CHECK(shown.state() == "moving");

  // A file that begins with an error plays the clip.
  Shown wrong("wrong", R"({"states": {"layers": [{"name": "base", "states": [{"name": "a", "clip": "none"}]}]}})");
  CHECK(wrong.app.playback.machine() == nullptr);
  CHECK(wrong.app.playback.state_errors.size() == 1);
  CHECK(playhead(wrong.app.playback)->clip == ClipId{1});
  wrong.states().layers[0].states[0].clip = "bind";
  advance(wrong.app, 0.01);
  CHECK(wrong.state() == "a");
}

TEST_CASE("a machine that plays goes on while its parts are renamed, and while that is undone", "[player][states]") {
  Shown shown("renamed");
  App& app = shown.app;
  set_parameter(*app.playback.machine(), 0, 2);
  shown.states().layers[0].transitions[0].fade_seconds = 0.4;
  commit(app.document()->rig);
  advance(app, 0.1);
  const auto status = [&] { return shown.machine().machine.status(shown.machine().animator); };
  const StateStatus before = status();
  REQUIRE(before.transition == 0);
  const auto goes_on = [&] {
    advance(app, 0);
    return app.playback.state_errors.empty() && status().state == 1 && status().from == 0 && status().transition == 0 &&
           status().progress == before.progress && status().phase == before.phase;
  };
  const auto rename_part = [&](StateRef part, const std::string& name) {
    rename(shown.states(), part, name);
    commit(app.document()->rig);
  };
  rename_part({Kind::parameter, 0, 0}, "pace");
  CHECK(goes_on());
  CHECK(shown.value("pace") == 2);
  rename_part({Kind::state, 0, 1}, "going");
  rename_part({Kind::layer, 0, 0}, "body");
  CHECK(goes_on());
  CHECK(shown.state() == "going");
  for (int i = 0; i < 3; ++i) run_command(app, "rig-undo");
  CHECK(goes_on());
  CHECK(shown.state() == "moving");
  CHECK(shown.value("speed") == 2);
}

TEST_CASE("a machine is made with the commands, undone, saved with the markers, and read again", "[player][states]") {
  Shown shown("made", R"({"markers": [{"clip": "bend", "frame": 2, "name": "click"}]})");
  App& app = shown.app;
  CHECK(app.playback.machine() == nullptr);
  CHECK(app.playback.state_errors.empty());
  CHECK_FALSE(is_available(app, command("states-add-transition")));
  run_command(app, "states-add-number");
  run_command(app, "states-add-state");
  run_command(app, "states-add-state");
  commit(app.document()->rig);
  run_command(app, "states-add-transition");
  advance(app, 0.01);
  CHECK(app.playback.state_errors.empty());
  CHECK(shown.state() == "bend");
  const States made = shown.states();
  REQUIRE(made.layers.size() == 1);
  CHECK(made.layers[0].states[1].name == "bend 2");
  CHECK(made.layers[0].transitions[0].from == "bend 2");
  CHECK(made.layers[0].transitions[0].to == "bend");
  CHECK(title(app).find("arm.pchr*") == 0);
  run_command(app, "rig-undo");
  CHECK(shown.states().layers[0].transitions.empty());
  CHECK_FALSE(app.document()->rig.selected_state);
  run_command(app, "rig-redo");
  CHECK(shown.states() == made);
  run_command(app, "rig-save");
  CHECK_FALSE(has_unsaved_changes(app.document()->rig));
  CHECK_THAT(test::read_text(shown.folder / "arm.rig.json"), test::contains("click"));

  Shown again("again", test::read_text(shown.folder / "arm.rig.json"));
  CHECK(again.states() == made);
}

TEST_CASE("a machine with an error is saved and kept as it is", "[player][states]") {
  Shown shown("unfinished");
  App& app = shown.app;
  shown.states().layers[0].transitions[0].to = "nowhere";
  run_command(app, "rig-save");
  CHECK(app.error.empty());
  CHECK(count_problems(app.document()->problems) == 1);
  Shown again("unfinished-again", test::read_text(shown.folder / "arm.rig.json"));
  CHECK(again.states() == shown.states());
  CHECK(again.app.document()->problems.front().kind == ProblemKind::error);
}

TEST_CASE("a reloaded character continues in its state, with unsaved changes", "[player][states]") {
  Shown shown("reload");
  App& app = shown.app;
  set_parameter(*app.playback.machine(), 0, 2);
  advance(app, 0.01);
  shown.states().layers[0].states[1].speed = 2;
  reload_model(app, shown.model(test::two_bone_arm()), ClipId{1});
  advance(app, 0.01);
  CHECK(shown.state() == "moving");
  CHECK(shown.value("speed") == 2);
  CHECK(shown.states().layers[0].states[1].speed == 2);
  CHECK(has_unsaved_states(app.document()->rig));
  // A file that cannot be read leaves what was read before, until it can be read again.
  const fs::path file = shown.folder / "arm.rig.json";
  for (int i = 0; i < 2; ++i) {
    test::write_file(file, std::as_bytes(std::span(kArm).first(40)));
    reload_model(app, shown.model(test::two_bone_arm()), ClipId{1});
    advance(app, 0.01);
    CHECK_THAT(app.error, test::contains("arm.rig.json"));
    CHECK(app.document()->rig.file_error == app.error);
    CHECK(app.document()->markers->all().size() == 1);
    CHECK(shown.state() == "moving");
    CHECK(shown.states().layers[0].states[1].speed == 2);
    CHECK(has_unsaved_states(app.document()->rig));
  }
  run_command(app, "rig-save");
  CHECK_THAT(app.error, test::contains("is not replaced"));
  test::write_file(file, std::as_bytes(std::span(kArm)));
  reload_model(app, shown.model(test::two_bone_arm()), ClipId{1});
  advance(app, 0.01);
  CHECK(app.error.empty());
  CHECK(app.document()->rig.file_error.empty());
  CHECK(shown.state() == "moving");
  CHECK(shown.value("speed") == 2);
  CHECK(shown.states().layers[0].states[1].speed == 2);
  // Without the clip, the machine cannot run.
  CharacterData data = test::two_bone_arm();
  data.clips[0].name = "other";
  reload_model(app, shown.model(std::move(data)), ClipId{1});
  advance(app, 0.01);
  CHECK_FALSE(app.playback.state_errors.empty());
}

}  // namespace pchr::player::states_test

// SPDX-License-Identifier: MIT
// The States tab: playing a machine with keys and controls, and making one with the mouse.
#include "running_player.hpp"

namespace pchr::test::states_test {
namespace {

fs::path folder() { return output("window/states"); }

/// Copies Kiri, with `rig` next to her.
fs::path kiri_with(const std::string& rig) {
  const fs::path path = folder() / "kiri.pchr";
  fs::create_directories(folder());
  fs::copy_file(asset("kiri.pchr"), path, fs::copy_options::overwrite_existing);
  write_file(folder() / "kiri.rig.json", std::as_bytes(std::span(rig)));
  return path;
}

std::string rig_text() { return read_text(folder() / "kiri.rig.json"); }

const std::string kWalker = R"({
  "masks": [{"name": "arm", "bones": ["near_upper_arm", "near_forearm", "near_hand"]}],
  "states": {
    "parameters": [
      {"name": "speed", "type": "number", "min": 0, "max": 2, "key": "right"},
      {"name": "wave", "type": "trigger", "key": "w"}
    ],
    "layers": [{
      "name": "body",
      "states": [{"name": "standing", "clip": "idle"}, {"name": "walking", "clip": "walk"}],
      "transitions": [
        {"from": "standing", "to": "walking", "when": [{"parameter": "speed", "above": 0.5}], "fade": 0.2},
        {"from": "walking", "to": "standing", "when": [{"parameter": "speed", "below": 0.5}], "fade": 0.2}
      ]
    }, {
      "name": "hand", "mask": "arm",
      "states": [{"name": "nothing"}, {"name": "waving", "clip": "wave", "loop": false}],
      "transitions": [
        {"from": "nothing", "to": "waving", "when": [{"parameter": "wave"}]},
        {"from": "waving", "to": "nothing", "atEnd": true}
      ]
    }]
  }
})";

/// Opens the tab, pauses at the machine's start, and moves the mouse aside.
Screenshot show_states(RunningPlayer& player) {
  static_cast<void>(player.pause_at_start());
  player.click("States");
  player.desktop.key("space", "Shift_L");
  REQUIRE(player.state_becomes("playing", "no"));
  player.desktop.key("Home");
  player.desktop.move(kCanvas.center());
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

/// Chooses from the list of parts to add.
void add(RunningPlayer& player, const std::string& part) {
  player.click("##add");
  player.click(part);
}

}  // namespace

TEST_CASE("a machine is played with the keyboard like a game, stopped and stepped, and Clips goes back",
          "[window][states]") {
  RunningPlayer player({path_text(kiri_with(kWalker))});
  REQUIRE(player.shows_title("kiri.pchr"));
  const Screenshot start = show_states(player);
  CHECK(player.state("states") == "standing, nothing");

  // While paused, a key takes effect, and time does not pass.
  player.desktop.hold_key("Right");
  CHECK(player.state_becomes("parameters", "speed 2.00, wave 0.00"));
  CHECK(player.state_becomes("states", "walking from standing, nothing"));
  player.desktop.keep_screenshot("states-fade.png");
  player.click("next-frame");
  player.click("next-frame");
  CHECK(player.changes_from(start));
  CHECK(player.state("states") == "walking from standing, nothing");
  player.click("play");
  CHECK(player.state_becomes("states", "walking, nothing"));
  player.desktop.key("w");
  CHECK(player.state_becomes("states", "walking, waving"));
  player.desktop.keep_screenshot("states-play.png");
  player.desktop.release_key("Right");
  CHECK(player.state_becomes("states", "standing, nothing"));
  CHECK(player.state("parameters") == "speed 0.00, wave 0.00");

  // The same with the mouse.
  const Rect slider = player.where("##set speed");
  player.desktop.click({slider.max.x - 4, slider.center().y});
  CHECK(player.state_becomes("states", "walking, nothing"));
  player.click("##set wave");
  CHECK(player.state_becomes("states", "walking, waving"));

  player.click("Clips");
  CHECK(player.state_becomes("states", ""));
  CHECK(player.state("clip") == "idle");
}

TEST_CASE("a machine is made with the mouse, undone, saved and played again", "[window][states]") {
  const fs::path file = kiri_with("{}");
  {
    RunningPlayer player({path_text(file)});
    REQUIRE(player.shows_title("kiri.pchr"));
    static_cast<void>(show_states(player));
    add(player, "Add number");
    add(player, "Add state");
    CHECK(player.state_becomes("states", "idle"));
    add(player, "Add state");
    player.click("##Clip");
    player.click("walk");
    add(player, "Add transition");
    CHECK(player.shows_title("kiri.pchr*"));
    player.click("Add condition");
    player.desktop.move(kCanvas.center());
    REQUIRE(player.comes_to_rest());
    player.desktop.keep_screenshot("states-made.png");
    // It goes from the second state to the first.
    player.click("##From");
    player.click("idle");
    player.click("##To");
    player.click("idle 2");
    const Rect slider = player.where("##set number");
    player.desktop.click({slider.max.x - 4, slider.center().y});
    CHECK(player.state_becomes("states", "idle 2 from idle"));

    // The machine goes on when its parameter has the new name.
    const std::string before = player.state("parameters");
    REQUIRE(before != "number 0.00");
    player.click("parameter number");
    player.click("##Name");
    player.desktop.key("a", "Control_L");
    for (const std::string letter : {"p", "a", "c", "e"}) player.desktop.key(letter);
    CHECK(player.state("parameters") == before);
    CHECK(player.find("parameter number"));
    player.desktop.key("Return");
    CHECK(player.find("parameter pace"));
    CHECK(player.state_becomes("parameters", "pace" + before.substr(before.find(' '))));
    CHECK(player.state("states") == "idle 2 from idle");
    // A click elsewhere also ends the edit.
    player.click("##Name");
    player.desktop.key("End");
    player.desktop.key("x");
    player.click("parameter pace");
    CHECK(player.find("parameter pacex"));
    player.desktop.key("z", "Control_L");
    CHECK(player.find("parameter pace"));
    player.click("key");
    player.desktop.key("Right");
    // A number beyond all limits is the highest one.
    player.desktop.double_click(player.where("Maximum").center());
    player.desktop.key("a", "Control_L");
    for (const std::string letter : {"1", "e", "3", "9"}) player.desktop.key(letter);
    player.desktop.key("Return");
    player.click("state idle 2");
    player.click("states-remove");
    CHECK_FALSE(player.find("state idle 2"));
    player.desktop.key("z", "Control_L");
    CHECK(player.find("state idle 2"));
    player.desktop.key("s", "Control_L");
    CHECK(eventually([&] { return player.title().find('*') == std::string::npos; }));
  }
  CHECK(rig_text().find("\"pace\"") != std::string::npos);
  CHECK(rig_text().find("\"key\": \"right\"") != std::string::npos);
  CHECK(rig_text().find("\"max\": 1000000") != std::string::npos);
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("kiri.pchr"));
  static_cast<void>(show_states(player));
  player.desktop.key("Right");
  CHECK(player.state_becomes("states", "idle 2 from idle"));
}

TEST_CASE("a problem of a machine is shown at its row and its field", "[window][states]") {
  std::string wrong = kWalker;
  const std::string to = R"("to": "walking")";
  wrong.replace(wrong.find(to), to.size(), R"("to": "running")");
  const std::string speed = R"("clip": "walk")";
  wrong.replace(wrong.find(speed), speed.size(), speed + R"(, "speedParameter": "nobody")");
  RunningPlayer player({path_text(kiri_with(wrong))});
  REQUIRE(player.shows_title("kiri.pchr"));
  static_cast<void>(show_states(player));
  CHECK(player.state("states").empty());
  player.click("state problems");
  CHECK(player.where("problem speedParameter").max.y > player.where("##Scaled by").max.y);
  player.click("##Scaled by");
  player.click("None");
  CHECK_FALSE(player.find("problem speedParameter"));
  player.click("state problems");
  CHECK(player.where("problem to").max.y > player.where("##To").max.y);
  player.desktop.move(kCanvas.center());
  player.desktop.keep_screenshot("states-problem.png");
  player.click("##To");
  player.click("walking");
  CHECK(player.state_becomes("states", "standing, nothing"));
  CHECK_FALSE(player.find("problem to"));
  CHECK_FALSE(player.find("state problems"));
}

TEST_CASE("a point of a blend space is dragged, and elsewhere the mouse sets the parameters",
          "[window][states][long]") {
  const std::string name = "##space##" + std::string(120, 'e');
  RunningPlayer player({path_text(kiri_with(R"({"states": {
    "parameters": [{"name": "x", "type": "number", "min": -1, "max": 1}, {"name": "y", "type": "number", "min": -1}],
    "layers": [{"name": "body", "states": [{"name": ")" +
                                            name + R"(", "parameters": ["x", "y"], "blend": [
      {"clip": "idle", "at": [0, 0]}, {"clip": "walk", "at": [1, 0]}, {"clip": "wave", "at": [0, 1]}]}]}]}})"))});
  REQUIRE(player.shows_title("kiri.pchr"));
  static_cast<void>(show_states(player));
  player.click("state " + name);
  const Rect plot = player.where("plot");
  player.desktop.click(plot.min + plot.size() * 0.25F);
  CHECK(player.state_becomes("parameters", "x -0.65, y 0.76"));
  player.desktop.move(kCanvas.center());
  player.desktop.keep_screenshot("states-blend.png");
  const Rect point = player.where("point 1");
  player.desktop.drag(point.center(), point.center() - Vec2{30, 20});
  player.desktop.release(1);
  CHECK(player.shows_title("kiri.pchr*"));
  CHECK(player.where("point 1").center().x < point.center().x - 20);
  CHECK(player.state("parameters") == "x -0.65, y 0.76");
  // A name of any length can be edited.
  player.click("##Name");
  player.desktop.key("End");
  player.desktop.key("d");
  player.desktop.key("Return");
  CHECK(player.find("state " + name + "d"));
}

TEST_CASE("Kiri's machine is shown", "[window][states]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  REQUIRE(player.shows_title("kiri.pchr"));
  static_cast<void>(show_states(player));
  player.click("state move");
  player.desktop.move(kCanvas.center());
  REQUIRE(player.comes_to_rest());
  CHECK(player.is_documented("states.png"));
}

}  // namespace pchr::test::states_test

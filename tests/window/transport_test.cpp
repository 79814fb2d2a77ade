// SPDX-License-Identifier: MIT
// Playback controls.
#include "running_player.hpp"

#include <tuple>

namespace pchr::test::transport_test {
namespace {

/// Returns screenshots of all frames of the bending arm, and goes back to the first frame.
std::vector<Screenshot> frames_of(RunningPlayer& player) {
  std::vector<Screenshot> frames{player.pause_at_start()};
  while (frames.size() < kBendFrames) frames.push_back(player.screenshot_after_key("Right"));
  player.desktop.key("Home");
  REQUIRE(player.becomes(frames[0]));
  return frames;
}

/// Writes an arm whose clip "wave" does not loop.
fs::path waving_file() {
  CharacterData data = two_bone_arm();
  data.clips.push_back(data.clips[1]);
  data.clips.back().name = "wave";
  data.clips.back().looping = false;
  const fs::path path = output("window/waving.pchr");
  write_file(path, write_v1(data));
  return path;
}

}  // namespace

TEST_CASE("a chosen clip plays, and rests on its end and repeats if it does not loop", "[window][transport]") {
  RunningPlayer player({path_text(waving_file())});
  static_cast<void>(player.pause_at_start());
  {
    INFO("choosing a clip plays it, however it is chosen");
    const auto plays = [&](const std::string& clip) {
      INFO(clip);
      CHECK(player.state_becomes("clip", clip));
      CHECK(player.state("playing") == "yes");
      player.desktop.key("space");
      CHECK(player.state("playing") == "no");
    };
    player.click("clip 2");
    plays("wave");
    player.desktop.key("Up");
    plays("bend");
    player.desktop.key("3");
    plays("wave");
    player.desktop.key("slash");
    for (const std::string letter : {"b", "e", "n"}) player.desktop.key(letter);
    player.desktop.key("Return");
    plays("bend");
  }
  {
    INFO("a clip that does not loop rests on its end and repeats, unless it plays once");
    player.desktop.key("3");
    REQUIRE(player.state_becomes("clip", "wave"));
    for (int cycle = 0; cycle < 2; ++cycle) {
      CHECK(player.state_becomes("frame", "7"));
      CHECK(player.state_becomes("frame", "1"));
      CHECK(player.state("playing") == "yes");
    }
    player.click("##loop");
    player.click("Once");
    CHECK(player.state_becomes("playing", "no"));
    CHECK(player.state("frame") == "7");
    CHECK(player.comes_to_rest());
    // The next clip is not stopped by the one that ended.
    player.desktop.key("2");
    CHECK(player.state_becomes("clip", "bend"));
    CHECK(player.state_becomes("frame", "7"));
  }
}

TEST_CASE("loop mode and speed are forgotten by the next start unless they are pinned", "[window][transport]") {
  const std::string configuration = fresh_configuration();
  const auto start = [&](bool pin, const std::string& expected) {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    static_cast<void>(player.pause_at_start());
    CHECK(player.state("speed") == expected);
    player.desktop.key("BackSpace");
    player.desktop.key("period");
    if (pin) player.click("keep-playback");
    if (pin) player.desktop.keep_screenshot("pinned.png");
    player.desktop.key("q", "Control_L");
    CHECK(player.process.wait() == 0);
  };
  start(false, "1.00");
  start(true, "1.00");
  start(false, "1.50");
}

TEST_CASE("frame and rate stay visible in small windows", "[window][transport]") {
  const auto [width, height, dots_per_inch] =
      GENERATE(std::tuple{800, 600, 96}, std::tuple{640, 480, 96}, std::tuple{1920, 1080, 192});
  RunningPlayer player({path_text(waving_file())}, width, height, dots_per_inch);
  static_cast<void>(player.pause_at_start());
  player.desktop.key("i");
  player.desktop.key("End");
  player.desktop.move(Vec2{width, height} * 0.3F);
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("transport-" + std::to_string(width) + ".png");
  for (const std::string part : {"play", "##frame", "fps", "range"}) {
    const Rect area = player.where(part);
    INFO(part);
    CHECK(area.max.x <= static_cast<float>(width));
  }
}

TEST_CASE("holds, ranges, speeds and counted loops show their frames", "[window][transport][long]") {
  RunningPlayer player({path_text(arm_file())});
  const std::vector<Screenshot> frames = frames_of(player);
  {
    INFO("on twos, every other frame is skipped");
    player.desktop.key("t");
    player.desktop.key("Right");
    REQUIRE(player.comes_to_rest());
    CHECK(player.becomes(frames[0]));
    player.desktop.key("Right");
    CHECK(player.becomes(frames[2]));
    player.desktop.key("Right");
    player.desktop.key("t", "Shift_L");
    CHECK(player.becomes(frames[3]));
  }
  {
    INFO("I and O set a range that limits Home, End and steps, and Shift+I clears it");
    player.desktop.key("Home");
    CHECK(player.becomes(frames[0]));
    for (int i = 0; i < 2; ++i) player.desktop.key("Right");
    player.desktop.key("i");
    for (int i = 0; i < 2; ++i) player.desktop.key("Right");
    player.desktop.key("o");
    player.desktop.key("Home");
    CHECK(player.becomes(frames[2]));
    player.desktop.key("End");
    CHECK(player.becomes(frames[4]));
    player.desktop.key("Right");
    CHECK(player.becomes(frames[2]));
    player.desktop.keep_screenshot("range.png");
    player.desktop.key("Escape");
    CHECK(player.state_becomes("range", "2-4"));
    player.desktop.key("i", "Shift_L");
    player.desktop.key("Home");
    CHECK(player.becomes(frames[0]));
  }
  {
    INFO("comma and period change the speed, and Backspace resets it");
    const Screenshot normal = player.capture();
    for (const std::string key : {"comma", "period", "r"}) {
      player.desktop.key(key);
      CHECK(player.changes_from(normal, kLayout.transport));
      player.desktop.key("BackSpace");
      CHECK(player.becomes(normal, kLayout.transport));
    }
  }
  {
    INFO("a counted clip stops on its last frame, or on its first in reverse");
    for (int i = 0; i < 4; ++i) player.desktop.key("l");
    for (int i = 0; i < 2; ++i) player.desktop.key("minus");
    player.desktop.key("space");
    CHECK(player.becomes(frames.back()));
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("counted.png");
    player.desktop.key("r");
    player.desktop.key("space");
    CHECK(player.becomes(frames[0]));
    CHECK(player.comes_to_rest());
  }
}

TEST_CASE("settings that do not fit into a narrow window are in a menu", "[window][transport]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))}, 800, 600);
  player.desktop.resize(player.window, 800, 600);
  static_cast<void>(player.pause_at_start());
  CHECK_FALSE(player.find("reverse"));
  player.click("more-playback");
  CHECK(player.find("speed"));
  CHECK(player.find("##hold"));
  player.desktop.keep_screenshot("transport-more.png");
  player.click("reverse");
  CHECK(player.state_becomes("speed", "-1.00"));
}

}  // namespace pchr::test::transport_test

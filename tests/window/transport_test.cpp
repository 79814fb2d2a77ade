// SPDX-License-Identifier: MIT
// Playback controls.
#include "running_player.hpp"

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

}  // namespace

TEST_CASE("on twos, every other frame is skipped", "[window][transport]") {
  RunningPlayer player({path_text(arm_file())});
  const std::vector<Screenshot> frames = frames_of(player);
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

TEST_CASE("I and O set a range that limits Home, End and steps, and Shift+I clears it", "[window][transport]") {
  RunningPlayer player({path_text(arm_file())});
  const std::vector<Screenshot> frames = frames_of(player);
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

TEST_CASE("a counted clip stops on its last frame, or on its first in reverse", "[window][transport]") {
  RunningPlayer player({path_text(arm_file())});
  const std::vector<Screenshot> frames = frames_of(player);
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

TEST_CASE("comma and period change the speed, and Backspace resets it", "[window][transport]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  const Screenshot normal = player.capture();
  for (const std::string key : {"comma", "period", "r"}) {
    player.desktop.key(key);
    CHECK(player.changes_from(normal, kLayout.transport));
    player.desktop.key("BackSpace");
    CHECK(player.becomes(normal, kLayout.transport));
  }
}

}  // namespace pchr::test::transport_test

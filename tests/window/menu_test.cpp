// SPDX-License-Identifier: MIT
// The menu bar and the context menus.
#include "running_player.hpp"

namespace pchr::test::menu_test {
namespace {

/// Opens a menu of the bar and clicks one of its items.
void choose(RunningPlayer& player, const std::string& menu, const std::string& item) {
  player.click("menu " + menu);
  player.click("item " + item);
}

}  // namespace

TEST_CASE("every menu opens, and its entries run commands", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  choose(player, "Playback", "next-frame");
  CHECK(player.state_becomes("frame", "1"));
  choose(player, "Overlays", "skeleton");
  player.click("menu Overlays");
  CHECK(player.find("item skeleton"));
  player.desktop.keep_screenshot("menu-overlays.png");
  player.desktop.key("Escape");
  CHECK_FALSE(player.find("item skeleton"));
  choose(player, "View", "compare");
  CHECK(player.find("swap"));
  choose(player, "Window", "problems");
  choose(player, "Edit", "show-all");
  player.desktop.key("Escape");
  choose(player, "Help", "help");
  player.desktop.key("Escape");
  choose(player, "File", "quit");
  CHECK(player.process.wait() == 0);
}

TEST_CASE("a menu shows keys and scrolls in a low window", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.resize(player.window, 640, 480);
  player.click("menu Playback");
  player.desktop.keep_screenshot("menu-640x480.png");
  CHECK(player.where("item play").min.y < 100.0F);
  CHECK_FALSE(player.find("item game"));
  player.desktop.move(player.where("item play").center());
  for (int i = 0; i < 30; ++i) player.desktop.wheel(false);
  CHECK(player.find("item game"));
}

TEST_CASE("in a narrow window one menu holds all", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.resize(player.window, 300, 480);
  player.click("menu Menu");
  player.click("menu Playback");
  player.desktop.keep_screenshot("menu-narrow.png");
  player.click("item next-frame");
  CHECK(player.state_becomes("frame", "1"));
}

TEST_CASE("a recent file opens from the File menu", "[window][menu]") {
  const fs::path other = output("window/other.pchr");
  write_file(other, write_v1(two_bone_arm()));
  RunningPlayer player({path_text(arm_file()), path_text(other)});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("Next", "Control_L");
  REQUIRE(player.state_becomes("file", "other.pchr"));
  player.click("menu File");
  player.desktop.move(player.where("menu Open recent").center());
  player.desktop.move(player.where("item recent 1").center());
  player.desktop.keep_screenshot("menu-recent.png");
  player.click("item recent 1");
  CHECK(player.state_becomes("file", "arm.pchr"));
}

TEST_CASE("Escape closes an open menu or drop-down and nothing behind it", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("i");
  REQUIRE(player.state_becomes("range", "0-7"));
  player.click("##hold");
  player.desktop.keep_screenshot("menu-drop-down.png");
  player.desktop.key("space");
  CHECK(player.state_becomes("playing", "no"));
  player.desktop.key("Escape");
  CHECK(player.find("##hold"));
  player.click("menu Edit");
  player.desktop.key("Escape");
  CHECK_FALSE(player.find("item rig-undo"));
  player.desktop.key("Escape");
  CHECK(player.state_becomes("range", "0-7"));
}

}  // namespace pchr::test::menu_test

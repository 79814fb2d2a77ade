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

void right_click(RunningPlayer& player, Vec2 at) {
  player.desktop.move(at);
  player.desktop.press(3);
  player.desktop.release(3);
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

TEST_CASE("the keyboard opens menus, moves in them, chooses and closes them", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  {
    INFO("F10 and Alt open the menu bar, in which arrows move and Enter chooses");
    player.desktop.key("F10");
    REQUIRE(player.find("item browse"));
    player.desktop.key("Right");
    CHECK(player.find("item rig-undo"));
    CHECK_FALSE(player.find("item browse"));
    player.desktop.key("Left");
    player.desktop.key("Left");
    CHECK(player.find("item help"));
    player.desktop.keep_screenshot("menu-keyboard.png");
    player.desktop.key("Escape");
    CHECK_FALSE(player.find("item help"));
    CHECK(player.state_becomes("frame", "0"));

    player.desktop.key("Alt_L");
    REQUIRE(player.find("item browse"));
    for (int i = 0; i < 3; ++i) player.desktop.key("Right");
    REQUIRE(player.find("item play"));
    player.desktop.key("Down");
    player.desktop.key("Return");
    CHECK_FALSE(player.find("item play"));
    CHECK(player.state_becomes("frame", "7"));  // Previous frame.

    // Alt with a button, or twice, opens nothing.
    player.desktop.hold_key("Alt_L");
    player.desktop.click(kCanvas.center());
    player.desktop.release_key("Alt_L");
    CHECK_FALSE(player.find("item browse"));
    player.desktop.key("Alt_L");
    player.desktop.key("Alt_L");
    CHECK_FALSE(player.find("item browse"));
  }
  {
    INFO("the arrow keys and Space choose in an open menu");
    player.click("menu Overlays");
    player.desktop.move(kCanvas.center());
    player.desktop.key("Down");
    player.desktop.keep_screenshot("menu-keys.png");
    player.desktop.key("space");
    CHECK_FALSE(player.find("item skeleton"));
    CHECK(player.state_becomes("playing", "no"));
  }
  {
    INFO("Escape closes an open menu or drop-down and nothing behind it");
    player.desktop.key("Home");
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

TEST_CASE("menus and the help fit at 200% and in a small window", "[window][menu][long]") {
  for (const auto& [width, height, dots_per_inch] : {std::array{1920, 1080, 192}, std::array{800, 600, 96}}) {
    RunningPlayer player({path_text(arm_file())}, width, height, dots_per_inch);
    player.desktop.resize(player.window, width, height);
    static_cast<void>(player.pause_at_start());
    const auto keep = [&](const std::string& name) {
      player.desktop.keep_screenshot("menu-" + name + "-" + std::to_string(width) + ".png");
    };
    player.click("menu View");
    CHECK(player.find("item fit"));
    keep("view");
    player.desktop.key("Escape");
    player.desktop.key("F1");
    CHECK(player.find("##commands"));
    keep("help");
  }
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

TEST_CASE("a right click on a part opens its menu, which hides it, and Show all brings it back", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot whole = player.pause_at_start();
  right_click(player, kCanvas.center() + Vec2{100, -90});
  REQUIRE(player.find("context menu"));
  player.desktop.keep_screenshot("menu-canvas.png");
  player.click("item hide");
  CHECK_FALSE(player.find("context menu"));
  CHECK(player.changes_from(whole));
  choose(player, "Edit", "show-all");
  player.desktop.move(kCanvas.center());
  player.desktop.key("Escape");
  CHECK(player.becomes(whole));

  // A drag with the right button is no click.
  player.desktop.drag(kCanvas.center(), kCanvas.center() + Vec2{60, 0}, 3);
  player.desktop.release(3);
  CHECK_FALSE(player.find("context menu"));
}

TEST_CASE("a right click on the timeline sets the range, and one on a clip plays, compares or mixes it",
          "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  {
    INFO("a right click on the timeline sets the range");
    right_click(player, timeline_frame(2));
    player.desktop.keep_screenshot("menu-timeline.png");
    player.click("item start-here");
    CHECK(player.state_becomes("range", "2-7"));
    right_click(player, timeline_frame(5));
    player.click("item end-here");
    CHECK(player.state_becomes("range", "2-5"));
    right_click(player, timeline_frame(4));
    player.click("item no-range");
    CHECK(player.state_becomes("range", ""));
  }
  {
    INFO("a right click on a clip plays, compares or mixes it");
    right_click(player, player.where("clip 0").center());
    player.desktop.keep_screenshot("menu-clip.png");
    player.click("item play-clip");
    CHECK(player.state_becomes("clip", "bind"));
    right_click(player, player.where("clip 1").center());
    player.click("item compare-clip");
    CHECK(player.find("swap"));
    CHECK(player.state_becomes("clip", "bind"));
  }
}

TEST_CASE("the help finds commands by their keys and names", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot plain = player.pause_at_start();
  player.desktop.resize(player.window, 640, 480);
  player.desktop.key("F1");
  player.desktop.keep_screenshot("help-640x480.png");
  for (const std::string key : {"o", "n", "i", "o", "n"}) player.desktop.key(key);
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("help-found.png");
  player.desktop.key("F1");
  player.desktop.resize(player.window, kWidth, kHeight);
  CHECK(player.becomes(plain));
}

TEST_CASE("the help runs the chosen command on Enter and the clicked one", "[window][menu]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("F1");
  REQUIRE(player.find("##commands"));
  for (const std::string key : {"f", "o", "l", "l", "o", "w"}) player.desktop.key(key);
  REQUIRE(player.find("command follow-root"));
  player.desktop.key("Return");
  CHECK(player.state_becomes("follow-root", "yes"));
  CHECK_FALSE(player.find("##commands"));

  player.desktop.key("F1");
  for (const std::string key : {"t", "e", "n", "space", "f", "r"}) player.desktop.key(key);
  player.desktop.key("Down");
  player.desktop.keep_screenshot("help-chosen.png");
  player.desktop.key("Return");  // The second and last: forward ten of eight frames.
  CHECK(player.state_becomes("frame", "2"));

  player.desktop.key("F1");
  for (const std::string key : {"l", "a", "s", "t"}) player.desktop.key(key);
  player.click("command last-frame");
  CHECK(player.state_becomes("frame", "7"));
  CHECK_FALSE(player.find("##commands"));
}

}  // namespace pchr::test::menu_test

// SPDX-License-Identifier: MIT
// Basic use of the player: a window, keys, mouse and rendering.
#include "drag_and_drop.hpp"
#include "running_player.hpp"

namespace pchr::test::player_test {

TEST_CASE("the player opens a file and shows its character", "[window][windows]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  CHECK(player.shows_title("kiri.pchr"));
  CHECK(eventually([&] { return color_count(player.capture(), kCanvas) > 1000; }));
  static_cast<void>(player.pause_at_start());
  player.desktop.keep_screenshot("kiri.png");
}

TEST_CASE("playback, scrubbing, the wheel and the keys of panels change the canvas and back", "[window]") {
  RunningPlayer player({path_text(arm_file())});
  {
    INFO("the canvas changes while the clip plays and rests while it is paused");
    REQUIRE(player.shows_title("bend"));
    REQUIRE(player.changes_from(player.capture()));
    player.desktop.key("space");
    CHECK(player.comes_to_rest());
    const Screenshot paused = player.capture();
    player.desktop.key("space");
    CHECK(player.changes_from(paused));
  }
  {
    INFO("dragging along the timeline shows the frame under the mouse");
    std::vector<Screenshot> frames{player.pause_at_start()};
    for (int i = 0; i < 5; ++i) frames.push_back(player.screenshot_after_key("Right"));
    player.desktop.key("Home");
    REQUIRE(player.becomes(frames[0]));
    player.desktop.drag(timeline_frame(0), timeline_frame(3));
    CHECK(player.becomes(frames[3]));
    player.desktop.move(timeline_frame(5));
    CHECK(player.becomes(frames[5]));
    player.desktop.release(1);
    player.desktop.move(timeline_frame(1));
    CHECK(player.comes_to_rest());
    CHECK(player.becomes(frames[5]));
  }
  {
    INFO("the wheel zooms, dragging moves the camera, and F fits it again");
    player.desktop.key("Home");
    player.desktop.move(kCanvas.center());
    REQUIRE(player.comes_to_rest());
    const Screenshot fitted = player.capture();
    player.desktop.wheel(true);
    REQUIRE(player.changes_from(fitted));
    player.desktop.key("f");
    CHECK(player.becomes(fitted));
    for (const unsigned button : {1U, 2U, 3U}) {
      player.desktop.drag(kCanvas.center(), kCanvas.center() + Vec2{90.0F, 40.0F}, button);
      player.desktop.release(button);
      CHECK(player.changes_from(fitted));
      player.desktop.key("f");
      CHECK(player.becomes(fitted));
    }
  }
  {
    INFO("keys toggle the skeleton, the background, the help and the panels");
    const Screenshot plain = player.capture();
    for (const std::string key : {"b", "g", "F1", "Tab"}) {
      static_cast<void>(player.screenshot_after_key(key));
      player.desktop.key(key);
      CHECK(player.becomes(plain));
    }
    player.desktop.key("slash", "Shift_L");
    CHECK(player.changes_from(plain));
    player.desktop.key("Escape");
    CHECK(player.becomes(plain));
  }
}

TEST_CASE("Right and Left step one frame, Home and End go to the ends", "[window][windows]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot first = player.pause_at_start();
  const Screenshot second = player.screenshot_after_key("Right");
  CHECK(difference(first, second, kCanvas) > 0);
  player.desktop.key("Left");
  CHECK(player.becomes(first));
  const Screenshot last = player.screenshot_after_key("End");
  for (std::uint32_t i = 0; i + 1 < kBendFrames; ++i) player.desktop.key("Left");
  CHECK(player.becomes(first));
  player.desktop.key("Left");
  CHECK(player.becomes(last));
  player.desktop.key("Home");
  CHECK(player.becomes(first));
}

TEST_CASE("a click on a clip in the list shows that clip", "[window][windows]") {
  RunningPlayer player({path_text(arm_file())});
  REQUIRE(player.shows_title("bend"));
  static_cast<void>(player.pause_at_start());
  static_cast<void>(player.screenshot_after_key("Right"));
  const Screenshot bent = player.screenshot_after_key("Right");
  player.click("clip 0");
  CHECK(player.shows_title("bind"));
  CHECK(player.changes_from(bent));
}

TEST_CASE("a dropped file opens", "[window][windows]") {
  RunningPlayer player({});
  REQUIRE(player.comes_to_rest());
  const Screenshot empty = player.capture();
  player.desktop.keep_screenshot("empty.png");
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), arm_file()));
  CHECK(player.shows_title("arm.pchr"));
  CHECK(player.changes_from(empty));
}

TEST_CASE("a broken file shows its error over the last good frame, and the player continues", "[window]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot good = player.pause_at_start();
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), broken_file()));
  REQUIRE(player.changes_from(good));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("error.png");
  const Rect below_banner{{kCanvas.min.x, kCanvas.center().y}, kCanvas.max};
  CHECK(difference(player.capture(), good, below_banner) == 0);
  CHECK(player.title().find("arm.pchr") != std::string::npos);
  static_cast<void>(player.screenshot_after_key("Right"));
  player.desktop.key("Left");
  player.desktop.key("Escape");
  CHECK(player.becomes(good));
}

TEST_CASE("a broken file on the command line shows its error", "[window]") {
  RunningPlayer player({path_text(broken_file())});
  CHECK(player.comes_to_rest());
  const Screenshot with_error = player.capture();
  player.desktop.key("Escape");
  CHECK(player.changes_from(with_error));
  CHECK(player.process.running());
}

TEST_CASE("the player survives tiny and huge windows", "[window][long]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot before = player.pause_at_start();
  for (const auto& [width, height] : {std::pair{90, 60}, std::pair{400, 300}, std::pair{5000, 3000}, std::pair{1, 1}}) {
    player.desktop.resize(player.window, width, height);
    CHECK(player.comes_to_rest());
    CHECK(player.process.running());
  }
  player.desktop.resize(player.window, kWidth, kHeight);
  CHECK(player.becomes(before));
}

TEST_CASE("the interface scales on a high-DPI screen", "[window]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))}, kWidth * 2, kHeight * 2, 192);
  CHECK(player.desktop.size(player.window) == Vec2{kWidth * 2, kHeight * 2});
  CHECK(player.shows_title("idle"));
  static_cast<void>(player.pause_at_start());
  player.desktop.keep_screenshot("kiri-double.png");
  player.click("clip 0");
  CHECK(player.shows_title("bind"));
}

TEST_CASE("Q quits with exit code 0, and so does Ctrl+Q", "[window][windows]") {
  for (const std::string held : {"", "Control_L"}) {
    RunningPlayer player({path_text(arm_file())});
    REQUIRE(player.shows_title("arm.pchr"));
    player.desktop.key("q", held);
    CHECK(player.process.wait().value_or(-1) == 0);
  }
}

TEST_CASE("without a display the player reports it and exits with 3", "[window]") {
  const fs::path log = output("window/no-display.log");
  ChildProcess process({PCHR_PLAYER_PROGRAM}, {{"DISPLAY", std::nullopt}, {"WAYLAND_DISPLAY", std::nullopt}}, log);
  REQUIRE(process.wait().value_or(-1) == 3);
  CHECK(read_text(log).find("no display is available") != std::string::npos);
}

TEST_CASE("wrong usage exits with 2, help and version with 0", "[window][windows]") {
  const auto exit_code = [](const std::vector<std::string>& arguments) {
    ChildProcess process(RunningPlayer::command(arguments), {{"DISPLAY", std::nullopt}}, output("window/usage.log"));
    return process.wait().value_or(-1);
  };
  CHECK(exit_code({"--no-such-option"}) == 2);
  CHECK(exit_code({"--encoding"}) == 2);
  CHECK(exit_code({"--help"}) == 0);
  CHECK(exit_code({"--version"}) == 0);
}

}  // namespace pchr::test::player_test

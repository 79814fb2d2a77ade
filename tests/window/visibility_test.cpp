// SPDX-License-Identifier: MIT
// Nothing is drawn that nobody sees.
#include "hidden_window.hpp"
#include "running_player.hpp"

namespace pchr::test::visibility_test {
namespace {

/// Returns whether the player draws no frame for a while, although it plays. Questions themselves do not draw.
bool draws_nothing(const RunningPlayer& player) {
  const std::string before = player.state("presented");
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
       std::chrono::steady_clock::now() < end;) {
    if (player.state("presented") != before) return false;
  }
  return player.state("playing") == "yes";
}

bool plays_on(const RunningPlayer& player) {
  const std::string before = player.state("frame");
  return eventually([&] { return player.state("frame") != before; });
}

/// Returns whether drawing everything again changes nothing.
bool shows_the_same_drawn_anew(RunningPlayer& player) {
  const Screenshot shown = player.capture();
  const std::string before = player.state("canvases");
  player.desktop.key("Shift_L");
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("canvases") != before);
  return difference(player.capture(), shown, {{0, 0}, {kWidth, kHeight}}) == 0;
}

}  // namespace

TEST_CASE("a minimized player draws nothing, and plays on when it is shown again", "[window][visibility]") {
  RunningPlayer player({path_text(arm_file())});
  REQUIRE(player.shows_title("\u2013"));
  REQUIRE(plays_on(player));
  minimize(player.desktop, player.window);
  REQUIRE(player.state_becomes("visible", "no"));
  CHECK(draws_nothing(player));
  restore(player.desktop, player.window);
  REQUIRE(player.state_becomes("visible", "yes"));
  CHECK(plays_on(player));
  const std::string before = player.state("presented");
  CHECK(eventually([&] { return player.state("presented") != before; }));
}

TEST_CASE("a covered player draws nothing but reloads its file", "[window][visibility]") {
  const fs::path path = arm_file();
  RunningPlayer player({path_text(path)});
  REQUIRE(player.shows_title("\u2013"));
  {
    const Cover cover(player.desktop, player.window);
    REQUIRE(player.state_becomes("visible", "no"));
    CHECK(draws_nothing(player));
    write_file(path, Bytes(40));
    CHECK(eventually([&] { return !player.state("error").empty(); }));
    CHECK(draws_nothing(player));
    write_file(path, write_v1(two_bone_arm()));
    CHECK(player.state_becomes("error", ""));
  }
  REQUIRE(player.state_becomes("visible", "yes"));
  CHECK(plays_on(player));
}

TEST_CASE("a mouse that moves over the paused canvas presents no frames", "[window][visibility]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.move(kCanvas.center());
  REQUIRE(player.comes_to_rest());
  const std::string before = player.state("presented");
  for (int i = 0; i < 20; ++i) player.desktop.move(kCanvas.center() + Vec2{static_cast<float>(i), 0.0F});
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("presented") == before);
  // A button lights up under the mouse, while the canvas stays.
  const Screenshot shown = player.capture();
  const Rect next = player.where("next-frame");
  player.desktop.move(next.center());
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("presented") != before);
  CHECK(difference(player.capture(), shown, next) > 0);
  CHECK(difference(player.capture(), shown, kCanvas) == 0);
}

TEST_CASE("a mouse that moves over panels draws what lights up, and no canvas", "[window][visibility]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  const std::string canvases = player.state("canvases");
  const std::string presented = player.state("presented");
  for (const char* place : {"next-frame", "panel clips", "panel info", "previous-frame", "next-frame"}) {
    player.desktop.move(player.where(place).center());
    REQUIRE(player.comes_to_rest());
  }
  CHECK(player.state("presented") != presented);
  CHECK(player.state("canvases") == canvases);
  CHECK(shows_the_same_drawn_anew(player));
}

TEST_CASE("a clip that plays to its end leaves nothing of the poses before", "[window][visibility]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("l");  // Once, rather than as in the file.
  const std::string before = player.state("canvases");
  player.desktop.key("space");
  REQUIRE(player.state_becomes("playing", "no"));
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("canvases") != before);
  CHECK(shows_the_same_drawn_anew(player));
}

TEST_CASE("a character with springs that plays step by step is presented once per frame of its clip",
          "[window][visibility][long]") {
  RunningPlayer player({PCHR_ASSETS_DIR "/kiri.pchr"});
  REQUIRE(player.shows_title("kiri"));
  player.desktop.key("Tab");  // The panels show measurements.
  REQUIRE(player.state_becomes("panels", "no"));
  // Even a slow machine could present more frames than the clip has in slow motion.
  for (int i = 0; i < 10; ++i) player.desktop.key("comma");
  REQUIRE(plays_on(player));
  const auto frame = [&] { return std::stoi(player.state("frame")); };
  int last = frame();
  const int before = std::stoi(player.state("presented"));
  int passed = 0;
  REQUIRE(eventually([&] {
    const int now = frame();
    passed += now >= last ? now - last : now + 1;
    last = now;
    return passed >= 6;
  }));
  const int presented = std::stoi(player.state("presented")) - before;
  CHECK(presented > 0);
  CHECK(presented <= passed + 1);
}

}  // namespace pchr::test::visibility_test

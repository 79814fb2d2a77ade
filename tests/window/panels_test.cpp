// SPDX-License-Identifier: MIT
// Resizing and folding panels, the interface scale, and text that is too long for its place.
#include "running_player.hpp"

#include <string>

namespace pchr::test::panels_test {
namespace {

/// Returns a file whose names and numbers are longer than any list is wide.
fs::path long_file() {
  CharacterData data = two_bone_arm();
  data.clips[1].name = "an attack with a very long name that no column of clips shows in full";
  data.clips.push_back(resting_clip("an hour", 60'000, data.bones.size(), 60'000.0 / 3600.0));
  for (auto* named : {&data.bones.front().name, &data.meshes.front().name, &data.images.front().name}) {
    *named = "a part of the character with a name that goes on and on and on";
  }
  const fs::path path = output("window/a character with a long name, as exported.pchr");
  write_file(path, write_v1(data));
  return path;
}

Vec2 in_middle_of(const Rect& edge) {
  // Beside the tab that folds the panel.
  const bool upright = edge.size().y > edge.size().x;
  return edge.center() + (upright ? Vec2{0.0F, edge.size().y * 0.3F} : Vec2{edge.size().x * 0.3F, 0.0F});
}

/// Ends the player, which saves its preferences.
void quit(RunningPlayer& player) {
  player.desktop.key("q", "Control_L");
  CHECK(player.process.wait().value_or(-1) == 0);
}

void drag_edge(RunningPlayer& player, const std::string& name, Vec2 by) {
  const Vec2 from = in_middle_of(player.where(name));
  player.desktop.drag(from, from + by);
  player.desktop.release(1);
}

/// Opens a dock by its handle, folds it, and drags it wider, in a window of any size.
void use_dock(RunningPlayer& player, const std::string& dock, const std::string& panel, Vec2 wider) {
  INFO(dock);
  if (!player.find("panel " + panel)) player.click(dock + " handle");
  const Rect before = player.where("panel " + panel);
  drag_edge(player, dock + " edge", wider);
  CHECK(eventually([&] {
    const Rect after = player.where("panel " + panel);
    return after.size().x >= before.size().x && after.size().y >= before.size().y;
  }));
  player.click(player.find(dock + " handle") ? dock + " handle" : dock + " tab");
  CHECK(eventually([&] { return !player.find("panel " + panel); }));
  CHECK(player.find(dock + " handle"));
}

}  // namespace

TEST_CASE("dragging an edge resizes a panel, a double click resets it, and a restart remembers it",
          "[window][panels][long]") {
  const std::string folder = fresh_configuration();
  {
    RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
    player.pause_at_start();
    drag_edge(player, "left edge", {80.0F, 0.0F});
    CHECK(player.state_becomes("left panels", "348"));
    drag_edge(player, "right edge", {-60.0F, 0.0F});
    CHECK(player.state_becomes("right panels", "332"));
    drag_edge(player, "bottom edge", {0.0F, -50.0F});
    CHECK(player.state_becomes("timeline", "190"));
    drag_edge(player, "view edge", {0.0F, -100.0F});
    CHECK(player.state_becomes("view height", "246"));
    CHECK(player.where("panel clips").size().x == 348.0F);
    CHECK(player.where("panel info").max.x == kWidth);
    player.desktop.keep_screenshot("panels-resized.png");
    // No panel takes the canvas away.
    drag_edge(player, "right edge", {-2000.0F, 0.0F});
    CHECK(player.state_becomes("right panels", "712"));
    CHECK(player.where("panel view").min.x - player.where("panel clips").max.x >= player::kCanvasMinimum - 1.0F);
    const Vec2 edge = in_middle_of(player.where("right edge"));
    player.desktop.double_click(edge);
    CHECK(player.state_becomes("right panels", "272"));
    quit(player);
  }
  RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
  player.pause_at_start();
  CHECK(player.state("left panels") == "348");
  CHECK(player.state("right panels") == "272");
  CHECK(player.state("timeline") == "190");
  CHECK(player.state("view height") == "246");
}

TEST_CASE("a panel folds to a handle and comes back by a click, also after a restart", "[window][panels][long]") {
  const std::string folder = fresh_configuration();
  {
    RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
    const Screenshot before = player.pause_at_start();
    player.click("left tab");
    CHECK(player.state_becomes("left panels", "folded"));
    CHECK_FALSE(player.find("clip 0"));
    player.click("left handle");
    CHECK(player.state_becomes("left panels", "268"));
    CHECK(player.find("clip 0"));
    player.desktop.move(kCanvas.center());
    player.desktop.key("f");
    CHECK(player.becomes(before, kLayout.clips));
    player.click("fold view");
    player.click("right tab");
    player.desktop.key("F8");
    CHECK(player.state_becomes("right panels", "folded"));
    CHECK(player.state_becomes("timeline", "folded"));
    player.desktop.move(kCanvas.center());
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("panels-folded.png");
    quit(player);
  }
  RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
  player.pause_at_start();
  CHECK(player.state("right panels") == "folded");
  CHECK(player.state("timeline") == "folded");
  player.click("bottom handle");
  CHECK(player.state_becomes("timeline", "140"));
  player.click("right handle");
  CHECK(player.state_becomes("right panels", "272"));
}

TEST_CASE("View folds to its heading and leaves its room to the tabs", "[window][panels]") {
  RunningPlayer player({path_text(long_file())});
  player.pause_at_start();
  const Rect info = player.where("panel info");
  player.click("fold view");
  CHECK(eventually([&] { return player.where("panel info").size().y > info.size().y + 200.0F; }));
  CHECK_FALSE(player.find("Skeleton"));
  player.click("fold view");
  CHECK(eventually([&] { return player.where("panel info").min.y == info.min.y; }));
  CHECK(player.find("Skeleton"));
}

TEST_CASE("Tab hides all panels but the handles, and a start always shows them", "[window][panels]") {
  const std::string folder = fresh_configuration();
  {
    RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
    player.pause_at_start();
    player.desktop.key("Tab");
    CHECK(player.state_becomes("panels", "no"));
    for (const std::string panel : {"clips", "view", "info", "transport"}) CHECK_FALSE(player.find("panel " + panel));
    CHECK(player.find("left handle"));
    CHECK(player.find("right handle"));
    CHECK(player.find("bottom handle"));
    player.desktop.keep_screenshot("panels-hidden.png");
    quit(player);
  }
  RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
  CHECK(player.state_becomes("panels", "yes"));
  CHECK(player.find("panel clips"));
  player.desktop.key("Tab");
  CHECK(player.state_becomes("panels", "no"));
  player.click("left handle");
  CHECK(player.state_becomes("panels", "yes"));
  CHECK(player.find("panel transport"));
}

TEST_CASE("a panel without room opens over the canvas until Esc or a click beside it", "[window][panels]") {
  RunningPlayer player({path_text(long_file())}, 640, 480);
  player.desktop.resize(player.window, 640, 480);
  player.pause_at_start();
  REQUIRE(player.state_becomes("right panels", "hidden"));
  const auto open = [&] {
    player.click("right handle");
    CHECK(player.state_becomes("right panels", "272"));
  };
  open();
  CHECK(player.find("panel view"));
  player.desktop.keep_screenshot("panels-over.png");
  player.desktop.key("Escape");
  CHECK(player.state_becomes("right panels", "hidden"));
  open();
  player.desktop.click({player.where("panel clips").max.x + 40.0F, 240.0F});
  CHECK(player.state_becomes("right panels", "hidden"));
  open();
  player.click("right handle");
  CHECK(player.state_becomes("right panels", "hidden"));
  player.desktop.key("p");
  CHECK(player.state_becomes("right panels", "272"));
  CHECK(player.find("panel info"));
}

TEST_CASE("every panel is in reach in every window", "[window][panels][long]") {
  struct Screen {
    int width, height, dots;
  };
  for (const auto& [width, height, dots] : {Screen{1280, 800, 96}, Screen{1920, 1080, 192}, Screen{1280, 800, 192},
                                            Screen{800, 600, 96}, Screen{640, 480, 96}, Screen{640, 480, 288}}) {
    const std::string name = std::to_string(width) + "x" + std::to_string(height) + "-" + std::to_string(dots);
    INFO(name);
    const float scale = static_cast<float>(dots) / 96.0F;
    RunningPlayer player({path_text(long_file())}, width, height, dots);
    player.desktop.resize(player.window, width, height);
    REQUIRE(player.shows_title("an attack"));
    player.desktop.key("space");
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("panels-" + name + ".png");
    use_dock(player, "left", "clips", {30.0F * scale, 0.0F});
    use_dock(player, "right", "info", {-30.0F * scale, 0.0F});
    use_dock(player, "bottom", "transport", {0.0F, -20.0F * scale});
    CHECK(player.find("left handle"));
    player.click("right handle");
    CHECK(player.where("panel info").size().y > 50.0F * scale);
    CHECK(player.where("panel view").size().y > 20.0F * scale);
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("panels-" + name + "-right.png");
    player.click("left handle");
    CHECK(player.find("panel clips"));
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("panels-" + name + "-left.png");
  }
}

TEST_CASE("the interface scale is chosen by keys and remembered", "[window][panels][long]") {
  const std::string folder = fresh_configuration();
  Screenshot changed;
  {
    RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
    player.pause_at_start();
    player.desktop.key("equal", "Control_L");
    CHECK(player.state_becomes("interface scale", "125"));
    CHECK(player.where("panel clips").size().x == std::floor(player::kClipsWidth * 1.25F));
    player.desktop.key("minus", "Control_L");
    player.desktop.key("minus", "Control_L");
    CHECK(player.state_becomes("interface scale", "75"));
    player.desktop.keep_screenshot("scale-75.png");
    player.desktop.key("0", "Control_L");
    CHECK(player.state_becomes("interface scale", "0"));
    for (int i = 0; i < 4; ++i) player.desktop.key("equal", "Control_L");
    CHECK(player.state_becomes("interface scale", "200"));
    CHECK(player.comes_to_rest());
    player.desktop.keep_screenshot("scale-200.png");
    changed = player.capture();
    quit(player);
  }
  RunningPlayer player({path_text(long_file())}, kWidth, kHeight, 96, folder);
  CHECK(player.state_becomes("interface scale", "200"));
  CHECK(player.desktop.size(player.window) == Vec2{kWidth, kHeight});
  // A scale changed while running looks as if the player had started with it.
  player.pause_at_start();
  CHECK(player.becomes(changed, {Vec2{0.0F}, {kWidth, kHeight}}));
}

TEST_CASE("a name that is cut is shown in full under the mouse", "[window][panels]") {
  RunningPlayer player({path_text(long_file())});
  player.pause_at_start();
  player.desktop.key("v");
  CHECK(player.comes_to_rest());
  const Rect row = player.where("a part of the character with a name that goes on and on and on");
  CHECK(row.max.x <= kLayout.info.max.x);
  const Screenshot before = player.capture();
  player.desktop.move(row.center());
  CHECK(player.changes_from(before, {row.min - Vec2{200.0F, 0.0F}, row.max + Vec2{0.0F, 60.0F}}));
  player.desktop.keep_screenshot("panels-tooltip.png");
}

}  // namespace pchr::test::panels_test

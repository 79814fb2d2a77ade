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
  data.clips.push_back(resting_clip("an hour", 100'000, data.bones.size(), 100'000.0 / 3600.0));
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

void drag_edge(RunningPlayer& player, const std::string& name, Vec2 by) {
  const Vec2 from = in_middle_of(player.where(name));
  player.desktop.drag(from, from + by);
  player.desktop.release(1);
}

}  // namespace

TEST_CASE("look at the panels", "[.look]") {
  RunningPlayer player({path_text(long_file())});
  player.pause_at_start();
  player.desktop.keep_screenshot("panels.png");
  player.click("right tab");
  player.desktop.key("F6");
  CHECK(player.comes_to_rest());
  player.desktop.keep_screenshot("panels-folded.png");
  player.desktop.key("Tab");
  CHECK(player.comes_to_rest());
  player.desktop.keep_screenshot("panels-hidden.png");
}

}  // namespace pchr::test::panels_test

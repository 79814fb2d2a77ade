// SPDX-License-Identifier: MIT
// The timeline under the mouse.
#include "running_player.hpp"

#include <span>

namespace pchr::test::timeline_test {
namespace {

Vec2 on_ruler(std::uint32_t frame) {
  return {player::timeline_frame(kLayout, frame, kBendFrames).x, player::timeline_ruler(kLayout).center().y};
}

/// Moves the mouse away so that no tooltip is shown.
void leave(RunningPlayer& player) { player.desktop.move(kCanvas.center()); }

void click_and_leave(RunningPlayer& player, Vec2 at) {
  player.desktop.click(at);
  leave(player);
}

void drag_and_leave(RunningPlayer& player, Vec2 from, Vec2 to) {
  player.desktop.drag(from, to);
  player.desktop.release(1);
  leave(player);
}

fs::path marked_file() {
  const fs::path path = output("window/marked.pchr");
  write_file(path, write_v1(two_bone_arm()));
  const std::string text = R"({"markers": [{"clip": "bend", "frame": 3, "name": "tap"}]})";
  write_file(output("window/marked.markers.json"), std::as_bytes(std::span(text)));
  return path;
}

}  // namespace

TEST_CASE("dragging on the ruler sets a range, its handles change it, a double click clears it", "[window][timeline]") {
  RunningPlayer player({path_text(arm_file())});
  std::vector<Screenshot> frames{player.pause_at_start()};
  for (int i = 0; i < 5; ++i) frames.push_back(player.screenshot_after_key("Right"));
  const Rect timeline = player::timeline_bar(kLayout);

  drag_and_leave(player, on_ruler(2), on_ruler(4));
  player.desktop.key("Home");
  CHECK(player.becomes(frames[2]));
  player.desktop.key("End");
  CHECK(player.becomes(frames[4]));
  player.desktop.keep_screenshot("timeline-range.png");
  const Screenshot with_range = player.capture();

  const float width = timeline.size().x / kBendFrames;
  const Vec2 first_handle{timeline.min.x + 2.0F * width + 2.0F, on_ruler(0).y};
  drag_and_leave(player, first_handle, on_ruler(1));
  player.desktop.key("Home");
  CHECK(player.becomes(frames[1]));
  CHECK(player.changes_from(with_range, timeline));

  // If frames are slow, two clicks can be too far apart for a double click.
  CHECK(eventually([&] {
    player.desktop.click(on_ruler(3));
    click_and_leave(player, on_ruler(3));
    player.desktop.key("Home");
    return player.comes_to_rest() && difference(player.capture(), frames[0], kCanvas) == 0;
  }));
}

TEST_CASE("a click on the ruler seeks without setting a range", "[window][timeline]") {
  RunningPlayer player({path_text(arm_file())});
  std::vector<Screenshot> frames{player.pause_at_start()};
  for (int i = 0; i < 3; ++i) frames.push_back(player.screenshot_after_key("Right"));
  click_and_leave(player, on_ruler(1));
  CHECK(player.becomes(frames[1]));
  player.desktop.key("Home");
  CHECK(player.becomes(frames[0]));
}

TEST_CASE("the timeline shows markers, with their names under the mouse", "[window][timeline]") {
  const Rect timeline = player::timeline_bar(kLayout);
  const auto at_start = [](const fs::path& file) {
    RunningPlayer player({path_text(file)});
    return player.pause_at_start();
  };
  const Screenshot bare = at_start(arm_file());
  RunningPlayer player({path_text(marked_file())});
  CHECK(difference(player.pause_at_start(), bare, timeline) > 20);
  const Screenshot before = player.capture();
  const Rect above{{timeline.min.x, timeline.min.y - 60.0F}, {timeline.max.x, timeline.min.y - 4.0F}};
  player.desktop.move(player::timeline_frame(kLayout, 3, kBendFrames));
  CHECK(player.changes_from(before, above));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("timeline-marker.png");
}

TEST_CASE("unreadable markers show their error", "[window][timeline]") {
  const fs::path path = output("window/unmarked.pchr");
  write_file(path, write_v1(two_bone_arm()));
  const std::string text = R"({"markers": [{"clip": "no such clip", "frame": 3, "name": "tap"}]})";
  write_file(output("window/unmarked.markers.json"), std::as_bytes(std::span(text)));
  RunningPlayer player({path_text(path)});
  const Screenshot with_error = player.pause_at_start();
  player.desktop.key("Escape");
  CHECK(player.changes_from(with_error));
}

}  // namespace pchr::test::timeline_test

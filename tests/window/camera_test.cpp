// SPDX-License-Identifier: MIT
// The camera: what fits it, what moves it, and what does not.
#include "running_player.hpp"

namespace pchr::test::camera_test {
namespace {

fs::path written(const std::string& name, const CharacterData& data) {
  const fs::path path = output("window/" + name);
  write_file(path, write_v1(data));
  return path;
}

/// A square of 16 pixels times `scale`: clip "slide" moves it to the right, clip "far" holds it far to the right.
fs::path square(const std::string& name, float scale = 1.0F) {
  CharacterData data = sliding_quad();
  for (Vertex& vertex : data.vertices) {
    vertex.x *= scale;
    vertex.y *= scale;
  }
  data.clips.push_back(resting_clip("far", 2, 1));
  data.clips.back().samples.x = {90, 90};
  for (Clip& clip : data.clips) {
    for (float& x : clip.samples.x) x *= scale;
  }
  return written(name, data);
}

/// Returns where the character is, in pixels of the canvas.
Rect drawn(const RunningPlayer& player) {
  Rect area;
  REQUIRE(std::sscanf(player.state("drawn").c_str(), "%f %f %f %f", &area.min.x, &area.min.y, &area.max.x,
                      &area.max.y) == 4);
  return area;
}

/// Chooses a clip and pauses on its first frame.
void choose(RunningPlayer& player, const std::string& key, const std::string& clip) {
  player.desktop.key(key);
  REQUIRE(player.state_becomes("clip", clip));
  if (player.state("playing") == "yes") player.desktop.key("space");
  player.desktop.key("Home");
  REQUIRE(player.comes_to_rest());
}

/// Returns the larger share of the canvas that the character covers.
float share(const RunningPlayer& player) {
  const Vec2 size = drawn(player).size() / kCanvas.size();
  return std::max(size.x, size.y);
}

}  // namespace

TEST_CASE("choosing a clip keeps the camera, F fits the clip and Shift+Home all clips", "[window][camera]") {
  RunningPlayer player({path_text(square("camera.pchr"))});
  static_cast<void>(player.pause_at_start());
  const std::string zoom = player.state("zoom");
  const std::string center = player.state("center");
  const Rect near = drawn(player);
  choose(player, "3", "far");
  CHECK(player.state("zoom") == zoom);
  CHECK(player.state("center") == center);
  CHECK(drawn(player).min.x > near.max.x);

  player.desktop.key("f");
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("center") == "90.00 0.00");
  CHECK(share(player) > 0.8F);
  player.desktop.keep_screenshot("camera-fit-clip.png");

  player.desktop.key("Home", "Shift_L");
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("center") == "45.00 0.00");
  const Rect far = drawn(player);
  choose(player, "2", "slide");
  CHECK(drawn(player).min.x > 0.0F);
  CHECK(far.max.x < kCanvas.size().x);
  player.desktop.keep_screenshot("camera-fit-all.png");
}

TEST_CASE("the camera follows the root bone", "[window][camera]") {
  RunningPlayer player({path_text(square("follow.pchr"))});
  static_cast<void>(player.pause_at_start());
  const Rect before = drawn(player);
  player.click("menu View");
  player.click("item follow-root");
  REQUIRE(player.state_becomes("follow-root", "yes"));
  player.desktop.key("Right");
  player.desktop.key("Right");
  REQUIRE(player.state_becomes("frame", "2"));
  CHECK(drawn(player).min.x == Approx(before.min.x).margin(0.5));
  choose(player, "3", "far");
  CHECK(drawn(player).min.x == Approx(before.min.x).margin(0.5));

  player.click("menu View");
  player.click("item follow-root");
  REQUIRE(player.state_becomes("follow-root", "no"));
  CHECK(drawn(player).min.x == Approx(before.min.x).margin(0.5));
  choose(player, "2", "slide");
  CHECK(drawn(player).max.x < 0.0F);
}

TEST_CASE("huge and tiny characters fit and can be zoomed", "[window][camera]") {
  const float scale = GENERATE(1e6F, 1e-3F);
  RunningPlayer player({path_text(square("extreme.pchr", scale))});
  static_cast<void>(player.pause_at_start());
  CHECK(share(player) > 0.5F);
  CHECK(share(player) < 1.0F);
  CHECK(color_count(player.capture(), kCanvas) > 2);
  player.desktop.keep_screenshot(scale > 1.0F ? "camera-huge.png" : "camera-tiny.png");
  const float fitted = share(player);
  player.desktop.move(kCanvas.center());
  player.desktop.wheel(true);
  CHECK(eventually([&] { return share(player) > fitted * 1.1F; }));
  for (int i = 0; i < 3; ++i) player.desktop.wheel(false);
  CHECK(eventually([&] { return share(player) < fitted * 0.9F; }));
  player.desktop.key("f");
  CHECK(eventually([&] { return share(player) == Approx(fitted); }));
}

TEST_CASE("the next file in the folder is centered at the same zoom", "[window][camera]") {
  const fs::path first = square("sizes/a.pchr");
  square("sizes/b.pchr", 0.5F);
  square("sizes/c.pchr", 100.0F);
  RunningPlayer player({path_text(first)});
  static_cast<void>(player.pause_at_start());
  const std::string zoom = player.state("zoom");
  const float size = drawn(player).size().y;
  player.desktop.key("bracketright");
  REQUIRE(player.state_becomes("file", "b.pchr"));
  static_cast<void>(player.pause_at_start());
  CHECK(player.state("zoom") == zoom);
  CHECK(player.state("center") == "3.00 0.00");
  CHECK(drawn(player).size().y == Approx(size * 0.5F).margin(1));
  // A file that would be out of sight is fitted.
  player.desktop.key("bracketright");
  REQUIRE(player.state_becomes("file", "c.pchr"));
  static_cast<void>(player.pause_at_start());
  CHECK(player.state("zoom") != zoom);
  CHECK(share(player) < 1.0F);
}

TEST_CASE("a moved camera keeps its center and zoom when the window is resized", "[window][camera]") {
  RunningPlayer player({path_text(square("resized.pchr"))});
  static_cast<void>(player.pause_at_start());
  player.desktop.drag(kCanvas.center(), kCanvas.center() + Vec2{60.0F, 20.0F});
  player.desktop.release(1);
  player.desktop.wheel(false);
  REQUIRE(player.comes_to_rest());
  const std::string zoom = player.state("zoom");
  const std::string center = player.state("center");
  player.desktop.resize(player.window, 1000, 600);
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("zoom") == zoom);
  CHECK(player.state("center") == center);
}

TEST_CASE("the zoom can be typed and chosen", "[window][camera]") {
  RunningPlayer player({path_text(square("typed.pchr"))});
  static_cast<void>(player.pause_at_start());
  const std::string center = player.state("center");
  player.click("##zoom");
  for (const std::string key : {"3", "5", "0", "Return"}) player.desktop.key(key);
  CHECK(player.state_becomes("zoom", "3.5000"));
  player.click("##zoom");
  for (const std::string key : {"b", "a", "d", "Return"}) player.desktop.key(key);
  CHECK(player.comes_to_rest());
  CHECK(player.state("zoom") == "3.5000");
  player.click("##zoom");
  for (const std::string key : {"7", "Escape"}) player.desktop.key(key);
  CHECK(player.comes_to_rest());
  CHECK(player.state("zoom") == "3.5000");
  player.click("zooms");
  player.click("100% (1:1)");
  CHECK(player.state_becomes("zoom", "1.0000"));
  CHECK(player.state("center") == center);
  player.click("zooms");
  player.desktop.keep_screenshot("camera-zooms.png");
  player.click("Fit all");
  CHECK(player.state_becomes("center", "45.00 0.00"));
}

}  // namespace pchr::test::camera_test

// SPDX-License-Identifier: MIT
// The examples with a window, used like a person would.
#include "desktop.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

namespace pchr::test {
namespace {

struct RunningExample {
  Desktop desktop;
  std::filesystem::path log;
  ChildProcess process;
  WindowId window = 0;

  RunningExample(const std::string& program, const std::string& argument, const std::string& title, int width,
                 int height)
      : desktop(width, height),
        log(output("window/" + title + ".log")),
        process({program, argument},
                {{"DISPLAY", desktop.name()}, {"LIBGL_ALWAYS_SOFTWARE", "1"}, {"WAYLAND_DISPLAY", std::nullopt}}, log) {
    REQUIRE(eventually([&] { return (window = desktop.find_window(title)) != 0; }));
    desktop.focus(window);
  }

  [[nodiscard]] bool says(const std::string& line) const {
    return eventually([&] { return read_text(log).find(line + "\n") != std::string::npos; });
  }
};

}  // namespace

TEST_CASE("the viewer shows a character and changes its clip", "[window][examples]") {
  RunningExample viewer(PCHR_VIEWER_PROGRAM, asset("kiri.pchr").string(), "bind", 640, 640);
  const Rect all{{0, 0}, {640, 640}};
  CHECK(eventually([&] { return color_count(viewer.desktop.capture(), all) > 1000; }));
  viewer.desktop.key("Right");
  viewer.desktop.key("Right");
  CHECK(eventually([&] { return viewer.desktop.find_window("walk") != 0; }));
  const Screenshot before = viewer.desktop.capture();
  CHECK(eventually([&] { return difference(viewer.desktop.capture(), before, all) > 1000; }));
  viewer.desktop.keep_screenshot("example_viewer.png");
  viewer.desktop.key("Escape");
  CHECK(viewer.process.wait() == 0);
}

TEST_CASE("the scene walks, jumps and waves, and identifies clicked parts", "[window][examples]") {
  RunningExample scene(PCHR_SCENE_PROGRAM, asset("").string(), "scene", 960, 540);
  const Rect right{{600, 0}, {960, 540}};
  REQUIRE(eventually([&] { return color_count(scene.desktop.capture(), {{0, 0}, {960, 540}}) > 200; }));
  const Screenshot empty = scene.desktop.capture();
  scene.desktop.move({700, 200});
  scene.desktop.hold_key("Right");
  CHECK(scene.says("step"));
  CHECK(eventually([&] { return difference(scene.desktop.capture(), empty, right) > 5000; }));
  scene.desktop.key("w");
  scene.desktop.keep_screenshot("example_scene.png");
  scene.desktop.release_key("Right");
  scene.desktop.key("space");
  CHECK(scene.says("leap"));
  CHECK(scene.says("land"));
  scene.desktop.click({20, 20});
  CHECK(scene.says("hit nothing"));
  // Wherever she is standing now, the center of her head is at this height.
  for (int x = 300; x < 960; x += 20) scene.desktop.click({static_cast<float>(x), 170});
  CHECK(scene.says("hit hood"));
}

}  // namespace pchr::test

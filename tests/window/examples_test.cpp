// SPDX-License-Identifier: MIT
// The examples with a window, used like a person would.
#include "desktop.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

namespace pchr::test::examples_test {
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

#ifdef PCHR_GAME_PROGRAM
TEST_CASE("the game draws 2,000 villagers, and reacts to keys, clicks and a changed file", "[window][examples]") {
  const std::filesystem::path folder = fresh_folder("window/game");
  for (const auto& entry : std::filesystem::directory_iterator(asset(""))) {
    if (entry.is_regular_file()) std::filesystem::copy_file(entry.path(), folder / entry.path().filename());
  }
  RunningExample game(PCHR_GAME_PROGRAM, folder.string(), "game", 1280, 720);
  const Rect all{{0, 0}, {1280, 720}}, right{{800, 300}, {1280, 720}};
  REQUIRE(eventually([&] { return color_count(game.desktop.capture(), all) > 5000; }));
  const Screenshot before = game.desktop.capture();
  game.desktop.hold_key("Right");
  CHECK(game.says("step"));
  CHECK(eventually([&] { return difference(game.desktop.capture(), before, right) > 20000; }));
  game.desktop.key("w");
  game.desktop.release_key("Right");
  game.desktop.key("space");
  CHECK(game.says("leap"));
  CHECK(game.says("land"));
  game.desktop.click({20, 700});
  CHECK(game.says("hit nothing"));
  game.desktop.click({100, 440});
  CHECK(eventually([&] { return read_text(game.log).find(" of a villager") != std::string::npos; }));
  game.desktop.keep_screenshot("example_game.png");

  const Bytes character = read_file(folder / "kiri.pchr");
  write_file(folder / "kiri.pchr", std::span(character).first(1000));
  CHECK(eventually([&] { return read_text(game.log).find("kiri.pchr: error ") != std::string::npos; }));
  write_file(folder / "kiri.pchr", character);
  CHECK(eventually([&] {
    const std::string text = read_text(game.log);
    return text.find("loaded ", text.find(": error ")) != std::string::npos;
  }));
  game.desktop.key("Escape");
  CHECK(game.process.wait() == 0);
}
#endif

}  // namespace pchr::test::examples_test

// SPDX-License-Identifier: MIT
// The cast strip: files to step through, with thumbnails.
#include "drag_and_drop.hpp"
#include "running_player.hpp"

#include <unistd.h>

namespace pchr::test::cast_test {
namespace {

/// The arm in one color.
fs::path write_arm(const fs::path& path, Rgba color) {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) image = plain_image(image.width, image.height, color, image.name);
  write_file(path, write_v1(data));
  return path;
}

struct Three {
  fs::path folder;
  explicit Three(const std::string& name) : folder(fresh_folder(name)) {
    write_arm(folder / "anna.pchr", {220, 60, 60, 255});
    write_arm(folder / "bert.pchr", {60, 180, 60, 255});
    write_arm(folder / "carl.pchr", {60, 90, 220, 255});
  }
  [[nodiscard]] std::vector<std::string> arguments() const {
    return {path_text(folder / "anna.pchr"), path_text(folder / "bert.pchr"), path_text(folder / "carl.pchr")};
  }
};

bool is_green(const Screenshot& shown, Vec2 at) {
  const auto pixel =
      static_cast<std::size_t>(at.y) * static_cast<std::size_t>(shown.width) + static_cast<std::size_t>(at.x);
  const std::uint8_t* rgb = &shown.rgb[pixel * 3];
  return rgb[1] > 150 && rgb[0] < 100 && rgb[2] < 100;
}

Rect thumbnail_of(const Rect& row) { return {row.min + Vec2{12.0F, 4.0F}, row.min + Vec2{48.0F, 40.0F}}; }

}  // namespace

TEST_CASE("several files are a cast to step through", "[window][cast]") {
  const Three files("cast");
  RunningPlayer player(files.arguments());
  CHECK(player.state_becomes("file", "anna.pchr"));
  CHECK(player.state_becomes("cast", "1 / 3"));
  player.click("next-in-list");
  CHECK(player.state_becomes("file", "bert.pchr"));
  player.desktop.key("Next", "Control_L");
  CHECK(player.state_becomes("cast", "3 / 3"));
  player.desktop.key("bracketright");
  CHECK(player.state_becomes("file", "anna.pchr"));
  player.click("previous-in-list");
  CHECK(player.state_becomes("file", "carl.pchr"));
  player.click("cast 1");
  CHECK(player.state_becomes("file", "bert.pchr"));
  CHECK(player.state_becomes("playing", "yes"));
}

TEST_CASE("the cast shows thumbnails that are read from the cache later", "[window][cast][windows]") {
  const Three files("cast-thumbnails");
  const std::string configuration = fresh_configuration();
  {
    RunningPlayer player(files.arguments(), kWidth, kHeight, 96, configuration);
    REQUIRE(player.state_becomes("file", "anna.pchr"));
    player.desktop.key("space");
    for (const std::string row : {"cast 0", "cast 1", "cast 2"}) {
      CHECK(eventually([&] { return color_count(player.capture(), thumbnail_of(player.where(row))) > 10; }));
    }
    player.desktop.keep_screenshot("cast-1280.png");
  }
  std::size_t cached = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(configuration) / "cache/pchr/thumbnails")) {
    cached += entry.path().extension() == ".png" ? 1 : 0;
  }
  CHECK(cached == 3);
  for (const auto& entry : fs::directory_iterator(fs::path(configuration) / "cache/pchr/thumbnails")) {
    std::ofstream(entry.path(), std::ios::trunc) << "broken";
  }
  RunningPlayer player(files.arguments(), 800, 600, 96, configuration);
  REQUIRE(player.state_becomes("file", "anna.pchr"));
  player.desktop.key("space");
  CHECK(eventually([&] { return color_count(player.capture(), thumbnail_of(player.where("cast 0"))) > 10; }));
  player.desktop.keep_screenshot("cast-800.png");
}

TEST_CASE("the cast can be filtered, and Enter opens the first match", "[window][cast]") {
  const Three files("cast-filter");
  RunningPlayer player(files.arguments());
  REQUIRE(player.state_becomes("file", "anna.pchr"));
  player.click("##cast-filter");
  for (const std::string letter : {"r", "l"}) player.desktop.key(letter);
  CHECK(player.state_becomes("cast shown", "1"));
  CHECK_FALSE(player.find("cast 0"));
  CHECK(player.find("cast 2"));
  player.desktop.key("Return");
  CHECK(player.state_becomes("file", "carl.pchr"));
}

TEST_CASE("a folder lists its characters, with a mark for broken ones", "[window][cast]") {
  const Three files("cast-folder");
  Bytes bytes = write_v1(two_bone_arm());
  bytes.resize(bytes.size() / 2);
  write_file(files.folder / "aaa broken.pchr", bytes);
  RunningPlayer player({path_text(files.folder)});
  CHECK(player.state_becomes("file", "anna.pchr"));
  CHECK(player.state_becomes("cast", "2 / 4"));
  CHECK_THAT(player.state("cast error"), contains("aaa broken.pchr"));
  player.desktop.move(player.where("cast 0").center());
  REQUIRE(player.state_becomes("cast shown", "3"));
  player.desktop.keep_screenshot("cast-broken.png");

  SECTION("a new file is listed when the window gets the focus again") {
    write_arm(files.folder / "dora.pchr", {200, 200, 60, 255});
    player.desktop.focus(player.desktop.root());
    player.shows_frame();
    player.desktop.focus(player.window);
    CHECK(player.state_becomes("cast", "2 / 5"));
  }
}

TEST_CASE("an opened file lists its folder once one steps in it", "[window][cast]") {
  const Three files("cast-siblings");
  RunningPlayer player({path_text(files.folder / "bert.pchr")});
  CHECK(player.state_becomes("cast", "1 / 1"));
  CHECK_FALSE(player.find("cast 0"));
  player.desktop.key("bracketright");
  CHECK(player.state_becomes("file", "carl.pchr"));
  CHECK(player.state_becomes("cast", "3 / 3"));
  CHECK(player.find("cast 2"));
}

TEST_CASE("the cast folds to its heading", "[window][cast]") {
  const Three files("cast-fold");
  RunningPlayer player(files.arguments());
  REQUIRE(player.state_becomes("cast shown", "3"));
  player.click("fold cast");
  CHECK(player.state_becomes("cast shown", "0"));
  player.click("next-in-list");
  CHECK(player.state_becomes("file", "bert.pchr"));
  player.click("fold cast");
  CHECK(player.state_becomes("cast shown", "3"));
}

TEST_CASE("a long cast scrolls to the open file", "[window][cast]") {
  const fs::path folder = fresh_folder("cast-long");
  for (int i = 0; i < 40; ++i) write_arm(folder / ("hero " + std::to_string(i) + ".pchr"), {220, 60, 60, 255});
  RunningPlayer player({path_text(folder)});
  REQUIRE(player.state_becomes("file", "hero 0.pchr"));
  CHECK_FALSE(player.find("cast 39"));
  player.click("previous-in-list");
  CHECK(player.state_becomes("file", "hero 39.pchr"));
  CHECK(player.find("cast 39"));
}

TEST_CASE("a folder that cannot be read says so", "[window][cast]") {
  if (geteuid() == 0) return;  // Everything can be read.
  const Three files("cast-secret");
  fs::permissions(files.folder, fs::perms::none);
  RunningPlayer player({path_text(files.folder)});
  CHECK(
      eventually([&] { return player.state("error").find("cannot be read: Permission denied") != std::string::npos; }));
  fs::permissions(files.folder, fs::perms::owner_all);
}

TEST_CASE("the menu of a row adds to the lineup and compares", "[window][cast]") {
  const Three files("cast-menu");
  RunningPlayer player(files.arguments(), 800, 600);
  REQUIRE(player.state_becomes("file", "anna.pchr"));
  const auto open_menu = [&] {
    player.desktop.move(player.where("cast 1").center());
    player.desktop.press(3);
    player.desktop.release(3);
  };
  open_menu();
  player.click("Add to lineup");
  CHECK(eventually([&] { return player.state("lineup").find("bert.pchr") != std::string::npos; }));
  static_cast<void>(player.pause_at_start());
  player.desktop.keep_screenshot("lineup-800.png");
  open_menu();
  player.click("Remove from lineup");
  CHECK(player.state_becomes("lineup", ""));
  open_menu();
  player.click("Compare with");
  CHECK(eventually([&] { return player.state("compared").find("bert.pchr") != std::string::npos; }));
}

TEST_CASE("characters stand beside each other in a lineup", "[window][lineup][long]") {
  const Three files("lineup");
  RunningPlayer player(files.arguments());
  REQUIRE(player.state_becomes("file", "anna.pchr"));
  REQUIRE(player.state_becomes("cast shown", "3"));
  static_cast<void>(player.pause_at_start());
  const auto click_with_control = [&](const std::string& row) {
    const Vec2 at = player.where(row).center();
    player.desktop.hold_key("Control_L");
    player.desktop.click(at);
    player.desktop.release_key("Control_L");
  };
  click_with_control("cast 1");
  CHECK(eventually([&] { return player.state("lineup").find("bert.pchr") != std::string::npos; }));
  click_with_control("cast 2");
  CHECK(eventually([&] { return player.state("lineup").find("carl.pchr") != std::string::npos; }));
  player.desktop.key("f");
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("lineup-1280.png");
  CHECK(is_green(player.capture(), player.where("member 0").center()));
  CHECK(player.where("member 0").max.x < player.where("member 1").min.x);

  SECTION("on the same clock") {
    for (int i = 0; i < 3; ++i) player.desktop.key("Right");
    CHECK(player.state_becomes("frame", "3"));
    CHECK(player.state_becomes("lineup frames", "3 3"));
  }
  SECTION("dragged to their places") {
    const Rect before = player.where("member 1");
    const std::string camera = player.state("center");
    player.desktop.drag(before.center(), before.center() + Vec2{60.0F, -40.0F});
    player.desktop.release(1);
    const Rect after = player.where("member 1");
    CHECK(after.min.x > before.min.x + 40.0F);
    CHECK(after.min.y < before.min.y - 20.0F);
    CHECK(player.state("center") == camera);
    const Vec2 empty = kCanvas.min + Vec2{30.0F, 60.0F};
    player.desktop.drag(empty, empty + Vec2{20.0F, 0.0F});
    player.desktop.release(1);
    CHECK(player.state("center") != camera);
  }
  SECTION("where one can become the open one without moving") {
    const Rect before = player.where("member 1");
    player.click("cast 1");
    CHECK(player.state_becomes("file", "bert.pchr"));
    CHECK_THAT(player.state("lineup"), contains("anna.pchr"));
    CHECK(std::abs(player.where("member 1").min.x - before.min.x) < 2.0F);
  }
  SECTION("with a menu for each") {
    player.desktop.move(player.where("member 0").center());
    player.desktop.press(3);
    player.desktop.release(3);
    player.click("item lineup-activate");
    CHECK(player.state_becomes("file", "bert.pchr"));
  }
  SECTION("and can be removed") {
    player.desktop.click(player.where("member 0").center());
    player.desktop.key("Delete");
    CHECK(eventually([&] { return player.state("lineup").find("bert") == std::string::npos; }));
    click_with_control("cast 2");
    CHECK(player.state_becomes("lineup", ""));
  }
}

}  // namespace pchr::test::cast_test

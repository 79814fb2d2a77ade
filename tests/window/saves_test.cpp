// SPDX-License-Identifier: MIT
// What the player says and offers when the open file or the compared one is saved, broken, deleted or back.
#include "running_player.hpp"

namespace pchr::test::saves_test {
namespace {

/// Writes the sliding square in one step, in a color.
void save(const fs::path& path, Rgba color) {
  CharacterData data = sliding_quad();
  data.images[0] = plain_image(4, 4, color);
  const fs::path temporary = path.string() + ".new";
  write_file(temporary, write_v1(data));
  fs::rename(temporary, path);
}

constexpr Rgba kRed{220, 40, 40, 255};
constexpr Rgba kBlue{40, 60, 230, 255};

/// Returns the number of reddish or bluish pixels of the canvas.
std::size_t count(const RunningPlayer& player, std::size_t channel) {
  const Screenshot shown = player.capture();
  std::size_t pixels = 0;
  for (int y = static_cast<int>(kCanvas.min.y); y < static_cast<int>(kCanvas.max.y); ++y) {
    for (int x = static_cast<int>(kCanvas.min.x); x < static_cast<int>(kCanvas.max.x); ++x) {
      const std::uint8_t* const pixel = &shown.rgb[static_cast<std::size_t>(y * shown.width + x) * 3];
      pixels += pixel[channel] > 200 && pixel[2 - channel] < 80;
    }
  }
  return pixels;
}

bool says(const RunningPlayer& player, const std::string& text) {
  return eventually([&] { return player.state("notice").find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a reload is announced and offers the wipe with the previous save", "[window][saves]") {
  const fs::path path = output("window/saved.pchr");
  save(path, kRed);
  RunningPlayer player({path_text(path)});
  static_cast<void>(player.pause_at_start());
  REQUIRE(count(player, 0) > 1000);
  save(path, kBlue);
  REQUIRE(says(player, "Reloaded "));
  CHECK(player.state("notice kind") == "success");
  CHECK(player.comes_to_rest());
  player.desktop.keep_screenshot("saves-reloaded.png");
  CHECK(count(player, 0) < 100);
  player.click("Compare");
  REQUIRE(player.state_becomes("compared", "Previous save slide"));
  CHECK(player.state("notice").empty());
  CHECK(player.comes_to_rest());
  CHECK(count(player, 0) > 1000);
  CHECK(count(player, 2) > 1000);
  player.desktop.keep_screenshot("saves-wipe.png");
  player.click("end");
  CHECK(player.state_becomes("compared", ""));
  player.click("menu View");
  player.click("item compare-previous");
  CHECK(player.state_becomes("compared", "Previous save slide"));
}

TEST_CASE("under a broken save the Problems tab shows its error", "[window][saves]") {
  const fs::path path = output("window/breaks.pchr");
  save(path, kRed);
  RunningPlayer player({path_text(path)});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("p");
  REQUIRE(player.comes_to_rest());
  const Screenshot good = player.capture();
  write_file(path, Bytes(20));
  REQUIRE(eventually([&] { return player.state("load error").find("breaks.pchr") != std::string::npos; }));
  player.desktop.key("Escape");
  REQUIRE(player.state_becomes("error", ""));
  CHECK(player.comes_to_rest());
  CHECK(difference(player.capture(), good, kLayout.info) > 0);
  CHECK(difference(player.capture(), good, kCanvas) == 0);
  player.desktop.keep_screenshot("saves-broken.png");
  save(path, kRed);
  CHECK(player.state_becomes("load error", ""));
  CHECK(player.becomes(good, kLayout.info));
}

TEST_CASE("a deleted file and its return are announced", "[window][saves]") {
  const fs::path path = output("window/deleted.pchr");
  save(path, kRed);
  RunningPlayer player({path_text(path)});
  static_cast<void>(player.pause_at_start());
  fs::remove(path);
  CHECK(says(player, "deleted.pchr was deleted; showing the last version"));
  CHECK(player.state("notice kind") == "warning");
  CHECK(player.comes_to_rest());
  CHECK(count(player, 0) > 1000);
  player.desktop.keep_screenshot("saves-deleted.png");
  save(path, kBlue);
  CHECK(says(player, "deleted.pchr is back; reloaded "));
  CHECK(eventually([&] { return count(player, 2) > 1000; }));
}

TEST_CASE("the compared file has its own problems and is reloaded", "[window][saves]") {
  const fs::path folder = output("window/two/first.pchr").parent_path();
  save(folder / "first.pchr", kRed);
  save(folder / "second.pchr", kRed);
  RunningPlayer player({path_text(folder / "first.pchr"), path_text(folder / "second.pchr")});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("c");
  player.click("##file");
  player.click("second.pchr");
  REQUIRE(player.state_becomes("compared", "second.pchr slide"));
  save(folder / "second.pchr", kBlue);
  CHECK(says(player, "Reloaded second.pchr "));
  CHECK(eventually([&] { return count(player, 2) > 1000; }));
  write_file(folder / "second.pchr", Bytes(20));
  CHECK(eventually([&] { return player.state("error").find("second.pchr") != std::string::npos; }));
  player.desktop.key("p");
  CHECK(player.state("load error").empty());
  player.click("problems of 1");
  CHECK(player.comes_to_rest());
  player.desktop.keep_screenshot("saves-compared.png");
}

}  // namespace pchr::test::saves_test

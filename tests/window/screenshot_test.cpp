// SPDX-License-Identifier: MIT
// Screenshots of the canvas as files.
#include "clipboard.hpp"
#include "running_player.hpp"
#include "support/png.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <cstdlib>

namespace pchr::test::screenshot_test {
namespace {

fs::path fresh_arm(const std::string& name) {
  const fs::path folder = fresh_folder("window/" + name);
  write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
  return folder / "arm.pchr";
}

/// Waits for the screenshot and returns it. Checks its size.
Bitmap saved_screenshot(const fs::path& file) {
  REQUIRE(eventually([&] { return fs::exists(file); }));
  const auto width = static_cast<std::uint32_t>(kCanvas.size().x);
  const auto height = static_cast<std::uint32_t>(kCanvas.size().y);
  const auto bitmap = decode({"screenshot", width, height, ImageEncoding::png, read_file(file)});
  REQUIRE(bitmap);
  return *bitmap;
}

/// The panels' borders and handles cover the outermost pixels of the canvas.
constexpr std::uint32_t kCovered = 8;

/// Counts the screenshot's pixels with at least `alpha`, and how many of them differ from the canvas.
struct Compared {
  std::size_t pixels = 0;
  std::size_t different = 0;  ///< Visible differences; one sample of four can differ at edges.
  std::size_t wrong = 0;      ///< Larger differences than from one such sample.
};

Compared compare(const Bitmap& bitmap, const Screenshot& shot, int alpha) {
  Compared compared;
  for (std::uint32_t y = kCovered; y + kCovered < bitmap.height; ++y) {
    for (std::uint32_t x = kCovered; x + kCovered < bitmap.width; ++x) {
      const std::uint8_t* taken = &bitmap.rgba[(std::size_t{y} * bitmap.width + x) * 4];
      if (taken[3] < alpha) continue;
      const auto left = static_cast<std::size_t>(kCanvas.min.x) + x;
      const auto top = static_cast<std::size_t>(kCanvas.min.y) + y;
      const std::uint8_t* shown = &shot.rgb[(top * static_cast<std::size_t>(shot.width) + left) * 3];
      ++compared.pixels;
      int distance = 0;
      for (std::size_t i = 0; i < 3; ++i) distance = std::max(distance, std::abs(taken[i] - shown[i]));
      if (distance > 2) ++compared.different;
      if (distance > 64) ++compared.wrong;
    }
  }
  return compared;
}

std::size_t file_count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("F12 saves the character as shown, without background and overlays", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot");
  RunningPlayer player({path_text(file)});
  static_cast<void>(player.pause_at_start());
  const Screenshot plain = player.screenshot_after_key("Right");
  static_cast<void>(player.screenshot_after_key("b"));
  player.desktop.key("F12");
  const Bitmap bitmap = saved_screenshot(file.parent_path() / "arm_bend_1.png");
  CHECK(bitmap.rgba[3] == 0);
  const Compared compared = compare(bitmap, plain, 255);
  CHECK(compared.pixels > 5000);
  CHECK(compared.wrong == 0);
  CHECK(compared.different < 200);
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("screenshot-notice.png");

  player.desktop.key("b");
  player.desktop.key("F12");
  CHECK(saved_screenshot(file.parent_path() / "arm_bend_1_2.png").rgba == bitmap.rgba);
  player.desktop.key("Escape");
  CHECK(player.becomes(plain));
}

TEST_CASE("Shift+F12 saves the background too", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot-background");
  RunningPlayer player({path_text(file)});
  const Screenshot plain = player.pause_at_start();
  player.desktop.key("F12", "Shift_L");
  const Bitmap bitmap = saved_screenshot(file.parent_path() / "arm_bend_0.png");
  const Compared compared = compare(bitmap, plain, 0);
  CHECK(compared.pixels == std::size_t{bitmap.width - 2 * kCovered} * (bitmap.height - 2 * kCovered));
  CHECK(compared.wrong == 0);
  CHECK(compared.different < 200);
}

TEST_CASE("Ctrl+C copies the image, with Shift including the background", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot-copied");
  RunningPlayer player({path_text(file)});
  const Screenshot plain = player.pause_at_start();
  CHECK(read_clipboard(player.desktop, "image/png").empty());
  player.desktop.key("c", "Control_L");
  REQUIRE(player.state_becomes("notice", "Image copied"));
  CHECK(player.state("notice kind") == "success");
  const auto width = static_cast<std::uint32_t>(kCanvas.size().x);
  const auto height = static_cast<std::uint32_t>(kCanvas.size().y);
  const auto pasted = [&] {
    return decode({"pasted", width, height, ImageEncoding::png, read_clipboard(player.desktop, "image/png")}).value();
  };
  const Bitmap copied = pasted();
  CHECK(copied.rgba[3] == 0);
  CHECK(compare(copied, plain, 255).pixels > 5000);
  player.desktop.key("Escape");
  player.desktop.keep_screenshot("copied.png");
  // Text that is copied later takes the image's place.
  player.click("menu Edit");
  player.desktop.keep_screenshot("copy-menu.png");
  player.click("item copy-image-background");
  REQUIRE(player.state_becomes("notice", "Image copied"));
  const Compared compared = compare(pasted(), plain, 0);
  CHECK(compared.pixels == std::size_t{width - 2 * kCovered} * (height - 2 * kCovered));
  CHECK(compared.wrong == 0);
  CHECK(file_count(file.parent_path()) == 1);
}

TEST_CASE("screenshots go to the folder that is chosen in the menu", "[window][screenshot][long]") {
  const fs::path file = fresh_arm("screenshot-folder");
  const fs::path images = file.parent_path() / "images";
  fs::create_directory(images);
  const std::string configuration = fresh_configuration();
  fs::create_directories(fs::path(configuration));
  std::ofstream(fs::path(configuration) / "user-dirs.dirs") << "XDG_PICTURES_DIR=\"" << images.string() << "\"\n";
  RunningPlayer player({path_text(file)}, kWidth, kHeight, 96, configuration);
  static_cast<void>(player.pause_at_start());
  player.click("menu File");
  player.click("menu Screenshot folder");
  player.desktop.keep_screenshot("screenshot-folder-menu.png");
  player.click("item screenshots-images");
  player.desktop.key("F12");
  CHECK(eventually([&] { return fs::exists(images / "arm_bend_0.png"); }));
  player.click("menu File");
  player.click("menu Screenshot folder");
  player.click("item screenshots-chosen");
  REQUIRE(player.state_becomes("browser", path_text(file.parent_path())));
  player.click("entry 1");  // The first is the listed folder itself.
  REQUIRE(player.state_becomes("browser", path_text(images)));
  player.click("entry 0");
  REQUIRE(player.state_becomes("browser", ""));
  player.desktop.key("F12");
  CHECK(eventually([&] { return fs::exists(images / "arm_bend_0_2.png"); }));
  CHECK(player.state_becomes("notice", "Saved " + path_text(images / "arm_bend_0_2.png")));
}

TEST_CASE("the notice of a screenshot disappears after a while", "[window][screenshot][long]") {
  const fs::path file = fresh_arm("screenshot-goes");
  RunningPlayer player({path_text(file)});
  const Screenshot plain = player.pause_at_start();
  player.desktop.key("F12");
  REQUIRE(player.changes_from(plain));
  CHECK(player.state_becomes("notice", ""));
  CHECK(player.becomes(plain));
}

}  // namespace pchr::test::screenshot_test

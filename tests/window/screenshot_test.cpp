// SPDX-License-Identifier: MIT
// Pictures of the canvas as files.
#include "running_player.hpp"
#include "support/png.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <cstdlib>

namespace pchr::test {
namespace {

fs::path fresh_arm(const std::string& name) {
  const fs::path folder = output("window/" + name + "/x").parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
  return folder / "arm.pchr";
}

/// The screenshot once it is there, of the canvas's size.
Bitmap screenshot(const fs::path& file) {
  REQUIRE(eventually([&] { return fs::exists(file); }));
  const auto width = static_cast<std::uint32_t>(kCanvas.size().x);
  const auto height = static_cast<std::uint32_t>(kCanvas.size().y);
  const auto bitmap = decode({"screenshot", width, height, ImageEncoding::png, read_file(file)});
  REQUIRE(bitmap);
  return *bitmap;
}

/// Counts pixels of the screenshot whose alpha is at least `alpha`, and those of them that the canvas shows otherwise.
struct Compared {
  std::size_t pixels = 0;
  std::size_t different = 0;  ///< Visibly: on edges one sample of four may fall on the other side.
  std::size_t wrong = 0;      ///< By more than such a sample.
};

Compared compare(const Bitmap& bitmap, const Picture& picture, int alpha) {
  Compared compared;
  // The outermost pixels of the canvas lie below the rims of the panels.
  for (std::uint32_t y = 1; y + 1 < bitmap.height; ++y) {
    for (std::uint32_t x = 1; x + 1 < bitmap.width; ++x) {
      const std::uint8_t* taken = &bitmap.rgba[(std::size_t{y} * bitmap.width + x) * 4];
      if (taken[3] < alpha) continue;
      const auto left = static_cast<std::size_t>(kCanvas.min.x) + x;
      const auto top = static_cast<std::size_t>(kCanvas.min.y) + y;
      const std::uint8_t* shown = &picture.rgb[(top * static_cast<std::size_t>(picture.width) + left) * 3];
      ++compared.pixels;
      int distance = 0;
      for (std::size_t i = 0; i < 3; ++i) distance = std::max(distance, std::abs(taken[i] - shown[i]));
      if (distance > 2) ++compared.different;
      if (distance > 64) ++compared.wrong;
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("F12 saves the character as the canvas shows it, without what is around it", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot");
  RunningPlayer player({path_text(file)});
  static_cast<void>(player.pause_at_start());
  const Picture plain = player.picture_after_key("Right");
  static_cast<void>(player.picture_after_key("b"));
  player.desktop.key("F12");
  const Bitmap bitmap = screenshot(file.parent_path() / "arm_bend_1.png");
  CHECK(bitmap.rgba[3] == 0);
  const Compared compared = compare(bitmap, plain, 255);
  CHECK(compared.pixels > 5000);
  CHECK(compared.wrong == 0);
  CHECK(compared.different < 200);
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("screenshot-notice.png");

  player.desktop.key("b");
  player.desktop.key("F12");
  CHECK(screenshot(file.parent_path() / "arm_bend_1_2.png").rgba == bitmap.rgba);
  player.desktop.key("Escape");
  CHECK(player.becomes(plain));
}

TEST_CASE("Shift+F12 saves the background too", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot-background");
  RunningPlayer player({path_text(file)});
  const Picture plain = player.pause_at_start();
  player.desktop.key("F12", "Shift_L");
  const Bitmap bitmap = screenshot(file.parent_path() / "arm_bend_0.png");
  const Compared compared = compare(bitmap, plain, 0);
  CHECK(compared.pixels == std::size_t{bitmap.width - 2} * (bitmap.height - 2));
  CHECK(compared.wrong == 0);
  CHECK(compared.different < 200);
}

TEST_CASE("the notice of a screenshot goes away by itself", "[window][screenshot]") {
  const fs::path file = fresh_arm("screenshot-goes");
  RunningPlayer player({path_text(file)});
  const Picture plain = player.pause_at_start();
  player.desktop.key("F12");
  REQUIRE(player.changes_from(plain));
  CHECK(player.becomes(plain));
}

}  // namespace pchr::test

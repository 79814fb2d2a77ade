// SPDX-License-Identifier: MIT
// The Windows player under Wine. Test cases of other files that are tagged [windows] run with it, too.
#include "running_player.hpp"

namespace pchr::test::wine_test {
namespace {

/// Makes the players that a test starts run on this system.
class Native {
 public:
  Native() { unsetenv("PCHR_TEST_PLAYER"); }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  ~Native() { setenv("PCHR_TEST_PLAYER", windows_.c_str(), 1); }

 private:
  std::string windows_ = windows_player().value();
};

Screenshot cropped(const Screenshot& whole) {
  Screenshot window{.width = kWidth, .height = kHeight, .rgb = {}};
  for (int y = 0; y < kHeight; ++y) {
    const auto row = whole.rgb.begin() + static_cast<std::ptrdiff_t>(y) * whole.width * 3;
    window.rgb.insert(window.rgb.end(), row, row + std::ptrdiff_t{kWidth} * 3);
  }
  return window;
}

/// Returns the window that shows Kiri's first frame.
Screenshot kiri(const std::string& name) {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Screenshot shown = cropped(player.pause_at_start());
  player.desktop.keep_screenshot(name);
  player.desktop.key("q");
  CHECK(player.process.wait() == 0);
  return shown;
}

}  // namespace

TEST_CASE("the Windows player shows the same as this system's", "[.][windows]") {
  const Screenshot windows = kiri("kiri-windows.png");
  const Native native;
  const Screenshot here = kiri("kiri-native.png");
  CHECK(difference(windows, here, kCanvas) == 0);
  // The panels on the right show how long a frame takes.
  CHECK(difference(windows, here, kLayout.clips) == 0);
  CHECK(difference(windows, here, kLayout.transport) == 0);
}

TEST_CASE("the Windows player opens, reloads and exports files with any names", "[.][windows]") {
  const fs::path base = output("window/names/x").parent_path();
  fs::remove_all(base);
  fs::path folder = base / "two words \u65e5\u672c\u8a9e \U0001F98A";
  while (folder.native().size() < 300) folder /= "a rather long name of a folder";
  const fs::path file = folder / "\u30ad\u30ea \U0001F98A.pchr";
  fs::create_directories(folder);
  write_file(file, write_v1(two_bone_arm()));
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("\u30ad\u30ea \U0001F98A.pchr \u2013 bend"));
  const Screenshot before = player.pause_at_start();
  player.desktop.keep_screenshot("names.png");
  CharacterData other = two_bone_arm();
  for (Clip& clip : other.clips) clip.name += " again";
  write_file(file, write_v1(other));
  CHECK(player.shows_title("bend again"));
  REQUIRE(player.comes_to_rest());
  player.desktop.key("F12");
  CHECK(eventually([&] { return fs::exists(folder / "\u30ad\u30ea \U0001F98A_bend again_0.png"); }));
  player.desktop.key("e", "Control_L");
  REQUIRE(player.comes_to_rest());
  player.desktop.key("Return");
  CHECK(eventually([&] { return fs::exists(folder / "\u30ad\u30ea \U0001F98A_bend again.apng"); }));
  player.desktop.key("q");
  CHECK(player.process.wait() == 0);
}

}  // namespace pchr::test::wine_test

// SPDX-License-Identifier: MIT
// The Problems tab.
#include "running_player.hpp"

#include <X11/Xlib.h>

namespace pchr::test::problems_test {
namespace {

/// Writes a file with a second clip, "still", that never moves, if `flawed`.
void write_slide(const fs::path& path, bool flawed) {
  CharacterData data = sliding_quad();
  if (flawed) data.clips.push_back(resting_clip("still", 4, data.bones.size()));
  write_file(path, write_v1(data));
}

bool clipboard_is_taken(const Desktop& desktop) {
  return eventually([&] {
    const Atom clipboard = XInternAtom(desktop.connection(), "CLIPBOARD", False);
    return XGetSelectionOwner(desktop.connection(), clipboard) != None;
  });
}

}  // namespace

TEST_CASE("P lists the file's problems, a click shows the affected part, and a reload updates them",
          "[window][problems]") {
  const fs::path path = output("window/slide.pchr");
  write_slide(path, false);
  RunningPlayer player({path_text(path)});
  static_cast<void>(player.pause_at_start());
  const Screenshot info = player.capture();
  player.desktop.key("p");
  REQUIRE(player.changes_from(info, kLayout.info));
  REQUIRE(player.comes_to_rest());
  const Screenshot none = player.capture();
  player.desktop.keep_screenshot("no-problems.png");

  write_slide(path, true);
  REQUIRE(player.changes_from(none, kLayout.info));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("problems.png");
  CHECK(player.shows_title("slide \u2013"));
  player.desktop.click(kLayout.info.min + Vec2{100, 85});
  CHECK(player.shows_title("still"));
  player.desktop.key("2");
  CHECK(player.shows_title("slide \u2013"));
  player.desktop.key("Down", "Control_L");
  player.desktop.key("Up", "Control_L");
  player.desktop.key("c", "Control_L");
  CHECK(clipboard_is_taken(player.desktop));

  write_slide(path, false);
  CHECK(player.becomes(none, kLayout.info));
}

TEST_CASE("Ctrl+Down selects the first problem", "[window][problems]") {
  const fs::path path = output("window/still-slide.pchr");
  write_slide(path, true);
  RunningPlayer player({path_text(path)});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("p");
  player.desktop.key("Down", "Control_L");
  CHECK(player.shows_title("still"));
}

}  // namespace pchr::test::problems_test

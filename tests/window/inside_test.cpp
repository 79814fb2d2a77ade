// SPDX-License-Identifier: MIT
// Looking inside a character: selecting, hiding, overlays.
#include "running_player.hpp"
#include "support/catch.hpp"

namespace pchr::test {

TEST_CASE("a click selects a part, H hides it, Shift+H shows it again", "[window][inside]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Picture plain = player.pause_at_start();
  const Vec2 chest = kCanvas.centre() + Vec2{0, 60};
  player.desktop.click(chest);
  CHECK(player.changes_from(plain));
  CHECK(player.changes_from(plain, kLayout.info));
  REQUIRE(player.comes_to_rest());
  const Picture selected = player.capture();
  player.desktop.keep_picture("inside.png");
  player.desktop.key("h");
  CHECK(player.changes_from(selected));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("hidden.png");
  player.desktop.key("h", "Shift_L");
  CHECK(player.becomes(selected));
  player.desktop.key("s");
  CHECK(player.changes_from(selected));
  player.desktop.key("s");
  CHECK(player.becomes(selected));
  player.desktop.key("Escape");
  CHECK(player.becomes(plain));
  const Picture inside = player.capture();
  player.desktop.key("v");
  CHECK(player.changes_from(inside, kLayout.info));
}

TEST_CASE("wireframe and bounds are drawn over the canvas alone", "[window][inside]") {
  RunningPlayer player({path_text(arm_file())});
  const Picture plain = player.pause_at_start();
  for (const char* key : {"w", "e"}) {
    CAPTURE(key);
    const Picture drawn = player.picture_after_key(key);
    CHECK(difference(drawn, plain, kLayout.transport) == 0);
    CHECK(difference(drawn, plain, kLayout.clips) == 0);
    player.desktop.key(key);
    CHECK(player.becomes(plain));
  }
}

}  // namespace pchr::test

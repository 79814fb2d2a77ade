// SPDX-License-Identifier: MIT
// Presenting the character alone on the desktop.
#include "running_player.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <algorithm>

namespace pchr::test::presentation_test {
namespace {

/// Pretends to be a compositing desktop by owning its selection.
void claim_compositing(const Desktop& desktop) {
  _XDisplay* display = desktop.connection();
  const Window owner = XCreateSimpleWindow(display, desktop.root(), 0, 0, 1, 1, 0, 0, 0);
  XSetSelectionOwner(display, XInternAtom(display, "_NET_WM_CM_S0", False), owner, CurrentTime);
  XSync(display, False);
}

Rect area_of(const RunningPlayer& player) {
  Window child = 0;
  int x = 0;
  int y = 0;
  XTranslateCoordinates(player.desktop.connection(), player.window, player.desktop.root(), 0, 0, &x, &y, &child);
  const Vec2 corner{x, y};
  return {corner, corner + player.desktop.size(player.window)};
}

/// Returns the alpha of the window's pixels by rows; empty if they have none.
std::vector<std::uint8_t> alpha_of(const RunningPlayer& player) {
  const Rect area = area_of(player);
  XImage* image = XGetImage(player.desktop.connection(), player.window, 0, 0, static_cast<unsigned>(area.size().x),
                            static_cast<unsigned>(area.size().y), AllPlanes, ZPixmap);
  REQUIRE(image != nullptr);
  std::vector<std::uint8_t> alpha;
  if (image->depth == 32) {
    for (int y = 0; y < image->height; ++y) {
      for (int x = 0; x < image->width; ++x) alpha.push_back(static_cast<std::uint8_t>(XGetPixel(image, x, y) >> 24));
    }
  }
  XDestroyImage(image);
  return alpha;
}

/// Returns whether every pixel is opaque.
bool is_opaque(const RunningPlayer& player) {
  const auto alpha = alpha_of(player);
  return !alpha.empty() && std::ranges::all_of(alpha, [](std::uint8_t a) { return a == 255; });
}

bool becomes(const RunningPlayer& player, const Rect& area) {
  return eventually([&] {
    const Rect now = area_of(player);
    return now.min == area.min && now.max == area.max;
  });
}

}  // namespace

TEST_CASE("F11 shows the character alone on the desktop, and a second F11 restores the window",
          "[window][presentation]") {
  RunningPlayer player({path_text(arm_file())});
  claim_compositing(player.desktop);
  const Screenshot before = player.pause_at_start();
  const Rect place = area_of(player);
  // Panels are translucent, but nothing of the desktop may show through.
  static_cast<void>(player.screenshot_after_key("F1"));
  CHECK(is_opaque(player));
  player.desktop.key("F1");
  REQUIRE(player.becomes(before));

  player.desktop.key("F11");
  REQUIRE(becomes(player, kCanvas));
  REQUIRE(player.comes_to_rest());
  REQUIRE(eventually([&] { return alpha_of(player).front() == 0; }));
  const auto alpha = alpha_of(player);
  const auto width = static_cast<std::size_t>(kCanvas.size().x);
  CHECK(alpha[alpha.size() - 1] == 0);
  CHECK(std::ranges::count(alpha, std::uint8_t{255}) > 5000);
  // The canvas became the window in place, so the character has not moved.
  const auto arm = static_cast<std::size_t>(std::ranges::find(alpha, std::uint8_t{255}) - alpha.begin());
  const Vec2 at = kCanvas.min + Vec2{arm % width + 3, arm / width + 3};
  const Rect spot{at, at + Vec2{20, 20}};
  CHECK(difference(player.capture(), before, spot) == 0);
  player.desktop.keep_screenshot("presentation.png");

  player.desktop.key("F11");
  REQUIRE(becomes(player, place));
  CHECK(player.becomes(before));
  CHECK(is_opaque(player));
}

TEST_CASE("dragging moves the presentation, the wheel resizes it, Esc ends it", "[window][presentation]") {
  RunningPlayer player({path_text(arm_file())});
  claim_compositing(player.desktop);
  const Screenshot before = player.pause_at_start();
  const Rect place = area_of(player);
  player.desktop.key("F11");
  REQUIRE(becomes(player, kCanvas));
  REQUIRE(player.comes_to_rest());
  player.desktop.move(kCanvas.center());
  player.desktop.press(1);
  player.desktop.move(kCanvas.center() + Vec2{60, 35});
  CHECK(becomes(player, {kCanvas.min + Vec2{60, 35}, kCanvas.max + Vec2{60, 35}}));
  player.desktop.release(1);
  player.desktop.wheel(false);
  CHECK(eventually([&] { return player.desktop.size(player.window).x < kCanvas.size().x * 0.95F; }));
  player.desktop.key("Escape");
  CHECK(becomes(player, place));
  CHECK(player.becomes(before));
}

TEST_CASE("without compositing a presentation keeps the background and reports it", "[window][presentation]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot before = player.pause_at_start();
  player.desktop.key("F11");
  REQUIRE(becomes(player, kCanvas));
  // The notice covers the lower part, and the handles of the panels are gone; the rest is unchanged.
  const Rect upper{kCanvas.min + Vec2{20, 8}, {kCanvas.max.x - 20, kCanvas.center().y}};
  CHECK(eventually([&] { return difference(player.capture(), before, upper) < 150; }));
  player.desktop.keep_screenshot("presentation-opaque.png");
  player.desktop.key("Escape");
  CHECK(eventually([&] { return area_of(player).size().x > kCanvas.size().x; }));
}

}  // namespace pchr::test::presentation_test

// SPDX-License-Identifier: MIT
// An Unreal mesh from all sides, and its animations.
#include "drag_and_drop.hpp"
#include "running_player.hpp"
#include "support/psk.hpp"

#include <filesystem>

namespace pchr::test::orbit_test {
namespace {

const player::Layout k3D = player::arrange({kWidth, kHeight}, 1.0F, {.is_3d = true});

fs::path animation_folder() {
  const fs::path folder = fresh_folder("orbit");
  fs::create_directories(folder / "animations");
  return folder;
}

/// A body with a nose in front and an arm on its right, about as large as a unit.
fs::path write_figure(const fs::path& folder) {
  const fs::path path = folder / "figure.psk";
  write_file(path, bytes_of(boxes_psk({{"body", {-1, -1, 0}, {1, 1, 6}},
                                       {"nose", {-0.3F, -2.5F, 3.8F}, {0.3F, -1, 4.4F}, 1},
                                       {"arm", {1, -0.4F, 2.5F}, {3, 0.4F, 3.3F}}})));
  return path;
}

fs::path write_animation(const fs::path& folder) {
  const fs::path path = folder / "animations" / "turn.psa";
  write_file(path, bytes_of(small_psa()));
  return path;
}

void drag(RunningPlayer& player, Vec2 by, unsigned button) {
  const Vec2 from = kCanvas.center() - by * 0.5F;
  player.desktop.drag(from, from + by, button);
  player.desktop.release(button);
}

/// Waits for the figure and moves the mouse aside.
Screenshot first_screenshot(RunningPlayer& player) {
  REQUIRE(player.shows_title("figure.psk"));
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

Screenshot rested(RunningPlayer& player) {
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

bool is_at(const Screenshot& screenshot, Vec2 at, const Screenshot& like, Vec2 there) {
  const auto pixel = [](const Screenshot& of, Vec2 point) {
    const auto first = static_cast<std::size_t>(static_cast<int>(point.y) * of.width + static_cast<int>(point.x)) * 3;
    return std::array{of.rgb[first], of.rgb[first + 1], of.rgb[first + 2]};
  };
  return pixel(screenshot, at) == pixel(like, there);
}

}  // namespace

TEST_CASE("dragging rotates a mesh, and Numpad 0 resets the view", "[window][orbit][long]") {
  RunningPlayer player({path_text(write_figure(animation_folder()))});
  const Screenshot front = first_screenshot(player);
  player.desktop.keep_screenshot("orbit-front.png");
  drag(player, {-150, 60}, 3);
  const Screenshot turned = rested(player);
  CHECK(difference(turned, front, kCanvas) > 5000);
  player.desktop.key("z");
  REQUIRE(player.changes_from(turned));
  player.desktop.key("e");
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-turned.png");
  player.desktop.key("z");
  player.desktop.key("e");
  REQUIRE(player.becomes(turned));
  player.desktop.key("KP_0");
  REQUIRE(player.becomes(front));
  // The left button with Alt does the same.
  player.desktop.hold_key("Alt_L");
  drag(player, {-150, 60}, 1);
  player.desktop.release_key("Alt_L");
  CHECK(color_count(rested(player), kCanvas) > color_count(front, kCanvas) + 4);  // More sides are visible.
  player.desktop.key("BackSpace", "Shift_L");
  CHECK(player.becomes(front));
}

TEST_CASE("other drags move a mesh like any character", "[window][orbit][long]") {
  RunningPlayer player({path_text(write_figure(animation_folder()))});
  const Screenshot front = first_screenshot(player);
  const Vec2 end_of_arm = kCanvas.center() + Vec2{175, 10};
  const Vec2 after_it = end_of_arm + Vec2{50, 0};
  for (const unsigned button : {1U, 2U}) {
    drag(player, {80, 0}, button);
    const Screenshot moved = rested(player);
    CHECK(is_at(moved, after_it, front, end_of_arm));
    CHECK_FALSE(is_at(front, after_it, front, end_of_arm));
    CHECK(color_count(moved, kCanvas) <= color_count(front, kCanvas) + 4);
    player.desktop.key("f");
    REQUIRE(player.becomes(front));
  }
}

TEST_CASE("keys select a side, and a click selects the part that faces the viewer", "[window][orbit][long]") {
  RunningPlayer player({path_text(write_figure(animation_folder()))});
  const Screenshot front = first_screenshot(player);
  player.desktop.key("KP_3");
  REQUIRE(player.changes_from(front));
  const Screenshot side = rested(player);
  player.desktop.keep_screenshot("orbit-side.png");
  player.desktop.key("KP_7");
  REQUIRE(player.changes_from(side));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-top.png");
  player.desktop.key("v", "Shift_L");
  REQUIRE(player.becomes(front));
  player.desktop.key("v", "Shift_L");
  REQUIRE(player.becomes(side));
  // The nose is left of the body only from the side.
  const Vec2 nose = kCanvas.center() + Vec2{-94, -103};
  const Vec2 body = kCanvas.center() + Vec2{0, 150};
  const Vec2 nothing = kCanvas.min + Vec2{20, 200};
  player.desktop.click(nose);
  REQUIRE(player.changes_from(side));
  const Screenshot picked = rested(player);
  player.desktop.key("s");
  REQUIRE(player.changes_from(picked));
  const Screenshot alone = rested(player);
  player.desktop.keep_screenshot("orbit-picked.png");
  CHECK_FALSE(is_at(side, nose, side, body));
  CHECK_FALSE(is_at(alone, body, side, body));
  CHECK(is_at(alone, nose, side, nose));
  CHECK_FALSE(is_at(alone, nose, side, nothing));
}

TEST_CASE("a mesh's orientation is chosen and remembered", "[window][orbit][long]") {
  const fs::path figure = write_figure(animation_folder());
  const std::string configuration = fresh_configuration();
  std::optional<Screenshot> lying;
  {
    RunningPlayer player({path_text(figure)}, kWidth, kHeight, 96, configuration);
    const Screenshot front = first_screenshot(player);
    const float right = k3D.view.max.x;
    player.desktop.click({right - 40, k3D.view.min.y + 183});  // Y is up.
    REQUIRE(player.changes_from(front));
    const Screenshot standing = rested(player);
    player.desktop.click({right - 70, k3D.view.min.y + 215});  // Rotated by 180 degrees.
    REQUIRE(player.changes_from(standing));
    lying = rested(player);
    player.desktop.keep_screenshot("orbit-up.png");
    CHECK(difference(*lying, front, kCanvas) > 5000);
    player.desktop.key("q");
    REQUIRE(eventually([&] { return !player.process.running(); }));
  }
  CHECK(read_text(fs::path(configuration) / "pchr" / "player.conf").find("up-axis = y\nstands-at = 180\n") !=
        std::string::npos);
  RunningPlayer player({path_text(figure)}, kWidth, kHeight, 96, configuration);
  REQUIRE(player.shows_title("figure.psk"));
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  CHECK(player.becomes(*lying));
}

TEST_CASE("a dropped animation is attached to the open mesh", "[window][orbit][long]") {
  const fs::path folder = animation_folder();
  const fs::path figure = write_figure(folder);
  const fs::path turn = write_animation(folder);
  RunningPlayer player({});
  REQUIRE(player.comes_to_rest());
  const Screenshot empty = player.capture();
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), turn));
  REQUIRE(player.changes_from(empty));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-no-mesh.png");
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), figure));
  const Screenshot front = first_screenshot(player);
  drag(player, {-150, 60}, 3);
  const Screenshot turned = rested(player);
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), turn));
  REQUIRE(player.shows_title("turn"));
  player.desktop.key("space");
  player.desktop.key("Home");
  player.desktop.move(k3D.info.min + Vec2{100, 60});
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-attached.png");
  // The first frame equals the mesh's pose; only a notice and a timeline are new.
  const Rect figure_area{kCanvas.center() - Vec2{150, 200}, kCanvas.center() + Vec2{150, 100}};
  CHECK(difference(player.capture(), turned, figure_area) < 50);
}

TEST_CASE("a mesh can be rotated on a high-DPI screen", "[window][orbit][long]") {
  const fs::path folder = animation_folder();
  RunningPlayer player({path_text(write_figure(folder)), path_text(write_animation(folder))}, kWidth * 2, kHeight * 2,
                       192);
  REQUIRE(player.shows_title("turn"));
  player.desktop.key("space");
  player.desktop.key("Home");
  const Rect canvas{kCanvas.min * 2.0F, kCanvas.max * 2.0F};
  REQUIRE(player.comes_to_rest());
  const Screenshot front = player.capture();
  player.desktop.key("KP_6");
  player.desktop.key("KP_6");
  player.desktop.key("KP_8");
  REQUIRE(player.changes_from(front, canvas));
  REQUIRE(player.comes_to_rest());
  const Screenshot turned = player.capture();
  player.desktop.click(canvas.center() + Vec2{-266, -15});  // The nose, whose bone is the tip.
  REQUIRE(player.changes_from(turned, canvas));
  player.desktop.key("z");
  player.desktop.key("b");
  player.desktop.key("k");
  player.desktop.move(canvas.min + Vec2{20, 20});
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-2x.png");
  CHECK(difference(player.capture(), front, canvas) > 20'000);
  player.desktop.key("F1");
  REQUIRE(player.changes_from(turned, canvas));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("orbit-help-2x.png");
}

TEST_CASE("docs/koi.png is up to date", "[window][orbit][docs][long]") {
  RunningPlayer player({path_text(asset("koi/koi.psk"))});
  REQUIRE(player.shows_title("swim"));
  player.desktop.key("space");
  player.desktop.key("Home");
  for (int i = 0; i < 6; ++i) player.desktop.key("Right");
  for (int i = 0; i < 3; ++i) player.desktop.key("KP_6");
  player.desktop.key("KP_8");
  player.desktop.key("KP_8");
  player.desktop.key("f");
  player.desktop.key("z");
  player.desktop.key("b");
  player.desktop.move({kCanvas.min.x + 20, kCanvas.min.y + 20});
  REQUIRE(player.comes_to_rest());
  CHECK(player.is_documented("koi.png"));
}

}  // namespace pchr::test::orbit_test

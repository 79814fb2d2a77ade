// SPDX-License-Identifier: MIT
// Viewing 3D characters from all sides.
#include "document/turntable.hpp"

#include "ui/commands.hpp"
#include "view/canvas.hpp"
#include "ui/app.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/psk.hpp"
#include "support/load.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/3d.hpp>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

namespace pchr::player::turntable_test {
namespace {

void check_near(Vec3 found, Vec3 expected) {
  CHECK(std::abs(found.x - expected.x) < 1e-5F);
  CHECK(std::abs(found.y - expected.y) < 1e-5F);
  CHECK(std::abs(found.z - expected.z) < 1e-5F);
}

/// A nose in front of a body that stands next to the origin.
Character figure() {
  const auto bytes =
      test::bytes_of(test::boxes_psk({{"body", {2, -1, 0}, {4, 1, 6}}, {"nose", {2.8F, -2, 4}, {3.2F, -1, 4.5F}, 1}}));
  return load_character(bytes).value();
}

struct Shown : Windowless {
  Shown() {
    const Character character = figure();
    show_model(app, "figure.psk", renderer.upload(character).value(), std::nullopt);
    advance(app, 0);
  }
  const PoseBuffers& look(const Turntable& turntable) {
    app.view.turntable = turntable;
    advance(app, 0);
    return posed(app);
  }
  void press(int key, int modifiers = 0) { handle_key(app, {.key = key, .modifiers = modifiers}); }
};

bool same(const PoseBuffers& a, const PoseBuffers& b) {
  return a.world_3d == b.world_3d && a.palette_3d == b.palette_3d && a.world == b.world && a.palette == b.palette;
}

}  // namespace

TEST_CASE("the default view shows a character exactly as read", "[player][orbit]") {
  CHECK(rotation_of({}, {3.3F, -17.1F, 0.7F}) == kIdentity3);
}

TEST_CASE("each side faces the viewer, and the pivot stays in place", "[player][orbit]") {
  constexpr Vec3 kPivot{5, 2, -1};
  const auto seen = [&](Side side, Vec3 from_pivot) {
    return apply(rotation_of(viewed_from({}, side), kPivot), kPivot + from_pivot) - kPivot;
  };
  for (const Side side : {Side::front, Side::right, Side::top, Side::back, Side::left, Side::bottom}) {
    check_near(seen(side, {0, 0, 0}), {0, 0, 0});
  }
  // The part nearest to the viewer has the largest z.
  check_near(seen(Side::right, {1, 0, 0}), {0, 0, 1});
  check_near(seen(Side::right, {0, 0, -1}), {1, 0, 0});
  check_near(seen(Side::left, {-1, 0, 0}), {0, 0, 1});
  check_near(seen(Side::back, {0, 0, -1}), {0, 0, 1});
  check_near(seen(Side::top, {0, 1, 0}), {0, 0, 1});
  check_near(seen(Side::top, {0, 0, -1}), {0, 1, 0});
  check_near(seen(Side::bottom, {0, -1, 0}), {0, 0, 1});
}

TEST_CASE("a y-up file stands upright, and quarter turns rotate around the up axis", "[player][orbit]") {
  // The file's x, y and z axes, as read.
  constexpr Vec3 kX{1, 0, 0}, kY{0, 0, -1}, kZ{0, 1, 0};
  const Affine3 stand = upright({.up = UpAxis::y});
  check_near(apply(stand, kX), {1, 0, 0});
  check_near(apply(stand, kY), {0, 1, 0});
  check_near(apply(stand, kZ), {0, 0, 1});
  check_near(apply(upright({.quarter_turns = 1}), kX), {0, 0, -1});
  check_near(apply(upright({.quarter_turns = 1}), kZ), {0, 1, 0});
  check_near(apply(upright({.up = UpAxis::y, .quarter_turns = 2}), kY), {0, 1, 0});
  check_near(apply(upright({.up = UpAxis::y, .quarter_turns = 3}), kX), {0, 0, 1});
}

TEST_CASE("a turntable stays within its limits", "[player][orbit]") {
  CHECK(limited({.yaw_degrees = 190}).yaw_degrees == -170);
  CHECK(limited({.yaw_degrees = 180}).yaw_degrees == 180);
  CHECK(limited({.yaw_degrees = -180}).yaw_degrees == 180);
  CHECK(limited({.yaw_degrees = -730}).yaw_degrees == -10);
  CHECK(limited({.yaw_degrees = NAN}).yaw_degrees == 0);
  CHECK(limited({.pitch_degrees = 91}).pitch_degrees == 90);
  CHECK(limited({.pitch_degrees = -400}).pitch_degrees == -90);
  CHECK(limited({.quarter_turns = 6}).quarter_turns == 2);
}

TEST_CASE("rotations do not accumulate, and a reset restores the front view", "[player][orbit]") {
  Shown shown, other;
  const PoseBuffers front = posed(shown.app);
  shown.look({.yaw_degrees = 30, .pitch_degrees = 10});
  const PoseBuffers& twice = shown.look({.yaw_degrees = 75, .pitch_degrees = -20});
  CHECK(same(twice, other.look({.yaw_degrees = 75, .pitch_degrees = -20})));
  CHECK_FALSE(same(twice, front));
  advance(shown.app, 0.1);
  CHECK(same(posed(shown.app), posed(other.app)));
  reset_turntable(shown.app.view);
  advance(shown.app, 0);
  CHECK(same(posed(shown.app), front));
}

TEST_CASE("a click selects the part that faces the viewer", "[player][orbit]") {
  Shown shown;
  App& app = shown.app;
  const auto at_middle_of_nose = [&]() -> std::string {
    const Vec3 nose = apply(rotation_of(app, app.document()->character()), {3, 4.25F, 1.5F});
    pick(app, {nose.x, nose.y}, 0);
    return app.document()->selection.mesh ? app.document()->character().meshes()[*app.document()->selection.mesh].name
                                          : "";
  };
  CHECK(at_middle_of_nose() == "nose");
  shown.look(viewed_from({}, Side::back));
  CHECK(at_middle_of_nose() == "body");
  shown.look(viewed_from({}, Side::right));
  CHECK(at_middle_of_nose() == "nose");
  shown.look({.up = UpAxis::y});  // Lies on its back, seen from its feet.
  CHECK(at_middle_of_nose() == "nose");
}

TEST_CASE("bounds match the view from any direction", "[player][orbit]") {
  Shown shown;
  for (const float yaw : {0.0F, 33.0F, 90.0F, 140.0F}) {
    for (const float pitch : {-90.0F, -25.0F, 0.0F, 60.0F}) {
      for (const UpAxis up : {UpAxis::z, UpAxis::y}) {
        const PoseBuffers& posed = shown.look({.yaw_degrees = yaw, .pitch_degrees = pitch, .up = up});
        const Rect whole = shown_bounds(shown.app).value();
        const Rect seen = bounds(shown.app.document()->character(), posed);
        CAPTURE(yaw, pitch);
        // To within a few hundredths of its size, which is about six.
        constexpr float kNear = 0.2F;
        CHECK(std::abs(seen.min.x - whole.min.x) < kNear);
        CHECK(std::abs(seen.min.y - whole.min.y) < kNear);
        CHECK(std::abs(seen.max.x - whole.max.x) < kNear);
        CHECK(std::abs(seen.max.y - whole.max.y) < kNear);
      }
    }
  }
  shown.look({});
  const Rect front = shown_bounds(shown.app).value();
  CHECK(front.min == Vec2{2, 0});
  CHECK(front.max == Vec2{4, 6});
}

TEST_CASE("a clip's box is as deep as its character", "[player][orbit]") {
  test::PskFile mesh = test::boxes_psk({{"body", {0, -1, 0}, {1, 2, 1}}});
  const Character character = load_character(test::bytes_of(mesh)).value();
  const Box box = character_extent(character).box;
  CHECK(box.min == Vec3{0, 0, -2});
  CHECK(box.max == Vec3{1, 1, 1});
  CHECK(pivot_of(character) == Vec3{0.5F, 0.5F, -0.5F});
}

TEST_CASE("back faces are culled if requested", "[player][orbit]") {
  Shown shown;
  // Only the bottom of a box.
  test::PskFile file = test::boxes_psk({{"sheet", {0, 0, 0}, {4, 4, 4}}});
  test::PskChunk& faces = test::chunk_of(file, "FACE0000");
  faces.count = 2;
  faces.records.resize(static_cast<std::size_t>(faces.record_bytes) * 2);
  const Character sheet = load_character(test::bytes_of(file)).value();
  show_model(shown.app, "sheet.psk", shown.renderer.upload(sheet).value(), std::nullopt);
  shown.app.view.camera = {.center = {2, 0}, .zoom = 4, .viewport = {32, 32}};
  OffscreenTarget target = OffscreenTarget::create(shown.context.get_proc_address(), 32, 32, 4).value();
  const auto is_seen = [&](Side side, bool cull) {
    Turntable turntable = viewed_from({}, side);
    turntable.cull_back_faces = cull;
    const PoseBuffers& posed = shown.look(turntable);
    target.begin();
    draw_character(shown.app, shown.app.document()->model, posed, shown.app.view.camera, shown.renderer);
    return std::ranges::any_of(target.finish().rgba, [](std::uint8_t channel) { return channel != 0; });
  };
  CHECK(is_seen(Side::bottom, false));
  CHECK(is_seen(Side::bottom, true));
  CHECK(is_seen(Side::top, false));
  CHECK_FALSE(is_seen(Side::top, true));
}

TEST_CASE("the numpad and Shift+V select sides, and Numpad 0 resets the view", "[player][orbit]") {
  Shown shown;
  const auto sees = [&](Side side) { return is_viewed_from(shown.app.view.turntable, side); };
  shown.press(GLFW_KEY_KP_3);
  CHECK(sees(Side::right));
  shown.press(GLFW_KEY_KP_3, GLFW_MOD_CONTROL);
  CHECK(sees(Side::left));
  shown.press(GLFW_KEY_KP_7);
  CHECK(sees(Side::top));
  shown.press(GLFW_KEY_KP_1, GLFW_MOD_CONTROL);
  CHECK(sees(Side::back));
  shown.press(GLFW_KEY_KP_1);
  CHECK(sees(Side::front));
  for (const Side side : {Side::right, Side::top, Side::front}) {
    shown.press(GLFW_KEY_V, GLFW_MOD_SHIFT);
    CHECK(sees(side));
  }
  shown.press(GLFW_KEY_KP_6);
  shown.press(GLFW_KEY_KP_8);
  CHECK(shown.app.view.turntable == Turntable{.yaw_degrees = 15, .pitch_degrees = 15});
  shown.app.view.fitted.reset();
  shown.press(GLFW_KEY_KP_0);
  CHECK(sees(Side::front));
  CHECK(shown.app.view.fit == Fit::clip);
}

TEST_CASE("the ground is below the character and shows the file's axes", "[player][orbit]") {
  const Camera camera{.center = {3, 3}, .zoom = 40, .viewport = {800, 600}};
  const Box box{{2, 0, -1}, {4, 6, 2}};
  const auto lines_of = [&](const Turntable& turntable) {
    const GroundView view{turntable, camera, box.center(), box};
    return ground_lines(view, ground_step(view, 14), {1, 1, 1}, 1);
  };
  // From the front, the whole ground is one line at y = 0.
  const float ground = apply(world_to_viewport(camera), {0, 0}).y;
  const auto front = lines_of({});
  const auto lies = [&](const SeenLine& line) {
    return std::abs(line.from.y - ground) < 1e-3F && std::abs(line.to.y - ground) < 1e-3F;
  };
  CHECK(std::ranges::count_if(front, lies) == std::ssize(front) - 1);  // Except for the up axis.
  // From above, the line distance matches the step.
  const auto top = lines_of(viewed_from({}, Side::top));
  REQUIRE(top.size() > 10);
  CHECK(std::abs(std::abs(top[1].from.x - top[0].from.x) - 20.0F) < 1e-2F);
  CHECK(std::abs(top[0].from.x - top[0].to.x) < 1e-3F);
  // The up axis is blue if z is up, green if y is up.
  const auto rising = [&](const std::vector<SeenLine>& lines) {
    return std::ranges::find_if(lines, [](const SeenLine& line) { return line.to.y < line.from.y - 1; })->color;
  };
  CHECK(rising(front)[2] > 0.9F);
  CHECK(rising(lines_of({.up = UpAxis::y}))[1] > 0.7F);
}

TEST_CASE("a floor has a limited number of lines at any zoom", "[player][orbit]") {
  const Turntable turntable;
  const Box box{{-50, 0, -50}, {50, 100, 50}};
  for (const float zoom : {0.01F, 1.0F, 100.0F, 10'000.0F}) {
    const Camera camera{.zoom = zoom, .viewport = {800, 600}};
    const GroundView view{turntable, camera, {}, box};
    const auto lines = ground_lines(view, ground_step(view, 14), {1, 1, 1}, 1);
    CHECK(lines.size() >= 6);
    CHECK(lines.size() < 1000);
  }
}

}  // namespace pchr::player::turntable_test

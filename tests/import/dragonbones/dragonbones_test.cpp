// SPDX-License-Identifier: MIT
// Small DragonBones skeletons whose poses follow from plain formulas.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"
#include "support/load.hpp"
#include "support/png.hpp"

#include <pchr/import/save.hpp>
#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragonbones_test {
using namespace pchr;
using test::Bytes;
using test::Folder;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

Bytes white_png(std::uint32_t width, std::uint32_t height) {
  return test::png_of(width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255));
}

constexpr std::string_view kAtlas =
    R"({"name": "hero", "imagePath": "hero_tex.png", "width": 32, "height": 32, "SubTexture": [)"
    R"({"name": "plain", "x": 0, "y": 0, "width": 8, "height": 4},)"
    R"({"name": "turned", "x": 8, "y": 0, "width": 4, "height": 8, "rotated": true},)"
    R"({"name": "trimmed", "x": 0, "y": 8, "width": 6, "height": 2, "frameX": -1, "frameY": -1, "frameWidth": 8,)"
    R"( "frameHeight": 4}]})";

/// Fields of an armature with one slot "part" at the bone "arm".
struct Parts {
  std::string bones = R"({"name": "root"}, {"name": "arm", "parent": "root"})";
  std::string slots = R"({"name": "part", "parent": "arm"})";
  std::string displays = R"({"name": "plain"})";
  std::string animation{};
  std::string more{};
};

std::string skeleton(const Parts& parts) {
  return R"({"version": "5.5", "frameRate": 10, "name": "hero", "armature": [{"name": "hero", "bone": [)" +
         parts.bones + R"(], "slot": [)" + parts.slots +
         R"(], "skin": [{"name": "", "slot": [{"name": "part", "display": [)" + parts.displays + "]}]}]" + parts.more +
         R"(, "animation": [{"name": "move")" + parts.animation + "}]}]}";
}

Folder folder_of(const std::string& text) {
  Folder folder;
  folder.add("hero_ske.json", text);
  folder.add("hero_tex.json", kAtlas);
  folder.files["hero_tex.png"] = white_png(32, 32);
  return folder;
}

Imported load(const Parts& parts, const ImportOptions& options = {}) {
  auto imported = folder_of(skeleton(parts)).import("hero_ske.json", options);
  if (!imported) FAIL(describe(imported.error(), "hero_ske.json"));
  return *std::move(imported);
}

std::vector<Vec2> corners(const Character& character, std::uint32_t frame, std::uint32_t mesh = 0) {
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, {frame, frame, 0}, posed);
  std::vector<Vec2> points(character.meshes()[mesh].vertex_count);
  deform_mesh(character, posed, MeshId{mesh}, points);
  return points;
}

bool is_near(Vec2 left, Vec2 right) { return std::hypot(left.x - right.x, left.y - right.y) < 0.002F; }

/// Returns the center of a mesh, which is where its bone is if the mesh is an image without a transform.
Vec2 center(const Character& character, std::uint32_t frame, std::uint32_t mesh = 0) {
  const std::vector<Vec2> points = corners(character, frame, mesh);
  return (points.front() + points.back()) * 0.5F;
}

/// Returns the direction of the x axis of a mesh, in degrees, counter-clockwise.
double angle(const Character& character, std::uint32_t frame, std::uint32_t mesh = 0) {
  const std::vector<Vec2> points = corners(character, frame, mesh);
  return std::atan2(points[1].y - points[0].y, points[1].x - points[0].x) / kDegree;
}

/// Sample of the bone that rules a mesh.
struct Ruled {
  bool visible = false;
  std::int32_t z_order = 0;
  float opacity = 1;
  bool operator==(const Ruled&) const = default;
};
Ruled ruled(const Character& character, std::uint32_t frame, std::uint32_t mesh) {
  const PoseView pose = frame_pose(character, ClipId{0}, frame);
  const std::size_t bone = index(character.governing_bone(MeshId{mesh}));
  return {pose.visible[bone] != 0, pose.z_order[bone], pose.opacity.empty() ? 1 : pose.opacity[bone]};
}

bool has_helper(const Character& character) {
  return std::ranges::any_of(character.bones(), [](const Bone& bone) { return bone.name.ends_with("~shear"); });
}

std::vector<std::string> codes(const Character& character) {
  std::vector<std::string> result;
  for (const Diagnostic& warning : character.warnings()) result.emplace_back(code(warning.id));
  return result;
}

}  // namespace

TEST_CASE("a DragonBones image is drawn around its pivot, with y up", "[dragonbones]") {
  struct Case {
    const char* display;
    Vec2 first, last;
    Vec2 first_uv, last_uv;
  };
  const Case cases[] = {
      {R"({"name": "plain"})", {-4, 2}, {4, -2}, {0, 0}, {8, 4}},
      {R"({"name": "plain", "transform": {"x": 10, "y": 20}})", {6, -18}, {14, -22}, {0, 0}, {8, 4}},
      {R"({"name": "plain", "pivot": {"x": 0, "y": 0}})", {0, 0}, {8, -4}, {0, 0}, {8, 4}},
      {R"({"name": "any", "path": "plain"})", {-4, 2}, {4, -2}, {0, 0}, {8, 4}},
      // Stored upright: its top left corner is at the top right of the region.
      {R"({"name": "turned"})", {-4, 2}, {4, -2}, {12, 0}, {8, 8}},
      {R"({"name": "trimmed"})", {-3, 1}, {3, -1}, {0, 8}, {6, 10}},
  };
  for (const Case& each : cases) {
    INFO(each.display);
    const Character hero = load({.displays = each.display}).character;
    const std::vector<Vec2> points = corners(hero, 0);
    CHECK(is_near(points.front(), each.first));
    CHECK(is_near(points.back(), each.last));
    CHECK(is_near(Vec2{hero.vertices().front().u, hero.vertices().front().v} * 32.0F, each.first_uv));
    CHECK(is_near(Vec2{hero.vertices().back().u, hero.vertices().back().v} * 32.0F, each.last_uv));
  }
}

TEST_CASE("DragonBones bones follow their parents as their flags say", "[dragonbones]") {
  struct Case {
    const char* flags;
    Vec2 place;      ///< Place of the arm, 10 px to the right of its parent in the parent's space.
    double degrees;  ///< Direction of its x axis.
    double length;   ///< Length of the image, which is 8 px long.
  };
  // The parent lies at (100, 50), is turned by 90 degrees clockwise and twice as long.
  const Case cases[] = {{"", {100, 30}, -90, 16},
                        {R"(, "inheritScale": false)", {100, 30}, -90, 8},
                        {R"(, "inheritRotation": false)", {100, 30}, 0, 8},
                        {R"(, "inheritTranslation": false)", {10, 0}, -90, 16},
                        {R"(, "inheritRotation": 0, "inheritScale": 0)", {100, 30}, 0, 8}};
  for (const Case& each : cases) {
    INFO(each.flags);
    const std::string bones = R"({"name": "root", "transform": {"x": 100, "y": -50, "skX": 90, "skY": 90, "scX": 2}},)"
                              R"({"name": "arm", "parent": "root", "transform": {"x": 10})" +
                              std::string(each.flags) + "}";
    const Character hero = load({.bones = bones}).character;
    CHECK(is_near(center(hero, 0), each.place));
    CHECK(std::abs(std::remainder(angle(hero, 0) - each.degrees, 360.0)) < 0.01);
    const std::vector<Vec2> points = corners(hero, 0);
    CHECK(std::abs(std::hypot(points[1].x - points[0].x, points[1].y - points[0].y) - each.length) < 0.001);
  }
}

TEST_CASE("a DragonBones bone that shears has a helper bone, and only then", "[dragonbones]") {
  const auto with = [](const char* transform) {
    return load({.bones = R"({"name": "root"}, {"name": "arm", "parent": "root", "transform": )" +
                          std::string(transform) + "}"})
        .character;
  };
  const Character plain = with(R"({"skX": 30, "skY": 30, "scX": -2, "scY": 0.5})");
  CHECK_FALSE(has_helper(plain));
  CHECK(plain.bones().size() == 2);
  const Character sheared = with(R"({"skX": 30, "scX": 2})");
  CHECK(has_helper(sheared));
  CHECK(sheared.bones().size() == 3);
  // The x axis is (2, 0), the y axis, up, (sin 30, cos 30).
  const auto point = [](double x, double y) {
    return Vec2(static_cast<float>(2 * x + std::sin(30 * kDegree) * y), static_cast<float>(std::cos(30 * kDegree) * y));
  };
  CHECK(is_near(corners(sheared, 0)[0], point(-4, 2)));
  CHECK(is_near(corners(sheared, 0)[3], point(4, -2)));
}

TEST_CASE("DragonBones keys are interpolated as their curves say", "[dragonbones]") {
  struct Case {
    const char* easing;
    double middle;  ///< Progress in the middle.
  };
  const Case cases[] = {{"", 0},
                        {R"(, "tweenEasing": null)", 0},
                        {R"(, "tweenEasing": "NaN")", 0},
                        {R"(, "tweenEasing": 0)", 0.5},
                        {R"(, "tweenEasing": -1)", 0.25},
                        {R"(, "tweenEasing": -0.5)", 0.375},
                        {R"(, "tweenEasing": 1)", 0.75},
                        {R"(, "tweenEasing": 2)", 0.5},
                        {R"(, "curve": [0.25, 0.25, 0.75, 0.75])", 0.5},
                        {R"(, "curve": [0, 0, 0.25, 0.25, 0.75, 0.75, 1, 1])", 0.5},
                        // Two pieces that meet at a quarter of the time and half of the way.
                        {R"(, "curve": [0.1, 0.2, 0.2, 0.4, 0.25, 0.5, 0.5, 0.5, 0.75, 1])", 0.6296}};
  for (const Case& each : cases) {
    INFO(each.easing);
    const std::string keys = R"(, "duration": 8, "bone": [{"name": "arm", "translateFrame": [{"duration": 8)" +
                             std::string(each.easing) + R"(}, {"duration": 0, "x": 100, "y": 10}]}])";
    const Character hero = load({.animation = keys}).character;
    CHECK(hero.clips()[0].frame_count == 9);
    CHECK(is_near(center(hero, 0), {0, 0}));
    CHECK(std::abs(center(hero, 4).x - 100 * each.middle) < 0.6);
    CHECK(std::abs(center(hero, 4).y + 10 * each.middle) < 0.06);
    CHECK(is_near(center(hero, 8), {100, -10}));
  }
}

TEST_CASE("DragonBones rotations take the way that their keys ask for", "[dragonbones]") {
  struct Case {
    int from, to;
    int clockwise;
    double middle;  ///< In degrees, clockwise.
  };
  const Case cases[] = {{0, 90, 0, 45},    {170, -170, 0, 180}, {0, 90, 1, 45},     {0, 90, -1, -135},
                        {0, 90, 2, 225},   {90, 0, 1, 225},     {90, 0, -1, 45},    {0, 350, 0, -5},
                        {90, 0, -2, -135}, {0, -90, 1, 135},    {180, -180, 0, 180}};
  for (const Case& each : cases) {
    INFO(each.from << " to " << each.to << ", clockwise " << each.clockwise);
    const std::string keys =
        R"(, "duration": 4, "bone": [{"name": "arm", "rotateFrame": [{"duration": 4, "tweenEasing": 0, )"
        R"("rotate": )" +
        std::to_string(each.from) + R"(, "clockwise": )" + std::to_string(each.clockwise) + R"(}, {"rotate": )" +
        std::to_string(each.to) + "}]}]";
    const Character hero = load({.animation = keys}).character;
    CHECK(std::abs(std::remainder(angle(hero, 2) + each.middle, 360.0)) < 0.01);
    CHECK(std::abs(std::remainder(angle(hero, 4) + each.to, 360.0)) < 0.01);
  }
}

TEST_CASE("a DragonBones loop leads from its last key to its first, and plays once end with the last",
          "[dragonbones]") {
  const auto with = [](const std::string& play_times) {
    return load({.animation = R"(, "duration": 4)" + play_times +
                              R"(, "bone": [{"name": "arm", "translateFrame": [{"duration": 2, "tweenEasing": 0},)"
                              R"({"duration": 2, "tweenEasing": 0, "x": 10}]}])"});
  };
  const auto places = [](const Character& hero) {
    std::vector<float> result;
    for (std::uint32_t i = 0; i < hero.clips()[0].frame_count; ++i) result.push_back(std::round(center(hero, i).x));
    return result;
  };
  const Character loop = with(R"(, "playTimes": 0)").character;
  CHECK(loop.clips()[0].looping);
  CHECK(places(loop) == std::vector<float>{0, 5, 10, 5});
  const Character once = with("").character;
  CHECK_FALSE(once.clips()[0].looping);
  CHECK(places(once) == std::vector<float>{0, 5, 10, 10, 10});
  CHECK(places(with(R"(, "playTimes": 2)").character) == std::vector<float>{0, 5, 10, 5, 0, 5, 10, 10, 10});
  const Imported often = with(R"(, "playTimes": 900000)");
  CHECK(places(often.character) == std::vector<float>{0, 5, 10, 10, 10});
  CHECK(codes(often.character) == std::vector<std::string>{"W286"});
}

TEST_CASE("DragonBones animations can be sampled at another rate", "[dragonbones]") {
  const Parts parts{.animation = R"(, "duration": 4, "playTimes": 0, "bone": [{"name": "arm", "translateFrame": )"
                                 R"([{"duration": 4, "tweenEasing": 0}, {"duration": 0, "x": 40}]}])"};
  ImportOptions options;
  options.frames_per_second = 20;
  const Character hero = load(parts, options).character;
  CHECK(hero.clips()[0].frame_count == 8);
  CHECK(hero.clips()[0].frames_per_second == 20);
  CHECK(is_near(center(hero, 3), {15, 0}));
}

TEST_CASE("older DragonBones keys hold the whole transform of a bone, and the display and color of a slot",
          "[dragonbones]") {
  const Character hero =
      load({.displays = R"({"name": "plain"}, {"name": "turned"})",
            .animation = R"(, "duration": 4, "bone": [{"name": "arm", "frame": [)"
                         R"({"duration": 4, "tweenEasing": 0, "tweenRotate": 1},)"
                         R"({"duration": 0, "transform": {"x": 8, "skX": 90, "skY": 90, "scX": 3}}]}],)"
                         R"("slot": [{"name": "part", "frame": [{"duration": 2, "tweenEasing": 0},)"
                         R"({"duration": 2, "displayIndex": 1, "color": {"aM": 50}}]}])"})
          .character;
  CHECK(is_near(center(hero, 2), {4, 0}));
  CHECK(std::abs(angle(hero, 2) + 45) < 0.01);
  CHECK(ruled(hero, 0, 0) == Ruled{true, 0, 1});
  CHECK(ruled(hero, 1, 0) == Ruled{true, 0, 0.75F});
  CHECK(ruled(hero, 2, 0) == Ruled{false, 0, 0.5F});
  CHECK(ruled(hero, 2, 1) == Ruled{true, 0, 0.5F});
}

TEST_CASE("DragonBones slots keep their display, order and opacity in every frame", "[dragonbones]") {
  const std::string text =
      R"({"version": "5.5", "frameRate": 10, "armature": [{"name": "hero", "bone": [{"name": "root"}], "slot": [)"
      R"({"name": "a", "parent": "root"}, {"name": "b", "parent": "root", "color": {"aM": 40}},)"
      R"({"name": "c", "parent": "root", "displayIndex": -1}], "skin": [{"slot": [)"
      R"({"name": "a", "display": [{"name": "plain"}]}, {"name": "b", "display": [{"name": "plain"}]},)"
      R"({"name": "c", "display": [{"name": "plain"}]}]}], "animation": [{"name": "move", "duration": 3, "playTimes": 0,)"
      R"("zOrder": {"frame": [{"duration": 1}, {"duration": 1, "zOrder": [0, 2]}, {"duration": 1, "zOrder": [1, -1]}]},)"
      R"("slot": [{"name": "c", "displayFrame": [{"duration": 1, "value": -1}, {"duration": 2}]},)"
      R"({"name": "a", "colorFrame": [{"duration": 2, "tweenEasing": 0}, {"color": {"aM": 0}}]}]}]}]})";
  auto imported = folder_of(text).import("hero_ske.json");
  REQUIRE(imported);
  const Character& hero = imported->character;
  REQUIRE(hero.meshes().size() == 3);
  CHECK(ruled(hero, 0, 0) == Ruled{true, 0, 1});
  CHECK(ruled(hero, 0, 1) == Ruled{true, 1, 0.4F});
  CHECK(ruled(hero, 0, 2) == Ruled{false, 2, 1});
  CHECK(ruled(hero, 1, 0) == Ruled{true, 2, 0.5F});
  CHECK(ruled(hero, 1, 1) == Ruled{true, 0, 0.4F});
  CHECK(ruled(hero, 1, 2) == Ruled{true, 1, 1});
  CHECK(ruled(hero, 2, 0) == Ruled{true, 1, 0});
  CHECK(ruled(hero, 2, 1).z_order == 0);
}

TEST_CASE("DragonBones IK points a bone at its target, or reaches it with two", "[dragonbones]") {
  const std::string bones =
      R"({"name": "upper", "length": 10, "transform": {"skX": 20, "skY": 20}},)"
      R"({"name": "arm", "parent": "upper", "length": 10, "transform": {"x": 10, "skX": 10, "skY": 10}},)"
      R"({"name": "target", "transform": {"x": 10, "y": -10}})";
  const auto with = [&](const std::string& ik) {
    return load({.bones = bones, .more = R"(, "ik": [{"name": "ik", "target": "target", )" + ik + "}]"}).character;
  };
  CHECK(std::abs(angle(with(R"("bone": "upper")"), 0) - 35) < 0.01);  // 45 - 10 of the arm itself
  // Both bones are as long as the legs of a right-angled triangle whose hypotenuse leads to the target.
  const Character left = with(R"("bone": "arm", "chain": 1, "bendPositive": true)");
  CHECK(is_near(center(left, 0), {0, 10}));
  CHECK(std::abs(angle(left, 0)) < 0.01);
  const Character right = with(R"("bone": "arm", "chain": 1, "bendPositive": false)");
  CHECK(is_near(center(right, 0), {10, 0}));
  CHECK(std::abs(angle(right, 0) - 90) < 0.01);
  CHECK(std::abs(angle(with(R"("bone": "arm", "weight": 0)"), 0) + 30) < 0.01);
  // Out of reach, the bones are stretched toward the target.
  const Character far = load({.bones = std::string(bones).replace(bones.rfind("10, \"y\": -10"), 12, "50, \"y\": 0"),
                              .more = R"(, "ik": [{"name": "ik", "target": "target", "bone": "arm", "chain": 1}])"})
                            .character;
  CHECK(is_near(center(far, 0), {10, 0}));
  // A target that depends on the bone is refused.
  CHECK(codes(load({.bones = R"({"name": "arm"}, {"name": "target", "parent": "arm"})",
                    .more = R"(, "ik": [{"name": "ik", "target": "target", "bone": "arm"}])"})
                  .character) == std::vector<std::string>{"W284"});
}

TEST_CASE("a DragonBones part that is tiny in the setup pose is exact when it grows", "[dragonbones]") {
  struct Case {
    const char* transform;
    const char* scale;
    Vec2 corner;
  };
  const Case cases[] = {
      {R"({"x": 400, "y": -300, "scX": 0.0001, "scY": 0.0001})", R"({"x": 10000, "y": 10000})", {396, 302}},
      {R"({"x": 400, "y": -300, "scX": 0.0001})", R"({"x": 10000})", {396, 302}},
      {R"({"x": 400, "y": -300, "scX": 0})", "{}", {400, 302}}};
  for (const Case& each : cases) {
    INFO(each.transform);
    const Character hero = load({.bones = R"({"name": "root"}, {"name": "arm", "parent": "root", "transform": )" +
                                          std::string(each.transform) + "}",
                                 .animation = R"(, "duration": 1, "bone": [{"name": "arm", "scaleFrame": [)" +
                                              std::string(each.scale) + "]}]"})
                               .character;
    CHECK(is_near(corners(hero, 0)[0], each.corner));
    CHECK(hero.warnings().empty());
  }
}

TEST_CASE("weighted DragonBones meshes move with their bones from the pose in which they were bound", "[dragonbones]") {
  // The second bone was bound 2 px away from where it is.
  const std::string mesh =
      R"({"name": "plain", "type": "mesh", "vertices": [0, 0, 8, 0, 8, 4, 0, 4], "uvs": [0, 0, 1, 0, 1, 1, 0, 1],)"
      R"("triangles": [0, 1, 2, 2, 3, 0], "slotPose": [1, 0, 0, 1, 0, 0],)"
      R"("bonePose": [0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 8, 0],)"
      R"("weights": [1, 0, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0.5, 1, 0.5]})";
  const Character hero =
      load({.bones = R"({"name": "root"}, {"name": "arm", "parent": "root", "transform": {"x": 6}})",
            .displays = mesh,
            .animation = R"(, "duration": 1, "bone": [{"name": "arm", "translateFrame": [{"x": 20}]}])"})
          .character;
  const std::vector<Vec2> points = corners(hero, 0);
  REQUIRE(points.size() == 4);
  CHECK(is_near(points[0], {0, 0}));
  CHECK(is_near(points[1], {26, 0}));  // 6 + 20, where the bone is now
  CHECK(is_near(points[3], {9, -4}));  // half of 18
  CHECK(hero.warnings().empty());
}

TEST_CASE("DragonBones meshes share a bone, and each has a bone that rules it alone", "[dragonbones]") {
  const std::string mesh =
      R"({"name": "N", "path": "plain", "type": "mesh", "vertices": [0, 0, 8, 0, 8, 4], "uvs": [0, 0, 1, 0, 1, 1],)"
      R"("triangles": [0, 1, 2], "slotPose": [1, 0, 0, 1, 0, 0], "bonePose": [0, 1, 0, 0, 1, X, 0, 1, 1, 0, 0, 1, 0, 0],)"
      R"("weights": [2, 0, 0.5, 1, 0.5, 2, 0, 0.5, 1, 0.5, 2, 0, 0.5, 1, 0.5]})";
  const auto named = [&](const char* name, const char* place) {
    std::string text = mesh;
    text.replace(text.find('N'), 1, name);
    return text.replace(text.find('X'), 1, place);
  };
  const Character hero = load({.displays = named("one", "0") + "," + named("two", "3") + R"(, {"name": "plain"},)" +
                                           R"({"name": "four", "type": "mesh", "share": "one", "path": "turned"})"})
                             .character;
  REQUIRE(hero.meshes().size() == 4);
  std::vector<std::size_t> rulers;
  for (const MeshId mesh_id : hero.meshes().ids()) rulers.push_back(index(hero.governing_bone(mesh_id)));
  std::ranges::sort(rulers);
  CHECK(std::ranges::adjacent_find(rulers) == rulers.end());
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(ruled(hero, 0, i).visible == (i == 0));
  CHECK(is_near(corners(hero, 0, 0)[1], {8, 0}));
  CHECK(is_near(corners(hero, 0, 1)[1], {6.5F, 0}));
  CHECK(is_near(corners(hero, 0, 3)[1], {8, 0}));
}

TEST_CASE("DragonBones armatures can show others, which play their own animations", "[dragonbones]") {
  const std::string text =
      R"({"version": "5.5", "frameRate": 10, "armature": [{"name": "hero", "bone": [{"name": "root", "transform": {"x": 5}}],)"
      R"("slot": [{"name": "back", "parent": "root"}, {"name": "hand", "parent": "root", "displayIndex": -1},)"
      R"({"name": "front", "parent": "root"}], "skin": [{"slot": [{"name": "back", "display": [{"name": "plain"}]},)"
      R"({"name": "front", "display": [{"name": "plain"}]}, {"name": "hand", "display": [{"name": "tool", "type": "armature",)"
      R"("transform": {"x": 100}}]}]}], "animation": [{"name": "move", "duration": 6, "playTimes": 0, "slot": [{"name": "hand",)"
      R"("displayFrame": [{"duration": 2, "value": -1}, {"duration": 2}, {"duration": 2,)"
      R"("actions": [{"gotoAndPlay": "still"}]}]}]}]},)"
      R"({"name": "tool", "frameRate": 20, "bone": [{"name": "grip"}], "slot": [{"name": "blade", "parent": "grip"}],)"
      R"("skin": [{"slot": [{"name": "blade", "display": [{"name": "plain"}]}]}], "animation": [{"name": "still"},)"
      R"({"name": "slide", "duration": 4, "bone": [{"name": "grip", "translateFrame": [{"duration": 4, "tweenEasing": 0},)"
      R"({"duration": 0, "x": 8}]}]}], "defaultActions": [{"gotoAndPlay": "slide"}]}]})";
  auto imported = folder_of(text).import("hero_ske.json");
  REQUIRE(imported);
  const Character& hero = imported->character;
  CHECK(imported->armatures == std::vector<std::string>{"hero", "tool"});
  REQUIRE(hero.meshes().size() == 3);
  CHECK(hero.meshes()[2].name == "hand/tool/blade/plain");
  std::vector<bool> shown;
  for (std::uint32_t frame = 0; frame < 6; ++frame) shown.push_back(ruled(hero, frame, 2).visible);
  CHECK(shown == std::vector<bool>{false, false, true, true, true, true});
  // It begins when it is shown, at its own rate.
  CHECK(is_near(center(hero, 2, 2), {105, 0}));
  CHECK(is_near(center(hero, 3, 2), {109, 0}));
  CHECK(is_near(center(hero, 4, 2), {105, 0}));
  CHECK(ruled(hero, 3, 0).z_order < ruled(hero, 3, 2).z_order);
  CHECK(ruled(hero, 3, 2).z_order < ruled(hero, 3, 1).z_order);

  ImportOptions options;
  options.armature = "tool";
  imported = folder_of(text).import("hero_ske.json", options);
  REQUIRE(imported);
  CHECK(imported->armature == 1);
  CHECK(imported->character.meshes().size() == 1);
  CHECK(imported->character.clips().size() == 2);
}

TEST_CASE("a DragonBones armature that shows itself is cut off", "[dragonbones]") {
  const Character hero = load({.displays = R"({"name": "plain"}, {"name": "hero", "type": "armature"})"}).character;
  CHECK(hero.meshes().size() == 1);
  CHECK(codes(hero) == std::vector<std::string>{"W284"});
}

TEST_CASE("DragonBones skins replace the displays of slots", "[dragonbones]") {
  std::string text = skeleton({});
  const std::string skin = R"({"name": "", "slot": [{"name": "part", "display": [{"name": "plain"}]}]})";
  text.replace(text.find(skin), skin.size(),
               skin + R"(, {"name": "night", "slot": [{"name": "part", "display": [{"name": "turned"}]}]})");
  ImportOptions options;
  options.skin = "night";
  auto imported = folder_of(text).import("hero_ske.json", options);
  REQUIRE(imported);
  CHECK(imported->skins == std::vector<std::string>{"default", "night"});
  CHECK(imported->character.meshes()[0].name == "part/turned");
  options.skin = "day";
  CHECK(folder_of(text).import("hero_ske.json", options).error().id == DiagnosticId::rig_choice_missing);
}

TEST_CASE("DragonBones events and sounds become markers", "[dragonbones]") {
  const Imported hero =
      load({.animation = R"(, "duration": 4, "frame": [{"duration": 2, "event": "start"}, {"duration": 2,)"
                         R"("events": [{"name": "step"}], "actions": [{"type": 11, "name": "clap"}]}])"});
  const std::span<const Marker> markers = hero.markers.all();
  REQUIRE(markers.size() == 3);
  CHECK((markers[0].frame == 0 && markers[0].name == "start"));
  CHECK((markers[1].frame == 2 && markers[1].name == "step"));
  CHECK((markers[2].frame == 2 && markers[2].name == "clap"));
  CHECK(codes(hero.character) == std::vector<std::string>{"W283"});
}

TEST_CASE("a DragonBones character is found by any of its JSON files", "[dragonbones]") {
  Folder folder = folder_of(skeleton({}));
  REQUIRE(folder.import("hero_tex.json"));
  for (const char* const name : {"hero_tex.json", "hero_ske.json", "hero_tex.png"}) {
    CHECK(std::ranges::any_of(folder.read, [&](const std::string& read) { return read.ends_with(name); }));
  }

  Folder older;
  older.add("skeleton.json", skeleton({}));
  older.add("texture.json", kAtlas);
  older.files["hero_tex.png"] = white_png(32, 32);
  REQUIRE(older.import("skeleton.json"));
  REQUIRE(older.import("texture.json"));

  Folder pages = folder_of(skeleton({.displays = R"({"name": "other"})"}));
  pages.files.erase("hero_tex.json");
  pages.add("hero_tex_0.json", kAtlas);
  pages.add("hero_tex_1.json",
            R"({"imagePath": "hero_tex.png", "SubTexture": [{"name": "other", "width": 2, "height": 2}]})");
  const auto imported = pages.import("hero_ske.json");
  REQUIRE(imported);
  CHECK(imported->character.images().size() == 2);
  CHECK(imported->character.warnings().empty());

  Folder alone;
  alone.add("hero_tex.json", kAtlas);
  CHECK(alone.import("hero_tex.json").error().id == DiagnosticId::rig_skeleton_missing);
  alone.add("hero_ske.json", skeleton({}));
  alone.files.erase("hero_tex.json");
  CHECK(alone.import("hero_ske.json").error().id == DiagnosticId::rig_atlas_missing);
}

TEST_CASE("only DragonBones versions that are understood are read", "[dragonbones]") {
  struct Case {
    const char* version;
    bool loads;
  };
  const Case cases[] = {{R"("5.5")", true},  {R"("4.5")", true}, {R"("5.7")", true}, {"5.5", true},
                        {R"("2.3")", false}, {"3.0", false},     {R"("3.0")", false}};
  for (const Case& each : cases) {
    INFO(each.version);
    std::string text = skeleton({});
    text.replace(text.find(R"("5.5")"), 5, each.version);
    const auto imported = folder_of(text).import("hero_ske.json");
    CHECK(imported.has_value() == each.loads);
    if (!imported) CHECK(imported.error().id == DiagnosticId::unsupported_version);
  }
}

TEST_CASE("what a DragonBones skeleton says twice, wrongly or not at all does not stop it", "[dragonbones]") {
  struct Case {
    Parts parts;
    const char* code;
  };
  const Case cases[] = {
      {{.bones = R"({"name": "arm", "parent": "arm"})"}, "W284"},
      {{.bones = R"({"name": "arm", "parent": "b"}, {"name": "b", "parent": "arm"})"}, "W284"},
      {{.bones = R"({"name": "root"})"}, "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0], "uvs": [0, 0], "triangles": [0, 0, 1]})"},
       "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0, 1, 1], "uvs": [0, 0], "triangles": []})"},
       "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0], "uvs": [0, 0], "triangles": [0, 0, 0],)"
                    R"( "weights": [2, 0, 1], "bonePose": [0, 1, 0, 0, 1, 0, 0]})"},
       "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0], "uvs": [0, 0], "triangles": [0, 0, 0],)"
                    R"( "weights": [1, 7, 1], "bonePose": [0, 1, 0, 0, 1, 0, 0]})"},
       "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0], "uvs": [0, 0], "triangles": [0, 0, 0],)"
                    R"( "weights": [1, 0, 1], "bonePose": [0, 0, 0, 0, 0, 0, 0]})"},
       "W284"},
      {{.displays = R"({"name": "plain", "type": "curtain"})"}, "W284"},
      {{.displays = R"({"name": "nobody", "type": "armature"})"}, "W284"},
      {{.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0], "uvs": [0, 0], "triangles": [0, 0, 0],)"
                    R"( "glueWeights": [], "glueMeshes": []})"},
       "W284"},
      {{.bones = R"({"name": "arm"}, {"name": "target"})",
        .more = R"(, "ik": [{"name": "ik", "bone": "arm", "target": "target", "chain": 2}])"},
       "W284"},
      {{.displays = R"({"name": "nothing"})"}, "W285"},
      {{.animation = R"(, "duration": 4, "zOrder": {"frame": [{"zOrder": [0, 5]}]})"}, "W284"},
      {{.animation = R"(, "bone": [{"name": "leg", "translateFrame": [{"x": 1}]}])"}, "W284"},
      {{.animation = R"(, "animation": [{"name": "move"}])"}, "W284"}};
  for (const Case& each : cases) {
    INFO(each.parts.bones << each.parts.displays << each.parts.animation);
    CHECK(codes(load(each.parts).character) == std::vector<std::string>{each.code});
  }
  CHECK(codes(load({.displays = R"(null, {"name": "box", "type": "boundingBox"})"}).character).empty());
}

TEST_CASE("wrong values of a DragonBones skeleton are errors with their places", "[dragonbones]") {
  struct Case {
    Parts parts;
    DiagnosticId id;
    const char* path;
  };
  const Case cases[] = {
      {{.bones = R"({"name": "arm", "length": []})"}, DiagnosticId::wrong_type, "armature[0].bone[0].length"},
      {{.bones = R"({"name": 5})"}, DiagnosticId::wrong_type, "armature[0].bone[0].name"},
      {{.bones = R"({"name": "arm", "transform": {"x": 1e300}})"},
       DiagnosticId::value_out_of_range,
       "armature[0].bone[0].transform.x"},
      {{.animation = R"(, "bone": 3)"}, DiagnosticId::wrong_type, "armature[0].animation[0].bone"}};
  for (const Case& each : cases) {
    INFO(each.path);
    const auto imported = folder_of(skeleton(each.parts)).import("hero_ske.json");
    REQUIRE_FALSE(imported);
    CHECK(imported.error().id == each.id);
    CHECK(imported.error().path == each.path);
    CHECK(imported.error().line == 1);
  }
}

TEST_CASE("animations too long for a DragonBones file are refused", "[dragonbones]") {
  const auto imported = folder_of(skeleton({.animation = R"(, "duration": 100000000)"})).import("hero_ske.json");
  REQUIRE_FALSE(imported);
  CHECK(imported.error().id == DiagnosticId::limit_exceeded);
}

TEST_CASE("work and names that a DragonBones file repeats are refused with the limit", "[dragonbones]") {
  ImportOptions options;
  options.limits.max_bone_samples = 1 << 16;
  const auto error = [&](const std::string& text) {
    const auto imported = folder_of(text).import("hero_ske.json", options);
    REQUIRE_FALSE(imported);
    CHECK(imported.error().id == DiagnosticId::limit_exceeded);
    return imported.error().detail;
  };
  const auto many = [](std::string_view element, int count) {
    std::string list(element);
    for (int i = 1; i < count; ++i) list += fmt::format(", {}", element);
    return list;
  };
  // 301 frames of a few bones, but 90,300 constraints.
  CHECK(error(skeleton({.bones = R"({"name": "root"}, {"name": "arm", "parent": "root"}, {"name": "ball"})",
                        .animation = R"(, "duration": 300)",
                        .more = fmt::format(R"(, "ik": [{}])", many(R"({"bone": "arm", "target": "ball"})", 300))}))
            .find("operations, but the limit is 262144") != std::string::npos);
  // A child has animations of its own, whatever the main one has.
  const std::string turn =
      R"({"name": "grip", "rotateFrame": [{"duration": 9, "tweenEasing": 0}, {"duration": 0, "rotate": 9}]})";
  const std::string child = fmt::format(
      R"(}}, {{"name": "tool", "bone": [{{"name": "grip"}}], "animation": [{{"name": "turn", "duration": 9, "bone": [{}]}}])",
      many(turn, 400));
  std::string text =
      skeleton({.displays = many(R"({"name": "tool", "type": "armature"})", 50), .animation = R"(, "duration": 30)"});
  text.insert(text.size() - 3, child);
  CHECK(error(text).find("operations, but the limit is 262144") != std::string::npos);

  // A mesh that many displays share, and the name of an animation that all displays of a slot share.
  const std::string zeros = many("0", 600);
  CHECK(error(skeleton({.displays = fmt::format(R"({{"name": "m", "type": "mesh", "vertices": [{0}], "uvs": [{0}], )"
                                                R"("triangles": []}}, {1})",
                                                zeros, many(R"({"name": "n", "type": "mesh", "share": "m"})", 1500))}))
            .find("but the limit for a file of this size is") != std::string::npos);
  CHECK(error(skeleton({.slots = fmt::format(R"({{"name": "part", "parent": "arm", "actions": "{}"}})",
                                             std::string(20'000, 'a')),
                        .displays = many(R"({"name": "hero", "type": "armature"})", 1000)}))
            .find("but the limit for a file of this size is") != std::string::npos);

  const std::string name(1000, 's');
  text = skeleton(
      {.slots = fmt::format(R"({{"name": "{}", "parent": "arm"}}, {{"name": "part", "parent": "arm"}})", name)});
  text.insert(text.find(R"({"name": "part", "display")"),
              fmt::format(R"({{"name": "{}", "display": [{}]}}, )", name, many(R"({"name": "plain"})", 100)));
  CHECK(error(text).find("but the limit is 16384 bytes") != std::string::npos);
  options.limits.max_bone_samples = 1 << 20;
  CHECK(folder_of(text).import("hero_ske.json", options));
}

TEST_CASE("DragonBones deform keys move vertices, by bones that follow them", "[dragonbones]") {
  // The arm lies at (10, 0), turned by 90 degrees clockwise. Keys move the second vertex, then the third one as well.
  constexpr std::string_view kBones =
      R"({"name": "root"}, {"name": "arm", "parent": "root", "transform": {"x": 10, "skX": 90, "skY": 90}})";
  constexpr std::string_view kKeys =
      R"(, "duration": 4, "ffd": [{"name": "plain", "slot": "part", "frame": [{"duration": 2, "tweenEasing": 0},)"
      R"({"duration": 2, "tweenEasing": 0, "offset": 2, "vertices": [2, 4, 0, 6]}, {"duration": 0}]}])";
  constexpr std::string_view kShape =
      R"({"name": "plain", "type": "mesh", "vertices": [0, 0, 8, 0, 8, 4], "uvs": [0, 0, 1, 0, 1, 1],)"
      R"("triangles": [0, 1, 2])";
  // Half of the weighted mesh's second vertex follows the root, which stays where it was bound.
  constexpr std::string_view kWeights =
      R"(, "slotPose": [0, 1, -1, 0, 10, 0], "bonePose": [0, 1, 0, 0, 1, 0, 0, 1, 0, 1, -1, 0, 10, 0],)"
      R"("weights": [1, 1, 1, 2, 0, 0.5, 1, 0.5, 1, 1, 1])";
  for (const bool weighted : {false, true}) {
    INFO((weighted ? "weighted" : "plain"));
    const Imported hero = load({.bones = std::string(kBones),
                                .displays = std::string(kShape) + std::string(weighted ? kWeights : "") + "}",
                                .animation = std::string(kKeys)},
                               {.deform_tolerance = 0.001});
    CHECK(codes(hero.character) == std::vector<std::string>{"W296"});
    const double parts[] = {0, 0.5, 1, 0.5, 0};
    for (std::uint32_t frame = 0; frame < 5; ++frame) {
      INFO("frame " << frame);
      const auto part = static_cast<float>(parts[frame]);
      // The arm's x axis points down, its y axis to the left; y points up here.
      const std::vector<Vec2> points = corners(hero.character, frame);
      CHECK(is_near(points[0], {10, 0}));
      CHECK(is_near(points[1], {10 - 4 * part, -8 - 2 * part}));
      CHECK(is_near(points[2], {6 - 6 * part, -8}));
    }
  }
}

TEST_CASE("DragonBones deform keys are for a skin's mesh, and for meshes that share it", "[dragonbones]") {
  constexpr std::string_view kShape =
      R"({"name": "plain", "type": "mesh", "vertices": [0, 0, 8, 0, 8, 4], "uvs": [0, 0, 1, 0, 1, 1],)"
      R"("triangles": [0, 1, 2]})";
  const auto moves = [&](std::string_view shape, std::string_view target) {
    const Imported hero = load(
        {.displays = std::string(shape),
         .animation = R"(, "duration": 1, "ffd": [{)" + std::string(target) + R"(, "frame": [{"vertices": [5]}]}])"});
    return corners(hero.character, 0)[0].x != 0;
  };
  CHECK(moves(kShape, R"("slot": "part", "name": "plain")"));
  CHECK(moves(kShape, R"("slot": "part", "name": "plain", "skin": "default")"));
  CHECK_FALSE(moves(kShape, R"("slot": "part", "name": "plain", "skin": "other")"));
  CHECK_FALSE(moves(kShape, R"("slot": "part", "name": "other")"));
  CHECK_FALSE(moves(kShape, R"("slot": "other", "name": "plain")"));
}

TEST_CASE("each prefix of a DragonBones skeleton and of its atlas is an error within it", "[dragonbones]") {
  const std::string text = skeleton(
      {.displays = R"({"name": "plain", "type": "mesh", "vertices": [0, 0, 8, 0, 8, 4], "uvs": [0, 0, 1, 0, 1, 1],)"
                   R"("triangles": [0, 1, 2], "slotPose": [1, 0, 0, 1, 0, 0], "bonePose": [1, 1, 0, 0, 1, 0, 0],)"
                   R"("weights": [1, 1, 1, 1, 1, 1, 1, 1, 1]})",
       .animation =
           R"(, "duration": 4, "bone": [{"name": "arm", "rotateFrame": [{"duration": 4, "curve": [0, 0, 1, 1],)"
           R"("rotate": 3}, {"duration": 0}]}])",
       .more = R"(, "ik": [{"name": "ik", "bone": "arm", "target": "root"}])"});
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO("prefix of " << size << " bytes");
    const auto imported = folder_of(text.substr(0, size)).import("hero_ske.json");
    REQUIRE_FALSE(imported);
    CHECK(imported.error().byte_offset.value_or(0) <= size);
  }
  for (std::size_t size = 0; size < kAtlas.size(); ++size) {
    INFO("prefix of " << size << " bytes");
    Folder folder = folder_of(skeleton({}));
    folder.add("hero_tex.json", kAtlas.substr(0, size));
    CHECK_FALSE(folder.import("hero_ske.json"));
  }
}

TEST_CASE("the DragonBones sample loads completely, and none of its prefixes does", "[dragonbones]") {
  Folder folder;
  for (const char* const name : {"akari_ske.json", "akari_tex.json", "akari_tex.png"}) {
    folder.files[name] = test::read_file(test::asset(std::string("akari/") + name));
  }
  const auto imported = folder.import("akari_ske.json");
  REQUIRE(imported);
  CHECK(imported->character.warnings().empty());
  CHECK(imported->character.clips().size() == 3);
  CHECK(imported->armatures == std::vector<std::string>{"akari", "moth"});
  REQUIRE(imported->markers.all().size() == 1);
  CHECK(imported->markers.all()[0].name == "boo");
  const Bytes whole = folder.files["akari_ske.json"];
  const auto text_size = whole.size() - 1;  // without the last line break
  for (std::size_t size = 0; size < text_size; ++size) {
    folder.files["akari_ske.json"].assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    folder.read.clear();
    const auto prefix = folder.import("akari_ske.json");
    INFO("prefix of " << size << " bytes");
    REQUIRE_FALSE(prefix);
    CHECK(prefix.error().byte_offset.value_or(0) <= size);
  }
}

TEST_CASE("a DragonBones character written as PCHR v1 moves like the original", "[dragonbones]") {
  const Imported hero =
      load({.bones = R"({"name": "root"}, {"name": "arm", "parent": "root", "transform": {"x": 9, "skX": 40}})",
            .animation = R"(, "duration": 4, "bone": [{"name": "arm", "rotateFrame": [{"duration": 4,)"
                         R"("tweenEasing": 0}, {"duration": 0, "rotate": 50}]}])"});
  const auto saved = save(hero, Format::v1, "hero", {});
  REQUIRE(saved);
  const auto again = import_character(saved->file.bytes);
  REQUIRE(again);
  const ClipId clip = again->character.find_clip("move");
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    PoseBuffers posed;
    pose_clip(again->character, clip, {frame, frame, 0}, posed);
    std::vector<Vec2> points(4);
    deform_mesh(again->character, posed, MeshId{0}, points);
    for (std::size_t i = 0; i < 4; ++i) CHECK(is_near(points[i], corners(hero.character, frame)[i]));
  }
}

}  // namespace dragonbones_test

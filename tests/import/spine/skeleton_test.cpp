// SPDX-License-Identifier: MIT
// Small Spine skeletons whose poses follow from plain formulas.
#include "import/rig/rig.hpp"
#include "import/spine/spine.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace spine_skeleton_test {
using namespace pchr;
using rig::Matrix;
using rig::Point;

namespace {

constexpr double kDegree = rig::kPi / 180;

/// Regions of an atlas: "plain" of 8 x 4 pixels, "trimmed" from 8 x 4 to 6 x 2, and "walk1" to "walk3".
spine::Atlas atlas() {
  spine::Atlas result;
  result.pages.push_back({"page.png", 64, 64, false});
  const auto add = [&](const char* name, double width, double height) -> rig::Region& {
    rig::Region& region = result.regions.emplace_back();
    region.name = name;
    region.width = width;
    region.height = height;
    result.indices.push_back(-1);
    return region;
  };
  add("plain", 8, 4);
  rig::Region& trimmed = add("trimmed", 6, 2);
  trimmed.trim_left = trimmed.trim_top = 1;
  trimmed.full_width = 8;
  trimmed.full_height = 4;
  for (const char* const name : {"walk1", "walk2", "walk3"}) add(name, 8, 4);
  return result;
}

rig::Page white_page() {
  rig::Page page;
  page.width = page.height = page.image.width = page.image.height = 64;
  page.image.encoding = ImageEncoding::absent;
  return page;
}

/// A skeleton, and what was said about it.
struct Read {
  rig::Armature armature;
  std::vector<std::string> skins;
  std::vector<std::string> warnings;
  std::string error;

  [[nodiscard]] rig::Pose pose(double seconds = 0, std::size_t animation = 0) const {
    rig::Pose pose;
    const bool plays = animation < armature.animations.size();
    rig::evaluate(armature, plays ? &armature.animations[animation] : nullptr, seconds, nullptr, pose);
    return pose;
  }
  [[nodiscard]] Matrix world(std::size_t bone, double seconds = 0) const { return pose(seconds).world.at(bone); }
};

Read read(const std::string& text, const std::string& skin = {}) {
  const auto tree = JsonTree::read(JsonText{text});
  if (!tree) FAIL(describe(tree.error(), "hero.json"));
  Warnings warnings;
  auto skeleton = spine::read_skeleton(*tree, atlas(), skin, text.size(), warnings);
  Read result;
  if (!skeleton) {
    result.error = describe(skeleton.error(), "hero.json");
    return result;
  }
  result.armature = skeleton->model.armatures.at(0);
  result.skins = skeleton->skins;
  for (const Diagnostic& warning : std::move(warnings).take())
    result.warnings.push_back(describe(warning, "hero.json"));
  return result;
}

/// Returns a skeleton of a version with some bones and further fields.
std::string skeleton(std::string_view version, std::string_view bones, std::string_view more = {}) {
  return fmt::format(R"({{"skeleton": {{"spine": "{}"}}, "bones": [{}]{}}})", version, bones, more);
}

/// Returns the fields of one animation.
std::string animation(std::string_view fields) { return fmt::format(R"(, "animations": {{"move": {{{}}}}})", fields); }

double length(Point point) { return std::hypot(point.x, point.y); }
double angle(Point point) { return std::atan2(point.y, point.x); }
Point x_axis(const Matrix& matrix) { return {matrix.a, matrix.b}; }
Point y_axis(const Matrix& matrix) { return {matrix.c, matrix.d}; }
Point origin(const Matrix& matrix) { return {matrix.tx, matrix.ty}; }
bool is_near(double left, double right) { return std::abs(left - right) < 1e-6; }
bool is_near(Point left, Point right) { return is_near(left.x, right.x) && is_near(left.y, right.y); }
bool is_angle(double left, double right) { return std::abs(std::remainder(left - right, 2 * rig::kPi)) < 1e-6; }

/// Returns the local matrix of a bone, in degrees.
Matrix local(double x, double y, double rotation, double scale_x = 1, double scale_y = 1, double shear_x = 0,
             double shear_y = 0) {
  const double along = (rotation + shear_x) * kDegree, across = (rotation + 90 + shear_y) * kDegree;
  return {std::cos(along) * scale_x,
          std::sin(along) * scale_x,
          std::cos(across) * scale_y,
          std::sin(across) * scale_y,
          x,
          y};
}

}  // namespace

TEST_CASE("Spine bones inherit what their modes say", "[spine]") {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  for (const char* const mode :
       {"normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"}) {
    for (int i = 0; i < 200; ++i) {
      const double turn = between(-180, 180), scale_x = between(0.3, 2), scale_y = between(-2, 2);
      const double shear = i % 2 == 0 ? 0 : between(-40, 40);
      const double x = between(-9, 9), y = between(-9, 9), child_turn = between(-180, 180);
      const double child_scale_x = between(0.3, 2), child_scale_y = between(0.3, 2);
      const std::string bones =
          fmt::format(R"({{"name": "a", "rotation": {}, "scaleX": {}, "scaleY": {}, "shearY": {}, "x": 3}},)"
                      R"({{"name": "b", "parent": "a", "x": {}, "y": {}, "rotation": {}, "scaleX": {}, "scaleY": {},)",
                      turn, scale_x, scale_y, shear, x, y, child_turn, child_scale_x, child_scale_y);
      for (const char* const key : {"transform", "inherit"}) {
        INFO(bones << mode);
        const Read hero = read(skeleton("4.2.1", bones + fmt::format(R"("{}": "{}"}})", key, mode)));
        const Matrix parent = local(3, 0, turn, scale_x, scale_y, 0, shear);
        const Matrix inner = local(x, y, child_turn, child_scale_x, child_scale_y);
        const Matrix world = hero.world(1), product = parent * inner;
        CHECK(is_near(origin(world), origin(product)));
        const std::string_view name = mode;
        if (name == "normal") {
          CHECK(is_near(x_axis(world), x_axis(product)));
          CHECK(is_near(y_axis(world), y_axis(product)));
        } else if (name == "onlyTranslation") {
          CHECK(is_near(x_axis(world), x_axis(inner)));
          CHECK(is_near(y_axis(world), y_axis(inner)));
        } else if (name == "noRotationOrReflection") {
          // The area is kept, never mirrored; a parent without shear scales along its own axes.
          CHECK(is_near(determinant(world), std::abs(determinant(product))));
          if (shear != 0) continue;
          const Matrix outer = local(0, 0, turn) * Matrix{scale_x, 0, 0, std::abs(scale_y), 0, 0} * local(0, 0, -turn);
          CHECK(is_near(x_axis(world), x_axis(outer * Matrix{inner.a, inner.b, inner.c, inner.d, 0, 0})));
          CHECK(is_near(y_axis(world), y_axis(outer * Matrix{inner.a, inner.b, inner.c, inner.d, 0, 0})));
        } else {
          CHECK(is_near(length(x_axis(world)), child_scale_x));
          CHECK(is_near(length(y_axis(world)), child_scale_y));
          CHECK(is_angle(angle(x_axis(world)), angle(x_axis(product))));
          const bool is_mirrored = scale_y < 0 && name == "noScale";
          CHECK(is_angle(angle(y_axis(world)), angle(x_axis(world)) + (is_mirrored ? -1 : 1) * rig::kPi / 2));
        }
      }
    }
  }
}

TEST_CASE("a Spine bone is sheared by both axes", "[spine]") {
  const Read hero =
      read(skeleton("4.1.1", R"({"name": "a", "rotation": 20, "shearX": 10, "shearY": -15, "scaleX": 2})"));
  CHECK(is_near(x_axis(hero.world(0)), x_axis(local(0, 0, 20, 2, 1, 10, -15))));
  CHECK(is_near(y_axis(hero.world(0)), y_axis(local(0, 0, 20, 2, 1, 10, -15))));
}

TEST_CASE("keys of Spine bones change their setup pose", "[spine]") {
  struct Case {
    const char* version;
    const char* timeline;
    double seconds;
    Matrix expected;
  };
  const char* const kBone = R"({"name": "a", "x": 1, "y": 2, "rotation": 10, "scaleX": 2, "scaleY": 3})";
  const Case cases[] = {
      {"4.1.1", R"("rotate": [{"value": 20}, {"time": 2, "value": 60}])", 1, local(1, 2, 50, 2, 3)},
      {"4.1.1", R"("rotate": [{"value": 10}, {"time": 2, "value": 370}])", 1, local(1, 2, 200, 2, 3)},
      {"3.8.99", R"("rotate": [{"angle": 10}, {"time": 2, "angle": 350}])", 1, local(1, 2, 10, 2, 3)},
      {"3.8.99", R"("rotate": [{"angle": 100}, {"time": 2, "angle": 220}])", 1, local(1, 2, 170, 2, 3)},
      {"4.1.1", R"("translate": [{}, {"time": 2, "x": 4, "y": 8}])", 1, local(3, 6, 10, 2, 3)},
      {"4.1.1", R"("translatex": [{}, {"time": 2, "value": 4}])", 1, local(3, 2, 10, 2, 3)},
      {"4.1.1", R"("translatey": [{}, {"time": 2, "value": 4}])", 1, local(1, 4, 10, 2, 3)},
      {"4.1.1", R"("scale": [{}, {"time": 2, "x": 3, "y": 2}])", 1, local(1, 2, 10, 4, 4.5)},
      {"4.1.1", R"("scalex": [{}, {"time": 2, "value": 3}])", 1, local(1, 2, 10, 4, 3)},
      {"4.1.1", R"("scaley": [{}, {"time": 2, "value": 3}])", 1, local(1, 2, 10, 2, 6)},
      {"4.1.1", R"("shear": [{}, {"time": 2, "x": 6, "y": 4}])", 1, local(1, 2, 10, 2, 3, 3, 2)},
      {"4.1.1", R"("shearx": [{}, {"time": 2, "value": 6}])", 1, local(1, 2, 10, 2, 3, 3, 0)},
      {"4.1.1", R"("sheary": [{}, {"time": 2, "value": 6}])", 1, local(1, 2, 10, 2, 3, 0, 3)},
      // Before the first key, the setup pose; after a stepped key, that key; a time that was rounded up is reached.
      {"4.1.1", R"("rotate": [{"time": 1, "value": 20}, {"time": 2}])", 0.9, local(1, 2, 10, 2, 3)},
      {"4.1.1", R"("rotate": [{"value": 20, "curve": "stepped"}, {"time": 2, "value": 60}])", 1, local(1, 2, 30, 2, 3)},
      {"4.1.1", R"("rotate": [{"curve": "stepped"}, {"time": 0.0667, "value": 60}, {"time": 1}])", 2 / 30.0,
       local(1, 2, 70, 2, 3)},
  };
  for (const Case& each : cases) {
    INFO(each.timeline);
    const Read hero =
        read(skeleton(each.version, kBone, animation(fmt::format(R"("bones": {{"a": {{{}}}}})", each.timeline))));
    REQUIRE(hero.error.empty());
    const Matrix world = hero.world(0, each.seconds);
    CHECK(is_near(origin(world), origin(each.expected)));
    CHECK(is_near(x_axis(world), x_axis(each.expected)));
    CHECK(is_near(y_axis(world), y_axis(each.expected)));
  }
}

TEST_CASE("Bezier curves of Spine keys are exact", "[spine]") {
  const auto cubic = [](double a, double b, double c, double d, double t) {
    return (1 - t) * (1 - t) * (1 - t) * a + 3 * (1 - t) * (1 - t) * t * b + 3 * (1 - t) * t * t * c + t * t * t * d;
  };
  const Read older = read(skeleton(
      "3.8.75", R"({"name": "a"})",
      animation(R"("bones": {"a": {"translate": [{"time": 1, "x": 10, "curve": 0.3, "c2": 1.4, "c3": 0.8, "c4": -0.2},)"
                R"({"time": 3, "x": 30, "y": 8}]}})")));
  const Read newer = read(skeleton(
      "4.0.75", R"({"name": "a"})",
      animation(R"("bones": {"a": {"translate": [{"time": 1, "x": 10, "curve": [1.6, 38, 2.6, 6, 1.1, -5, 2.9, 20]},)"
                R"({"time": 3, "x": 30, "y": 8}]}})")));
  for (double t = 0.01; t < 1; t += 0.07) {
    const double time = cubic(1, 1.6, 2.6, 3, t);
    CHECK(is_near(older.world(0, time).tx, cubic(10, 10 + 1.4 * 20, 10 - 0.2 * 20, 30, t)));
    CHECK(is_near(older.world(0, time).ty, cubic(0, 1.4 * 8, -0.2 * 8, 8, t)));
    CHECK(is_near(newer.world(0, time).tx, cubic(10, 38, 6, 30, t)));
    CHECK(is_near(newer.world(0, cubic(1, 1.1, 2.9, 3, t)).ty, cubic(0, -5, 20, 8, t)));
  }
}

TEST_CASE("a Spine bone changes what it inherits", "[spine]") {
  const Read hero = read(skeleton(
      "4.2.20", R"({"name": "a", "rotation": 30}, {"name": "b", "parent": "a"})",
      animation(R"("bones": {"b": {"inherit": [{"inherit": "onlyTranslation"}, {"time": 1}, {"time": 2}]}})")));
  CHECK(is_angle(angle(x_axis(hero.world(1, 0.5))), 0));
  CHECK(is_angle(angle(x_axis(hero.world(1, 1))), 30 * kDegree));
}

TEST_CASE("one Spine bone points at an IK target", "[spine]") {
  for (const char* const mode :
       {"normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"}) {
    for (const char* const scale : {"1", "-1.5"}) {
      INFO(mode << scale);
      const std::string bones = fmt::format(
          R"({{"name": "root", "rotation": 40, "scaleX": 2, "scaleY": {}, "x": 5}},)"
          R"({{"name": "arm", "parent": "root", "length": 10, "x": 7, "y": 2, "rotation": 15, "transform": "{}"}},)"
          R"({{"name": "hand", "parent": "arm", "x": 10}}, {{"name": "target", "x": -20, "y": 31}})",
          scale, mode);
      const Read hero =
          read(skeleton("4.1.1", bones, R"(, "ik": [{"name": "k", "bones": ["arm"], "target": "target"}])"));
      const Matrix arm = hero.world(1);
      CHECK(is_angle(angle(x_axis(arm)), angle({-20 - arm.tx, 31 - arm.ty})));
      // The child follows.
      CHECK(is_near(origin(hero.world(2)), arm * Point{10, 0}));
    }
  }
}

TEST_CASE("a Spine bone stretches and compresses to its IK target", "[spine]") {
  struct Case {
    const char* fields;
    double x, scale_x, scale_y;
  };
  const Case cases[] = {{R"("stretch": true)", 25, 2.5, 1},
                        {R"("stretch": true, "uniform": true)", 25, 2.5, 2.5},
                        {R"("stretch": true, "mix": 0.5)", 20, 1.5, 1},
                        {R"("stretch": true)", 5, 1, 1},
                        {R"("compress": true)", 5, 0.5, 1},
                        {R"("compress": true)", 25, 1, 1}};
  for (const Case& each : cases) {
    INFO(each.fields);
    const Read hero = read(
        skeleton("4.0.1", fmt::format(R"({{"name": "arm", "length": 10}}, {{"name": "target", "x": {}}})", each.x),
                 fmt::format(R"(, "ik": [{{"name": "k", "bones": ["arm"], "target": "target", {}}}])", each.fields)));
    CHECK(is_near(length(x_axis(hero.world(0))), each.scale_x));
    CHECK(is_near(length(y_axis(hero.world(0))), each.scale_y));
  }
}

namespace {

/// Two bones of lengths 10 and 8 with a target, and fields of their constraint.
Read two_bones(Point target, std::string_view fields = {}, std::string_view upper = {}, std::string_view root = {},
               std::string_view more = {}) {
  return read(skeleton(
      "4.1.1",
      fmt::format(R"({{"name": "root", "x": 2, "y": 1{}}}, {{"name": "upper", "parent": "root", "length": 10{}}},)"
                  R"({{"name": "lower", "parent": "upper", "x": 10, "length": 8, "rotation": 20}},)"
                  R"({{"name": "tip", "parent": "lower", "x": 8}}, {{"name": "target", "x": {}, "y": {}}})",
                  root, upper, target.x, target.y),
      fmt::format(R"(, "ik": [{{"name": "k", "bones": ["upper", "lower"], "target": "target"{}}}]{})", fields, more)));
}

}  // namespace

TEST_CASE("two Spine bones reach an IK target", "[spine]") {
  for (const char* const upper : {"", R"(, "scaleX": 1.2, "scaleY": 1.2)", R"(, "scaleX": 1.2, "scaleY": 0.7)",
                                  R"(, "scaleX": -1.1, "scaleY": 1.1)", R"(, "scaleX": 0.9, "scaleY": -1.2)"}) {
    for (const char* const root : {"", R"(, "rotation": 50, "scaleX": 1.3)", R"(, "rotation": 50, "scaleX": -1)"}) {
      for (const Point target : {Point{12, 5}, Point{-6, 8}, Point{3, -11}}) {
        for (const bool is_positive : {true, false}) {
          INFO(upper << root << target.x << " " << target.y << is_positive);
          const Read hero = two_bones(target, is_positive ? "" : R"(, "bendPositive": false)", upper, root);
          const rig::Pose pose = hero.pose();
          CHECK(is_near(origin(pose.world[3]), target));
          // In the space of the root, the joint bends to one side.
          const Matrix to_root = inverse(pose.world[0]);
          const Point joint = to_root * origin(pose.world[2]), tip = to_root * target;
          CHECK((joint.x * tip.y - joint.y * tip.x > 0) == is_positive);
        }
      }
    }
  }
}

TEST_CASE("two Spine bones become straight for an IK target out of reach", "[spine]") {
  const Point target{42, 31};  // 50 px from the root
  const Matrix lower = two_bones(target).pose().world[2];
  CHECK(is_near(origin(two_bones(target).pose().world[3]), {2 + 18 * 0.8, 1 + 18 * 0.6}));
  CHECK(is_near(length(x_axis(lower)), 1));
  for (const double mix : {1.0, 0.5}) {
    const rig::Pose pose = two_bones(target, fmt::format(R"(, "stretch": true, "mix": {})", mix)).pose();
    if (mix == 1) CHECK(is_near(origin(pose.world[3]), target));
    CHECK(is_near(length(x_axis(pose.world[1])), 1 + (50 / 18.0 - 1) * mix));
    CHECK(is_near(length(y_axis(pose.world[1])), 1));
  }
  CHECK(is_near(length(y_axis(two_bones(target, R"(, "stretch": true, "uniform": true)").pose().world[1])), 50 / 18.0));
}

TEST_CASE("a soft IK target slows the tip near the end of its reach", "[spine]") {
  const auto reached = [](double distance) {
    return two_bones({2 + distance, 1}, R"(, "softness": 4)").pose().world[3].tx - 2;
  };
  CHECK(is_near(reached(13.9), 13.9));
  CHECK(is_near(reached(14), 14));
  CHECK(is_near(reached(18), 17));  // 4 px later, half of the speed is left on average
  CHECK(is_near(reached(22), 18));
  CHECK(is_near(reached(40), 18));
}

TEST_CASE("keys mix and bend a Spine IK constraint", "[spine]") {
  const Read hero = two_bones(
      {12, 5}, {}, {}, {}, animation(R"("ik": {"k": [{"mix": 0}, {"time": 1, "bendPositive": false}, {"time": 2}]})"));
  CHECK(is_near(origin(hero.world(2)), {12, 1}));
  CHECK(is_near(origin(hero.world(3, 1)), {12, 5}));
  const Point joint = origin(hero.world(2, 1));
  CHECK((joint.x - 2) * 4 - (joint.y - 1) * 10 < 0);
}

TEST_CASE("Spine transform constraints copy what their mixes say", "[spine]") {
  const std::string bones =
      R"({"name": "target", "x": 10, "y": 5, "rotation": 40, "scaleX": 2, "scaleY": 0.5, "shearY": 10},)"
      R"({"name": "bone", "x": 1, "y": 2, "rotation": 10, "scaleX": 1.5}, {"name": "child", "parent": "bone", "x": 3})";
  const auto pose_of = [&](std::string_view fields, const char* version = "4.1.1") {
    const Read hero = read(skeleton(
        version, bones,
        fmt::format(R"(, "transform": [{{"name": "t", "bones": ["bone"], "target": "target", {}}}])", fields)));
    const rig::Pose pose = hero.pose();
    CHECK(is_near(origin(pose.world[2]), pose.world[1] * Point{3, 0}));
    return pose.world[1];
  };
  constexpr std::string_view kNone =
      R"("mixRotate": 0, "mixX": 0, "mixScaleX": 0, "mixShearY": 0, "mixY": 0, "mixScaleY": 0)";
  const auto only = [&](std::string_view mix, std::string_view more = "") {
    std::string fields(kNone);
    const std::size_t at = fields.find(fmt::format("\"{}\"", mix));
    fields[at + mix.size() + 4] = '1';
    return fields + std::string(more);
  };
  CHECK(is_near(angle(x_axis(pose_of(only("mixRotate")))), 40 * kDegree));
  CHECK(is_near(angle(x_axis(pose_of(only("mixRotate", R"(, "rotation": 5)")))), 45 * kDegree));
  CHECK(is_near(angle(x_axis(pose_of(only("mixRotate", R"(, "relative": true)")))), 50 * kDegree));
  CHECK(is_near(angle(x_axis(pose_of(only("mixRotate", R"(, "local": true)")))), 40 * kDegree));
  CHECK(is_near(angle(x_axis(pose_of(only("mixRotate", R"(, "local": true, "relative": true)")))), 50 * kDegree));
  CHECK(is_near(origin(pose_of(only("mixX"))), {10, 2}));
  CHECK(is_near(origin(pose_of(only("mixY"))), {1, 5}));
  CHECK(is_near(origin(pose_of(only("mixX", R"(, "relative": true)"))), {11, 2}));
  CHECK(is_near(origin(pose_of(only("mixX", R"(, "x": 1)"))), {10 + 2 * std::cos(40 * kDegree), 2}));
  CHECK(is_near(origin(pose_of(only("mixX", R"(, "x": 1, "local": true)"))), {11, 2}));
  CHECK(is_near(length(x_axis(pose_of(only("mixScaleX")))), 2));
  CHECK(is_near(length(x_axis(pose_of(only("mixScaleX", R"(, "scaleX": 0.5)")))), 2.5));
  CHECK(is_near(length(x_axis(pose_of(only("mixScaleX", R"(, "relative": true)")))), 3));
  CHECK(is_near(length(x_axis(pose_of(only("mixScaleX", R"(, "local": true, "relative": true)")))), 3));
  CHECK(is_near(length(y_axis(pose_of(only("mixScaleY")))), 0.5));
  for (const char* const more : {"", R"(, "local": true)", R"(, "relative": true)"}) {
    CHECK(is_near(angle(y_axis(pose_of(only("mixShearY", more)))), 110 * kDegree));
  }
  const Matrix all = pose_of(R"("rotateMix": 1, "translateMix": 0.5, "scaleMix": 0, "shearMix": 0)", "3.8.99");
  CHECK(is_near(angle(x_axis(all)), 40 * kDegree));
  CHECK(is_near(origin(all), {5.5, 3.5}));
  CHECK(is_near(length(x_axis(all)), 1.5));
}

TEST_CASE("Spine constraints apply in their order, and later ones see earlier ones", "[spine]") {
  // The transform constraint moves the target of the IK constraint, if it comes first.
  for (const bool is_first : {true, false}) {
    const Read hero = read(skeleton(
        "4.1.1", R"({"name": "arm", "length": 5}, {"name": "goal", "x": 10}, {"name": "far", "x": 10, "y": 10})",
        fmt::format(R"(, "ik": [{{"name": "k", "order": 1, "bones": ["arm"], "target": "goal"}}],)"
                    R"( "transform": [{{"name": "t", "order": {}, "bones": ["goal"], "target": "far"}}])",
                    is_first ? 0 : 2)));
    CHECK(is_angle(angle(x_axis(hero.world(0))), is_first ? 45 * kDegree : 0));
  }
}

TEST_CASE("Spine 4.3 lists its constraints in their order, with the properties that they copy", "[spine]") {
  const Read hero = read(skeleton(
      "4.3.1",
      R"({"name": "arm", "length": 5}, {"name": "goal", "x": 10}, {"name": "far", "x": 10, "y": 10, "rotation": 30})",
      R"(, "constraints": [{"type": "transform", "name": "t", "bones": ["goal"], "source": "far", "properties": {"y": {"to":)"
      R"( {"y": {"offset": 1}}}, "x": {"to": {"rotate": {}}}}}, {"type": "ik", "name": "k", "bones": ["arm"], "target": "goal"}])"));
  REQUIRE(hero.error.empty());
  CHECK(hero.warnings.size() == 1);
  const Matrix source = local(10, 10, 30);
  CHECK(is_near(origin(hero.world(1)), {10, (source * Point{0, 1}).y}));
  CHECK(is_angle(angle(x_axis(hero.world(1))), 0));
  CHECK(is_angle(angle(x_axis(hero.world(0))), angle(origin(hero.world(1)))));
}

TEST_CASE("Spine physics stays behind a movement, comes to rest, and is pulled by gravity", "[spine]") {
  const std::string text = skeleton(
      "4.2.1",
      R"({"name": "root"}, {"name": "tail", "parent": "root", "length": 20}, {"name": "tip", "parent": "tail", "x": 20})",
      R"(, "physics": [{"name": "p", "bone": "tail", "y": 1, "rotate": 1, "gravity": 2, "inertia": 1}])" +
          animation(
              R"("bones": {"root": {"translate": [{}, {"time": 0.1, "x": 0, "y": 30}, {"time": 0.2, "y": 30}, {"time": 9, "y": 30}]}},)"
              R"("physics": {"p": {"gravity": [{"value": 0}, {"time": 2, "curve": "stepped", "value": 0}, {"time": 3, "value": 2}]}})"));
  const Read hero = read(text);
  REQUIRE(hero.error.empty());
  rig::Pose pose;
  const auto tail_at = [&](double seconds) {
    rig::evaluate(hero.armature, hero.armature.animations.data(), seconds, nullptr, pose);
    return pose.world[1];
  };
  CHECK(is_near(origin(tail_at(0)), {0, 0}));
  double lag = 0;
  for (int frame = 1; frame < 6; ++frame) lag = std::max(lag, pose.world[0].ty - tail_at(frame / 30.0).ty);
  CHECK(lag > 5);
  for (int frame = 6; frame < 89; ++frame) (void)tail_at(frame / 30.0);
  CHECK(std::abs(pose.world[1].ty - 30) < 0.01);
  CHECK(is_near(origin(pose.world[2]), pose.world[1] * Point{20, 0}));
  // Gravity of 2 pulls a spring of strength 100 by 2 px.
  for (int frame = 90; frame < 240; ++frame) (void)tail_at(frame / 30.0);
  CHECK(std::abs(pose.world[1].ty - 28) < 0.01);
  // A clip that starts again is at rest, and the result does not depend on what was posed before.
  CHECK(is_near(origin(tail_at(0)), {0, 0}));
  const double once = tail_at(0.5).ty;
  rig::Pose other;
  rig::evaluate(hero.armature, hero.armature.animations.data(), 0.5, nullptr, other);
  CHECK(std::abs(other.world[1].ty - once) < 1e-9);
}

namespace {

/// Bones "b0" to "b2" of length 10 on a path.
Read on_path(std::string_view constraint, std::string_view path, std::string_view more = {},
             std::string_view version = "4.1.1") {
  return read(skeleton(
      version,
      R"({"name": "root"}, {"name": "b0", "length": 10}, {"name": "b1", "parent": "b0", "x": 10, "length": 10},)"
      R"({"name": "b2", "parent": "b1", "x": 10, "length": 10}, {"name": "end", "parent": "b2", "x": 10})",
      fmt::format(
          R"(, "slots": [{{"name": "path", "bone": "root", "attachment": "p"}}], "skins": [{{"name": "default",)"
          R"( "attachments": {{"path": {{"p": {{"type": "path", {}}}}}}}}}], "path": [{{"name": "c",)"
          R"( "bones": ["b0", "b1", "b2"], "target": "path", {}}}]{})",
          path, constraint, more)));
}

/// A line from (0, 0) to (60, 0) in two curves whose speed changes.
constexpr std::string_view kLine =
    R"("vertexCount": 9, "lengths": [40, 60, 80], "vertices": [-5, 0, 0, 0, 30, 0, 35, 0, 40, 0, 42, 0, 58, 0, 60, 0,)"
    R"( 70, 0])";

}  // namespace

TEST_CASE("Spine bones lie along a path", "[spine]") {
  struct Case {
    const char* constraint;
    double x[3];
  };
  const Case cases[] = {
      {R"("positionMode": "fixed", "spacingMode": "length")", {0, 10, 20}},
      {R"("positionMode": "fixed", "position": 5, "spacing": 2, "spacingMode": "length")", {5, 17, 29}},
      {R"("positionMode": "fixed", "position": 5, "spacing": 20, "spacingMode": "fixed")", {5, 25, 45}},
      {R"("positionMode": "percent", "position": 0.5, "spacing": 5, "spacingMode": "fixed")", {30, 35, 40}},
      {R"("spacing": 0.25, "spacingMode": "percent")", {0, 15, 30}},
      {R"("positionMode": "fixed", "position": -10, "spacingMode": "length")", {-10, 0, 10}},
      {R"("positionMode": "fixed", "position": 55, "spacingMode": "length")", {55, 65, 75}},
  };
  for (const Case& each : cases) {
    INFO(each.constraint);
    const rig::Pose pose = on_path(each.constraint, kLine).pose();
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::abs(pose.world[i + 1].tx - each.x[i]) < 1e-4);
      CHECK(is_near(pose.world[i + 1].ty, 0));
      CHECK(is_angle(angle(x_axis(pose.world[i + 1])), 0));
    }
  }
  // Proportional: all bones on half of the path, and the end of the chain there.
  const rig::Pose chain =
      on_path(R"("spacing": 0.5, "spacingMode": "proportional", "rotateMode": "chainScale")", kLine).pose();
  CHECK(std::abs(chain.world[2].tx - 10) < 1e-4);
  CHECK(std::abs(chain.world[4].tx - 30) < 1e-4);
}

TEST_CASE("positions on a Spine path without constant speed are parts of its curves", "[spine]") {
  const std::string path = std::string(kLine) + R"(, "constantSpeed": false)";
  const rig::Pose pose =
      on_path(R"("positionMode": "fixed", "position": 20, "spacing": 30, "spacingMode": "fixed")", path).pose();
  const auto cubic = [](double a, double b, double c, double d, double t) {
    return (1 - t) * (1 - t) * (1 - t) * a + 3 * (1 - t) * (1 - t) * t * b + 3 * (1 - t) * t * t * c + t * t * t * d;
  };
  CHECK(is_near(pose.world[1].tx, cubic(0, 30, 35, 40, 0.5)));
  CHECK(is_near(pose.world[2].tx, cubic(40, 42, 58, 60, 0.5)));
}

TEST_CASE("Spine bones on a closed path keep their distances along it", "[spine]") {
  // Four curves that are close to a circle of radius 20.
  const double k = 20 * 0.5522847498;
  const std::string circle = fmt::format(
      R"("closed": true, "vertexCount": 12, "lengths": [31.4, 62.8, 94.2, 125.7], "vertices": [20, -{0}, 20, 0, 20, {0},)"
      R"( {0}, 20, 0, 20, -{0}, 20, -20, {0}, -20, 0, -20, -{0}, -{0}, -20, 0, -20, {0}, -20])",
      k);
  const rig::Pose pose = on_path(R"("position": 0.9375, "spacing": 0.125, "spacingMode": "percent")", circle).pose();
  for (std::size_t i = 0; i < 3; ++i) {
    const double expected = (-22.5 + 45.0 * static_cast<double>(i)) * kDegree;
    CHECK(std::abs(length(origin(pose.world[i + 1])) - 20) < 0.01);
    CHECK(std::abs(angle(origin(pose.world[i + 1])) - expected) < 2e-3);
    CHECK(std::abs(std::remainder(angle(x_axis(pose.world[i + 1])) - expected - rig::kPi / 2, 2 * rig::kPi)) < 0.01);
  }
  // A chain: each bone points at the next place, and begins at the tip of the one before.
  const rig::Pose chain = on_path(R"("rotateMode": "chain")", circle).pose();
  for (std::size_t i = 1; i < 3; ++i) CHECK(is_near(origin(chain.world[i + 1]), chain.world[i] * Point{10, 0}));
}

TEST_CASE("keys move Spine bones along a path", "[spine]") {
  for (const bool is_older : {true, false}) {
    const Read hero = on_path(R"("positionMode": "fixed")", kLine,
                              animation(is_older ? R"("paths": {"c": {"position": [{}, {"time": 1, "position": 20}]}})"
                                                 : R"("path": {"c": {"position": [{}, {"time": 1, "value": 20}]}})"),
                              is_older ? "3.8.1" : "4.0.1");
    CHECK(std::abs(hero.world(1, 0.5).tx - 10) < 1e-4);
  }
}

namespace {

/// A slot "part" with attachments of the default skin.
Read with_attachments(std::string_view attachments, std::string_view animation_fields = {},
                      std::string_view setup = "a") {
  return read(skeleton("4.1.1", R"({"name": "root"}, {"name": "arm", "parent": "root", "x": 10})",
                       fmt::format(R"(, "slots": [{{"name": "part", "bone": "arm", "attachment": "{}"}}],)"
                                   R"( "skins": [{{"name": "default", "attachments": {{"part": {{{}}}}}}}]{})",
                                   setup, attachments, animation(animation_fields))));
}

}  // namespace

TEST_CASE("Spine attachments become those of the rig", "[spine]") {
  const Read hero = with_attachments(
      R"("a": {"path": "plain", "x": 1, "y": 2, "rotation": 90, "width": 16, "height": 4, "color": "ffffff80"},)"
      R"("b": {"type": "mesh", "path": "trimmed", "uvs": [0, 0, 1, 0, 0.5, 1], "triangles": [0, 1, 2],)"
      R"( "vertices": [0, 0, 8, 0, 4, -4]},)"
      R"("c": {"type": "linkedmesh", "path": "plain", "parent": "b"},)"
      R"("d": {"type": "mesh", "path": "plain", "uvs": [0, 0, 1, 0, 0.5, 1], "triangles": [0, 1, 2],)"
      R"( "vertices": [1, 0, 10, 0, 1, 2, 0, 18, 0, 0.25, 1, 8, 0, 0.75, 1, 1, 4, -4, 1]},)"
      R"("e": {"type": "point", "x": 1}, "f": {"type": "clipping", "end": "part", "vertexCount": 3, "vertices": [0, 0, 1,)"
      R"( 0, 1, 1]})");
  REQUIRE(hero.error.empty());
  const std::vector<rig::Attachment>& all = hero.armature.slots[0].attachments;
  REQUIRE(all.size() == 6);
  CHECK(all[0].kind == rig::AttachmentKind::region);
  CHECK(is_near(x_axis(all[0].placement), {0, 2}));
  CHECK(is_near(y_axis(all[0].placement), {-1, 0}));
  CHECK(is_near(origin(all[0].placement), {1, 2}));
  CHECK(is_near(all[0].opacity, 128 / 255.0));
  // Texture coordinates of a trimmed image leave its region.
  CHECK(is_near(all[1].uvs[0], {-1 / 6.0, -0.5}));
  CHECK(is_near(all[1].uvs[2], {0.5, 1.5}));
  CHECK(all[2].kind == rig::AttachmentKind::mesh);
  CHECK(is_near(all[2].uvs[2], {0.5, 1}));
  CHECK(is_near(all[2].positions[1], {8, 0}));
  REQUIRE(all[3].influences.size() == 4);
  CHECK(all[3].influences[1].vertex == 1);
  CHECK(all[3].influences[2].bone == 1);
  CHECK(is_near(all[3].influences[2].weight, 0.75));
  CHECK(all[4].kind == rig::AttachmentKind::nothing);
  CHECK(hero.warnings.size() == 2);
}

TEST_CASE("Spine slots show what their keys name, in the order of keys", "[spine]") {
  const Read hero = read(skeleton(
      "4.1.1", R"({"name": "root"})",
      R"(, "slots": [{"name": "s0", "bone": "root", "attachment": "a"}, {"name": "s1", "bone": "root"},)"
      R"( {"name": "s2", "bone": "root", "color": "ffffff33"}], "skins": [{"name": "default", "attachments": {"s0":)"
      R"( {"a": {"path": "plain"}, "b": {"path": "plain"}}}}])" +
          animation(
              R"("slots": {"s0": {"attachment": [{"name": "b"}, {"time": 1, "name": null}, {"time": 2, "name": "a"}],)"
              R"( "alpha": [{"value": 1}, {"time": 2, "value": 0}]}, "s2": {"rgba": [{"color": "ffffffff", "curve":)"
              R"( [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 2, 1]}, {"time": 2, "color": "ffffff00"}]}},)"
              R"("drawOrder": [{"time": 1, "offsets": [{"slot": "s0", "offset": 2}]}, {"time": 2}])")));
  REQUIRE(hero.error.empty());
  const rig::Pose start = hero.pose(0), middle = hero.pose(1);
  CHECK(start.attachment == std::vector<std::int32_t>{1, -1, -1});
  CHECK(middle.attachment == std::vector<std::int32_t>{-1, -1, -1});
  CHECK(hero.pose(0, 9).attachment == std::vector<std::int32_t>{0, -1, -1});
  CHECK(start.order == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(middle.order == std::vector<std::uint32_t>{1, 2, 0});
  CHECK(is_near(middle.opacity[0], 0.5));
  // The handles of alpha, the last of the four curves, are (0, 0) and (2, 1).
  CHECK(is_near(middle.opacity[2], 0.5));
  CHECK(is_near(hero.pose(0, 9).opacity[2], 0.2));
}

TEST_CASE("a Spine skin adds to the default one, with its bones and constraints", "[spine]") {
  const std::string text = skeleton(
      "4.1.1", R"({"name": "root"}, {"name": "tail", "parent": "root", "skin": true}, {"name": "goal", "y": 5})",
      R"(, "slots": [{"name": "part", "bone": "root", "attachment": "a"}, {"name": "tail", "bone": "tail", "attachment": "t"}],)"
      R"( "ik": [{"name": "k", "bones": ["root"], "target": "goal", "skin": true}],)"
      R"( "skins": [{"name": "cat", "bones": ["tail"], "ik": ["k"], "attachments": {"part": {"a": {"name": "cat a", "path": "plain"}}}},)"
      R"( {"name": "default", "attachments": {"part": {"a": {"path": "plain"}}, "tail": {"t": {"path": "plain"}}}}])" +
          animation(R"("ik": {"k": [{"mix": 1}]})"));
  const Read plain = read(text), cat = read(text, "cat");
  REQUIRE(plain.error.empty());
  CHECK(plain.skins == std::vector<std::string>{"default", "cat"});
  CHECK(plain.armature.constraints.empty());
  CHECK(plain.armature.slots[1].attachments[0].kind == rig::AttachmentKind::nothing);
  CHECK(plain.armature.slots[0].attachments[0].name == "a");
  CHECK(cat.armature.constraints.size() == 1);
  CHECK(cat.armature.slots[1].attachments[0].kind == rig::AttachmentKind::region);
  const rig::Slot& part = cat.armature.slots[0];
  CHECK(part.attachments[static_cast<std::size_t>(cat.pose().attachment[0])].name == "cat a");
  CHECK(read(text, "dog").error == "hero.json: error E155: there is no skin \"dog\", but \"default\", \"cat\"");
}

TEST_CASE("a Spine sequence shows its images in its modes", "[spine]") {
  struct Case {
    const char* mode;
    std::int32_t shown[6];
  };
  const Case cases[] = {{"hold", {1, 1, 1, 1, 1, 1}},           {"once", {1, 2, 2, 2, 2, 2}},
                        {"loop", {1, 2, 0, 1, 2, 0}},           {"pingpong", {1, 2, 1, 0, 1, 2}},
                        {"onceReverse", {1, 0, 0, 0, 0, 0}},    {"loopReverse", {1, 0, 2, 1, 0, 2}},
                        {"pingpongReverse", {1, 0, 1, 2, 1, 0}}};
  for (const Case& each : cases) {
    INFO(each.mode);
    const Read hero = with_attachments(
        R"("a": {"path": "walk", "sequence": {"count": 3, "setup": 2}})",
        fmt::format(
            R"("attachments": {{"default": {{"part": {{"a": {{"sequence": [{{"mode": "{}", "index": 1, "delay": 0.1}},)"
            R"({{"time": 1}}]}}}}}}}})",
            each.mode));
    REQUIRE(hero.error.empty());
    CHECK(hero.pose(0, 9).attachment[0] == 2);
    for (int i = 0; i < 6; ++i) CHECK(hero.pose(i * 0.1).attachment[0] == each.shown[i]);
    CHECK(hero.armature.slots[0].attachments[1].region == 3);
  }
}

TEST_CASE("Spine deform keys become those of all attachments that show the mesh", "[spine]") {
  for (const char* const wrapper : {R"("deform": {{"default": {{"part": {{"a": {}}}}}}})",
                                    R"("attachments": {{"default": {{"part": {{"a": {{"deform": {}}}}}}}}})"}) {
    const Read hero = with_attachments(
        R"("a": {"type": "mesh", "path": "plain", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 1,)"
        R"( 0, 1, 1]}, "b": {"type": "linkedmesh", "path": "plain", "parent": "a"},)"
        R"("c": {"type": "linkedmesh", "path": "plain", "parent": "a", "timelines": false})",
        fmt::format(fmt::runtime(wrapper), R"([{"time": 1, "offset": 3, "vertices": [5, 6]}, {"time": 2}])"));
    REQUIRE(hero.error.empty());
    const std::vector<rig::Timeline>& timelines = hero.armature.animations[0].timelines;
    REQUIRE(timelines.size() == 2);
    for (std::uint32_t i = 0; i < 2; ++i) {
      CHECK(timelines[i].kind == rig::TimelineKind::deform);
      CHECK(timelines[i].attachment == i);
      CHECK(timelines[i].channels == 6);
      // The setup pose lasts until the first key.
      CHECK(timelines[i].values == std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 0});
    }
  }
}

TEST_CASE("Spine files that cannot be read are errors with a place", "[spine]") {
  const auto error_of = [](const std::string& text) { return read(text).error; };
  CHECK(
      error_of(R"({"skeleton": {"spine": "3.7.94"}})") ==
      "hero.json: error E102: skeleton.spine is \"3.7.94\", but versions 3.8 to 4.3 are supported (line 1, column 24)");
  CHECK(error_of(R"({"skeleton": {"spine": "4.30"}})").find("E102") != std::string::npos);
  CHECK(error_of(skeleton("4.1", R"({"name": "a", "x": "1"})")).find("bones[0] \"a\", x must be a number") !=
        std::string::npos);
  CHECK(error_of(
            skeleton("4.1", R"({"name": "a"})", animation(R"("bones": {"a": {"rotate": [{"time": 2}, {"time": 1}]}})")))
            .find("has the time 1, but the key before it 2") != std::string::npos);
}

TEST_CASE("the work of Spine constraints counts the bones that they move and the steps of physics", "[spine]") {
  const auto cost = [](const std::string& more) {
    const Read hero = read(skeleton("4.2",
                                    R"({"name": "a"}, {"name": "b", "parent": "a"}, {"name": "c", "parent": "b"},)"
                                    R"({"name": "d", "parent": "c"}, {"name": "e", "parent": "a"})",
                                    more));
    REQUIRE(hero.error.empty());
    return rig::pose_cost(hero.armature, 1e9);
  };
  const double bare = cost("");
  const auto ik = [](const char* bone) {
    return fmt::format(R"(, "ik": [{{"name": "i", "bones": ["{}"], "target": "e"}}])", bone);
  };
  // Two bones follow "b", one "c", and none "d".
  CHECK(cost(ik("b")) - cost(ik("c")) >= 1);
  CHECK(cost(ik("c")) - cost(ik("d")) >= 1);
  CHECK(cost(ik("d")) > bare);
  const auto transform = [](const char* bones) {
    return fmt::format(R"(, "transform": [{{"name": "t", "bones": [{}], "target": "e"}}])", bones);
  };
  CHECK(cost(transform(R"("b", "c", "d")")) - cost(transform(R"("b", "c")")) >= 1);

  const auto steps = [](const std::string& more, double seconds) {
    return rig::physics_steps(read(skeleton("4.2", R"({"name": "a"})", more)).armature, seconds);
  };
  const std::string physics = R"(, "physics": [{"name": "p", "bone": "a", "rotate": 1}])";
  CHECK(steps("", 1) == 1);
  CHECK(steps(physics, 1.0 / 30) == 2);
  CHECK(steps(physics, 1) == 60);
  CHECK(steps(physics, 1000) == 64);
}

TEST_CASE("Spine constraints that take too much work are refused with the limit", "[spine]") {
  const auto import = [](const std::string& text, std::uint64_t max_samples) {
    const auto tree = JsonTree::read(JsonText{text});
    REQUIRE(tree);
    Warnings warnings;
    auto skeleton = spine::read_skeleton(*tree, atlas(), "", text.size(), warnings);
    REQUIRE(skeleton);
    skeleton->model.pages.push_back(white_page());
    ImportOptions options;
    options.limits.max_bone_samples = max_samples;
    return rig::import_rig(std::move(skeleton->model), 0, options, "Spine", std::move(warnings));
  };
  constexpr std::string_view kBones =
      R"({"name": "a"}, {"name": "b", "parent": "a", "length": 9}, {"name": "c", "parent": "b"}, {"name": "t", "parent": "a"})";
  const auto many = [&](std::string_view kind, std::string_view element) {
    std::string list;
    for (int i = 0; i < 200; ++i) list += fmt::format("{}{}", i == 0 ? "" : ",", element);
    return skeleton(
        "4.2", kBones,
        fmt::format(R"(, "{}": [{}])", kind, list) + animation(R"("bones": {"a": {"rotate": [{}, {"time": 10}]}})"));
  };
  // 300 frames of four bones are far below the limit of samples.
  const std::pair<const char*, const char*> cases[] = {{"ik", R"({"name": "x", "bones": ["b"], "target": "t"})"},
                                                       {"transform", R"({"name": "x", "bones": ["b"], "target": "t"})"},
                                                       {"physics", R"({"name": "x", "bone": "b", "rotate": 1})"}};
  for (const auto& [kind, element] : cases) {
    INFO(kind);
    const auto refused = import(many(kind, element), 1 << 16);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().id == DiagnosticId::limit_exceeded);
    CHECK(refused.error().detail.find("operations, but the limit is 262144") != std::string::npos);
    CHECK(refused.error().detail.find("200 constraints") != std::string::npos);
    CHECK((refused.error().detail.find("in 2 steps of physics") != std::string::npos) ==
          (std::string_view(kind) == "physics"));
    CHECK(import(many(kind, element), 1 << 22));
  }
  // Too much for a single pose.
  std::string bones = R"({"name": "a"})", list;
  for (int i = 0; i < 2000; ++i) {
    bones += fmt::format(R"(, {{"name": "b{}", "parent": "a"}})", i);
    list += fmt::format(R"({}{{"name": "x", "bones": ["a"], "target": "b{}"}})", i == 0 ? "" : ",", i);
  }
  CHECK(read(skeleton("4.2", bones, fmt::format(R"(, "ik": [{}])", list))).error.find("2000 constraints that need") !=
        std::string::npos);
}

namespace {

/// Reads a text, which may be damaged, and makes a character of it.
void import_damaged(const std::string& text) {
  const auto tree = JsonTree::read(JsonText{text});
  if (!tree) return;
  Warnings warnings;
  auto skeleton = spine::read_skeleton(*tree, atlas(), "", text.size(), warnings);
  if (!skeleton) return;
  skeleton->model.pages.push_back(white_page());
  ImportOptions options;
  options.limits.max_bone_samples = 1 << 16;
  (void)rig::import_rig(std::move(skeleton->model), 0, options, "Spine", std::move(warnings));
}

}  // namespace

namespace {

/// Returns the largest distance between the vertices of the character that a skeleton becomes and those that its bones
/// and weights give, in all frames of the first animation.
double sampling_error(const std::string& text) {
  const auto tree = JsonTree::read(JsonText{text});
  REQUIRE(tree);
  Warnings warnings;
  auto skeleton = spine::read_skeleton(*tree, atlas(), "", text.size(), warnings);
  REQUIRE(skeleton);
  const rig::Armature armature = skeleton->model.armatures[0];
  skeleton->model.pages.push_back(white_page());
  const auto imported = rig::import_rig(std::move(skeleton->model), 0, {}, "Spine", std::move(warnings));
  REQUIRE(imported);
  const Character& character = imported->character;
  REQUIRE(character.meshes().size() == 1);
  const rig::Attachment& mesh = armature.slots[0].attachments[0];
  PoseBuffers posed;
  std::vector<Vec2> points(character.meshes()[0].vertex_count);
  double distance = 0;
  for (std::uint32_t frame = 0; frame < character.clips()[0].frame_count; ++frame) {
    pose_clip(character, ClipId{0}, {frame, frame, 0}, posed);
    deform_mesh(character, posed, MeshId{0}, points);
    rig::Pose pose;
    rig::evaluate(armature, armature.animations.data(), frame / 30.0, nullptr, pose);
    std::vector<Point> expected(points.size());
    for (const rig::Influence& influence : mesh.influences) {
      const Point place = pose.world[influence.bone] * influence.position;
      expected[influence.vertex].x += place.x * influence.weight;
      expected[influence.vertex].y += place.y * influence.weight;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      distance = std::max(distance, length({points[i].x - expected[i].x, points[i].y - expected[i].y}));
    }
  }
  return distance;
}

}  // namespace

TEST_CASE("a Spine mesh keeps its vertices, whatever pose it was bound in", "[spine]") {
  std::mt19937 random(11);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  for (int i = 0; i < 12; ++i) {
    // Three bones in the pose in which the mesh was bound, and in the setup pose.
    Matrix bound[3];
    std::string bones, keys;
    for (int bone = 0; bone < 3; ++bone) {
      const bool is_changed = i % 3 > 0 && bone > 0;
      const double x = between(5, 20), turn = between(-60, 60), scale = between(0.6, 1.5);
      const Matrix inner = local(x, 0, turn, scale, 1);
      bound[bone] = bone == 0 ? inner : bound[bone - 1] * inner;
      bones += fmt::format(R"({}{{"name": "b{}"{}, "x": {}, "y": {}, "rotation": {}, "scaleX": {}}})",
                           bone == 0 ? "" : ", ", bone, bone == 0 ? "" : fmt::format(R"(, "parent": "b{}")", bone - 1),
                           x, is_changed ? between(-4, 4) : 0, turn + (is_changed ? between(-50, 50) : 0), scale);
      keys += fmt::format(
          R"({}"b{}": {{"rotate": [{{}}, {{"time": 0.5, "value": {}}}], "scale": [{{}}, {{"time": 0.5, "y": {}}}]}})",
          bone == 0 ? "" : ", ", bone, between(-90, 90), between(0.5, 1.5));
    }
    std::string vertices, uvs;
    for (int vertex = 0; vertex < 9; ++vertex) {
      const Point place{between(0, 50), between(-20, 20)};
      vertices += fmt::format("{}3", vertex == 0 ? "" : ", ");
      uvs += fmt::format("{}0.5, 0.5", vertex == 0 ? "" : ", ");
      for (int bone = 0; bone < 3; ++bone) {
        const Point own = inverse(bound[bone]) * place;
        vertices += fmt::format(", {}, {}, {}, {}", bone, own.x, own.y, bone == 0 ? 0.5 : 0.25);
      }
    }
    const std::string text = skeleton(
        "4.2.1", bones,
        fmt::format(
            R"(, "slots": [{{"name": "skin", "bone": "b0", "attachment": "m"}}], "skins": [{{"name": "default",)"
            R"( "attachments": {{"skin": {{"m": {{"type": "mesh", "path": "plain", "uvs": [{}], "vertices": [{}],)"
            R"( "triangles": [0, 1, 2, 3, 4, 5, 6, 7, 8]}}}}}}}}])",
            uvs, vertices) +
            animation(fmt::format(R"("bones": {{{}}})", keys)));
    INFO(text);
    CHECK(sampling_error(text) < 0.005);
    CHECK(read(text).armature.slots[0].attachments[0].bindings.empty() == (i % 3 == 0));
    CHECK(read(text).warnings.empty());
  }
}

TEST_CASE("no change of a Spine file is more than an error", "[spine][malformed]") {
  const auto folder = std::filesystem::path(PCHR_DIAGNOSTICS_DIR).parent_path() / "import/spine/features";
  for (const char* const name : {"3.8.json", "4.2.json"}) {
    std::string whole = test::read_text(folder / name);
    // Images that the atlas has.
    for (const char* const image : {"images/cloth", "pelt", "other", "still"}) {
      for (std::size_t at = 0; (at = whole.find(fmt::format("\"{}\"", image), at)) != std::string::npos; ++at) {
        if (whole.compare(at - 7, 6, "\"path\"") == 0) whole.replace(at + 1, std::string_view(image).size(), "plain");
      }
    }
    import_damaged(whole);
    for (std::size_t i = 0; i < whole.size(); i += 7) import_damaged(whole.substr(0, i));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const bool is_number = whole[i] >= '0' && whole[i] <= '9' && (whole[i - 1] < '0' || whole[i - 1] > '9');
      if (is_number && whole[i - 1] != '.') {
        const std::size_t end = whole.find_first_of(",]} ", i);
        for (const char* const number : {"70000", "0", "1e30", "null", "[]"}) {
          import_damaged(whole.substr(0, i) + number + whole.substr(end));
        }
      } else if (whole[i] == '"' && i + 1 < whole.size() && whole[i + 1] >= 'a' && whole[i + 1] <= 'z') {
        std::string changed = whole;
        changed[i + 1] = 'z';
        import_damaged(changed);
      }
    }
  }
}

}  // namespace spine_skeleton_test

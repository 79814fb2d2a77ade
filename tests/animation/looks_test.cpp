// SPDX-License-Identifier: MIT
// Combined colors, and places in a draw order.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/draw_list.hpp>
#include <pchr/pose.hpp>

#include <array>

namespace looks_test {
namespace {

using namespace pchr;
using namespace pchr::test;

/// What a color becomes, per channel, before it is limited to 1.
template <typename Look>
std::array<float, 3> seen(const Look& look, const std::array<float, 3>& color) {
  std::array<float, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = look.tint[i] * color[i] + look.dark_tint[i] * (1 - color[i]) + look.additive[i];
  }
  return result;
}

bool near(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(a[i] - b[i]) > 1e-6F) return false;
  }
  return true;
}

constexpr Appearance kFrozen{.tint = {0.5F, 0.8F, 1, 0.5F},
                             .dark_tint = {0, 0.1F, 0.4F},
                             .additive = {0.1F, 0, 0.2F},
                             .effect = {0.25F, 1},
                             .depth = 0.5F};

/// Five meshes, each ruled by its own bone, with the given draw order.
Character stack(std::span<const int> orders, std::span<const std::uint8_t> visible) {
  CharacterData data;
  data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
  for (std::size_t i = 0; i < orders.size(); ++i) {
    data.bones.push_back({"bone", BoneId::none});
    add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, static_cast<std::uint16_t>(i));
  }
  Clip clip = resting_clip("bind", 1, orders.size());
  clip.samples.z_order.assign(orders.begin(), orders.end());
  clip.samples.visible.assign(visible.begin(), visible.end());
  data.clips.push_back(std::move(clip));
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

TEST_CASE("a mesh's colors apply before those of its character", "[looks]") {
  const DrawItem item{
      .opacity = 0.5F, .tint = {0.25F, 1, 0.5F, 0.5F}, .dark_tint = {0.125F, 0.5F, 0}, .additive = {0, 0.125F, 0.25F}};
  const Appearance both = combine(kFrozen, item);
  for (const std::array<float, 3>& color : {std::array{0.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 1.0F}, {0.2F, 0.5F, 0.9F}}) {
    CHECK(near(seen(both, color), seen(kFrozen, seen(item, color))));
  }
  CHECK(both.tint[3] == 0.125F);
  CHECK(both.effect == kFrozen.effect);
  CHECK(both.depth == kFrozen.depth);
}

TEST_CASE("plain meshes leave an appearance unchanged, and plain appearances a mesh", "[looks]") {
  const Appearance same = combine(kFrozen, {});
  CHECK(same.tint == kFrozen.tint);
  CHECK(same.dark_tint == kFrozen.dark_tint);
  CHECK(same.additive == kFrozen.additive);
  const DrawItem item{.tint = kFrozen.tint, .dark_tint = kFrozen.dark_tint, .additive = kFrozen.additive};
  const Appearance plain = combine({}, item);
  CHECK(plain.tint == kFrozen.tint);
  CHECK(plain.dark_tint == kFrozen.dark_tint);
  CHECK(plain.additive == kFrozen.additive);
}

TEST_CASE("a mesh's blend mode replaces that of its skin and its character, unless normal", "[looks]") {
  CHECK(combine({.blend = Blend::add}, {}).blend == Blend::add);
  CHECK(combine({.blend = Blend::add}, {.blend = Blend::screen}).blend == Blend::screen);
  SkinData skin;
  part_of(skin, MeshId{0}).blend = Blend::multiply;
  CHECK(apply_skin(skin, DrawItem{.mesh = MeshId{0}})->blend == Blend::multiply);
  CHECK(apply_skin(skin, DrawItem{.mesh = MeshId{0}, .blend = Blend::screen})->blend == Blend::screen);
  CHECK(apply_skin(skin, DrawItem{.mesh = MeshId{1}})->blend == Blend::normal);
}

TEST_CASE("a skin's colors apply before those of a draw list", "[looks]") {
  SkinData skin;
  SkinPart& part = part_of(skin, MeshId{0});
  part.dark_tint = {0.5F, 0.25F, 0};
  part.additive = {0.125F, 0, 0};
  const DrawItem item{.mesh = MeshId{0}, .tint = {0.5F, 1, 1, 1}, .additive = {0, 0.5F, 0}};
  const std::array color{0.5F, 0.25F, 1.0F};
  CHECK(near(seen(*apply_skin(skin, item), color), seen(item, seen(part, color))));
}

TEST_CASE("a place is in front of or behind a mesh, hidden or not", "[looks]") {
  const int orders[] = {1, 0, 2, 1, 5};
  const std::uint8_t visible[] = {1, 1, 1, 0, 0};
  const Character character = stack(orders, visible);
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, {}, posed);
  REQUIRE(posed.draw_list.size() == 3);  // Meshes 1, 0, 2.
  const auto place = [&](std::uint32_t mesh, bool behind) {
    return find_place(character, posed, {MeshId{mesh}, behind});
  };
  CHECK(place(1, true) == 0);
  CHECK(place(1, false) == 1);
  CHECK(place(0, true) == 1);
  CHECK(place(2, false) == 3);
  // Mesh 3 would be drawn after mesh 0, which has the same z_order, and mesh 4 after all.
  CHECK(place(3, true) == 2);
  CHECK(place(3, false) == 2);
  CHECK(place(4, true) == 3);
  CHECK(find_place(character, posed, {MeshId::none, true}) == 0);
  CHECK(find_place(character, posed, {}) == 3);
  CHECK(place(99, true) == 0);
  // A mesh that was removed from the list keeps its place.
  posed.draw_list.erase(posed.draw_list.begin() + 1);
  CHECK(place(0, false) == 1);
}

TEST_CASE("a place in a character without bones is in file order", "[looks]") {
  CharacterData data;
  data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
  for (int i = 0; i < 3; ++i) add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, 0);
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  posed.draw_list.erase(posed.draw_list.begin() + 1);
  CHECK(find_place(*character, posed, {MeshId{1}, true}) == 1);
}

Character arm() {
  auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  return *character;
}

constexpr MeshId kStrip{0}, kBadge{1};

std::string problem(const SkinData& skin) {
  const auto found = validate_skin(skin, arm());
  REQUIRE(found);
  return *found;
}

TEST_CASE("a skin that hides, tints and replaces images fits its character", "[skin]") {
  const Character character = arm();
  SkinData skin{"winter", {}, {}};
  CHECK_FALSE(validate_skin(skin, character));
  part_of(skin, MeshId{kStrip}).visible = false;
  part_of(skin, MeshId{kBadge}).image = add_image(skin, character, {1, 1, {0, 0, 0, 0}});
  CHECK(skin.parts[index(kBadge)].image == ImageId{2});
  CHECK(add_image(skin, character, {1, 1, {0, 0, 0, 0}}) == ImageId{3});
  CHECK_FALSE(validate_skin(skin, character));
  skin.parts[index(kBadge)].image = ImageId{0};
  CHECK_FALSE(validate_skin(skin, character));
}

TEST_CASE("a skin that does not fit its character gives the reason", "[skin]") {
  const Character character = arm();
  SkinData skin{"winter", {}, {}};
  skin.parts.resize(3);
  CHECK_THAT(problem(skin), contains("\"winter\" has parts for 3 meshes") && contains("has 2"));
  skin.parts.resize(2);
  skin.parts[index(kBadge)].image = ImageId{3};
  skin.images = {{1, 1, {0, 0, 0, 0}}};
  CHECK_THAT(problem(skin), contains("image 3 for meshes[1] \"badge\"") && contains("has 2 images and the skin 1"));
  skin.parts[index(kBadge)].image = ImageId{2};
  skin.images = {{2, 1, {0, 0, 0, 0}}};
  CHECK_THAT(problem(skin), contains("images[0]") && contains("2 x 1 pixels and 4 bytes"));
  skin.images = {{0, 1, {}}};
  CHECK_THAT(problem(skin), contains("0 x 1 pixels"));
}

TEST_CASE("applying a skin removes hidden meshes, multiplies tints, sets images, and keeps order and opacity",
          "[skin]") {
  SkinData skin;
  part_of(skin, MeshId{0}).visible = false;
  part_of(skin, MeshId{2}).tint = {0.5F, 1, 1, 0.25F};
  part_of(skin, MeshId{3}).image = ImageId{7};
  DrawList list{{MeshId{3}, 1, {1, 1, 1, 1}, ImageId{1}},
                {MeshId{0}},
                {MeshId{2}, 0.5F, {0.5F, 0.5F, 1, 1}},
                {MeshId{9}, 1, {1, 1, 1, 1}, ImageId{2}}};
  apply_skin(skin, list);
  REQUIRE(list.size() == 3);
  CHECK(list[0].mesh == MeshId{3});
  CHECK(list[0].image == ImageId{7});
  CHECK(list[1].mesh == MeshId{2});
  CHECK(list[1].opacity == 0.5F);
  CHECK(list[1].tint == std::array{0.25F, 0.5F, 1.0F, 0.25F});
  CHECK(list[1].image == ImageId::none);
  // Past the skin's parts.
  CHECK(list[2].mesh == MeshId{9});
  CHECK(list[2].image == ImageId{2});
}

TEST_CASE("posing again removes the skin, whether the draw order was kept or not", "[skin]") {
  const Character character = arm();
  SkinData tints, hides;
  part_of(tints, kStrip) = {true, {1, 0, 0, 1}, ImageId{1}};
  part_of(hides, kStrip).visible = false;
  for (const SkinData& skin : {tints, hides}) {
    PoseBuffers posed;
    pose_bind(character, posed);
    apply_skin(skin, posed.draw_list);
    pose_bind(character, posed);
    REQUIRE(posed.draw_list.size() == 2);
    CHECK(posed.draw_list[0].mesh == kStrip);
    CHECK(posed.draw_list[0].tint == std::array{1.0F, 1.0F, 1.0F, 1.0F});
    CHECK(posed.draw_list[0].image == ImageId::none);
  }
}

TEST_CASE("a placement mirrors, scales, rotates and moves, in this order", "[appearance]") {
  const Vec2 point{3, 4};
  CHECK(placement({}) == kIdentity);
  CHECK(apply(placement({10, 20}), point) == Vec2{13, 24});
  CHECK(apply(placement({10, 20}, 0, 2), point) == Vec2{16, 28});
  CHECK(apply(placement({10, 20}, 90), point) == Vec2{6, 23});
  CHECK(apply(placement({10, 20}, 180), point) == Vec2{7, 16});
  CHECK(apply(placement({10, 20}, 0, 1, true), point) == Vec2{7, 24});
  CHECK(apply(placement({10, 20}, 90, 2, true), point) == Vec2{2, 14});
  const Vec2 rotated = apply(placement({}, 30, 1), {2, 0});
  CHECK(rotated.x == Approx(1.7320508));
  CHECK(rotated.y == Approx(1));
}

TEST_CASE("a mirrored placement equals the placement of a character with x negated", "[appearance]") {
  for (float degrees = -400; degrees <= 400; degrees += 37) {
    const Affine plain = placement({5, -6}, degrees, 1.5F), mirrored = placement({5, -6}, degrees, 1.5F, true);
    CHECK(apply(mirrored, {7, 11}) == apply(plain, {-7, 11}));
  }
}

}  // namespace
}  // namespace looks_test

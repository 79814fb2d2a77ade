// SPDX-License-Identifier: MIT
// Drawing between the meshes of a character.
#include "images.hpp"
#include "session.hpp"
#include "stage.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

namespace attachment_test {
using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::uint32_t kMiddle = kStageSide / 2;
constexpr Pixel kRed{200, 0, 0, 255}, kGreen{0, 200, 0, 255}, kBlue{0, 0, 200, 255}, kNothing{};

void add_square(CharacterData& data, const test::Rgba& color, float half, std::uint16_t bone) {
  data.images.push_back(plain_image(2, 2, color));
  const auto image = static_cast<std::uint32_t>(data.images.size() - 1);
  add_quad(data, "square", image, {{-half, -half}, {half, half}}, bone);
}

/// A red square of 60 pixels below a green one of 40, on a bone each.
Character make_hero() {
  CharacterData data;
  data.bones.push_back({"body", BoneId::none});
  data.bones.push_back({"hand", BoneId{0}});
  add_square(data, {200, 0, 0, 255}, 30, 0);
  add_square(data, {0, 200, 0, 255}, 20, 1);
  return build(std::move(data));
}

/// A blue square of 16 pixels.
Character make_sword() {
  CharacterData data;
  data.bones.push_back({"grip", BoneId::none});
  add_square(data, {0, 0, 200, 255}, 8, 0);
  return build(std::move(data));
}

/// A hero with a sword, drawn in every way.
struct Armory : Stage {
  Renderer renderer = session.renderer();
  Character hero = make_hero(), sword = make_sword();
  Model hero_model = require_value(renderer.upload(hero));
  Model sword_model = require_value(renderer.upload(sword));
  PoseBuffers posed, held;

  Armory() {
    pose_bind(hero, posed);
    pose_bind(sword, held);
  }

  [[nodiscard]] Attachment in_hand(DrawPlace place) const {
    return {.bone = BoneId{1}, .place = place, .model = &sword_model, .posed = &held};
  }
  Bitmap draw(std::span<const Attachment> attachments, const DrawOptions& options = {}) {
    target.begin();
    renderer.draw(hero_model, posed, camera, options, attachments);
    return target.finish();
  }
};

Pixel at(const Bitmap& image, int x, int y) {
  return pixel(image, static_cast<std::uint32_t>(static_cast<int>(kMiddle) + x),
               static_cast<std::uint32_t>(static_cast<int>(kMiddle) - y));
}

}  // namespace

TEST_CASE("an attachment is drawn at its place among the meshes", "[render]") {
  Armory armory;
  // The sword reaches from inside of the green square to the right, over the red one.
  armory.posed.pose.x[1] = 18;
  update(armory.hero, armory.posed);
  const auto draw = [&](DrawPlace place) {
    Attachment attachment = armory.in_hand(place);
    attachment.appearance.placement = placement({18, 0});
    const Bitmap image = armory.draw(std::span(&attachment, 1));
    return std::array{at(image, 32, 0), at(image, 41, 0)};
  };
  // The green square spans -2 to 38, the red one -30 to 30, the sword 28 to 44.
  CHECK(draw({MeshId{1}, true}) == std::array{kGreen, kBlue});
  CHECK(draw({MeshId{1}, false}) == std::array{kBlue, kBlue});
  CHECK(draw({MeshId{0}, false}) == std::array{kGreen, kBlue});
  CHECK(draw({}) == std::array{kBlue, kBlue});
  CHECK(draw({MeshId::none, true}) == std::array{kGreen, kBlue});
}

TEST_CASE("an attachment follows its bone, the character's placement and its own", "[render]") {
  Armory armory;
  armory.posed.pose.y[0] = 10;
  armory.posed.pose.rotation_degrees[1] = 90;
  update(armory.hero, armory.posed);
  Attachment attachment = armory.in_hand({});
  attachment.appearance.placement = placement({0, -40}, 0, 0.5F);
  const Bitmap image = armory.draw(std::span(&attachment, 1), {.appearance = {placement({-30, 0})}});
  // The bone turns -y to +x: 40 - 30 to the right, and 10 up.
  CHECK(at(image, 10, 10) == kBlue);
  CHECK(at(image, 13, 12) == kBlue);
  CHECK(at(image, 15, 10) == kNothing);
  CHECK(armory.renderer.statistics().instances == 2);
}

TEST_CASE("an attachment to a hidden mesh is where the mesh would be, and one to a missing bone is not drawn",
          "[render]") {
  Armory armory;
  Attachment attachments[] = {armory.in_hand({MeshId{0}, false}), armory.in_hand({})};
  attachments[1].bone = BoneId{7};
  armory.posed.pose.visible[0] = 0;
  update(armory.hero, armory.posed);
  CHECK(armory.posed.draw_list.size() == 1);
  CHECK(at(armory.draw(attachments), 0, 0) == kGreen);
  attachments[0].place = {MeshId{1}, false};
  CHECK(at(armory.draw(attachments), 0, 0) == kBlue);
}

TEST_CASE("an attachment's colors combine with the character's, and it can wear a skin", "[render]") {
  Armory armory;
  Attachment attachment = armory.in_hand({});
  attachment.appearance.additive = {0.2F, 0, 0};
  Bitmap image = armory.draw(std::span(&attachment, 1), {.appearance = {.tint = {1, 1, 0.5F, 0.5F}}});
  // Half of it covers green at half opacity over red at half opacity.
  CHECK(close(at(image, 0, 0), {51, 50, 50, 223}, 2));
  SkinData data;
  part_of(data, MeshId{0}).additive = {1, 1, 1};
  const Skin skin = require_value(armory.renderer.upload_skin(armory.sword_model, data));
  attachment.skin = &skin;
  image = armory.draw(std::span(&attachment, 1));
  CHECK(at(image, 0, 0) == Pixel{255, 255, 255, 255});
  CHECK(at(image, 15, 0) == kGreen);
}

TEST_CASE("attachments with one place are drawn in the given order", "[render]") {
  Armory armory;
  Attachment attachments[] = {armory.in_hand({}), armory.in_hand({MeshId{1}, false}), armory.in_hand({})};
  attachments[0].appearance.additive = {1, 0, 0};
  attachments[1].appearance.additive = {0, 1, 0};
  CHECK(at(armory.draw(attachments), 0, 0) == kBlue);
  std::swap(attachments[0], attachments[2]);
  CHECK(at(armory.draw(attachments), 0, 0) == Pixel{255, 0, 200, 255});
}

TEST_CASE("a function draws between meshes with the caller's state, and may change it and draw characters",
          "[render]") {
  Armory armory;
  const Gl& gl = *armory.session.gl;
  struct Call {
    Armory& armory;
    Affine world{};
    GLint program = -1, blend = -1;
    std::uint32_t inner_instances = 0;
  } call{armory};
  const auto draw = [](void* user, const Affine& world) {
    Call& made = *static_cast<Call*>(user);
    const Gl& functions = *made.armory.session.gl;
    made.world = world;
    made.program = get_integer(functions, GL_CURRENT_PROGRAM);
    made.blend = functions.IsEnabled(GL_BLEND);
    made.armory.renderer.draw(made.armory.sword_model, made.armory.held, made.armory.camera, {.appearance = {world}});
    made.inner_instances = made.armory.renderer.statistics().instances;
    functions.Enable(GL_CULL_FACE);
    functions.CullFace(GL_FRONT_AND_BACK);
    functions.BlendFunc(GL_ZERO, GL_ZERO);
    functions.BindVertexArray(0);
    functions.ActiveTexture(GL_TEXTURE0);
    functions.BindTexture(GL_TEXTURE_2D, 0);
  };
  const Attachment attachment{
      .bone = BoneId{1}, .place = {MeshId{1}, true}, .appearance = {placement({-22, 0})}, .draw = draw, .user = &call};
  for (const StateHandling state : {StateHandling::restore, StateHandling::dirty}) {
    gl.Disable(GL_CULL_FACE);
    gl.UseProgram(0);
    const Bitmap image = armory.draw(std::span(&attachment, 1), {.appearance = {placement({2, 3})}, .state = state});
    // Sword between -28 and -12, green from -18 on.
    CHECK(at(image, -29 + 1, 3) == kBlue);
    CHECK(at(image, -16, 3) == kGreen);
    CHECK(at(image, -28, 25) == kRed);
    CHECK(call.world == placement({-20, 3}));
    CHECK(call.inner_instances == 1);
    CHECK(armory.renderer.statistics().instances == 1);
    CHECK(armory.renderer.statistics().triangles == 4);
    if (state == StateHandling::restore) {
      CHECK(call.program == 0);
      CHECK(call.blend == 0);
      CHECK(gl.IsEnabled(GL_CULL_FACE) == GL_TRUE);  // What the function left is the caller's from then on.
    }
  }
  gl.Disable(GL_CULL_FACE);
}

TEST_CASE("part of a draw list can be drawn", "[render]") {
  Armory armory;
  const auto draw = [&](std::span<const DrawItem> part) {
    armory.target.begin();
    armory.renderer.draw(armory.hero_model, armory.posed.palette, part, armory.camera);
    return at(armory.target.finish(), 0, 0);
  };
  const std::span<const DrawItem> all = armory.posed.draw_list;
  CHECK(draw(all) == kGreen);
  CHECK(draw(all.first(1)) == kRed);
  CHECK(draw(all.first(0)) == kNothing);
}

}  // namespace attachment_test

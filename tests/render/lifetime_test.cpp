// SPDX-License-Identifier: MIT
// Renderers, models, targets and contexts that come and go in any order.
#include "pictures.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <type_traits>

using namespace pchr;

namespace {

Character arm() {
  auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  return *character;
}

struct Parts {
  Renderer renderer;
  OffscreenTarget target;
  Model model;
};

Parts make_parts(const test::Session& session) {
  auto renderer = session.renderer();
  auto model = test::require_value(renderer.upload(arm()));
  return {std::move(renderer), test::require_value(OffscreenTarget::create(session.get_proc_address(), 48, 48)),
          std::move(model)};
}

Bitmap picture(Renderer& renderer, OffscreenTarget& target, const Model& model, std::uint32_t frame) {
  PosedCharacter posed;
  pose_clip(model.character(), 1, {frame, frame, 0}, posed);
  const Camera camera{{0, 40}, 0.4F, {48, 48}};
  target.begin();
  renderer.draw(model, posed, camera);
  return target.finish();
}

Bitmap picture(Parts& parts, std::uint32_t frame) { return picture(parts.renderer, parts.target, parts.model, frame); }

}  // namespace

TEST_CASE("two renderers on one context draw alternately, and each other's models", "[render]") {
  const test::Session session;
  Parts first = make_parts(session), second = make_parts(session);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    const auto expected = picture(first, frame).rgba;
    CHECK(picture(second, frame).rgba == expected);
    CHECK(picture(second.renderer, first.target, first.model, frame).rgba == expected);
  }
}

TEST_CASE("two contexts draw alternately", "[render]") {
  test::Session first_session, second_session;
  first_session.make_current();
  std::optional<Parts> first = make_parts(first_session);
  second_session.make_current();
  std::optional<Parts> second = make_parts(second_session);
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    first_session.make_current();
    const auto expected = picture(*first, frame).rgba;
    CHECK(expected != std::vector<std::uint8_t>(expected.size(), 0));
    second_session.make_current();
    CHECK(picture(*second, frame).rgba == expected);
  }
  second.reset();
  first_session.make_current();
  CHECK(picture(*first, 0).rgba == picture(*first, 0).rgba);
  first.reset();
}

TEST_CASE("a model may go before its renderer or after it", "[render]") {
  const test::Session session;
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), 48, 48));
  std::optional<Renderer> first = session.renderer();
  std::optional<Model> model = test::require_value(first->upload(arm()));
  const auto expected = picture(*first, target, *model, 2).rgba;
  first.reset();
  auto second = session.renderer();
  CHECK(picture(second, target, *model, 2).rgba == expected);
  model.reset();
  const Model another = test::require_value(second.upload(arm()));
  CHECK(picture(second, target, another, 2).rgba == expected);
}

TEST_CASE("nothing is left on the context when everything is gone", "[render]") {
  const test::Session session;
  {
    Parts parts = make_parts(session);
  }
  const Gl& gl = *session.gl;
  for (GLuint name = 1; name < 64; ++name) {
    CHECK(gl.IsBuffer(name) == GL_FALSE);
    CHECK(gl.IsTexture(name) == GL_FALSE);
    CHECK(gl.IsSampler(name) == GL_FALSE);
    CHECK(gl.IsVertexArray(name) == GL_FALSE);
    CHECK(gl.IsFramebuffer(name) == GL_FALSE);
    CHECK(gl.IsRenderbuffer(name) == GL_FALSE);
    CHECK(gl.IsProgram(name) == GL_FALSE);
    CHECK(gl.IsShader(name) == GL_FALSE);
  }
}

TEST_CASE("moving keeps what was made, and moved-from objects go cleanly", "[render]") {
  const test::Session session;
  Parts parts = make_parts(session);
  const auto expected = picture(parts, 3).rgba;
  Parts moved = std::move(parts);
  CHECK(picture(moved, 3).rgba == expected);
  Parts other = make_parts(session);
  other = std::move(moved);
  CHECK(picture(other, 3).rgba == expected);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Model> && std::is_nothrow_move_assignable_v<Model>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Model>);
}

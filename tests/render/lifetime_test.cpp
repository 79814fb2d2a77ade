// SPDX-License-Identifier: MIT
// Renderers, models, targets and contexts destroyed in any order.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <array>
#include <future>
#include <type_traits>

namespace lifetime_test {
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

Bitmap render(Renderer& renderer, OffscreenTarget& target, const Model& model, std::uint32_t frame) {
  PoseBuffers posed;
  pose_clip(model.character(), ClipId{1}, {frame, frame, 0}, posed);
  const Camera camera{{0, 40}, 0.4F, {48, 48}};
  target.begin();
  renderer.draw(model, posed, camera);
  return target.finish();
}

Bitmap render(Parts& parts, std::uint32_t frame) { return render(parts.renderer, parts.target, parts.model, frame); }

}  // namespace

TEST_CASE("two renderers on one context draw alternately, and each other's models", "[render]") {
  const test::Session session;
  Parts first = make_parts(session), second = make_parts(session);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    const auto expected = render(first, frame).rgba;
    CHECK(render(second, frame).rgba == expected);
    CHECK(render(second.renderer, first.target, first.model, frame).rgba == expected);
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
    const auto expected = render(*first, frame).rgba;
    CHECK(expected != std::vector<std::uint8_t>(expected.size(), 0));
    second_session.make_current();
    CHECK(render(*second, frame).rgba == expected);
  }
  second.reset();
  first_session.make_current();
  CHECK(render(*first, 0).rgba == render(*first, 0).rgba);
  first.reset();
}

namespace {

/// Draws on a thread with its own context. Has no checks, because Catch2's are not thread-safe.
std::vector<std::uint8_t> render_on_own_context(const Character& character) {
  auto context = HeadlessContext::create(test::headless_options());
  if (!context) return {};
  auto renderer = Renderer::create(context->get_proc_address());
  auto target = OffscreenTarget::create(context->get_proc_address(), 48, 48);
  if (!renderer || !target) return {};
  std::vector<std::uint8_t> pixels;
  for (std::uint32_t round = 0; round < 3; ++round) {
    auto model = renderer->upload(character);
    if (!model) return {};
    for (std::uint32_t frame = 0; frame < 8; ++frame) {
      const Bitmap posed = render(*renderer, *target, *model, frame);
      pixels.insert(pixels.end(), posed.rgba.begin(), posed.rgba.end());
      const Instance instances[] = {{ClipId{1}, {frame, frame, 0}, {}},
                                    {ClipId{1}, {frame, (frame + 1) % 8, 0.5F}, {}}};
      target->begin();
      renderer->draw(*model, instances, {{0, 40}, 0.4F, {48, 48}});
      const Bitmap crowd = target->finish();
      pixels.insert(pixels.end(), crowd.rgba.begin(), crowd.rgba.end());
    }
  }
  return pixels;
}

}  // namespace

TEST_CASE("contexts on their own threads draw one character concurrently", "[render]") {
  const Character character = arm();
  const auto expected = render_on_own_context(character);
  CHECK(expected.size() == 3 * 8 * 2 * 48 * 48 * 4);
  std::array<std::future<std::vector<std::uint8_t>>, 4> threads;
  for (auto& thread : threads) thread = std::async(std::launch::async, render_on_own_context, character);
  for (auto& thread : threads) CHECK((thread.get() == expected));
}

TEST_CASE("a renderer calls only functions from its own loader", "[render]") {
  const test::Session session;
  static const Gl* real = nullptr;
  static int calls = 0;
  real = session.gl.get();
  calls = 0;
  const auto count = [](GLenum target, GLuint texture) {
    ++calls;
    real->BindTexture(target, texture);
  };
  Parts plain = make_parts(session);
  const auto expected = render(plain, 2).rgba;
  const test::Hooks hooks(session.get_proc_address(), {{"glBindTexture", test::as_hook(+count)}});
  auto counted = test::require_value(Renderer::create(test::hooked_get_proc_address));
  calls = 0;
  CHECK(render(plain, 2).rgba == expected);
  CHECK(calls == 0);
  CHECK(render(counted, plain.target, plain.model, 2).rgba == expected);
  CHECK(calls > 0);
}

TEST_CASE("a model can be destroyed before or after its renderer", "[render]") {
  const test::Session session;
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), 48, 48));
  std::optional<Renderer> first = session.renderer();
  std::optional<Model> model = test::require_value(first->upload(arm()));
  const auto expected = render(*first, target, *model, 2).rgba;
  first.reset();
  auto second = session.renderer();
  CHECK(render(second, target, *model, 2).rgba == expected);
  model.reset();
  const Model another = test::require_value(second.upload(arm()));
  CHECK(render(second, target, another, 2).rgba == expected);
}

TEST_CASE("nothing is left on the context after everything is destroyed", "[render]") {
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

TEST_CASE("moving keeps the contents, and moved-from objects are destroyed cleanly", "[render]") {
  const test::Session session;
  Parts parts = make_parts(session);
  const auto expected = render(parts, 3).rgba;
  Parts moved = std::move(parts);
  CHECK(render(moved, 3).rgba == expected);
  Parts other = make_parts(session);
  other = std::move(moved);
  CHECK(render(other, 3).rgba == expected);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Model> && std::is_nothrow_move_assignable_v<Model>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Model>);
}

}  // namespace lifetime_test

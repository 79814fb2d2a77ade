// SPDX-License-Identifier: MIT
// Valid and invalid uploads.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

namespace upload_test {
using namespace pchr;
using test::contains;

namespace {

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

std::string error_of(const Expected<Model, RenderError>& model) {
  REQUIRE_FALSE(model);
  return model.error().message;
}

const Gl* real_gl = nullptr;

void GLAD_API_PTR get_small_limits(GLenum name, GLint* value) {
  real_gl->GetIntegerv(name, value);
  if (name == GL_MAX_TEXTURE_SIZE) *value = 16;
  if (name == GL_MAX_TEXTURE_BUFFER_SIZE) *value = 4;
}

}  // namespace

TEST_CASE("a model returns its character and its GPU memory", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  CharacterData data = test::sliding_quad();
  data.images[0] = test::plain_image(5, 2, {1, 2, 3, 4});
  const Character character = build(data);
  const Model model = test::require_value(renderer.upload(character));
  CHECK(&model.character().data() == &character.data());
  // Mipmaps of 5 x 2, 2 x 1 and 1 x 1 pixels.
  CHECK(model.gpu_bytes() == 4 * (10 + 2 + 1) + 4 * 40 + 6 * 2);
}

TEST_CASE("a character without images, meshes or bones uploads and draws nothing", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  const Character character = build({});
  const Model model = test::require_value(renderer.upload(character));
  CHECK(model.gpu_bytes() == 0);
  PoseBuffers posed;
  pose_bind(character, posed);
  renderer.draw(model, posed, {});
  CHECK(renderer.statistics().draw_calls == 0);
}

TEST_CASE("a broken image is an error that names it", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  CharacterData data = test::two_bone_arm();
  data.images[1].encoding = ImageEncoding::png;
  CHECK_THAT(error_of(renderer.upload(build(data))), contains("images[1]") && contains("badge"));
}

TEST_CASE("load limits also apply to decoding during an upload", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  Limits limits;
  limits.max_image_pixels = 15;
  CHECK_THAT(error_of(renderer.upload(build(test::sliding_quad()), limits)), contains("limit is 15 pixels"));
}

TEST_CASE("bitmaps that do not fit the character are an error", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  const Character character = build(test::sliding_quad());
  const auto upload = [&](const std::vector<Bitmap>& bitmaps) { return error_of(renderer.upload(character, bitmaps)); };
  CHECK_THAT(upload({}), contains("expected 1 bitmaps") && contains("got 0"));
  CHECK_THAT(upload({{1, 1, {0, 0, 0, 0}}, {1, 1, {0, 0, 0, 0}}}), contains("expected 1 bitmaps") && contains("got 2"));
  CHECK_THAT(upload({{2, 2, {0, 0, 0, 0}}}), contains("images[0] \"plain\"") && contains("4 bytes"));
  CHECK_THAT(upload({{0, 1, {}}}), contains("0 x 1 pixels"));
}

TEST_CASE("images and palettes beyond the context's limits are errors that name the limit", "[render]") {
  const test::Session session;
  real_gl = session.gl.get();
  const test::Hooks hooks(session.get_proc_address(), {{"glGetIntegerv", test::as_hook(get_small_limits)}});
  auto renderer = test::require_value(Renderer::create(test::hooked_get_proc_address));
  CharacterData wide = test::sliding_quad();
  wide.images[0] = test::plain_image(17, 1, {0, 0, 0, 0}, "wide");
  CHECK_THAT(error_of(renderer.upload(build(wide))), contains("\"wide\" has 17 x 1 pixels") && contains("16 x 16"));
  if (session.gl->is_es) return;  // One row of a palette texture holds more bones than this.
  CHECK_THAT(error_of(renderer.upload(build(test::two_bone_arm()), std::vector(2, Bitmap{1, 1, {0, 0, 0, 0}}))),
             contains("use 3 bones") && contains("hold 2"));
}

}  // namespace upload_test

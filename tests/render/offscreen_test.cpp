// SPDX-License-Identifier: MIT
// Offscreen targets and their readback.
#include "images.hpp"
#include "session.hpp"

#include "render/gl_state.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <set>

namespace offscreen_test {
using namespace pchr;
using namespace pchr::test;

namespace {

/// Draws a rotated white square in the middle of a 24 x 24 image.
Bitmap rotated_square(Session& session, std::uint32_t samples) {
  auto character = Character::build(sliding_quad());
  REQUIRE(character);
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(*character));
  PoseBuffers posed;
  pose_bind(*character, posed);
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 24, 24, samples));
  target.begin();
  const Affine turned{0.7F, 0.4F, -0.4F, 0.7F, 0.0F, 0.0F};
  renderer.draw(model, posed, plain_camera(24, 24), {turned, {1, 1, 1, 1}});
  return target.finish();
}

std::set<int> alphas(const Bitmap& bitmap) {
  std::set<int> values;
  for (std::size_t i = 3; i < bitmap.rgba.size(); i += 4) values.insert(bitmap.rgba[i]);
  return values;
}

}  // namespace

TEST_CASE("one sample gives hard edges, more samples give soft ones", "[render]") {
  Session session;
  CHECK(alphas(rotated_square(session, 1)) == std::set<int>{0, 255});
  CHECK(alphas(rotated_square(session, 0)) == std::set<int>{0, 255});
  if (get_integer(*session.gl, GL_MAX_SAMPLES) < 4) return;
  const Bitmap soft = rotated_square(session, 4);
  CHECK(alphas(soft).size() > 2);
  CHECK(pixel(soft, 12, 12) == Pixel{255, 255, 255, 255});
  CHECK(pixel(soft, 1, 1) == Pixel{0, 0, 0, 0});
}

TEST_CASE("the number of samples is limited to what the context supports", "[render]") {
  Session session;
  const auto max_samples = static_cast<std::uint32_t>(get_integer(*session.gl, GL_MAX_SAMPLES));
  CHECK(rotated_square(session, 4'000'000'000U).rgba == rotated_square(session, max_samples).rgba);
}

TEST_CASE("the samples are averaged in any state of the context, which is restored", "[render]") {
  const Session session;
  const Gl& gl = *session.gl;
  auto character = Character::build(sliding_quad());
  REQUIRE(character);
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(*character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 24, 24, 4));
  const auto draw = [&] {
    target.begin({0.2F, 0.4F, 0.6F, 0.8F});
    const Instance instance{ClipId{1}, {1, 1, 0}, {{0.7F, 0.4F, -0.4F, 0.7F, 0, 0}, {1, 0.5F, 1, 0.75F}}};
    renderer.draw(model, instance, plain_camera(24, 24));
  };
  draw();
  const Bitmap expected = target.finish();
  std::vector<GLenum> capabilities{GL_BLEND,        GL_CULL_FACE,   GL_DEPTH_TEST, GL_RASTERIZER_DISCARD,
                                   GL_SCISSOR_TEST, GL_STENCIL_TEST};
  if (!gl.is_es) capabilities.insert(capabilities.end(), {GL_CLIP_DISTANCE1, GL_COLOR_LOGIC_OP, GL_FRAMEBUFFER_SRGB});
  for (const GLenum capability : capabilities) {
    CAPTURE(capability);
    draw();
    gl.Enable(capability);
    CHECK(target.finish().rgba == expected.rgba);
    // begin() saved this one.
    CHECK(gl.IsEnabled(capability) == (capability == GL_SCISSOR_TEST ? GL_FALSE : GL_TRUE));
    gl.Disable(capability);
  }
  draw();
  gl.Viewport(1, 2, 3, 4);
  set_color_mask(gl, {GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE});
  CHECK(target.finish().rgba == expected.rgba);
  if (gl.is_es) return;
  draw();
  GLuint query = 0, texture = 0;
  gl.GenQueries(1, &query);
  gl.BeginQuery(GL_SAMPLES_PASSED, query);
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  CHECK(target.finish().rgba == expected.rgba);
  gl.EndQuery(GL_SAMPLES_PASSED);
  GLuint samples = 0;
  gl.GetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
  CHECK(samples == 0);
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl.DeleteQueries(1, &query);
  gl.GenTextures(1, &texture);
  draw();
  gl.ActiveTexture(GL_TEXTURE2);
  gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
  CHECK(target.finish().rgba == expected.rgba);
  CHECK(get_name(gl, GL_ACTIVE_TEXTURE) == GL_TEXTURE2);
  CHECK(get_name(gl, GL_TEXTURE_BINDING_2D_MULTISAMPLE) == texture);
  gl.ActiveTexture(GL_TEXTURE0);
  CHECK(get_name(gl, GL_TEXTURE_BINDING_2D_MULTISAMPLE) == 0);
  CHECK(get_name(gl, GL_CURRENT_PROGRAM) == 0);
  CHECK(get_name(gl, GL_VERTEX_ARRAY_BINDING) == 0);
  gl.DeleteTextures(1, &texture);
}

TEST_CASE("begin clears to a premultiplied color every time", "[render]") {
  const Session session;
  for (const std::uint32_t samples : {1U, 4U}) {
    auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 3, 2, samples));
    target.begin({0.2F, 0.4F, 0.6F, 0.8F});
    const Bitmap first = target.finish();
    CHECK(first.width == 3);
    CHECK(first.height == 2);
    CHECK(first.rgba.size() == 24);
    CHECK(pixel(first, 2, 1) == Pixel{51, 102, 153, 204});
    target.begin();
    CHECK(target.finish().rgba == std::vector<std::uint8_t>(24, 0));
  }
}

TEST_CASE("the top row is read back first", "[render]") {
  const Session session;
  const Gl& gl = *session.gl;
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 5, 3));
  target.begin();
  gl.Enable(GL_SCISSOR_TEST);
  gl.Scissor(0, 2, 5, 1);
  gl.ClearColor(1, 0, 0, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT);
  const Bitmap image = target.finish();
  CHECK(pixel(image, 4, 0) == Pixel{255, 0, 0, 255});
  CHECK(pixel(image, 4, 1) == Pixel{0, 0, 0, 0});
  CHECK(pixel(image, 4, 2) == Pixel{0, 0, 0, 0});
}

TEST_CASE("send and receive return the same images as finish, in order, while others are drawn", "[render]") {
  Session session;
  const Gl& gl = *session.gl;
  auto character = Character::build(sliding_quad());
  REQUIRE(character);
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(*character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 30, 20, 4));
  const auto draw = [&](std::uint32_t frame) {
    target.begin({0, 0, 0.25F, 0.5F});
    const Instance instance{ClipId{1}, {frame, frame, 0}, {{0.9F, 0.2F, -0.2F, 0.9F, 0, 0}, {1, 1, 1, 0.75F}}};
    renderer.draw(model, instance, plain_camera(30, 20));
  };
  std::vector<Bitmap> expected;
  for (const std::uint32_t frame : {0U, 1U, 2U, 3U}) {
    draw(frame);
    expected.push_back(target.finish());
  }
  CHECK(expected[0].rgba != expected[1].rgba);

  GLuint bound = 0;
  gl.GenBuffers(1, &bound);
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, bound);
  Bitmap received{1, 1, {1, 2, 3, 4}};
  CHECK_FALSE(target.receive(received));
  CHECK(received.rgba.size() == 4);
  for (int round = 0; round < 2; ++round) {
    for (const std::uint32_t frame : {0U, 1U, 2U}) {
      draw(frame);
      target.send();
    }
    CHECK(target.in_flight() == 3);
    REQUIRE(target.receive(received));
    CHECK(received.rgba == expected[0].rgba);
    draw(3);
    target.send();
    for (const std::size_t frame : {1U, 2U, 3U}) {
      REQUIRE(target.receive(received));
      CHECK(received.width == 30);
      CHECK(received.height == 20);
      CHECK(received.rgba == expected[frame].rgba);
    }
    CHECK(target.in_flight() == 0);
  }
  CHECK(get_name(gl, GL_PIXEL_PACK_BUFFER_BINDING) == bound);
  CHECK(get_integer(gl, GL_DRAW_FRAMEBUFFER_BINDING) == 0);
  gl.DeleteBuffers(1, &bound);

  draw(0);
  target.send();  // Never received.
}

TEST_CASE("a target of impossible size is an error that names the largest size", "[render]") {
  const Session session;
  const std::pair<std::uint32_t, std::uint32_t> sizes[] = {{0, 4}, {4, 0}, {4'000'000'000U, 4}, {4, 4'000'000'000U}};
  for (const auto& [width, height] : sizes) {
    const auto target = OffscreenTarget::create(session.get_proc_address(), width, height);
    REQUIRE_FALSE(target);
    CHECK(target.error().message.find("this context allows 1 x 1 to ") != std::string::npos);
  }
}

TEST_CASE("targets nest", "[render]") {
  const Session session;
  auto outer = require_value(OffscreenTarget::create(session.get_proc_address(), 4, 4));
  auto inner = require_value(OffscreenTarget::create(session.get_proc_address(), 2, 2));
  outer.begin({1, 0, 0, 1});
  inner.begin({0, 1, 0, 1});
  CHECK(pixel(inner.finish(), 1, 1) == Pixel{0, 255, 0, 255});
  CHECK(get_integer(*session.gl, GL_DRAW_FRAMEBUFFER_BINDING) != 0);
  CHECK(pixel(outer.finish(), 3, 3) == Pixel{255, 0, 0, 255});
  CHECK(get_integer(*session.gl, GL_DRAW_FRAMEBUFFER_BINDING) == 0);
}

TEST_CASE("unpremultiply reverses premultiplication, up to rounding", "[render]") {
  Bitmap bitmap{4, 1, {100, 50, 0, 200, 10, 20, 30, 255, 0, 0, 0, 0, 200, 7, 1, 100}};
  unpremultiply(bitmap);
  CHECK(bitmap.rgba == std::vector<std::uint8_t>{128, 64, 0, 200, 10, 20, 30, 255, 0, 0, 0, 0, 255, 18, 3, 100});
}

}  // namespace offscreen_test

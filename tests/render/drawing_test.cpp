// SPDX-License-Identifier: MIT
// Colors, edges, filters and order of what is drawn.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

namespace drawing_test {
using namespace pchr;
using test::close;
using test::pixel;
using test::Pixel;

namespace {

constexpr std::uint32_t kSize = 32;

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

/// One bone at rest, and a quad per image, in this order.
struct Quad {
  Rect area;
  test::Rgba color;
};
CharacterData quads(std::initializer_list<Quad> list) {
  CharacterData data;
  data.bones.push_back({"root", BoneId::none});
  for (const Quad& quad : list) {
    data.images.push_back(test::plain_image(1, 1, quad.color));
    test::add_quad(data, "quad", static_cast<std::uint32_t>(data.images.size() - 1), quad.area, 0);
  }
  return data;
}

/// A context, a renderer and a target of kSize x kSize pixels.
struct Studio {
  test::Session session;
  Renderer renderer = session.renderer();
  OffscreenTarget target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kSize, kSize));
  Camera camera = test::plain_camera(kSize, kSize);
  std::array<float, 4> background{0, 0, 0, 0};
  Filter filter = Filter::trilinear;
  Appearance appearance;

  Bitmap draw(const Character& character, const DrawList& order) {
    Model model = test::require_value(renderer.upload(character));
    model.set_filter(filter);
    PoseBuffers posed;
    pose_bind(character, posed);
    target.begin(background);
    renderer.draw(model, posed.palette, order, camera, {appearance});
    return target.finish();
  }
  Bitmap draw(const Character& character) {
    DrawList order;
    for (const MeshId mesh : character.meshes().ids()) order.push_back({mesh, 1.0F});
    return draw(character, order);
  }
};

constexpr Rect kEverything{{-16, -16}, {16, 16}};

}  // namespace

TEST_CASE("a quad covers exactly its pixels, y up", "[render]") {
  Studio studio;
  const Bitmap image = studio.draw(build(quads({{{{-4, 2}, {6, 10}}, {10, 20, 30, 255}}})));
  for (std::uint32_t y = 0; y < kSize; ++y) {
    for (std::uint32_t x = 0; x < kSize; ++x) {
      const bool inside = x >= 12 && x < 22 && y >= 6 && y < 14;
      CHECK(pixel(image, x, y) == (inside ? Pixel{10, 20, 30, 255} : Pixel{0, 0, 0, 0}));
    }
  }
}

TEST_CASE("a camera with flip_y draws the world upside down", "[render]") {
  Studio studio;
  studio.camera.flip_y = true;
  const Bitmap image = studio.draw(build(quads({{{{-4, 2}, {6, 10}}, {10, 20, 30, 255}}})));
  CHECK(pixel(image, 16, 8) == Pixel{0, 0, 0, 0});
  CHECK(pixel(image, 16, 20) == Pixel{10, 20, 30, 255});
}

TEST_CASE("the top row of an image is drawn at v = 0", "[render]") {
  CharacterData data = quads({{kEverything, {0, 0, 0, 255}}});
  data.images[0] = {"rows", 1, 2, ImageEncoding::rgba8888, {}};
  for (const int value : {255, 0, 0, 255, 0, 0, 255, 255})
    data.images[0].bytes.push_back(static_cast<std::byte>(value));
  Studio studio;
  studio.filter = Filter::nearest;
  const Bitmap image = studio.draw(build(data));
  CHECK(pixel(image, 16, 2) == Pixel{255, 0, 0, 255});
  CHECK(pixel(image, 16, 29) == Pixel{0, 0, 255, 255});
}

TEST_CASE("translucent pixels blend as premultiplied colors, including alpha", "[render]") {
  Studio studio;
  studio.background = {0, 0.5F, 0, 0.5F};
  const Bitmap image = studio.draw(build(quads({{kEverything, {255, 0, 0, 128}}})));
  CHECK(close(pixel(image, 5, 5), {128, 64, 0, 192}));
}

TEST_CASE("tint is straight RGBA and multiplies color and alpha", "[render]") {
  Studio studio;
  studio.appearance.tint = {1.0F, 0.5F, 0.25F, 0.5F};
  const Bitmap image = studio.draw(build(quads({{kEverything, {200, 200, 200, 255}}})));
  CHECK(close(pixel(image, 5, 5), {100, 50, 25, 128}));
}

TEST_CASE("a mesh's opacity multiplies its alpha and the tint's", "[render]") {
  Studio studio;
  const Character character = build(quads({{kEverything, {200, 100, 40, 255}}}));
  CHECK(close(pixel(studio.draw(character, {{MeshId{0}, 0.25F}}), 5, 5), {50, 25, 10, 64}));
  CHECK(pixel(studio.draw(character, {{MeshId{0}, 0.0F}}), 5, 5) == Pixel{0, 0, 0, 0});
  studio.appearance.tint = {1, 1, 1, 0.5F};
  CHECK(close(pixel(studio.draw(character, {{MeshId{0}, 0.5F}}), 5, 5), {50, 25, 10, 64}));
}

TEST_CASE("meshes are drawn in the draw list's order", "[render]") {
  Studio studio;
  const Character character = build(quads({{{{-16, -16}, {4, 16}}, {255, 0, 0, 255}},
                                           {{{-4, -16}, {16, 16}}, {0, 255, 0, 255}},
                                           {{{-16, -4}, {16, 4}}, {0, 0, 255, 255}}}));
  const Pixel red{255, 0, 0, 255}, green{0, 255, 0, 255}, blue{0, 0, 255, 255}, nothing{0, 0, 0, 0};
  const Bitmap forwards = studio.draw(character, {{MeshId{0}}, {MeshId{1}}, {MeshId{2}}});
  CHECK(pixel(forwards, 16, 2) == green);
  CHECK(pixel(forwards, 16, 16) == blue);
  const Bitmap backwards = studio.draw(character, {{MeshId{2}}, {MeshId{1}}, {MeshId{0}}});
  CHECK(pixel(backwards, 16, 16) == red);
  CHECK(pixel(backwards, 30, 16) == green);
  const Bitmap partly = studio.draw(character, {{MeshId{1}}});
  CHECK(pixel(partly, 2, 16) == nothing);
  CHECK(studio.draw(character, {}).rgba == std::vector<std::uint8_t>(kSize * kSize * 4, 0));
}

TEST_CASE("statistics count the last draw", "[render]") {
  Studio studio;
  const Character character = build(quads({{kEverything, {255, 0, 0, 255}}, {kEverything, {0, 255, 0, 255}}}));
  CHECK(studio.renderer.statistics().draw_calls == 0);
  (void)studio.draw(character, {{MeshId{0}}, {MeshId{1}}, {MeshId{0}}});
  const bool indirect = studio.session.gl->VERSION_4_3 != 0;
  CHECK(studio.renderer.statistics().draw_calls == (indirect ? 1 : 3));
  CHECK(studio.renderer.statistics().triangles == 6);
  // A palette of one bone, and three records with looks, which choose the image, and commands.
  CHECK(studio.renderer.statistics().uploaded_bytes == 32 + 3 * (32 + 16 + (indirect ? 20 : 0)));
  (void)studio.draw(character, {{MeshId{1}}});
  CHECK(studio.renderer.statistics().draw_calls == 1);
  CHECK(studio.renderer.statistics().triangles == 2);
}

TEST_CASE("a soft edge has no dark fringe, whatever the color under transparent pixels", "[render]") {
  // White next to transparent black, straight alpha. Filtering before premultiplying would turn it gray.
  CharacterData data = quads({{kEverything, {0, 0, 0, 0}}});
  data.images[0] = {"edge", 4, 1, ImageEncoding::rgba8888, {}};
  for (const int value : {255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0}) {
    data.images[0].bytes.push_back(static_cast<std::byte>(value));
  }
  const Character character = build(data);
  Studio studio;
  studio.background = {1, 1, 1, 1};
  for (const Filter filter : {Filter::trilinear, Filter::bilinear, Filter::nearest}) {
    studio.filter = filter;
    for (const float zoom : {1.0F, 0.3F, 0.07F}) {
      studio.camera.zoom = zoom;
      const Bitmap image = studio.draw(character);
      for (std::uint32_t x = 0; x < kSize; ++x) CHECK(close(pixel(image, x, 16), {255, 255, 255, 255}));
    }
  }
}

TEST_CASE("the filters are nearest, bilinear, and bilinear between mipmaps", "[render]") {
  // A checkerboard of single pixels.
  constexpr std::uint32_t kImageSize = 64;
  CharacterData data = quads({{kEverything, {0, 0, 0, 0}}});
  data.images[0] = {"checks", kImageSize, kImageSize, ImageEncoding::rgba8888, {}};
  for (std::uint32_t i = 0; i < kImageSize * kImageSize; ++i) {
    const bool white = (i + i / kImageSize) % 2 == 0;
    for (int channel = 0; channel < 3; ++channel)
      data.images[0].bytes.push_back(std::byte{white ? std::uint8_t{255} : std::uint8_t{0}});
    data.images[0].bytes.push_back(std::byte{255});
  }
  const Character character = build(data);
  Studio studio;
  const auto count_gray = [&] {
    const Bitmap image = studio.draw(character);
    int gray = 0;
    for (std::uint32_t i = 0; i < kSize * kSize; ++i) {
      const int value = image.rgba[4 * i];
      if (image.rgba[4 * i + 3] == 255 && value > 8 && value < 247) ++gray;
    }
    return gray;
  };

  studio.camera.zoom = 12.3F;  // Magnified: texels are 6 pixels wide.
  studio.filter = Filter::nearest;
  CHECK(count_gray() == 0);
  studio.filter = Filter::bilinear;
  CHECK(count_gray() > 200);
  studio.filter = Filter::trilinear;
  CHECK(count_gray() > 200);

  studio.camera.zoom = 0.25F;  // Minified eight times: 8 x 8 pixels.
  studio.filter = Filter::nearest;
  CHECK(count_gray() == 0);
  studio.filter = Filter::trilinear;
  const Bitmap smooth = studio.draw(character);
  CHECK(close(pixel(smooth, 16, 16), {128, 128, 128, 255}, 2));
  CHECK(close(pixel(smooth, 13, 18), {128, 128, 128, 255}, 2));
}

TEST_CASE("images do not wrap around at their edges", "[render]") {
  CharacterData data = quads({{kEverything, {0, 0, 0, 0}}});
  data.images[0] = {"halves", 2, 1, ImageEncoding::rgba8888, {}};
  for (const int value : {255, 0, 0, 255, 0, 0, 255, 255})
    data.images[0].bytes.push_back(static_cast<std::byte>(value));
  const Character character = build(data);
  Studio studio;
  for (const Filter filter : {Filter::trilinear, Filter::bilinear, Filter::nearest}) {
    studio.filter = filter;
    const Bitmap image = studio.draw(character);
    CHECK(pixel(image, 0, 16) == Pixel{255, 0, 0, 255});
    CHECK(pixel(image, kSize - 1, 16) == Pixel{0, 0, 255, 255});
  }
}

TEST_CASE("an sRGB framebuffer gets the same values as a linear one", "[render]") {
  Studio studio;
  const Gl& gl = *studio.session.gl;
  const Character character = build(quads({{kEverything, {200, 100, 40, 128}}}));
  const Model model = test::require_value(studio.renderer.upload(character));
  PoseBuffers posed;
  pose_bind(character, posed);
  GLuint framebuffer = 0, texture = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  gl.Viewport(0, 0, kSize, kSize);
  const auto draw = [&] {
    gl.ClearColor(0, 0, 0, 0);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    studio.renderer.draw(model, posed, studio.camera);
    std::array<std::uint8_t, 4> rgba{};
    gl.ReadPixels(16, 16, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return Pixel{rgba[0], rgba[1], rgba[2], rgba[3]};
  };
  CHECK(close(draw(), {100, 50, 20, 128}));
  gl.Enable(GL_FRAMEBUFFER_SRGB);
  CHECK(close(draw(), {100, 50, 20, 128}));
  CHECK(gl.IsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE);
  gl.Disable(GL_FRAMEBUFFER_SRGB);
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl.DeleteFramebuffers(1, &framebuffer);
  gl.DeleteTextures(1, &texture);
}

TEST_CASE("the caller's scissor box and color mask limit what is drawn", "[render]") {
  Studio studio;
  const Gl& gl = *studio.session.gl;
  const Character character = build(quads({{kEverything, {255, 255, 255, 255}}}));
  const Model model = test::require_value(studio.renderer.upload(character));
  PoseBuffers posed;
  pose_bind(character, posed);
  studio.target.begin();
  gl.Enable(GL_SCISSOR_TEST);
  gl.Scissor(0, 0, 16, 32);
  gl.ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
  studio.renderer.draw(model, posed, studio.camera);
  gl.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  const Bitmap image = studio.target.finish();
  CHECK(pixel(image, 15, 16) == Pixel{255, 0, 255, 255});
  CHECK(pixel(image, 16, 16) == Pixel{0, 0, 0, 0});
}

}  // namespace drawing_test

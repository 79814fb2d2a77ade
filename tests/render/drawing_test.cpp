// SPDX-License-Identifier: MIT
// Colors, edges, filters and order of what is drawn.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>

namespace drawing_test {
namespace {

using namespace pchr;
using namespace pchr::test;

constexpr std::uint32_t kSize = 32;

/// One bone at rest, and a quad per image, in this order.
struct Quad {
  Rect area;
  test::Rgba color;
};
CharacterData quads(std::initializer_list<Quad> list) {
  CharacterData data;
  data.bones.push_back({"root", BoneId::none});
  for (const Quad& quad : list) {
    data.images.push_back(plain_image(1, 1, quad.color));
    add_quad(data, "quad", static_cast<std::uint32_t>(data.images.size() - 1), quad.area, 0);
  }
  return data;
}

/// A context, a renderer and a target of kSize x kSize pixels.
struct Studio {
  Session session;
  Renderer renderer = session.renderer();
  OffscreenTarget target = require_value(OffscreenTarget::create(session.get_proc_address(), kSize, kSize));
  Camera camera = plain_camera(kSize, kSize);
  std::array<float, 4> background{0, 0, 0, 0};
  Filter filter = Filter::trilinear;
  Appearance appearance;

  Bitmap draw(const Character& character, const DrawList& order) {
    Model model = require_value(renderer.upload(character));
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
  const Model model = require_value(studio.renderer.upload(character));
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
  const Model model = require_value(studio.renderer.upload(character));
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

// Blending encoded colors and linear light, on framebuffers of both kinds.

constexpr GLsizei kSide = 16;

// The sRGB transfer function as its standard defines it.
double decoded(int value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
int encoded(double light) {
  const double v = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(v * 255));
}

/// A square of one straight-alpha color that covers everything.
Character square(test::Rgba color) {
  CharacterData data;
  data.bones.push_back({"root", BoneId::none});
  data.images.push_back(plain_image(4, 4, color));
  add_quad(data, "square", 0, {{-8, -8}, {8, 8}}, 0);
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

/// A framebuffer of the given format, with GL_FRAMEBUFFER_SRGB in a state that a game could leave.
class Framebuffer {
 public:
  Framebuffer(const Gl& gl, GLenum format, bool srgb_enabled) : gl_(gl), is_float_(format == GL_RGBA16F) {
    gl_.GenTextures(1, &texture_);
    gl_.BindTexture(GL_TEXTURE_2D, texture_);
    gl_.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), kSide, kSide, 0, GL_RGBA,
                   is_float_ ? GL_HALF_FLOAT : GL_UNSIGNED_BYTE, nullptr);
    gl_.GenFramebuffers(1, &framebuffer_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    REQUIRE(gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    gl_.Viewport(0, 0, kSide, kSide);
    set_enabled(gl_, GL_FRAMEBUFFER_SRGB, srgb_enabled);
  }
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;
  ~Framebuffer() {
    gl_.Disable(GL_FRAMEBUFFER_SRGB);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl_.DeleteFramebuffers(1, &framebuffer_);
    gl_.DeleteTextures(1, &texture_);
  }

  /// Stores encoded values without conversion.
  void clear(const Pixel& pixel) const {
    const bool was_enabled = gl_.IsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE;
    gl_.Disable(GL_FRAMEBUFFER_SRGB);
    std::array<float, 4> color{};
    for (std::size_t i = 0; i < 4; ++i) color[i] = static_cast<float>(pixel[i]) / 255;
    gl_.ClearBufferfv(GL_COLOR, 0, color.data());
    set_enabled(gl_, GL_FRAMEBUFFER_SRGB, was_enabled);
  }
  /// Returns the stored values.
  [[nodiscard]] Pixel read() const {
    std::array<std::uint8_t, 4> rgba{};
    std::array<float, 4> floats{};
    const auto read = [&](GLenum type, void* pixel) {
      gl_.ReadPixels(kSide / 2, kSide / 2, 1, 1, GL_RGBA, type, pixel);
    };
    is_float_ ? read(GL_FLOAT, floats.data()) : read(GL_UNSIGNED_BYTE, rgba.data());
    if (is_float_) {
      std::ranges::transform(floats, rgba.begin(),
                             [](float value) { return static_cast<std::uint8_t>(std::lround(value * 255)); });
    }
    return {rgba[0], rgba[1], rgba[2], rgba[3]};
  }

 private:
  const Gl& gl_;
  bool is_float_;
  GLuint framebuffer_ = 0, texture_ = 0;
};

struct TwoSpaces {
  Session session;
  Renderer gamma = session.renderer();
  Renderer linear = require_value(Renderer::create(session.get_proc_address(), {.blend_space = BlendSpace::linear}));

  Pixel draw(Renderer& renderer, const Framebuffer& framebuffer, test::Rgba color, const Pixel& background,
             const Appearance& appearance = {}) const {
    const Model model = require_value(renderer.upload(square(color)));
    framebuffer.clear(background);
    const Instance instance{ClipId::none, {}, appearance};
    renderer.draw(model, instance, plain_camera(kSide, kSide));
    return framebuffer.read();
  }
};

constexpr test::Rgba kOpaque[] = {{200, 100, 40, 255}, {1, 2, 3, 255}, {255, 254, 0, 255}, {17, 128, 186, 255}};

TEST_CASE("opaque pixels come out as authored in both blend spaces, whatever GL_FRAMEBUFFER_SRGB was", "[render]") {
  TwoSpaces studio;
  for (const bool enabled : {false, true}) {
    const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, enabled);
    for (const test::Rgba& color : kOpaque) {
      const Pixel authored{color[0], color[1], color[2], 255};
      CHECK(studio.draw(studio.gamma, framebuffer, color, {0, 0, 0, 255}) == authored);
      CHECK(close(studio.draw(studio.linear, framebuffer, color, {0, 0, 0, 255}), authored));
      CHECK((studio.session.gl->IsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE) == enabled);
    }
  }
}

TEST_CASE("a translucent pixel over a background follows its blend space, within 1/255", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, true);
  const Pixel background{30, 220, 128, 255};
  for (const test::Rgba color :
       {test::Rgba{200, 100, 40, 128}, test::Rgba{255, 255, 255, 128}, test::Rgba{250, 10, 40, 204}}) {
    const double alpha = color[3] / 255.0;
    Pixel as_values{0, 0, 0, 255}, as_light{0, 0, 0, 255};
    for (std::size_t i = 0; i < 3; ++i) {
      as_values[i] = static_cast<int>(std::lround(color[i] * alpha + background[i] * (1 - alpha)));
      as_light[i] = encoded(decoded(color[i]) * alpha + decoded(background[i]) * (1 - alpha));
    }
    CHECK(close(studio.draw(studio.gamma, framebuffer, color, background), as_values));
    CHECK(close(studio.draw(studio.linear, framebuffer, color, background), as_light));
    CHECK_FALSE(close(as_values, as_light, 4));
  }
}

TEST_CASE("white over black at half alpha is 128 in gamma space and 188 in linear light", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, false);
  CHECK(close(studio.draw(studio.gamma, framebuffer, {255, 255, 255, 128}, {0, 0, 0, 255}), {128, 128, 128, 255}));
  CHECK(close(studio.draw(studio.linear, framebuffer, {255, 255, 255, 128}, {0, 0, 0, 255}), {188, 188, 188, 255}));
}

TEST_CASE("a tint is an encoded color, decoded for linear light except for its alpha", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, true);
  const Appearance tinted{kIdentity, {128 / 255.0F, 1, 0, 1}};
  CHECK(close(studio.draw(studio.gamma, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255}, tinted), {100, 100, 0, 255}));
  CHECK(close(studio.draw(studio.linear, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255}, tinted),
              {encoded(decoded(200) * decoded(128)), 100, 0, 255}));
  const Appearance faded{kIdentity, {1, 1, 1, 128 / 255.0F}};
  CHECK(close(studio.draw(studio.linear, framebuffer, {255, 255, 255, 255}, {0, 0, 0, 255}, faded),
              {188, 188, 188, 255}));
}

TEST_CASE("linear light is written unchanged to a linear framebuffer", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_RGBA16F, false);
  const Pixel stored = studio.draw(studio.linear, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255});
  const auto light = [](int value) { return static_cast<int>(std::lround(decoded(value) * 255)); };
  CHECK(close(stored, {light(200), light(100), light(40), 255}));
}

TEST_CASE("a skin's images and tints blend in the renderer's space", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, true);
  const Model model = require_value(studio.linear.upload(square({0, 0, 0, 255})));
  SkinData data;
  part_of(data, MeshId{0}).image = add_image(data, model.character(), {1, 1, {200, 100, 40, 255}});
  part_of(data, MeshId{0}).tint = {1, 128 / 255.0F, 1, 1};
  const Skin skin = require_value(studio.linear.upload_skin(model, data));
  framebuffer.clear({0, 0, 0, 255});
  const Instance instance{ClipId::none, {}, {}, &skin};
  studio.linear.draw(model, instance, plain_camera(kSide, kSide));
  CHECK(close(framebuffer.read(), {200, encoded(decoded(100) * decoded(128)), 40, 255}));
}

TEST_CASE("a posed character blends in the renderer's space", "[render]") {
  TwoSpaces studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, false);
  const Model model = require_value(studio.linear.upload(square({255, 255, 255, 128})));
  PoseBuffers posed;
  pose_bind(model.character(), posed);
  framebuffer.clear({0, 0, 0, 255});
  studio.linear.draw(model, posed, plain_camera(kSide, kSide));
  CHECK(close(framebuffer.read(), {188, 188, 188, 255}));
}

}  // namespace
}  // namespace drawing_test

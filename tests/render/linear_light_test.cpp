// SPDX-License-Identifier: MIT
// Blending encoded colors and linear light, on framebuffers of both kinds.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>

namespace linear_light_test {
using namespace pchr;
using test::Pixel;

namespace {

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
  data.images.push_back(test::plain_image(4, 4, color));
  test::add_quad(data, "square", 0, {{-8, -8}, {8, 8}}, 0);
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

struct Studio {
  test::Session session;
  Renderer gamma = session.renderer();
  Renderer linear =
      test::require_value(Renderer::create(session.get_proc_address(), {.blend_space = BlendSpace::linear}));

  Pixel draw(Renderer& renderer, const Framebuffer& framebuffer, test::Rgba color, const Pixel& background,
             const Appearance& appearance = {}) const {
    const Model model = test::require_value(renderer.upload(square(color)));
    framebuffer.clear(background);
    const Instance instance{ClipId::none, {}, appearance};
    renderer.draw(model, instance, test::plain_camera(kSide, kSide));
    return framebuffer.read();
  }
};

constexpr test::Rgba kOpaque[] = {{200, 100, 40, 255}, {1, 2, 3, 255}, {255, 254, 0, 255}, {17, 128, 186, 255}};

}  // namespace

TEST_CASE("opaque pixels come out as authored in both blend spaces, whatever GL_FRAMEBUFFER_SRGB was", "[render]") {
  Studio studio;
  for (const bool enabled : {false, true}) {
    const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, enabled);
    for (const test::Rgba& color : kOpaque) {
      const Pixel authored{color[0], color[1], color[2], 255};
      CHECK(studio.draw(studio.gamma, framebuffer, color, {0, 0, 0, 255}) == authored);
      CHECK(test::close(studio.draw(studio.linear, framebuffer, color, {0, 0, 0, 255}), authored));
      CHECK((studio.session.gl->IsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE) == enabled);
    }
  }
}

TEST_CASE("a translucent pixel over a background follows its blend space, within 1/255", "[render]") {
  Studio studio;
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
    CHECK(test::close(studio.draw(studio.gamma, framebuffer, color, background), as_values));
    CHECK(test::close(studio.draw(studio.linear, framebuffer, color, background), as_light));
    CHECK_FALSE(test::close(as_values, as_light, 4));
  }
}

TEST_CASE("white over black at half alpha is 128 in gamma space and 188 in linear light", "[render]") {
  Studio studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, false);
  CHECK(
      test::close(studio.draw(studio.gamma, framebuffer, {255, 255, 255, 128}, {0, 0, 0, 255}), {128, 128, 128, 255}));
  CHECK(
      test::close(studio.draw(studio.linear, framebuffer, {255, 255, 255, 128}, {0, 0, 0, 255}), {188, 188, 188, 255}));
}

TEST_CASE("a tint is an encoded color, decoded for linear light except for its alpha", "[render]") {
  Studio studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, true);
  const Appearance tinted{kIdentity, {128 / 255.0F, 1, 0, 1}};
  CHECK(test::close(studio.draw(studio.gamma, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255}, tinted),
                    {100, 100, 0, 255}));
  CHECK(test::close(studio.draw(studio.linear, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255}, tinted),
                    {encoded(decoded(200) * decoded(128)), 100, 0, 255}));
  const Appearance faded{kIdentity, {1, 1, 1, 128 / 255.0F}};
  CHECK(test::close(studio.draw(studio.linear, framebuffer, {255, 255, 255, 255}, {0, 0, 0, 255}, faded),
                    {188, 188, 188, 255}));
}

TEST_CASE("linear light is written unchanged to a linear framebuffer", "[render]") {
  Studio studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_RGBA16F, false);
  const Pixel stored = studio.draw(studio.linear, framebuffer, {200, 100, 40, 255}, {0, 0, 0, 255});
  const auto light = [](int value) { return static_cast<int>(std::lround(decoded(value) * 255)); };
  CHECK(test::close(stored, {light(200), light(100), light(40), 255}));
}

TEST_CASE("a skin's images and tints blend in the renderer's space", "[render]") {
  Studio studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, true);
  const Model model = test::require_value(studio.linear.upload(square({0, 0, 0, 255})));
  SkinData data;
  part_of(data, MeshId{0}).image = add_image(data, model.character(), {1, 1, {200, 100, 40, 255}});
  part_of(data, MeshId{0}).tint = {1, 128 / 255.0F, 1, 1};
  const Skin skin = test::require_value(studio.linear.upload_skin(model, data));
  framebuffer.clear({0, 0, 0, 255});
  const Instance instance{ClipId::none, {}, {}, &skin};
  studio.linear.draw(model, instance, test::plain_camera(kSide, kSide));
  CHECK(test::close(framebuffer.read(), {200, encoded(decoded(100) * decoded(128)), 40, 255}));
}

TEST_CASE("a posed character blends in the renderer's space", "[render]") {
  Studio studio;
  const Framebuffer framebuffer(*studio.session.gl, GL_SRGB8_ALPHA8, false);
  const Model model = test::require_value(studio.linear.upload(square({255, 255, 255, 128})));
  PoseBuffers posed;
  pose_bind(model.character(), posed);
  framebuffer.clear({0, 0, 0, 255});
  studio.linear.draw(model, posed, test::plain_camera(kSide, kSide));
  CHECK(test::close(framebuffer.read(), {188, 188, 188, 255}));
}

}  // namespace linear_light_test

// SPDX-License-Identifier: MIT
// Colors, blend modes, depth and fragment hooks, in crowds and on posed characters.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"
#include "stage.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace looks_render_test {
using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::uint32_t kMiddle = kStageSide / 2;

/// A square of one straight color per image, all from (-16, -16) to (16, 16).
Character squares(std::initializer_list<test::Rgba> colors) {
  CharacterData data;
  data.bones.push_back({"root", BoneId::none});
  for (const test::Rgba& color : colors) {
    data.images.push_back(plain_image(2, 2, color));
    add_quad(data, "square", static_cast<std::uint32_t>(data.images.size() - 1), {{-16, -16}, {16, 16}}, 0);
  }
  return build(std::move(data));
}

/// Draws one instance over `background` and returns the middle pixel.
struct OnePixel : Stage {
  Renderer renderer = session.renderer();
  std::array<float, 4> background{};

  Pixel draw(const Character& character, const Appearance& appearance, const SkinData& skin_data = {}) {
    const Model model = require_value(renderer.upload(character));
    const Skin skin = require_value(renderer.upload_skin(model, skin_data));
    target.begin(background);
    renderer.draw(model, {.appearance = appearance, .skin = &skin}, camera);
    const Pixel baked = pixel(target.finish(), kMiddle, kMiddle);
    PoseBuffers posed;
    pose_bind(character, posed);
    target.begin(background);
    renderer.draw(model, posed, camera, {.appearance = appearance, .skin = &skin});
    CHECK(pixel(target.finish(), kMiddle, kMiddle) == baked);
    return baked;
  }
};

float number(std::mt19937& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random() % 65536) / 65535.0F;
}

/// Instances at random places and times. A part of them have random colors, blend modes, effects or skins.
std::vector<Instance> random_crowd(const Character& character, std::size_t count, std::span<const Skin* const> skins,
                                   bool every_blend = true) {
  std::mt19937 random(11);
  const Rect bounds = compute_character_bounds(character);
  const float scale = 40.0F / std::max({bounds.size().x, bounds.size().y, 1.0F});
  std::vector<Instance> crowd(count);
  for (Instance& instance : crowd) {
    instance.clip = ClipId(random() % character.clips().size());
    instance.position = clip_time(character.clips()[instance.clip], static_cast<double>(number(random, 0, 10)),
                                  random() % 2 == 0 ? Sampling::step : Sampling::smooth);
    Appearance& look = instance.appearance;
    look.placement = placement({number(random, -110, 110), number(random, -110, 110)}, number(random, 0, 360),
                               scale * number(random, 0.3F, 1.5F));
    if (random() % 3 == 0) look.tint = {number(random, 0, 1), number(random, 0, 1), number(random, 0, 1), 0.7F};
    if (random() % 3 == 0) look.dark_tint = {number(random, 0, 1), number(random, 0, 1), number(random, 0, 1)};
    if (random() % 3 == 0) look.additive = {number(random, 0, 1), 0, number(random, 0, 1)};
    if (random() % 3 == 0) look.blend = static_cast<Blend>(random() % (every_blend ? 4 : 2));
    if (random() % 3 == 0) look.effect = {number(random, 0, 1), number(random, 0, 1)};
    const std::size_t choice = random() % (skins.size() + 1);
    if (choice < skins.size()) instance.skin = skins[choice];
  }
  return crowd;
}

/// A skin in which every mesh shows one of the character's images in one color, and some have looks of their own.
SkinData colored_skin(const Character& character, std::array<std::uint8_t, 3> color) {
  SkinData skin{"colored", {}, {}};
  std::vector<ImageId> images;
  std::vector<Bitmap> bitmaps = decode_images(character).value();
  for (Bitmap& bitmap : bitmaps) {
    for (std::size_t i = 0; i < bitmap.rgba.size(); ++i) {
      if (i % 4 < 3) bitmap.rgba[i] = static_cast<std::uint8_t>(bitmap.rgba[i] * color[i % 4] / 255);
    }
    images.push_back(add_image(skin, character, std::move(bitmap)));
  }
  for (const MeshId mesh : character.meshes().ids()) {
    part_of(skin, mesh).image = images[index(character.meshes()[mesh].image)];
  }
  return skin;
}

}  // namespace

TEST_CASE("an additive color adds to straight colors up to white, scaled by alpha", "[render]") {
  OnePixel one;
  CHECK(close(one.draw(squares({{100, 50, 0, 255}}), {.additive = {0.2F, 0, 1}}), {151, 50, 255, 255}));
  CHECK(close(one.draw(squares({{100, 50, 0, 128}}), {.additive = {1, 1, 1}}), {128, 128, 128, 128}));
  CHECK(close(one.draw(squares({{100, 50, 0, 255}}), {.tint = {1, 1, 1, 0.5F}, .additive = {0, 1, 0}}),
              {50, 128, 0, 128}));
  CHECK(one.draw(squares({{100, 50, 0, 0}}), {.additive = {1, 1, 1}}) == Pixel{0, 0, 0, 0});
}

TEST_CASE("the dark tint is what black becomes, and the tint what white becomes", "[render]") {
  OnePixel one;
  const Appearance look{.tint = {1, 0.5F, 0, 1}, .dark_tint = {0, 0.25F, 1}};
  CHECK(close(one.draw(squares({{0, 0, 0, 255}}), look), {0, 64, 255, 255}));
  CHECK(close(one.draw(squares({{255, 255, 255, 255}}), look), {255, 128, 0, 255}));
  CHECK(close(one.draw(squares({{128, 128, 128, 255}}), look), {128, 96, 127, 255}));
  CHECK(close(one.draw(squares({{0, 0, 0, 128}}), look), {0, 32, 128, 128}));
}

TEST_CASE("in linear light, colors are decoded like the tint", "[render]") {
  OnePixel one;
  one.renderer = require_value(Renderer::create(one.session.get_proc_address(), {.blend_space = BlendSpace::linear}));
  // The framebuffer stores light. 0.5 and 188/255 are 0.214 and 0.503 of it.
  CHECK(close(one.draw(squares({{0, 0, 0, 255}}), {.dark_tint = {0.5F, 0, 1}}), {55, 0, 255, 255}));
  CHECK(close(one.draw(squares({{188, 0, 0, 255}}), {.additive = {0.5F, 0.5F, 0}}), {183, 55, 0, 255}));
  CHECK(close(one.draw(squares({{188, 188, 188, 255}}), {.tint = {1, 1, 0.5F, 1}, .dark_tint = {0.5F, 0, 0}}),
              {155, 128, 27, 255}));
}

TEST_CASE("blend modes add, multiply and screen, on opaque and transparent framebuffers", "[render]") {
  OnePixel one;
  const Character red = squares({{200, 100, 0, 128}});  // Premultiplied: 100, 50, 0, 128.
  const auto draw = [&](Blend blend, std::array<float, 4> background) {
    one.background = background;
    return one.draw(red, {.blend = blend});
  };
  const std::array<float, 4> opaque{0.4F, 0.8F, 0.2F, 1}, nothing{}, half{0.2F, 0.4F, 0.1F, 0.5F};
  CHECK(close(draw(Blend::normal, opaque), {151, 152, 25, 255}));
  CHECK(close(draw(Blend::add, opaque), {202, 254, 51, 255}));
  CHECK(close(draw(Blend::multiply, opaque), {91, 142, 25, 255}));
  CHECK(close(draw(Blend::screen, opaque), {162, 214, 51, 255}));
  CHECK(close(draw(Blend::add, nothing), {100, 50, 0, 0}));
  CHECK(draw(Blend::multiply, nothing) == Pixel{0, 0, 0, 0});
  CHECK(close(draw(Blend::screen, nothing), {100, 50, 0, 128}));
  CHECK(close(draw(Blend::add, half), {151, 152, 25, 128}));
  CHECK(close(draw(Blend::multiply, half), {45, 71, 12, 128}));
  CHECK(close(draw(Blend::screen, half), {131, 132, 25, 191}));
}

TEST_CASE("a mesh and a skin have looks of their own", "[render]") {
  OnePixel one;
  const Character two = squares({{100, 100, 100, 255}, {50, 0, 0, 255}});
  SkinData skin;
  part_of(skin, MeshId{1}).blend = Blend::add;
  part_of(skin, MeshId{0}).additive = {0, 0.2F, 0};
  CHECK(close(one.draw(two, {}, skin), {150, 151, 100, 255}));
  CHECK(close(one.draw(two, {.dark_tint = {0, 0, 1}}, skin), {150, 151, 255, 255}));

  const Model model = require_value(one.renderer.upload(two));
  PoseBuffers posed;
  pose_bind(two, posed);
  const DrawList list{{.mesh = MeshId{0}, .additive = {0, 0, 0.2F}}, {.mesh = MeshId{1}, .blend = Blend::screen}};
  one.target.begin();
  one.renderer.draw(model, posed.palette, list, one.camera);
  CHECK(close(pixel(one.target.finish(), kMiddle, kMiddle), {130, 100, 151, 255}));
}

TEST_CASE("a crowd with random looks is bit-identical to drawing each alone, with any version of OpenGL", "[render]") {
  Stage stage;
  auto newest = stage.session.renderer({.bake_bytes_per_draw = kBakesAll});
  auto old = old_renderer(stage.session, {.bake_bytes_per_draw = kBakesAll});
  for (const char* name : {"kiri.pchr", "quad.pchr"}) {
    INFO(name);
    const Character character = load_asset(name);
    Bitmap expected;
    for (Renderer* renderer : {&newest, &old}) {
      const Model model = require_value(renderer->upload(character));
      SkinData half_looks = colored_skin(character, {120, 255, 90});
      for (std::uint32_t mesh = 0; mesh < character.meshes().size(); mesh += 4) {
        part_of(half_looks, MeshId{mesh}).blend = Blend::screen;
        part_of(half_looks, MeshId{mesh}).dark_tint = {0.1F, 0.2F, 0.6F};
      }
      const Skin first = require_value(renderer->upload_skin(model, half_looks));
      const Skin second = require_value(renderer->upload_skin(model, colored_skin(character, {255, 80, 80})));
      const Skin* const skins[] = {&first, &second};
      const auto crowd = random_crowd(character, 150, skins);
      if (renderer == &newest) expected = stage.one_by_one(newest, model, crowd);
      CHECK(stage.together(*renderer, model, crowd).rgba == expected.rgba);
      CHECK(renderer->statistics().posed == 0);
      std::vector<Instance> few(crowd.begin(), crowd.begin() + 20);
      for (Instance& instance : few) instance.position.factor = 0;
      CHECK(difference(stage.together(*renderer, model, few), stage.posed(*renderer, model, few), 1).largest <= 2);
    }
  }
}

TEST_CASE("thousands of characters with flashes, glows and eight skins with images are one draw call", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = build(sliding_quad());
  const Model model = require_value(renderer.upload(character));
  std::vector<Skin> skins;
  const auto add_skins = [&](std::size_t count) {
    while (skins.size() < count) {
      SkinData data{"small", {}, {}};
      const auto shade = static_cast<std::uint8_t>(skins.size() * 5);
      const ImageId image = add_image(data, character, {1, 1, {shade, shade, shade, 255}});
      for (const MeshId mesh : character.meshes().ids()) part_of(data, mesh).image = image;
      skins.push_back(require_value(renderer.upload_skin(model, data)));
    }
  };
  std::mt19937 random(5);
  std::vector<Instance> crowd(3'000);
  for (std::uint32_t i = 0; i < crowd.size(); ++i) {
    crowd[i].appearance.placement = placement({static_cast<float>(i % 100) - 50, 0}, 0, 0.1F);
    if (i % 7 == 0) crowd[i].appearance.additive = {1, 1, 1};
    if (i % 11 == 0) crowd[i].appearance.blend = Blend::add;
  }
  const auto calls_with = [&](std::size_t count) {
    add_skins(count);
    for (Instance& instance : crowd) {
      const std::size_t choice = random() % (count + 1);
      instance.skin = choice < count ? &skins[choice] : nullptr;
    }
    (void)stage.together(renderer, model, crowd);
    CHECK(renderer.statistics().instances == 3'000);
    return renderer.statistics().draw_calls;
  };
  if (stage.session.gl->VERSION_4_3 == 0) {
    WARN("skipped: this context has no indirect drawing");
    return;
  }
  CHECK(calls_with(0) == 1);
  CHECK(calls_with(8) == 1);
  CHECK(calls_with(14) == 1);
  CHECK(calls_with(40) < 200);
}

TEST_CASE("colors in a plain crowd cost 16 bytes more per instance, and plain crowds nothing", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = build(sliding_quad());
  const Model model = require_value(renderer.upload(character));
  std::vector<Instance> crowd(100);
  (void)stage.together(renderer, model, crowd);
  const std::uint64_t plain = renderer.statistics().uploaded_bytes;
  crowd[50].appearance.additive = {1, 0, 0};
  (void)stage.together(renderer, model, crowd);
  CHECK(renderer.statistics().uploaded_bytes == plain + 100 * 16);
}

TEST_CASE("instances are hidden behind a wall's depth, and hide what is drawn behind them later", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Gl& gl = *stage.session.gl;
  const Character character = squares({{200, 0, 0, 255}, {0, 200, 0, 255}});  // Green in front of red.
  const Model model = require_value(renderer.upload(character));
  const auto draw = [&](std::initializer_list<std::pair<float, DepthMode>> depths) {
    stage.target.begin();
    const GLfloat farthest = 1;
    gl.DepthMask(GL_TRUE);
    gl.ClearBufferfv(GL_DEPTH, 0, &farthest);
    // The right half has a wall at window depth 0.5, which is 0 in device coordinates.
    const GLfloat wall = 0.5F;
    gl.Enable(GL_SCISSOR_TEST);
    gl.Scissor(kMiddle, 0, kMiddle, 2 * kMiddle);
    gl.ClearBufferfv(GL_DEPTH, 0, &wall);
    gl.Disable(GL_SCISSOR_TEST);
    float shade = 1;
    for (const auto& [depth, mode] : depths) {
      const Instance instance{.appearance = {.tint = {1, shade, 1, 1}, .depth = depth}};
      renderer.draw(model, instance, stage.camera, StateHandling::restore, mode);
      shade /= 2;
    }
    CHECK(get_integer(gl, GL_DEPTH_TEST) == 0);
    const Bitmap image = stage.target.finish();
    return std::pair(pixel(image, kMiddle - 8, kMiddle), pixel(image, kMiddle + 8, kMiddle));
  };
  const Pixel green{0, 200, 0, 255}, darker{0, 100, 0, 255}, nothing{};
  CHECK(draw({{0.5F, DepthMode::test}}) == std::pair(green, nothing));
  CHECK(draw({{-0.5F, DepthMode::test}}) == std::pair(green, green));
  CHECK(draw({{0, DepthMode::test}}) == std::pair(green, green));
  CHECK(draw({{0.5F, DepthMode::off}}) == std::pair(green, green));
  CHECK(draw({{0.2F, DepthMode::test}, {0.4F, DepthMode::test}}) == std::pair(darker, nothing));
  CHECK(draw({{0.2F, DepthMode::test_and_write}, {0.4F, DepthMode::test}}) == std::pair(green, nothing));
  CHECK(draw({{-0.2F, DepthMode::test_and_write}, {-0.4F, DepthMode::test}}) == std::pair(darker, darker));
  CHECK(draw({{-0.2F, DepthMode::test_and_write}, {-0.2F, DepthMode::test}}) == std::pair(darker, darker));
}

TEST_CASE("a wall between two characters covers one of them, in a crowd and posed", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Gl& gl = *stage.session.gl;
  const Character character = load_asset("kiri.pchr");
  const Model model = require_value(renderer.upload(character));
  stage.camera = fit(stage.camera, compute_character_bounds(character), 0.2F);
  const Instance two[] = {{.appearance = {.placement = placement({-60, 0}), .depth = 0.5F}},
                          {.appearance = {.placement = placement({60, 0}), .depth = -0.5F}}};
  const auto draw = [&](bool is_posed, DepthMode mode) {
    stage.target.begin({0.3F, 0.5F, 0.8F, 1});
    const GLfloat farthest = 1, wall_depth = 0.5F, wall[] = {0.5F, 0.4F, 0.3F, 1};
    gl.DepthMask(GL_TRUE);
    gl.ClearBufferfv(GL_DEPTH, 0, &farthest);
    gl.Enable(GL_SCISSOR_TEST);
    gl.Scissor(0, 0, 2 * kMiddle, kMiddle);
    gl.ClearBufferfv(GL_COLOR, 0, wall);
    gl.ClearBufferfv(GL_DEPTH, 0, &wall_depth);
    gl.Disable(GL_SCISSOR_TEST);
    if (!is_posed) renderer.draw(model, two, stage.camera, StateHandling::restore, mode);
    for (const Instance& instance : two) {
      PoseBuffers posed;
      pose_bind(character, posed);
      if (is_posed) renderer.draw(model, posed, stage.camera, {.appearance = instance.appearance, .depth = mode});
    }
    return stage.target.finish();
  };
  write_png(output("wall.png"), draw(false, DepthMode::test_and_write));
  CHECK(difference(draw(false, DepthMode::test_and_write), draw(true, DepthMode::test_and_write), 1).largest <= 1);
  const Bitmap image = draw(false, DepthMode::test);
  const Bitmap without = draw(false, DepthMode::off);
  std::size_t covered = 0;
  for (std::uint32_t y = 0; y < 2 * kMiddle; ++y) {
    for (std::uint32_t x = 0; x < 2 * kMiddle; ++x) {
      if (close(pixel(image, x, y), pixel(without, x, y))) continue;
      ++covered;
      CHECK(y >= kMiddle - 1);
    }
  }
  CHECK(covered > 500);
}

TEST_CASE("almost transparent pixels write no depth", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Gl& gl = *stage.session.gl;
  const auto covers = [&](std::uint8_t alpha, float opacity) {
    const Model front = require_value(renderer.upload(squares({{255, 0, 0, alpha}})));
    const Model back = require_value(renderer.upload(squares({{0, 0, 255, 255}})));
    stage.target.begin();
    const GLfloat farthest = 1;
    gl.DepthMask(GL_TRUE);
    gl.ClearBufferfv(GL_DEPTH, 0, &farthest);
    renderer.draw(front, {.appearance = {.tint = {1, 1, 1, opacity}, .depth = -0.5F}}, stage.camera,
                  StateHandling::restore, DepthMode::test_and_write);
    renderer.draw(back, Instance{}, stage.camera, StateHandling::restore, DepthMode::test);
    return pixel(stage.target.finish(), kMiddle, kMiddle)[2] < 255;
  };
  CHECK(covers(255, 1));
  CHECK(covers(40, 1));
  CHECK_FALSE(covers(24, 1));
  CHECK_FALSE(covers(0, 1));
  CHECK(covers(255, 0.05F));
}

TEST_CASE("a fragment hook sees the color, coordinates, position, effects and values", "[render]") {
  Stage stage;
  const auto draw = [&](const char* body, const Appearance& appearance, bool is_posed = false) {
    auto renderer = require_value(Renderer::create(stage.session.get_proc_address(), {.fragment_main = body}));
    renderer.set_effect_values({0.1F, 0.2F, 0.3F, 0.4F});
    const Model model = require_value(renderer.upload(squares({{200, 100, 50, 255}})));
    const Instance instance{.appearance = appearance};
    return is_posed ? stage.posed(renderer, model, {&instance, 1}) : stage.together(renderer, model, {&instance, 1});
  };
  const Appearance half{.tint = {1, 1, 1, 0.5F}, .effect = {0.25F, 0.75F}};
  for (const bool is_posed : {false, true}) {
    CHECK(close(pixel(draw("return color;", half, is_posed), kMiddle, kMiddle), {100, 50, 25, 128}));
    CHECK(close(pixel(draw("return vec4(effect, 0.0, 1.0);", half, is_posed), kMiddle, kMiddle), {64, 191, 0, 255}));
  }
  CHECK(close(pixel(draw("return effect_values;", {}), kMiddle, kMiddle), {26, 51, 77, 102}));
  CHECK(close(pixel(draw("return vec4(image_texel(uv).rgb, 1.0);", half), kMiddle, kMiddle), {200, 100, 50, 255}));
  CHECK(close(pixel(draw("return vec4(image_size() / 4.0, 0.0, 1.0);", {}), kMiddle, kMiddle), {128, 128, 0, 255}));
  // The square spans 32 pixels; the pixel right of the middle and below it has its center half a pixel further.
  CHECK(close(pixel(draw("return vec4(uv, 0.0, 1.0);", {}), kMiddle + 7, kMiddle), {187, 131, 0, 255}, 1));
  const Appearance moved{.placement = placement({10, 0})};
  CHECK(close(pixel(draw("return vec4(world.x / 32.0, -world.y, 0.0, 1.0);", moved), kMiddle + 8, kMiddle),
              {68, 128, 0, 255}));
  CHECK(draw("discard;\nreturn color;", {}).rgba == std::vector<std::uint8_t>(std::size_t{160} * 160 * 4, 0));
}

TEST_CASE("a hook that the driver rejects is an error with its line", "[render]") {
  Session session;
  const auto renderer = Renderer::create(session.get_proc_address(), {.fragment_main = "vec4 a = color;\n\nreturn b;"});
  REQUIRE_FALSE(renderer);
  CHECK_THAT(renderer.error().message, contains("the driver rejected fragment_main"));
  CHECK_THAT(renderer.error().message, contains(":3("));
  CHECK_FALSE(session.take_messages().empty());
}

TEST_CASE("crowds with a hook and many images are bit-identical to drawing each instance alone", "[render]") {
  Stage stage;
  const RendererOptions options{.bake_bytes_per_draw = kBakesAll,
                                .fragment_main =
                                    "if (effect.x > 0.5) return image_texel(uv + 0.01) * effect.y;\n"
                                    "return color * (0.5 + 0.5 * effect_values.x);"};
  auto newest = require_value(Renderer::create(stage.session.get_proc_address(), options));
  auto old = old_renderer(stage.session, options);
  const Character character = load_asset("kiri.pchr");
  Bitmap expected;
  for (Renderer* renderer : {&newest, &old}) {
    const Model model = require_value(renderer->upload(character));
    const Skin skin = require_value(renderer->upload_skin(model, colored_skin(character, {90, 255, 255})));
    const Skin* const skins[] = {&skin};
    const auto crowd = random_crowd(character, 150, skins);
    if (renderer == &newest) expected = stage.one_by_one(newest, model, crowd);
    CHECK(stage.together(*renderer, model, crowd).rgba == expected.rgba);
  }
}

TEST_CASE("an outline surrounds a character, and a dissolve removes as much as its effect says", "[render]") {
  const Session session;
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 480, 320));
  const Character character = load_asset("kiri.pchr");
  // Each is drawn twice: with its effect, then plain if its other effect is 1.
  const auto draw = [&](const char* body, const char* name) {
    auto renderer = require_value(Renderer::create(session.get_proc_address(), {.fragment_main = body}));
    renderer.set_effect_values({1, 0.9F, 0.2F, 1});
    const Model model = require_value(renderer.upload(character));
    std::vector<Instance> row(6);
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i].appearance.placement = placement({-160 + 160 * static_cast<float>(i / 2), 0}, 0, 0.3F);
      row[i].appearance.effect = {static_cast<float>(i / 2) / 2, static_cast<float>(i % 2)};
    }
    target.begin({0.25F, 0.3F, 0.35F, 1});
    renderer.draw(model, row, plain_camera(480, 320));
    Bitmap image = target.finish();
    write_png(output(name), image);
    return image;
  };
  const auto differing = [&](const Bitmap& a, const Bitmap& b, std::uint32_t third) {
    std::size_t count = 0;
    for (std::uint32_t y = 0; y < 320; ++y) {
      for (std::uint32_t x = 160 * third; x < 160 * (third + 1); ++x) count += pixel(a, x, y) != pixel(b, x, y);
    }
    return count;
  };
  const Bitmap plain = draw("return color * effect.y;", "hook_none.png");
  // The outlines of all meshes are behind all meshes.
  const Bitmap outline = draw(
      "if (effect.y == 1.0) return color;\n"
      "vec2 reach = 6.0 / image_size();\n"
      "float around = 0.0;\n"
      "for (int i = 0; i < 12; ++i) {\n"
      "  float angle = float(i) * 0.5236;\n"
      "  around = max(around, image_texel(uv + reach * vec2(cos(angle), sin(angle))).a);\n"
      "}\n"
      "return vec4(effect_values.rgb, 1.0) * around * effect.x;",
      "hook_outline.png");
  CHECK(differing(plain, outline, 0) == 0);
  CHECK(differing(plain, outline, 2) > 300);
  const Bitmap dissolve = draw(
      "float noise = fract(sin(dot(floor(uv * image_size() / 4.0), vec2(12.9898, 78.233))) * 43758.5453);\n"
      "if (effect.y == 0.0 || noise < effect.x) discard;\n"
      "float edge = step(noise, effect.x + 0.1) * step(0.001, effect.x);\n"
      "return vec4(mix(color.rgb, vec3(1.0, 0.5, 0.1) * color.a, edge), color.a);",
      "hook_dissolve.png");
  CHECK(differing(plain, dissolve, 0) == 0);
  const Bitmap nothing = draw("discard;\nreturn color;", "hook_nothing.png");
  CHECK(differing(nothing, dissolve, 2) == 0);
  const std::size_t body = differing(plain, nothing, 1), half = differing(nothing, dissolve, 1);
  CHECK(half > body * 4 / 10);
  CHECK(half < body * 7 / 10);
}

TEST_CASE("3D characters have colors, blend modes and hooks", "[render]") {
  Stage stage;
  const Character solid = load_character(bytes_of(small_psk())).value();
  const Camera camera = fit(stage.camera, compute_character_bounds(solid));
  // Returns how many pixels have this color.
  const auto count = [&](const Pixel& color, const char* body, const Appearance& appearance) {
    auto renderer = require_value(Renderer::create(stage.session.get_proc_address(), {.fragment_main = body}));
    const Model model = require_value(renderer.upload(solid));
    stage.target.begin({0, 0, 0.2F, 1});
    renderer.draw(model, Instance{ClipId::none, {}, appearance}, camera);
    const Bitmap image = stage.target.finish();
    std::size_t pixels = 0;
    for (std::uint32_t i = 0; i < 4 * kMiddle * kMiddle; ++i) {
      pixels += close(pixel(image, i % (2 * kMiddle), i / (2 * kMiddle)), color);
    }
    return pixels;
  };
  const std::size_t all = count({255, 255, 255, 255}, "return vec4(1.0);", {});
  CHECK(all > 500);
  CHECK(count({0, 128, 255, 255}, "", {.tint = {0, 0, 0, 1}, .additive = {0, 0.5F, 1}}) == all);
  CHECK(count({0, 128, 51, 255}, "", {.tint = {0, 0, 0, 1}, .additive = {0, 0.5F, 0}, .blend = Blend::add}) == all);
  CHECK(count({255, 128, 0, 255}, "return vec4(effect, 0.0, 1.0);", {.effect = {1, 0.5F}}) == all);
}

}  // namespace looks_render_test

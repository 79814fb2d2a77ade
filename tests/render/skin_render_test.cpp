// SPDX-License-Identifier: MIT
// Compares skins in crowds with each instance drawn alone, and with posed characters.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"
#include "stage.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <random>
#include <utility>

namespace skin_render_test {
using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::uint32_t kSide = kStageSide;

std::vector<Bitmap> decoded(const Character& character) {
  auto bitmaps = decode_images(character);
  REQUIRE(bitmaps);
  return std::move(*bitmaps);
}

Bitmap red_and_blue_exchanged(Bitmap bitmap) {
  for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) std::swap(bitmap.rgba[i], bitmap.rgba[i + 2]);
  return bitmap;
}

float number(std::mt19937& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random() % 65536) / 65535.0F;
}

/// Hides, tints and replaces images at random.
SkinData random_skin(const Character& character, unsigned seed) {
  std::mt19937 random(seed);
  SkinData skin{"random", {}, {}};
  const auto images = decoded(character);
  for (const MeshId mesh : character.meshes().ids()) {
    SkinPart& part = part_of(skin, mesh);
    switch (random() % 5) {
      case 0:
        part.visible = false;
        break;
      case 1:
        part.tint = {number(random, 0, 1), number(random, 0, 1), number(random, 0, 1), number(random, 0.3F, 1)};
        break;
      case 2:
        part.image = add_image(skin, character, red_and_blue_exchanged(images[index(character.meshes()[mesh].image)]));
        break;
      default:
        break;
    }
  }
  return skin;
}

SkinData tints_and_hides(const Character& character, std::array<float, 4> tint) {
  SkinData skin{"tinted", {}, {}};
  for (std::uint32_t mesh = 0; mesh < character.meshes().size(); mesh += 3) part_of(skin, MeshId{mesh}).tint = tint;
  part_of(skin, MeshId(character.meshes().size() / 2)).visible = false;
  return skin;
}

/// Instances at random times and places. All but every third have one of `skins`.
std::vector<Instance> random_crowd(const Character& character, std::size_t count, Sampling sampling,
                                   std::span<const Skin* const> skins) {
  std::mt19937 random(7);
  const Rect bounds = compute_character_bounds(character);
  const float scale = 40.0F / std::max({bounds.size().x, bounds.size().y, 1.0F});
  std::vector<Instance> crowd(count);
  for (Instance& instance : crowd) {
    instance.clip = ClipId(random() % character.clips().size());
    instance.position =
        clip_time(character.clips()[instance.clip], static_cast<double>(number(random, 0, 10)), sampling);
    instance.appearance.placement = placement({number(random, -110, 110), number(random, -110, 110)},
                                              number(random, 0, 360), scale * number(random, 0.3F, 1.5F));
    instance.appearance.tint = {number(random, 0, 1), number(random, 0, 1), number(random, 0, 1),
                                number(random, 0.2F, 1)};
    const std::size_t choice = random() % (skins.size() + 1);
    if (choice < skins.size()) instance.skin = skins[choice];
  }
  return crowd;
}

/// Three squares with one image each, side by side: red from x = -24, green from -8, blue from 8.
Character three_squares() {
  CharacterData data;
  data.bones.push_back({"root", BoneId::none});
  const test::Rgba colors[] = {{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    data.images.push_back(plain_image(2, 2, colors[i]));
    const float left = 16.0F * static_cast<float>(i) - 24;
    add_quad(data, "square", i, {{left, -8}, {left + 16, 8}}, 0);
  }
  return build(std::move(data));
}

const char* const kAssets[] = {"kiri.pchr", "quad.pchr", "corners.pchr"};

}  // namespace

TEST_CASE("a skin hides, tints and replaces images, in crowds and on posed characters", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = three_squares();
  const Model model = require_value(renderer.upload(character));
  SkinData data{"test", {}, {}};
  part_of(data, MeshId{0}).tint = {0.5F, 1, 1, 0.5F};
  part_of(data, MeshId{1}).visible = false;
  part_of(data, MeshId{2}).image = add_image(data, character, {1, 1, {10, 20, 30, 255}});
  const Skin skin = require_value(renderer.upload_skin(model, data));
  CHECK(skin.name() == "test");
  CHECK(skin.gpu_bytes() == 4);
  part_of(data, MeshId{2}).image = ImageId{1};
  const Skin own_image = require_value(renderer.upload_skin(model, data));
  CHECK(own_image.gpu_bytes() == 4);
  const auto check = [&](const Bitmap& image, const Pixel& third) {
    CHECK(close(pixel(image, kSide / 2 - 16, kSide / 2), {50, 0, 0, 128}));
    CHECK(pixel(image, kSide / 2, kSide / 2) == Pixel{0, 0, 0, 0});
    CHECK(pixel(image, kSide / 2 + 16, kSide / 2) == third);
  };
  Instance instance{ClipId::none, {}, {}, &skin};
  PoseBuffers posed;
  pose_bind(character, posed);
  for (const auto& [worn, third] : {std::pair{&skin, Pixel{10, 20, 30, 255}}, {&own_image, Pixel{0, 200, 0, 255}}}) {
    instance.skin = worn;
    check(stage.together(renderer, model, {&instance, 1}), third);
    stage.target.begin();
    renderer.draw(model, posed, stage.camera, {.skin = worn});
    check(stage.target.finish(), third);
  }
  instance.skin = nullptr;
  const Bitmap plain = stage.together(renderer, model, {&instance, 1});
  CHECK(pixel(plain, kSide / 2, kSide / 2) == Pixel{0, 200, 0, 255});
}

TEST_CASE("a crowd with skins is bit-identical to drawing each instance alone, with any version of OpenGL",
          "[render]") {
  Stage stage;
  auto newest = stage.session.renderer();
  auto old = old_renderer(stage.session);
  for (const char* name : kAssets) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      INFO(name << (sampling == Sampling::smooth ? ", smooth" : ""));
      const Character character = load_asset(name);
      Bitmap expected;
      for (Renderer* renderer : {&newest, &old}) {
        const Model model = require_value(renderer->upload(character));
        const Skin first = require_value(renderer->upload_skin(model, random_skin(character, 1)));
        const Skin second = require_value(renderer->upload_skin(model, random_skin(character, 2)));
        const Skin third =
            require_value(renderer->upload_skin(model, tints_and_hides(character, {1, 0.5F, 0.2F, 0.8F})));
        const Skin* const skins[] = {&first, &second, &third};
        const auto crowd = random_crowd(character, 500, sampling, skins);
        if (renderer == &newest) expected = stage.one_by_one(newest, model, crowd);
        CHECK(stage.together(*renderer, model, crowd).rgba == expected.rgba);
        CHECK(renderer->statistics().instances + renderer->statistics().culled == crowd.size());
        CHECK(renderer->statistics().culled > 15);
        CHECK(renderer->statistics().posed == 0);
      }
    }
  }
}

TEST_CASE("baked skins equal posed ones, within 1/255", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  for (const char* name : kAssets) {
    INFO(name);
    const Character character = load_asset(name);
    const Model model = require_value(renderer.upload(character));
    const Skin first = require_value(renderer.upload_skin(model, random_skin(character, 3)));
    const Skin second = require_value(renderer.upload_skin(model, random_skin(character, 4)));
    const Skin* const skins[] = {&first, &second};
    const auto crowd = random_crowd(character, 12, Sampling::step, skins);
    const Bitmap together = stage.together(renderer, model, crowd);
    CHECK(difference(together, stage.posed(renderer, model, crowd), 1).largest <= 1);
    auto without = crowd;
    for (Instance& instance : without) instance.skin = nullptr;
    CHECK(stage.together(renderer, model, without).rgba != together.rgba);
  }
}

TEST_CASE("instances that are posed for lack of palettes keep their skins", "[render]") {
  Stage stage;
  auto plenty = stage.session.renderer();
  auto poor = require_value(Renderer::create(stage.session.get_proc_address(), {.palette_budget_bytes = 0}));
  const Character character = load_asset("kiri.pchr");
  const Model model = require_value(plenty.upload(character));
  const Model poor_model = require_value(poor.upload(character));
  const Skin skin = require_value(plenty.upload_skin(model, random_skin(character, 5)));
  const Skin poor_skin = require_value(poor.upload_skin(poor_model, random_skin(character, 5)));
  const Skin* const skins[] = {&skin};
  auto crowd = random_crowd(character, 40, Sampling::step, skins);
  const Bitmap expected = stage.together(plenty, model, crowd);
  for (Instance& instance : crowd) instance.skin = instance.skin != nullptr ? &poor_skin : nullptr;
  const Bitmap image = stage.together(poor, poor_model, crowd);
  CHECK(poor.statistics().posed == crowd.size());
  CHECK(difference(image, expected, 1).largest <= 2);
}

TEST_CASE("a draw list with a skin applied is bit-identical to drawing with the skin", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = load_asset("kiri.pchr");
  const Model model = require_value(renderer.upload(character));
  const SkinData data = tints_and_hides(character, {0.3F, 0.9F, 0.6F, 0.7F});
  const Skin skin = require_value(renderer.upload_skin(model, data));
  stage.camera = fit(stage.camera, compute_character_bounds(character));
  PoseBuffers posed;
  pose_clip(character, ClipId{2}, {5, 5, 0}, posed);
  stage.target.begin();
  renderer.draw(model, posed, stage.camera, {.skin = &skin});
  const Bitmap expected = stage.target.finish();
  apply_skin(data, posed.draw_list);
  stage.target.begin();
  renderer.draw(model, posed, stage.camera);
  CHECK(stage.target.finish().rgba == expected.rgba);
}

TEST_CASE("a skin image that does not exist falls back to the mesh's own", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = three_squares();
  const Model model = require_value(renderer.upload(character));
  PoseBuffers posed;
  pose_bind(character, posed);
  posed.draw_list[0].image = ImageId{2};
  posed.draw_list[1].image = ImageId{3};
  stage.target.begin();
  renderer.draw(model, posed, stage.camera);
  const Bitmap image = stage.target.finish();
  CHECK(pixel(image, kSide / 2 - 16, kSide / 2) == Pixel{0, 0, 200, 255});
  CHECK(pixel(image, kSide / 2, kSide / 2) == Pixel{0, 200, 0, 255});
}

TEST_CASE("ten thousand characters with one image and three skins are one draw call", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = load_asset("corners.pchr");
  const Model model = require_value(renderer.upload(character));
  const auto tinted = [&](std::array<float, 4> tint) {
    SkinData data;
    part_of(data, MeshId{0}).tint = tint;
    part_of(data, MeshId{1}).visible = false;
    return require_value(renderer.upload_skin(model, data));
  };
  const Skin warm = tinted({1, 0.7F, 0.4F, 1}), cold = tinted({0.4F, 0.7F, 1, 1});
  const Skin* const looks[] = {nullptr, &warm, &cold};
  std::vector<Instance> crowd(10'000);
  for (std::uint32_t i = 0; i < crowd.size(); ++i) {
    crowd[i].clip = character.find_clip("gust");
    crowd[i].position = clip_time(character.clips()[crowd[i].clip], i * 0.01, Sampling::step);
    crowd[i].appearance.placement = placement({static_cast<float>(i % 100) - 50, 0}, 0, 0.01F);
    crowd[i].skin = looks[i % 3];
  }
  if (stage.session.gl->VERSION_4_3 == 0) WARN("skipped: this context has no indirect drawing");
  // Twice, because streams grow at first.
  for (int i = 0; i < 2; ++i) (void)stage.together(renderer, model, crowd);
  if (stage.session.gl->VERSION_4_3 != 0) CHECK(renderer.statistics().draw_calls == 1);
  CHECK(renderer.statistics().instances == 10'000);
}

TEST_CASE("more skin pieces than a batch holds are drawn in order", "[render][much]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  CharacterData data = sliding_quad();
  for (int i = 0; i < 30; ++i) add_quad(data, "quad", 0, {{-8, -8}, {8, 8}}, 0);
  const Character character = build(data);
  const Model model = require_value(renderer.upload(character));
  SkinData reddish{"reddish", {}, {}};
  for (std::uint32_t mesh = 0; mesh < 31; ++mesh)
    part_of(reddish, MeshId{mesh}).tint = {1, 0, static_cast<float>(mesh) / 30, 1};
  const Skin skin = require_value(renderer.upload_skin(model, reddish));
  std::vector<Instance> crowd(5'000);
  for (Instance& instance : crowd) instance.skin = &skin;
  crowd.back().appearance.tint = {0.2F, 1, 0.4F, 1};
  const Bitmap image = stage.together(renderer, model, crowd);
  CHECK(pixel(image, kSide / 2, kSide / 2) == Pixel{51, 0, 102, 255});
  CHECK(renderer.statistics().instances == 5'000);
  CHECK(renderer.statistics().triangles == 5'000 * 31 * 2);
}

TEST_CASE("a skin that hides everything draws nothing and does not affect other instances", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = three_squares();
  const Model model = require_value(renderer.upload(character));
  SkinData data{"nothing", {}, {}};
  for (std::uint32_t mesh = 0; mesh < 3; ++mesh) part_of(data, MeshId{mesh}).visible = false;
  const Skin nothing = require_value(renderer.upload_skin(model, data));
  const Instance crowd[] = {{ClipId::none, {}, {}, &nothing}, {ClipId::none, {}, {placement({0, 30})}}};
  const Bitmap image = stage.together(renderer, model, crowd);
  CHECK(pixel(image, kSide / 2, kSide / 2) == Pixel{0, 0, 0, 0});
  CHECK(pixel(image, kSide / 2, kSide / 2 - 30) == Pixel{0, 200, 0, 255});
  CHECK(renderer.statistics().instances == 2);
  CHECK(renderer.statistics().culled == 0);
}

TEST_CASE("a skin that does not fit its model is an error that gives the reason", "[render]") {
  const Session session;
  const Character character = three_squares();
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(character));
  const auto error_of = [&](Renderer& of, const Model& to, const SkinData& data) {
    const auto skin = of.upload_skin(to, data);
    REQUIRE_FALSE(skin);
    return skin.error().message;
  };
  SkinData data{"bad", {}, {}};
  part_of(data, MeshId{3}).visible = false;
  CHECK_THAT(error_of(renderer, model, data), contains("\"bad\" has parts for 4 meshes"));
  data = {"bad", {{1, 1, {1, 2, 3}}}, {}};
  CHECK_THAT(error_of(renderer, model, data), contains("images[0]") && contains("3 bytes"));

  static const Gl* real = nullptr;
  real = session.gl.get();
  const auto get_small_limit = [](GLenum name, GLint* value) {
    real->GetIntegerv(name, value);
    if (name == GL_MAX_TEXTURE_SIZE) *value = 16;
  };
  const Hooks hooks(session.get_proc_address(), {{"glGetIntegerv", as_hook(+get_small_limit)}});
  auto small = require_value(Renderer::create(hooked_get_proc_address));
  const Model small_model = require_value(small.upload(character));
  data = {"wide", {{17, 1, std::vector<std::uint8_t>(68)}}, {}};
  CHECK_THAT(error_of(small, small_model, data),
             contains("images[0] of skin \"wide\" has 17 x 1 pixels") && contains("16 x 16"));
}

TEST_CASE("skins and models can be destroyed in any order and leave nothing behind", "[render]") {
  const Session session;
  const Gl& gl = *session.gl;
  const Character character = three_squares();
  SkinData data{"test", {{1, 1, {1, 2, 3, 4}}, {2, 2, std::vector<std::uint8_t>(16)}}, {}};
  const auto textures = [&] {
    int count = 0;
    for (GLuint name = 1; name < 64; ++name) count += gl.IsTexture(name);
    return count;
  };
  {
    std::optional<Renderer> renderer = session.renderer();
    const int before = textures();
    std::optional<Model> model = require_value(renderer->upload(character));
    std::optional<Skin> first = require_value(renderer->upload_skin(*model, data));
    Skin second = require_value(renderer->upload_skin(*model, data));
    CHECK(textures() == before + 3 + 2 + 2);
    first.reset();
    CHECK(textures() == before + 3 + 2);
    // Skins still fit a model that was moved.
    Model moved = std::move(*model);
    model.reset();
    Skin moved_skin = std::move(second);
    const Instance instance{ClipId::none, {}, {}, &moved_skin};
    auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 8, 8));
    target.begin();
    renderer->draw(moved, instance, plain_camera(8, 8));
    CHECK(pixel(target.finish(), 4, 4) == Pixel{0, 200, 0, 255});
    const int with_model = textures();
    {
      const Model last = std::move(moved);
    }
    CHECK(textures() == with_model - 3);
    renderer.reset();
  }
  CHECK(textures() == 0);
}

TEST_CASE("a crowd with varied skins renders", "[render]") {
  Session session;
  auto renderer = session.renderer();
  const Character character = load_asset("kiri.pchr");
  const auto images = decoded(character);
  const Model model = require_value(renderer.upload(character, images));
  const auto mesh = [&](const char* name) {
    const MeshId found = character.find_mesh(name);
    REQUIRE(found != MeshId::none);
    return found;
  };
  // Hair, hood and tail use a recolored image; scarf and tunic are tinted; the scarf wrap is hidden.
  SkinData data{"frost", {}, {}};
  const ImageId blue = add_image(data, character, red_and_blue_exchanged(images[0]));
  for (const char* name : {"fringe", "hood", "tail", "far_ear", "near_ear"}) part_of(data, mesh(name)).image = blue;
  part_of(data, mesh("tunic")).tint = {0.55F, 0.6F, 1, 1};
  part_of(data, mesh("scarf")).tint = {1, 0.85F, 0.3F, 1};
  part_of(data, mesh("scarf_wrap")).visible = false;
  const Skin frost = require_value(renderer.upload_skin(model, data));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 960, 540, 4));
  std::vector<Instance> crowd;
  for (int row = 0; row < 5; ++row) {
    const float size = 0.2F + 0.06F * static_cast<float>(row), y = 170.0F - 85.0F * static_cast<float>(row);
    for (int column = 0; column < 9 - row; ++column) {
      Instance instance;
      instance.clip = ClipId(1 + (row + column) % 4);
      const double seconds = 0.37 * row + 0.21 * column;
      instance.position = clip_time(character.clips()[instance.clip], seconds, Sampling::smooth);
      const float x = (static_cast<float>(column) - static_cast<float>(8 - row) / 2) * size * 520;
      instance.appearance.placement = placement({x, y}, 0, size, column % 4 == 3);
      if (crowd.size() % 3 == 1) instance.skin = &frost;
      crowd.push_back(instance);
    }
  }
  target.begin({0.93F, 0.91F, 0.86F, 1});
  renderer.draw(model, crowd, plain_camera(960, 540));
  CHECK(renderer.statistics().instances == crowd.size());
  CHECK(renderer.statistics().posed == 0);
  write_png(output("skins.png"), target.finish());
}

}  // namespace skin_render_test

// SPDX-License-Identifier: MIT
// Characters whose opacity was baked into their images look as before.
#include "pictures.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/bounds.hpp>
#include <pchr/load.hpp>
#include <pchr/save.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace pchr;

namespace {

constexpr std::uint32_t kSide = 192;

/// The arm, its images with a texture in colour and alpha, its meshes from parts of them, fading in and out.
Character fading_arm(ImageEncoding encoding) {
  CharacterData data = test::two_bone_arm();
  for (Image& image : data.images) {
    image = {image.name, 48, 40, ImageEncoding::rgba8888, std::vector<std::byte>(std::size_t{48} * 40 * 4)};
    for (std::size_t i = 0; i < image.bytes.size(); ++i) {
      const std::size_t x = i / 4 % 48, y = i / 4 / 48;
      image.bytes[i] = static_cast<std::byte>(i % 4 == 3 ? 255 - 2 * x : 40 * (i % 4) + 7 * (x % 8) + 3 * y);
    }
    if (encoding == ImageEncoding::png) {
      Bitmap straight{image.width, image.height, {}};
      for (const std::byte value : image.bytes) straight.rgba.push_back(std::to_integer<std::uint8_t>(value));
      image.bytes = encode_png(straight);
      image.encoding = ImageEncoding::png;
    }
  }
  for (Vertex& vertex : data.vertices) {
    vertex.u = 0.1F + 0.7F * vertex.u;
    vertex.v = 0.2F + 0.75F * vertex.v;
  }
  Clip& bend = data.clips[1];
  bend.samples.opacity.resize(bend.samples.x.size());
  for (std::size_t i = 0; i < bend.samples.opacity.size(); ++i) {
    bend.samples.opacity[i] = static_cast<float>((i * 37 + 20) % 101) / 100;
  }
  return test::require_value(Character::build(std::move(data)));
}

Character baked(const Character& character) {
  const Saved saved = test::require_value(save(character, Form::v1, "baked", {.lossy = true, .bake_opacity = true}));
  CHECK(std::ranges::none_of(saved.losses, [](const Finding& loss) { return loss.id == FindingId::opacity_lost; }));
  return test::require_value(load(saved.file.bytes));
}

struct Painter {
  test::Session session;
  Renderer renderer = session.renderer();
  OffscreenTarget target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));

  Bitmap draw(const Model& model, const Camera& camera, const Instance& instance) {
    target.begin();
    renderer.draw(model, {&instance, 1}, camera);
    return target.finish();
  }
};

}  // namespace

TEST_CASE("a character whose opacity is baked looks as it did", "[render][save]") {
  Painter painter;
  for (const ImageEncoding encoding : {ImageEncoding::rgba8888, ImageEncoding::png}) {
    const Character original = fading_arm(encoding), opaque = baked(original);
    CHECK(opaque.images().size() == original.images().size());
    CHECK(opaque.images()[0].encoding == encoding);
    CHECK(opaque.clips()[1].samples.opacity.empty());
    const Camera camera = fit({{}, 1, {kSide, kSide}}, character_bounds(original));
    for (const Filter filter : {Filter::bilinear, Filter::nearest}) {
      Model before = test::require_value(painter.renderer.upload(original));
      Model after = test::require_value(painter.renderer.upload(opaque));
      before.set_filter(filter);
      after.set_filter(filter);
      for (std::uint32_t frame = 0; frame < original.clips()[1].frame_count; ++frame) {
        INFO("frame " << frame);
        const Instance instance{1, {frame, frame, 0}, {}};
        const Bitmap wanted = painter.draw(before, camera, instance);
        // What falls exactly between two texels may be rounded to either.
        CHECK(test::difference(painter.draw(after, camera, instance), wanted, 2).share_above < 0.0005);
        CHECK(std::ranges::any_of(wanted.rgba, [](std::uint8_t value) { return value > 0; }));
      }
    }
  }
}

TEST_CASE("the Pomyu sample fades as before when its opacity is baked", "[render][save][chp]") {
  const Character original = test::require_value(load(test::asset("konpei/konpei.chp")));
  const Character opaque = baked(original);
  Painter painter;
  Model before = test::require_value(painter.renderer.upload(original));
  Model after = test::require_value(painter.renderer.upload(opaque));
  before.set_filter(Filter::nearest);
  after.set_filter(Filter::nearest);
  const Camera camera = test::plain_camera(kSide, 2 * kSide);
  int faded = 0;
  for (std::uint32_t clip = 0; clip < original.clips().size(); ++clip) {
    const Clip& from = original.clips()[clip];
    const Clip& to = opaque.clips()[clip];
    if (from.samples.opacity.empty()) continue;
    ++faded;
    for (std::uint32_t frame = 0; frame < to.frame_count; frame += 3) {
      INFO(from.name << ", frame " << frame);
      const double seconds = (frame + 1e-4) / to.frames_per_second;
      const Bitmap wanted = painter.draw(before, camera, {clip, frame_position(from, seconds, Sampling::step), {}});
      const Bitmap found = painter.draw(after, camera, {clip, {frame, frame, 0}, {}});
      // There is room for opacities in steps of 4/255, and parts that fade lie over others that do. Where a part is
      // scaled, what falls between two texels may be rounded to either.
      CHECK(test::difference(found, wanted, 6).share_above < 0.005);
    }
  }
  CHECK(faded > 0);
}

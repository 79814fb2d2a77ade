// SPDX-License-Identifier: MIT
// Compares draw streams, drawn by a small software rasterizer, with the renderer.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/draw_list.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <cmath>

namespace draw_stream_render_test {
using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::uint32_t kSide = 192;

using Color = std::array<float, 4>;  // Premultiplied, 0..255.

Color texel(const Bitmap& image, int x, int y) {
  const auto column = static_cast<std::size_t>(std::clamp(x, 0, static_cast<int>(image.width) - 1));
  const auto row = static_cast<std::size_t>(std::clamp(y, 0, static_cast<int>(image.height) - 1));
  const std::uint8_t* rgba = &image.rgba[(row * image.width + column) * 4];
  Color color{};
  std::copy_n(rgba, 4, color.begin());
  return color;
}

Color mixed(const Color& a, const Color& b, float factor) {
  Color result{};
  for (std::size_t i = 0; i < 4; ++i) result[i] = a[i] + (b[i] - a[i]) * factor;
  return result;
}

Color bilinear(const Bitmap& image, Vec2 uv) {
  const float x = uv.x * static_cast<float>(image.width) - 0.5F, y = uv.y * static_cast<float>(image.height) - 0.5F;
  const float left = std::floor(x), top = std::floor(y);
  const int column = static_cast<int>(left), row = static_cast<int>(top);
  return mixed(mixed(texel(image, column, row), texel(image, column + 1, row), x - left),
               mixed(texel(image, column, row + 1), texel(image, column + 1, row + 1), x - left), y - top);
}

/// Blends a pixel of the image in the colors of a vertex.
void blend(Bitmap& canvas, std::size_t pixel, const Color& texel, const std::array<std::uint8_t, 4>& color,
           const StreamLook& look, Blend mode) {
  std::uint8_t* const target = &canvas.rgba[pixel * 4];
  Color source{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float sum = texel[i] * static_cast<float>(color[i]) +
                      (texel[3] - texel[i]) * static_cast<float>(look.dark[i]) +
                      texel[3] * static_cast<float>(look.additive[i]);
    source[i] = std::min(sum, texel[3] * static_cast<float>(look.dark[3])) / 255;
  }
  source[3] = texel[3] * static_cast<float>(color[3]) / 255;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto behind = static_cast<float>(target[i]);
    const float kept = behind * (1 - (mode == Blend::screen ? source[i] : source[3]) / 255);
    const float value = (mode == Blend::multiply ? source[i] * behind / 255 : source[i]) + kept;
    target[i] = static_cast<std::uint8_t>(std::min(value + 0.5F, 255.0F));
  }
}

double cross(Vec2 a, Vec2 b, Vec2 c) {
  return (double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x);
}

/// Returns whether points on the edge from `a` to `b` belong to the triangle, so that neighbors do not both draw them.
bool owns_edge(Vec2 a, Vec2 b) { return a.y == b.y ? b.x < a.x : b.y < a.y; }

void draw_triangle(Bitmap& canvas, const Bitmap& image, std::array<StreamVertex, 3> corners, const StreamLook& look,
                   Blend mode, const Affine& to_pixels) {
  std::array<Vec2, 3> at{};
  for (std::size_t i = 0; i < 3; ++i) at[i] = apply(to_pixels, {corners[i].x, corners[i].y});
  double area = cross(at[0], at[1], at[2]);
  if (area == 0) return;
  if (area < 0) {
    std::swap(at[1], at[2]);
    std::swap(corners[1], corners[2]);
    area = -area;
  }
  const auto [left, right] = std::minmax({at[0].x, at[1].x, at[2].x});
  const auto [top, bottom] = std::minmax({at[0].y, at[1].y, at[2].y});
  const auto inside = [&](float value) { return static_cast<std::uint32_t>(std::clamp(value, 0.0F, float{kSide})); };
  for (std::uint32_t y = inside(top); y < inside(bottom + 1); ++y) {
    for (std::uint32_t x = inside(left); x < inside(right + 1); ++x) {
      const Vec2 center{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F};
      std::array<double, 3> weight{};
      bool covered = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec2 from = at[(i + 1) % 3], to = at[(i + 2) % 3];
        weight[i] = cross(from, to, center);
        covered &= weight[i] > 0 || (weight[i] == 0 && owns_edge(from, to));
      }
      if (!covered) continue;
      Vec2 uv{0.0F};
      for (std::size_t i = 0; i < 3; ++i) uv += Vec2{corners[i].u, corners[i].v} * static_cast<float>(weight[i] / area);
      blend(canvas, std::size_t{y} * kSide + x, bilinear(image, uv), corners[0].color, look, mode);
    }
  }
}

Bitmap rasterized(const DrawStream& stream, std::span<const Bitmap> images, const Camera& camera,
                  std::uint8_t background = 0) {
  Bitmap canvas{kSide, kSide, std::vector<std::uint8_t>(std::size_t{kSide} * kSide * 4, background)};
  for (const StreamCommand& command : stream.commands) {
    for (std::uint32_t i = 0; i < command.index_count; i += 3) {
      const std::uint32_t* const triangle = &stream.indices[command.first_index + i];
      draw_triangle(canvas, images[index(command.image)],
                    {stream.vertices[triangle[0]], stream.vertices[triangle[1]], stream.vertices[triangle[2]]},
                    stream.looks[triangle[0]], command.blend, world_to_viewport(camera));
    }
  }
  return canvas;
}

}  // namespace

TEST_CASE("a rasterized draw stream equals the renderer's output, except for rounding at edges", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  const std::pair<const char*, std::uint32_t> frames[] = {{"kiri", 15}, {"kiri", 19}, {"corners", 6}, {"quad", 1}};
  for (const auto& [name, frame] : frames) {
    INFO(name << " " << frame);
    const auto character = load_character(asset(std::string(name) + ".pchr"));
    REQUIRE(character);
    const auto own_images = decode_images(*character);
    REQUIRE(own_images);
    Model model = require_value(renderer.upload(*character, *own_images));
    model.set_filter(Filter::bilinear);
    PoseBuffers posed;
    const auto clip = ClipId(character->clips().size() - 1);
    pose_clip(*character, clip, {frame, frame, 0}, posed);
    const Appearance appearance{placement({3, -7}, 12, 0.9F, true), {1, 0.6F, 0.8F, 0.7F}};
    const Camera camera = fit({{}, 1, {kSide, kSide}}, compute_character_bounds(*character));
    // Without a skin, and with one that tints, hides a mesh and flips the first image.
    SkinData data;
    Bitmap turned = own_images->front();
    std::ranges::reverse(turned.rgba);
    for (std::size_t i = 0; i < turned.rgba.size(); i += 4) std::ranges::reverse(std::span(turned.rgba).subspan(i, 4));
    const auto meshes = static_cast<std::uint32_t>(character->meshes().size());
    part_of(data, MeshId{0}).tint = {0.4F, 0.9F, 1, 0.8F};
    part_of(data, MeshId{meshes / 2}).image = add_image(data, *character, std::move(turned));
    if (meshes > 2) part_of(data, MeshId{meshes - 1}).visible = false;
    const Skin skin = require_value(renderer.upload_skin(model, data));
    std::vector<Bitmap> images = *own_images;
    images.insert(images.end(), data.images.begin(), data.images.end());
    Bitmap plain;
    for (const bool with_skin : {false, true}) {
      INFO((with_skin ? "with_skin" : "plain"));
      target.begin();
      renderer.draw(model, posed, camera, {appearance, with_skin ? &skin : nullptr});
      const Bitmap drawn = target.finish();
      DrawStream stream;
      stream.with_looks = true;
      append_draw_stream(*character, posed, {appearance, with_skin ? &data : nullptr}, stream);
      const Bitmap from_stream = rasterized(stream, images, camera);
      const Difference difference = test::difference(from_stream, drawn, 4);
      INFO("mean " << difference.mean << ", " << 100 * difference.share_above << " % above 4");
      CHECK(drawn.rgba != plain.rgba);
      CHECK(difference.mean < 0.2);
      CHECK(difference.share_above < 0.002);
      if (difference.share_above >= 0.002) write_comparison(std::string("stream_") + name, from_stream, drawn);
      plain = drawn;
    }
  }
}

TEST_CASE("looks and blend modes in a draw stream equal the renderer's", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  const auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  const auto images = decode_images(*character);
  REQUIRE(images);
  Model model = require_value(renderer.upload(*character, *images));
  model.set_filter(Filter::bilinear);
  PoseBuffers posed;
  pose_clip(*character, character->find_clip("walk"), {9, 9, 0}, posed);
  for (DrawItem& item : posed.draw_list) {
    if (item.mesh == character->find_mesh("scarf")) item.blend = Blend::add;
  }
  const Camera camera = fit({{}, 1, {kSide, kSide}}, compute_character_bounds(*character));
  for (const Blend mode : {Blend::normal, Blend::add, Blend::multiply, Blend::screen}) {
    INFO("mode " << static_cast<int>(mode));
    Appearance appearance;
    appearance.tint = {0.9F, 0.7F, 1, 0.8F};
    appearance.dark_tint = {0.3F, 0, 0.1F};
    appearance.additive = {0.1F, 0.4F, 0};
    appearance.blend = mode;
    constexpr float kGray = 102.0F / 255;
    target.begin({kGray, kGray, kGray, kGray});
    renderer.draw(model, posed, camera, {.appearance = appearance});
    const Bitmap drawn = target.finish();
    DrawStream stream;
    stream.with_looks = true;
    append_draw_stream(*character, posed, {appearance}, stream);
    const Bitmap from_stream = rasterized(stream, *images, camera, 102);
    const Difference difference = test::difference(from_stream, drawn, 4);
    INFO("mean " << difference.mean << ", " << 100 * difference.share_above << " % above 4");
    CHECK(difference.mean < 0.2);
    CHECK(difference.share_above < 0.004);
    if (difference.share_above >= 0.004) write_comparison("stream_looks", from_stream, drawn);
  }
}

}  // namespace draw_stream_render_test

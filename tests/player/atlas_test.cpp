// SPDX-License-Identifier: MIT
// The atlas view, without a window.
#include "document/document.hpp"

#include "gl/gl.hpp"
#include "ui/app.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

namespace pchr::player::atlas_test {
namespace {

/// Adds a triangle with `corners` in pixels of `image`, which has 16 by 8 pixels.
void add_triangle(CharacterData& data, const std::string& name, ImageId image, std::array<Vec2, 3> corners) {
  const auto first_vertex = static_cast<std::uint32_t>(data.vertices.size());
  const auto first_index = static_cast<std::uint32_t>(data.indices.size());
  for (std::uint16_t i = 0; i < 3; ++i) {
    data.vertices.push_back({.u = corners[i].x / 16, .v = corners[i].y / 8, .weights = {1}});
    data.indices.push_back(i);
  }
  data.meshes.push_back({name, image, first_vertex, 3, first_index, 3});
}

/// On "first": "low" and "high" overlap in the upper left corner and have opposite winding; "thin" has no area. On
/// "second": "other".
Character triangles() {
  CharacterData data = test::sliding_quad();
  data.images = {test::plain_image(16, 8, {255, 0, 0, 255}, "first"),
                 test::plain_image(16, 8, {0, 255, 0, 255}, "second")};
  data.meshes.clear();
  data.vertices = {};
  data.indices = {};
  add_triangle(data, "low", ImageId{0}, {{{0, 0}, {8, 0}, {0, 8}}});
  add_triangle(data, "high", ImageId{0}, {{{0, 0}, {0, 4}, {4, 0}}});
  add_triangle(data, "thin", ImageId{0}, {{{0, 0}, {8, 8}, {4, 4}}});
  add_triangle(data, "other", ImageId{1}, {{{8, 0}, {16, 0}, {16, 8}}});
  return Character::build(std::move(data)).value();
}

struct Scene {
  Character character = triangles();
  Atlas atlas{};
  Selection selection{};

  Scene() { follow(); }
  void follow() { player::follow(atlas, character, selection); }
  void click(Vec2 at) { select_at(atlas, selection, character, at, 0.5F); }
};

}  // namespace

TEST_CASE("the meshes at a pixel are those with a triangle of the image there", "[player][atlas]") {
  const Character character = triangles();
  using Meshes = std::vector<MeshId>;
  Meshes found{MeshId{7}};
  const auto at = [&](ImageId image, Vec2 pixel) {
    meshes_at(character, image, pixel, found);
    return found;
  };
  CHECK(at(ImageId{0}, {1, 1}) == Meshes{MeshId{1}, MeshId{0}});
  CHECK(at(ImageId{0}, {6, 1}) == Meshes{MeshId{0}});
  CHECK(at(ImageId{0}, {4, 4}) == Meshes{MeshId{0}});
  CHECK(at(ImageId{0}, {4.1F, 4}).empty());
  CHECK(at(ImageId{0}, {-0.1F, 1}).empty());
  CHECK(at(ImageId{1}, {1, 1}).empty());
  CHECK(at(ImageId{1}, {15, 1}) == Meshes{MeshId{3}});
}

TEST_CASE("a click in the atlas selects a mesh, another click the one below", "[player][atlas]") {
  Scene scene;
  scene.click({1, 1});
  CHECK(scene.selection.mesh == MeshId{1});
  CHECK(scene.selection.bone == BoneId{0});
  CHECK(scene.selection.reveal);
  scene.click({1.2F, 1});
  CHECK(scene.selection.mesh == MeshId{0});
  scene.click({1.2F, 1});
  CHECK(scene.selection.mesh == MeshId{1});
  scene.click({2, 1});
  CHECK(scene.selection.mesh == MeshId{1});
  // After a selection elsewhere, a click starts at the top again.
  select_mesh(scene.selection, scene.character, MeshId{3});
  scene.click({2, 1});
  CHECK(scene.selection.mesh == MeshId{1});
  scene.click({12, 7});
  CHECK_FALSE(scene.selection.mesh);
  CHECK_FALSE(scene.selection.bone);
}

TEST_CASE("the atlas shows the image and triangles of the selected mesh", "[player][atlas]") {
  Scene scene;
  CHECK(scene.atlas.image == ImageId{0});
  CHECK(scene.atlas.edges.size() == 9);
  CHECK(scene.atlas.selected_edges.empty());
  select_mesh(scene.selection, scene.character, MeshId{3});
  scene.follow();
  CHECK(scene.atlas.image == ImageId{1});
  CHECK(scene.atlas.edges.size() == 3);
  CHECK(scene.atlas.selected_edges.size() == 3);
  CHECK(scene.atlas.selected_bounds.min == Vec2{8, 0});
  CHECK(scene.atlas.selected_bounds.max == Vec2{16, 8});
  // Deselecting keeps the image.
  select_nothing(scene.selection);
  scene.follow();
  CHECK(scene.atlas.image == ImageId{1});
  CHECK(scene.atlas.selected_edges.empty());
}

TEST_CASE("an edge shared by two triangles of a mesh is drawn once", "[player][atlas]") {
  const Character quad = Character::build(test::sliding_quad()).value();
  Atlas atlas;
  follow(atlas, quad, {});
  CHECK(atlas.edges.size() == 5);
}

TEST_CASE("choosing another image deselects a mesh of the previous one", "[player][atlas]") {
  Scene scene;
  select_mesh(scene.selection, scene.character, MeshId{0});
  scene.follow();
  choose_image(scene.atlas, scene.selection, scene.character, ImageId{2});
  CHECK(scene.atlas.image == ImageId{0});
  choose_image(scene.atlas, scene.selection, scene.character, ImageId{1});
  scene.follow();
  CHECK(scene.atlas.image == ImageId{1});
  CHECK_FALSE(scene.selection.mesh);
  CHECK(scene.atlas.edges.size() == 3);
}

TEST_CASE("a new file shows its first image, a reloaded one the same view", "[player][atlas]") {
  Scene scene;
  choose_image(scene.atlas, scene.selection, scene.character, ImageId{1});
  scene.follow();
  place_camera(scene.atlas, scene.character.images()[1], {160, 80});
  zoom(scene.atlas, {0, 0}, 2);
  const Vec2 center = scene.atlas.camera.center;
  CharacterData data = scene.character.data();
  std::swap(data.images[0], data.images[1]);
  auto reopen = [&, last = scene.character]() mutable {
    const Character next = Character::build(data).value();
    scene.atlas = carried_over(scene.atlas, last, next);
    last = next;
    follow(scene.atlas, next, {});
  };
  reopen();
  CHECK(scene.atlas.image == ImageId{0});
  CHECK_FALSE(scene.atlas.fitted);
  CHECK(scene.atlas.camera.center == center);
  CHECK(scene.atlas.edges.size() == 9);
  data.images[0].name = "third";
  reopen();
  CHECK(scene.atlas.image == ImageId{0});
  CHECK(scene.atlas.fitted);
}

TEST_CASE("the atlas zooms at the cursor within limits and moves, which ends fitting", "[player][atlas]") {
  Scene scene;
  Atlas& atlas = scene.atlas;
  const Image& image = scene.character.images()[0];
  place_camera(atlas, image, {320, 320});
  CHECK(atlas.camera.center == Vec2{8, 4});
  CHECK(atlas.camera.zoom > 18.0F);
  CHECK(atlas.camera.zoom <= 20.0F);
  const Vec2 cursor{40, 200};
  const Vec2 before = viewport_to_world(atlas.camera, cursor);
  zoom(atlas, cursor, 1.5F);
  const Vec2 after = viewport_to_world(atlas.camera, cursor);
  CHECK(std::abs(after.x - before.x) < 1e-3F);
  CHECK(std::abs(after.y - before.y) < 1e-3F);
  place_camera(atlas, image, {320, 320});
  CHECK(viewport_to_world(atlas.camera, cursor) == after);

  move(atlas, {30, -12});
  const Vec2 moved = viewport_to_world(atlas.camera, cursor + Vec2{30, -12});
  CHECK(std::abs(moved.x - after.x) < 1e-3F);
  CHECK(std::abs(moved.y - after.y) < 1e-3F);
  zoom(atlas, cursor, 1e9F);
  CHECK(atlas.camera.zoom == 64.0F);
  zoom(atlas, cursor, 1e-9F);
  CHECK(atlas.camera.zoom > 0.0F);
}

TEST_CASE("a mesh selected elsewhere is scrolled into view", "[player][atlas]") {
  Scene scene;
  Atlas& atlas = scene.atlas;
  place_camera(atlas, scene.character.images()[0], {100, 100});
  zoom(atlas, {100, 100}, 8);
  const Vec2 corner = atlas.camera.center;
  REQUIRE(corner.x > 8);
  select_mesh(scene.selection, scene.character, MeshId{1});
  scene.follow();
  CHECK(atlas.camera.center == Vec2{2, 2});
}

TEST_CASE("enlarging the atlas opens its tab", "[player][atlas]") {
  App app;
  app.view.tab = Tab::inside;
  toggle_large_atlas(app);
  CHECK(app.view.tab == Tab::atlas);
  CHECK_FALSE(atlas_is_shown(app));  // Nothing is open.
  CHECK_FALSE(atlas_is_large(app));
}

TEST_CASE("mipmaps halve down to one pixel, averaging four pixels each", "[player][atlas]") {
  Bitmap image{5, 2, {}};
  for (std::uint8_t i = 0; i < 10; ++i)
    image.rgba.insert(image.rgba.end(), {i, 0, 255, static_cast<std::uint8_t>(10 * i)});
  const MipmappedBitmap levels = with_mipmaps(image);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].rgba == image.rgba);
  CHECK(levels[1].width == 2);
  CHECK(levels[1].height == 1);
  // (0 + 1 + 5 + 6) / 4 and (2 + 3 + 7 + 8) / 4.
  CHECK(levels[1].rgba == std::vector<std::uint8_t>{3, 0, 255, 30, 5, 0, 255, 50});
  CHECK(levels[2].rgba == std::vector<std::uint8_t>{4, 0, 255, 40});
  CHECK(gpu_bytes(test::plain_image(5, 2, {})) == (10 + 2 + 1) * 4);
}

}  // namespace pchr::player::atlas_test

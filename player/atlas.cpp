// SPDX-License-Identifier: MIT
#include "atlas.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

constexpr float kSmallestZoom = 0.005F;
constexpr float kLargestZoom = 64.0F;
constexpr float kFitMargin = 0.02F;

Vec2 size_of(const Image& image) { return {image.width, image.height}; }

Vec2 place_of(const Vertex& vertex, Vec2 image_size) { return Vec2{vertex.u, vertex.v} * image_size; }

void add_edges(const Character& character, const Mesh& mesh, std::vector<AtlasEdge>& out) {
  const auto indices = character.indices(mesh);
  const auto vertices = character.vertices(mesh);
  const Vec2 size = size_of(character.images()[mesh.image]);
  std::vector<std::pair<std::uint16_t, std::uint16_t>> sides;
  sides.reserve(indices.size());
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    for (std::size_t side = 0; side < 3; ++side) {
      sides.emplace_back(std::minmax(indices[i + side], indices[i + (side + 1) % 3]));
    }
  }
  std::ranges::sort(sides);
  const auto [end, last] = std::ranges::unique(sides);
  for (auto side = sides.begin(); side != end; ++side) {
    out.push_back({place_of(vertices[side->first], size), place_of(vertices[side->second], size)});
  }
}

float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

/// Its sides included. One without an area contains nothing.
bool contains(const std::array<Vec2, 3>& corners, Vec2 point) {
  std::array<float, 3> areas{};
  for (std::size_t i = 0; i < 3; ++i) areas[i] = cross(corners[(i + 1) % 3] - corners[i], point - corners[i]);
  const auto [least, most] = std::ranges::minmax(areas);
  return least != most && (least >= 0.0F || most <= 0.0F);
}

bool covers(const Character& character, const Mesh& mesh, Vec2 pixel) {
  const auto indices = character.indices(mesh);
  const auto vertices = character.vertices(mesh);
  const Vec2 size = size_of(character.images()[mesh.image]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const auto corner = [&](std::size_t number) { return place_of(vertices[indices[i + number]], size); };
    if (contains({corner(0), corner(1), corner(2)}, pixel)) return true;
  }
  return false;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

/// The mesh was selected elsewhere: where it is out of sight the camera goes to it.
void reveal(Atlas& atlas) {
  const Rect& bounds = atlas.selected_bounds;
  if (atlas.fitted || bounds.empty()) return;
  const Vec2 half = atlas.camera.viewport / atlas.camera.zoom * 0.5F;
  const Rect seen{atlas.camera.centre - half, atlas.camera.centre + half};
  if (!overlap(bounds, seen)) atlas.camera.centre = bounds.centre();
}

void follow_mesh(Atlas& atlas, const Character& character, std::optional<std::uint32_t> mesh) {
  atlas.mesh = mesh;
  atlas.selected_edges.clear();
  atlas.selected_bounds = {};
  if (!mesh) return;
  add_edges(character, character.meshes()[*mesh], atlas.selected_edges);
  for (const auto& [from, to] : atlas.selected_edges) {
    atlas.selected_bounds.include(from);
    atlas.selected_bounds.include(to);
  }
  const std::uint32_t image = character.meshes()[*mesh].image;
  if (image != atlas.image) atlas.fitted = true;
  atlas.image = image;
  reveal(atlas);
}

void begin_file(Atlas& atlas, const Character& character, std::uint32_t file) {
  const auto images = character.images();
  const auto same = std::ranges::find(images, atlas.image_name, &Image::name);
  if (same == images.end()) atlas = {.large = atlas.large};
  if (same != images.end()) atlas.image = static_cast<std::uint32_t>(same - images.begin());
  atlas.file = file;
  atlas.edges_of.reset();
  atlas.stack.clear();
  follow_mesh(atlas, character, std::nullopt);
}

}  // namespace

void follow(Atlas& atlas, const Character& character, const Selection& selection, std::uint32_t file) {
  if (atlas.file != file) begin_file(atlas, character, file);
  if (atlas.mesh != selection.mesh) follow_mesh(atlas, character, selection.mesh);
  if (atlas.edges_of == atlas.image) return;
  atlas.edges_of = atlas.image;
  atlas.image_name = character.images()[atlas.image].name;
  atlas.edges.clear();
  for (const Mesh& mesh : character.meshes()) {
    if (mesh.image == atlas.image) add_edges(character, mesh, atlas.edges);
  }
}

void choose_image(Atlas& atlas, Selection& selection, const Character& character, std::uint32_t image) {
  if (image >= character.images().size() || image == atlas.image) return;
  atlas.image = image;
  atlas.fitted = true;
  if (selection.mesh && character.meshes()[*selection.mesh].image != image) select_nothing(selection);
}

void meshes_at(const Character& character, std::uint32_t image, Vec2 pixel, std::vector<std::uint32_t>& out) {
  out.clear();
  const auto meshes = character.meshes();
  for (auto i = static_cast<std::uint32_t>(meshes.size()); i-- > 0;) {
    if (meshes[i].image == image && covers(character, meshes[i], pixel)) out.push_back(i);
  }
}

void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach) {
  const std::vector<std::uint32_t> before = std::move(atlas.stack);
  meshes_at(character, atlas.image, pixel, atlas.stack);
  if (atlas.stack.empty()) return select_nothing(selection);
  const bool same_place =
      glm::distance(pixel, atlas.clicked) <= reach && before == atlas.stack && selection.mesh == before[atlas.depth];
  atlas.clicked = pixel;
  atlas.depth = same_place ? (atlas.depth + 1) % atlas.stack.size() : 0;
  select_mesh(selection, character, atlas.stack[atlas.depth]);
}

void place_camera(Atlas& atlas, const Image& image, Vec2 viewport) {
  atlas.camera.viewport = glm::max(viewport, Vec2{1.0F});
  if (!atlas.fitted) return;
  atlas.camera = fit(atlas.camera, {Vec2{0.0F}, size_of(image)}, kFitMargin);
  atlas.camera.zoom = std::clamp(atlas.camera.zoom, kSmallestZoom, kLargestZoom);
}

void zoom(Atlas& atlas, Vec2 at, float factor) {
  const float wanted = std::clamp(atlas.camera.zoom * factor, kSmallestZoom, kLargestZoom);
  atlas.camera = zoom_at(atlas.camera, at, wanted / atlas.camera.zoom);
  atlas.fitted = false;
}

void move(Atlas& atlas, Vec2 pixels) {
  if (pixels == Vec2{0.0F}) return;
  atlas.camera.centre -= pixels / atlas.camera.zoom;
  atlas.fitted = false;
}

std::uint64_t gpu_bytes(const Image& image) noexcept {
  constexpr std::uint64_t kPixelBytes = 4;
  std::uint64_t width = image.width;
  std::uint64_t height = image.height;
  std::uint64_t pixels = width * height;
  while (width > 1 || height > 1) {
    width = std::max<std::uint64_t>(width / 2, 1);
    height = std::max<std::uint64_t>(height / 2, 1);
    pixels += width * height;
  }
  return pixels * kPixelBytes;
}

}  // namespace pchr::player

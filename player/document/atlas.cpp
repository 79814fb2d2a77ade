// SPDX-License-Identifier: MIT
#include "document/document.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>

namespace pchr::player {
namespace {

constexpr float kMinZoom = 0.005F;
constexpr float kMaxZoom = 64.0F;
constexpr float kFitMargin = 0.02F;

Vec2 size_of(const Image& image) { return {image.width, image.height}; }

Vec2 texel_of(const Vertex& vertex, Vec2 image_size) { return Vec2{vertex.u, vertex.v} * image_size; }

void add_edges(const Character& character, MeshId mesh, std::vector<AtlasEdge>& out) {
  const auto vertices = character.vertices(character.meshes()[mesh]);
  const Vec2 size = size_of(character.images()[character.meshes()[mesh].image]);
  std::vector<MeshEdge> edges = sorted_edges(character, mesh);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& [from, to] : edges) out.push_back({texel_of(vertices[from], size), texel_of(vertices[to], size)});
}

float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

/// Returns whether a triangle or its boundary contains `point`. A degenerate triangle contains nothing.
bool contains(const std::array<Vec2, 3>& corners, Vec2 point) {
  std::array<float, 3> areas{};
  for (std::size_t i = 0; i < 3; ++i) areas[i] = cross(corners[(i + 1) % 3] - corners[i], point - corners[i]);
  const auto [min, max] = std::ranges::minmax(areas);
  return min != max && (min >= 0.0F || max <= 0.0F);
}

bool covers(const Character& character, const Mesh& mesh, Vec2 pixel) {
  const auto indices = character.indices(mesh);
  const auto vertices = character.vertices(mesh);
  const Vec2 size = size_of(character.images()[mesh.image]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const auto corner = [&](std::size_t number) { return texel_of(vertices[indices[i + number]], size); };
    if (contains({corner(0), corner(1), corner(2)}, pixel)) return true;
  }
  return false;
}

void follow_mesh(Atlas& atlas, const Character& character, std::optional<MeshId> mesh) {
  atlas.mesh = mesh;
  atlas.selected_edges.clear();
  atlas.selected_bounds = {};
  if (!mesh) return;
  add_edges(character, *mesh, atlas.selected_edges);
  Rect& bounds = atlas.selected_bounds;
  for (const auto& [from, to] : atlas.selected_edges) bounds.include(Rect{glm::min(from, to), glm::max(from, to)});
  const ImageId image = character.meshes()[*mesh].image;
  if (image != atlas.image) atlas.fitted = true;
  atlas.image = image;
  // A mesh selected in another panel may be outside the view.
  const Vec2 half = atlas.camera.viewport / atlas.camera.zoom * 0.5F;
  const bool seen = glm::all(glm::lessThanEqual(bounds.min, atlas.camera.center + half)) &&
                    glm::all(glm::greaterThanEqual(bounds.max, atlas.camera.center - half));
  if (!atlas.fitted && !bounds.empty() && !seen) atlas.camera.center = bounds.center();
}

}  // namespace

Atlas carried_over(const Atlas& atlas, const Character& from, const Character& to) {
  Atlas carried{.large = atlas.large};
  if (!from.images().contains(atlas.image)) return carried;
  const auto same = std::ranges::find(to.images(), from.images()[atlas.image].name, &Image::name);
  if (same == to.images().end()) return carried;
  carried.image = ImageId(same - to.images().begin());
  carried.camera = atlas.camera;
  carried.fitted = atlas.fitted;
  return carried;
}

void follow(Atlas& atlas, const Character& character, const Selection& selection) {
  if (atlas.mesh != selection.mesh) follow_mesh(atlas, character, selection.mesh);
  if (atlas.edges_of == atlas.image) return;
  atlas.edges_of = atlas.image;
  atlas.edges.clear();
  for (const MeshId mesh : character.meshes().ids()) {
    if (character.meshes()[mesh].image == atlas.image) add_edges(character, mesh, atlas.edges);
  }
}

void choose_image(Atlas& atlas, Selection& selection, const Character& character, ImageId image) {
  if (!character.images().contains(image) || image == atlas.image) return;
  atlas.image = image;
  atlas.fitted = true;
  if (selection.mesh && character.meshes()[*selection.mesh].image != image) select_nothing(selection);
}

void meshes_at(const Character& character, ImageId image, Vec2 pixel, std::vector<MeshId>& out) {
  out.clear();
  const auto meshes = character.meshes();
  for (auto i = static_cast<std::uint32_t>(meshes.size()); i-- > 0;) {
    if (meshes[i].image == image && covers(character, meshes[i], pixel)) out.push_back(MeshId{i});
  }
}

void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach) {
  const std::vector<MeshId> before = std::move(atlas.stack);
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
  atlas.camera.zoom = std::clamp(atlas.camera.zoom, kMinZoom, kMaxZoom);
}

void zoom(Atlas& atlas, Vec2 at, float factor) {
  const float wanted = std::clamp(atlas.camera.zoom * factor, kMinZoom, kMaxZoom);
  atlas.camera = zoom_at(atlas.camera, at, wanted / atlas.camera.zoom);
  atlas.fitted = false;
}

void move(Atlas& atlas, Vec2 pixels) {
  if (pixels == Vec2{0.0F}) return;
  atlas.camera.center -= pixels / atlas.camera.zoom;
  atlas.fitted = false;
}

std::uint64_t gpu_bytes(const Image& image) noexcept {
  std::uint64_t pixels = 0;
  for (std::uint64_t width = image.width, height = image.height;; width /= 2, height /= 2) {
    pixels += std::max<std::uint64_t>(width, 1) * std::max<std::uint64_t>(height, 1);
    if (width <= 1 && height <= 1) return pixels * 4;
  }
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Draw streams: skinned triangles for other graphics APIs.
#include "animation/hulls.hpp"
#include "character/kernels.hpp"

#include <glm/geometric.hpp>

#include <cassert>
#include <cmath>

namespace pchr {
namespace {

using Bytes = std::array<std::uint8_t, 4>;

float clamped(float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; }

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::lround(value * 255.0F)); }

/// Decodes an sRGB value. Standard libraries disagree on the last bits of pow(), so this takes the fifth root of the
/// twelfth power by Newton's method.
float decoded(float encoded) {
  if (encoded <= 0.04045F) return encoded / 12.92F;
  const double base = (double{encoded} + 0.055) / 1.055;
  const double power = base * base * base * base;
  double root = 1;  // Of base^4, so base^2.4 is its cube. Converges from above.
  for (int i = 0; i < 24; ++i) {
    const double fourth = root * root * root * root;
    root -= (fourth * root - power) / (5 * fourth);
  }
  return static_cast<float>(root * root * root);
}

/// Colors of a mesh, premultiplied by the alpha of its tint.
struct MeshColors {
  Bytes tint{};
  StreamLook look;
};

MeshColors premultiplied(const Appearance& look, bool linear_light) {
  const float alpha = clamped(look.tint[3]);
  const auto channel = [&](float straight) {
    const float value = clamped(straight);
    return to_byte((linear_light ? decoded(value) : value) * alpha);
  };
  MeshColors colors;
  for (std::size_t i = 0; i < 3; ++i) {
    colors.tint[i] = channel(look.tint[i]);
    colors.look.dark[i] = channel(look.dark_tint[i]);
    colors.look.additive[i] = channel(look.additive[i]);
  }
  // Adding is blending that leaves everything behind visible.
  colors.tint[3] = look.blend == Blend::add ? std::uint8_t{0} : to_byte(alpha);
  colors.look.dark[3] = to_byte(alpha);
  return colors;
}

/// Appends `count` elements and returns them.
template <typename T>
std::span<T> grow(std::vector<T>& elements, std::size_t count) {
  const std::size_t before = elements.size();
  elements.resize(before + count);
  return std::span(elements).subspan(before);
}

/// What append_draw_stream() was called with.
struct StreamSource {
  const Character& character;
  const Hulls& hulls;
  Palette palette;
  bool is_checked = false;  ///< Every slot of every vertex refers to a finite transform.
  const StreamOptions& options;

  [[nodiscard]] bool sees(MeshId mesh) const noexcept {
    if (!options.camera && !options.scene) return true;
    const auto box = placed_hull(character, hulls, palette, mesh, options.appearance.placement);
    return !box || ((!options.camera || pchr::sees(*options.camera, *box)) &&
                    (!options.scene || pchr::sees(*options.scene, *box)));
  }
};

// A block on the stack, so the stream does not have to store skinned points.
constexpr std::size_t kStreamBlock = 256;

void add_vertices(const StreamSource& source, const Mesh& mesh, Bytes color, std::vector<StreamVertex>& out) {
  const Affine placement = source.options.appearance.placement;
  auto vertices = source.character.vertices(mesh);
  std::size_t first = mesh.first_vertex;
  StreamVertex* next = grow(out, vertices.size()).data();
  std::array<Vec2, kStreamBlock> points;
  while (!vertices.empty()) {
    const auto block = vertices.first(std::min(vertices.size(), points.size()));
    if (source.is_checked) {
      kernels().skin_checked(block.data(), block.size(), source.palette.in_2d.data(), points.data());
    } else {
      skin_front(source.character, source.palette, first, std::span(points).first(block.size()));
    }
    first += block.size();
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Vec2 world = apply(placement, points[i]);
      *next++ = {world.x, world.y, block[i].u, block[i].v, color};
    }
    vertices = vertices.subspan(block.size());
  }
}

/// Returns the direction in which a vertex's normal points once skinned and placed, or `normal` if that has no length.
Vec3 placed_normal(const Vertex& vertex, Vec3 normal, std::span<const Affine3> palette, const Affine& placement) {
  Vec3 sum{0.0F};
  for (int slot = 0; slot < 4; ++slot) {
    if (vertex.weights[slot] == 0) continue;
    const Affine3& bone = palette[vertex.bones[slot]];
    sum += (bone[0] * normal.x + bone[1] * normal.y + bone[2] * normal.z) * vertex.weights[slot];
  }
  const Vec2 across = placement[0] * sum.x + placement[1] * sum.y;
  const Vec3 placed{across.x, across.y, sum.z};
  const float length = std::sqrt(dot(placed, placed));
  return length > 0 && std::isfinite(length) ? placed / length : normal;
}

void add_depths(const StreamSource& source, const Mesh& mesh, std::vector<Vertex3D>& out) {
  out.resize(out.size() + mesh.vertex_count);
  if (!source.character.is_3d()) return;
  auto vertices = source.character.vertices(mesh);
  auto depths = source.character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count);
  Vertex3D* next = out.data() + out.size() - mesh.vertex_count;
  std::array<Vec3, kStreamBlock> points;
  while (!vertices.empty()) {
    const std::size_t count = std::min(vertices.size(), points.size());
    deform(vertices.first(count), depths.first(count), source.palette.in_3d, std::span(points).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      *next++ = {points[i].z, placed_normal(vertices[i], depths[i].normal, source.palette.in_3d,
                                            source.options.appearance.placement)};
    }
    vertices = vertices.subspan(count);
    depths = depths.subspan(count);
  }
}

void add_indices(std::span<const std::uint16_t> indices, std::uint32_t first_vertex, StreamCommand command,
                 DrawStream& stream) {
  command.first_index = static_cast<std::uint32_t>(stream.indices.size());
  command.index_count = static_cast<std::uint32_t>(indices.size());
  const auto added = grow(stream.indices, indices.size());
  // Compilers use vectors for loops of constant length.
  constexpr std::size_t kLanes = 16;
  std::size_t i = 0;
  for (; i + kLanes <= indices.size(); i += kLanes) {
    const std::uint16_t* const from = &indices[i];
    std::uint32_t* const to = &added[i];
    for (std::size_t lane = 0; lane < kLanes; ++lane) to[lane] = first_vertex + from[lane];
  }
  for (; i < indices.size(); ++i) added[i] = first_vertex + indices[i];
  if (!stream.commands.empty()) {
    StreamCommand& last = stream.commands.back();
    if (last.source == command.source && last.image == command.image && last.blend == command.blend) {
      last.index_count += command.index_count;
      return;
    }
  }
  stream.commands.push_back(command);
}

/// The end of a stream, to remove what comes after it.
struct StreamEnd {
  std::size_t vertices, indices, commands;
  std::uint32_t last_index_count;

  explicit StreamEnd(const DrawStream& stream)
      : vertices(stream.vertices.size()),
        indices(stream.indices.size()),
        commands(stream.commands.size()),
        last_index_count(commands > 0 ? stream.commands.back().index_count : 0) {}

  void restore(DrawStream& stream) const {
    stream.vertices.resize(vertices);
    if (stream.with_3d) stream.vertices_3d.resize(vertices);
    if (stream.with_looks) stream.looks.resize(vertices);
    stream.indices.resize(indices);
    stream.commands.resize(commands);
    if (commands > 0) stream.commands.back().index_count = last_index_count;
  }
};

}  // namespace

void DrawStream::clear() noexcept {
  vertices.clear();
  vertices_3d.clear();
  looks.clear();
  indices.clear();
  commands.clear();
}

bool append_draw_stream(const Character& character, const PoseBuffers& posed, const StreamOptions& options,
                        DrawStream& stream) {
  assert(posed.palette.size() == character.bones().size());
  assert(stream.vertices_3d.size() == (stream.with_3d ? stream.vertices.size() : 0));
  assert(stream.looks.size() == (stream.with_looks ? stream.vertices.size() : 0));
  const StreamEnd end(stream);
  const Hulls& hulls = hulls_of(character);
  const bool is_checked = !character.is_3d() && hulls.all_slots_have_bones &&
                          kernels().all_finite(posed.palette.data(), posed.palette.size());
  const StreamSource source{character, hulls, palette_of(character, posed), is_checked, options};
  for (const DrawItem& plain : options.items ? *options.items : std::span(posed.draw_list)) {
    const std::optional<DrawItem> item = options.skin != nullptr ? apply_skin(*options.skin, plain) : plain;
    if (!item) continue;
    const Mesh& mesh = character.meshes()[item->mesh];
    if (mesh.index_count == 0 || !source.sees(item->mesh)) continue;
    const std::size_t first_vertex = stream.vertices.size();
    if (first_vertex + mesh.vertex_count > options.max_vertices ||
        stream.indices.size() + mesh.index_count > options.max_indices) {
      end.restore(stream);
      return false;
    }
    const Appearance look = combine(options.appearance, *item);
    const MeshColors colors = premultiplied(look, options.linear_light);
    add_vertices(source, mesh, colors.tint, stream.vertices);
    if (stream.with_3d) add_depths(source, mesh, stream.vertices_3d);
    if (stream.with_looks) stream.looks.resize(stream.vertices.size(), colors.look);
    const ImageId image = item->image == ImageId::none ? mesh.image : item->image;
    // Adding needs no blending of its own.
    const Blend blend = look.blend == Blend::add ? Blend::normal : look.blend;
    add_indices(character.indices(mesh), static_cast<std::uint32_t>(first_vertex), {options.source, image, 0, 0, blend},
                stream);
  }
  return true;
}

}  // namespace pchr

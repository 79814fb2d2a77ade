// SPDX-License-Identifier: MIT
// Draw streams: skinned triangles for other graphics APIs.
#include "animation/hulls.hpp"
#include "animation/skinning.hpp"
#include "character/contents.hpp"
#include "character/kernels.hpp"

#include <glm/geometric.hpp>

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace pchr {

Palette palette_of(const Character& character, const PoseBuffers& posed) noexcept {
  if (character.is_3d()) return {{}, posed.palette_3d};
  return {posed.palette, {}};
}

bool slots_are_known(const Character& character, const Palette& palette) noexcept {
  return !character.is_3d() && private_contents(character).all_slots_have_bones &&
         palette.in_2d.size() == character.bones().size();
}

void skin_front(const Character& character, const Palette& palette, std::size_t first, std::span<Vec2> out) noexcept {
  const auto vertices = character.vertices().subspan(first, out.size());
  if (!character.is_3d()) {
    const auto skin = slots_are_known(character, palette) ? kernels().skin_known : kernels().skin;
    return skin(vertices.data(), vertices.size(), palette.in_2d.data(), palette.in_2d.size(), out.data());
  }
  const auto depths = character.vertices_3d().subspan(first, out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Vertex& vertex = vertices[i];
    out[i] = Vec2{0.0F};
    for (int slot = 0; slot < 4; ++slot) {
      if (vertex.weights[slot] == 0) continue;
      const Affine3& bone = palette.in_3d[vertex.bones[slot]];
      const Vec3 moved = bone[0] * vertex.x + bone[1] * vertex.y + bone[2] * depths[i].z + bone[3];
      out[i] += Vec2{moved.x, moved.y} * vertex.weights[slot];
    }
  }
}

void deform_mesh(const Character& character, const PoseBuffers& posed, MeshId mesh, std::span<Vec2> out) noexcept {
  assert(out.size() == character.meshes()[mesh].vertex_count);
  if (out.size() != character.meshes()[mesh].vertex_count) return;
  skin_front(character, palette_of(character, posed), character.meshes()[mesh].first_vertex, out);
}

ComposedPose::ComposedPose(const Character& character) : character_(character) {
  const std::size_t bones = character.bones().size();
  if (character.is_3d()) {
    world_3d_.resize(bones);
    palette_3d_.resize(bones);
  } else {
    world_.resize(bones);
    palette_.resize(bones);
  }
}

void ComposedPose::pose(ClipId clip, ClipTime position) {
  ++poses_;
  const auto bones = character_.bones();
  if (!character_.clips().contains(clip) || character_.clips()[clip].frame_count == 0) {
    view_ = character_.bind_pose();
  } else if (position.factor == 0) {
    view_ = character_.clips()[clip].samples.frame(position.frame, bones.size());
  } else {
    sample(character_, clip, position, mixed_);
    view_ = pchr::view(mixed_);
  }
  if (character_.is_3d()) {
    compose(bones, view_, character_.inverse_bind_3d(), world_3d_, palette_3d_);
  } else {
    compose(bones, view_, character_.inverse_bind(), world_, palette_);
  }
}

namespace {

using Bytes = std::array<std::uint8_t, 4>;

float clamped(float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; }

/// Rounds halves up. A double holds the sum exactly.
std::uint8_t to_byte(float value) {
  const double above = double{value * 255.0F} + 0.5;
  return static_cast<std::uint8_t>(above);
}

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
  Blend blend{};
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
  // Adding is normal blending that leaves everything behind visible.
  const bool adds = look.blend == Blend::add;
  colors.blend = adds ? Blend::normal : look.blend;
  colors.tint[3] = adds ? std::uint8_t{0} : to_byte(alpha);
  colors.look.dark[3] = to_byte(alpha);
  return colors;
}

/// Returns whether two items have the same colors, to the bit.
bool look_alike(const DrawItem& a, const DrawItem& b) {
  // Compilers compare arrays of floats one by one, but memory in words.
  const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof(x)) == 0; };
  return same(a.opacity, b.opacity) && same(a.tint, b.tint) && same(a.dark_tint, b.dark_tint) &&
         same(a.additive, b.additive) && a.blend == b.blend;
}

/// What append_draw_stream() was called with.
struct StreamSource {
  const Character& character;
  Palette palette;
  std::span<const Vertex> vertices;
  const PoseKernels& kernels;
  bool is_finite = false;  ///< Every slot of every vertex has a finite transform.
  const StreamOptions& options;

  [[nodiscard]] bool sees(MeshId mesh) const noexcept {
    if (!options.camera && !options.scene) return true;
    const auto box = placed_hull(character, hulls_of(character), palette, mesh, options.appearance.placement);
    return !box || ((!options.camera || pchr::sees(*options.camera, *box)) &&
                    (!options.scene || pchr::sees(*options.scene, *box)));
  }
};

// A block on the stack.
constexpr std::size_t kStreamBlock = 256;

void write_vertices(const StreamSource& source, const Mesh& mesh, Bytes color, StreamVertex* out) {
  const auto vertices = source.vertices.subspan(mesh.first_vertex, mesh.vertex_count);
  const Affine& placement = source.options.appearance.placement;
  if (source.is_finite) {
    return source.kernels.stream(vertices.data(), vertices.size(), source.palette.in_2d.data(), placement,
                                 std::bit_cast<std::uint32_t>(color), out);
  }
  std::array<Vec2, kStreamBlock> points;
  for (std::size_t first = 0; first < vertices.size(); first += kStreamBlock) {
    const auto block = std::span(points).first(std::min(vertices.size() - first, kStreamBlock));
    skin_front(source.character, source.palette, mesh.first_vertex + first, block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Vec2 world = apply(placement, block[i]);
      out[first + i] = {world.x, world.y, vertices[first + i].u, vertices[first + i].v, color};
    }
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

void write_indices(std::span<const std::uint16_t> indices, std::uint32_t first_vertex, std::uint32_t* out) {
  // Compilers use vectors for loops of constant length.
  constexpr std::size_t kLanes = 8;
  std::size_t i = 0;
  for (; i + kLanes <= indices.size(); i += kLanes) {
    const std::uint16_t* const from = &indices[i];
    for (std::size_t lane = 0; lane < kLanes; ++lane) out[i + lane] = first_vertex + from[lane];
  }
  for (; i < indices.size(); ++i) out[i] = first_vertex + indices[i];
}

void add_command(const StreamCommand& command, std::vector<StreamCommand>& commands) {
  if (!commands.empty()) {
    StreamCommand& last = commands.back();
    if (last.source == command.source && last.image == command.image && last.blend == command.blend) {
      last.index_count += command.index_count;
      return;
    }
  }
  commands.push_back(command);
}

struct StreamSize {
  std::size_t vertices, indices;
};

/// The end of a stream, to remove what comes after it.
struct StreamEnd {
  StreamSize size;
  std::size_t commands;
  std::uint32_t last_index_count;

  explicit StreamEnd(const DrawStream& stream)
      : size{stream.vertices.size(), stream.indices.size()},
        commands(stream.commands.size()),
        last_index_count(commands > 0 ? stream.commands.back().index_count : 0) {}

  void restore(DrawStream& stream) const {
    stream.vertices.resize(size.vertices);
    if (stream.with_3d) stream.vertices_3d.resize(size.vertices);
    if (stream.with_looks) stream.looks.resize(size.vertices);
    stream.indices.resize(size.indices);
    stream.commands.resize(commands);
    if (commands > 0) stream.commands.back().index_count = last_index_count;
  }
};

/// Makes room for `items` after what has been written.
void grow(DrawStream& stream, const StreamSize& written, Table<MeshId, Mesh> meshes, std::span<const DrawItem> items,
          const StreamOptions& options) {
  StreamSize size = written;
  for (const DrawItem& item : items) {
    size.vertices += meshes[item.mesh].vertex_count;
    size.indices += meshes[item.mesh].index_count;
  }
  stream.vertices.resize(std::min<std::size_t>(size.vertices, options.max_vertices));
  stream.indices.resize(std::min<std::size_t>(size.indices, options.max_indices));
}

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
  const Palette palette = palette_of(character, posed);
  const Table<MeshId, Mesh> meshes = character.meshes();
  const std::span<const std::uint16_t> all_indices = character.indices();
  const bool is_finite =
      slots_are_known(character, palette) && kernels().all_finite(palette.in_2d.data(), palette.in_2d.size());
  const StreamSource source{character, palette, character.vertices(), kernels(), is_finite, options};
  StreamSize written = end.size;
  DrawItem changed;
  std::optional<DrawItem> previous;
  MeshColors colors;
  const std::span<const DrawItem> items = options.items ? *options.items : std::span(posed.draw_list);
  for (const DrawItem& plain : items) {
    const DrawItem* item = &plain;
    if (options.skin != nullptr) {
      const std::optional<DrawItem> worn = apply_skin(*options.skin, plain);
      if (!worn) continue;
      changed = *worn;
      item = &changed;
    }
    const Mesh& mesh = meshes[item->mesh];
    if (mesh.index_count == 0 || !source.sees(item->mesh)) continue;
    const StreamSize size{written.vertices + mesh.vertex_count, written.indices + mesh.index_count};
    if (size.vertices > options.max_vertices || size.indices > options.max_indices) {
      end.restore(stream);
      return false;
    }
    // Growing once for all that follow is faster than mesh by mesh.
    if (size.vertices > stream.vertices.size() || size.indices > stream.indices.size()) {
      grow(stream, written, meshes, items.subspan(&plain - items.data()), options);
    }
    // Consecutive meshes mostly look the same.
    if (!previous || !look_alike(*item, *previous)) {
      colors = premultiplied(combine(options.appearance, *item), options.linear_light);
      previous = *item;
    }
    write_vertices(source, mesh, colors.tint, stream.vertices.data() + written.vertices);
    if (stream.with_3d) add_depths(source, mesh, stream.vertices_3d);
    if (stream.with_looks) stream.looks.resize(size.vertices, colors.look);
    const ImageId image = item->image == ImageId::none ? mesh.image : item->image;
    add_command({options.source, image, static_cast<std::uint32_t>(written.indices), mesh.index_count, colors.blend},
                stream.commands);
    write_indices(all_indices.subspan(mesh.first_index, mesh.index_count), static_cast<std::uint32_t>(written.vertices),
                  stream.indices.data() + written.indices);
    written = size;
  }
  stream.vertices.resize(written.vertices);
  stream.indices.resize(written.indices);
  return true;
}

}  // namespace pchr

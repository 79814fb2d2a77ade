// SPDX-License-Identifier: MIT
// What a renderer would draw, recorded.
#include <pchr/draw_stream.hpp>

#include "animation/skinning.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace pchr {
namespace {

std::array<std::uint8_t, 4> premultiplied(const std::array<float, 4>& tint, const DrawItem& item) {
  const auto clamped = [](float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; };
  const auto to_byte = [](float value) { return static_cast<std::uint8_t>(std::lround(value * 255.0F)); };
  const float alpha = clamped(tint[3] * item.tint[3] * item.opacity);
  const auto channel = [&](std::size_t i) { return to_byte(clamped(tint[i] * item.tint[i]) * alpha); };
  return {channel(0), channel(1), channel(2), to_byte(alpha)};
}

/// As many more elements.
template <typename T>
std::span<T> grow(std::vector<T>& elements, std::size_t count) {
  const std::size_t before = elements.size();
  elements.resize(before + count);
  return std::span(elements).subspan(before);
}

void add_vertices(const Character& character, const Palette& palette, const Mesh& mesh, const Affine& placement,
                  std::array<std::uint8_t, 4> colour, std::vector<StreamVertex>& out) {
  auto vertices = character.vertices(mesh);
  std::size_t first = mesh.first_vertex;
  StreamVertex* next = grow(out, vertices.size()).data();
  // Through a block on the stack, which needs no memory of the stream's.
  std::array<Vec2, 256> points;
  while (!vertices.empty()) {
    const auto block = vertices.first(std::min(vertices.size(), points.size()));
    skin_front(character, palette, first, std::span(points).first(block.size()));
    first += block.size();
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Vec2 world = apply(placement, points[i]);
      *next++ = {world.x, world.y, block[i].u, block[i].v, colour};
    }
    vertices = vertices.subspan(block.size());
  }
}

void add_indices(std::span<const std::uint16_t> indices, std::uint32_t first_vertex, StreamCommand command,
                 DrawStream& stream) {
  command.first_index = static_cast<std::uint32_t>(stream.indices.size());
  command.index_count = static_cast<std::uint32_t>(indices.size());
  std::ranges::transform(indices, grow(stream.indices, indices.size()).begin(),
                         [&](std::uint16_t index) { return first_vertex + index; });
  if (!stream.commands.empty()) {
    StreamCommand& last = stream.commands.back();
    if (last.source == command.source && last.image == command.image) {
      last.index_count += command.index_count;
      return;
    }
  }
  stream.commands.push_back(command);
}

}  // namespace

void DrawStream::clear() noexcept {
  vertices.clear();
  indices.clear();
  commands.clear();
}

void record(const Character& character, const PosedCharacter& posed, const Appearance& appearance, const SkinData* skin,
            DrawStream& stream, std::uint32_t source) {
  assert(posed.palette.size() == character.bones().size());
  for (const DrawItem& plain : posed.draw_list) {
    const std::optional<DrawItem> item = skin != nullptr ? dressed(*skin, plain) : plain;
    if (!item) continue;
    const Mesh& mesh = character.meshes()[item->mesh];
    if (mesh.index_count == 0) continue;
    const std::uint32_t image = item->image == DrawItem::kOwnImage ? mesh.image : item->image;
    const auto first_vertex = static_cast<std::uint32_t>(stream.vertices.size());
    add_vertices(character, palette_of(character, posed), mesh, appearance.placement,
                 premultiplied(appearance.tint, *item), stream.vertices);
    add_indices(character.indices(mesh), first_vertex, {source, image}, stream);
  }
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Palettes and skinning in 2D and 3D.
#include "animation/skinning.hpp"

#include "character/contents.hpp"
#include "character/kernels.hpp"

#include <cassert>

namespace pchr {

Palette palette_of(const Character& character, const PoseBuffers& posed) noexcept {
  if (character.is_3d()) return {{}, posed.palette_3d};
  return {posed.palette, {}};
}

bool slots_are_known(const Character& character, const Palette& palette) noexcept {
  return !character.is_3d() && CharacterBounds::contents(character).all_slots_have_bones &&
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

}  // namespace pchr

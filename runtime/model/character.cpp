// SPDX-License-Identifier: MIT
// Access to a character's parts.
#include "model/contents.hpp"

#include "model/build.hpp"

#include <algorithm>
#include <utility>

namespace pchr {
namespace {

template <typename Items>
std::optional<std::uint32_t> find_by_name(const Items& items, std::string_view name) noexcept {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  if (found == items.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - items.begin());
}

}  // namespace

void BoneSamples::resize(std::size_t count) {
  x.resize(count);
  y.resize(count);
  rotation_degrees.resize(count);
  scale_x.resize(count, 1.0F);
  scale_y.resize(count, 1.0F);
  opacity.resize(count, 1.0F);
  visible.resize(count, 1);
  z_order.resize(count);
}

PoseView BoneSamples::frame(std::size_t frame, std::size_t bone_count) const noexcept {
  const auto slice = [&](const auto& values) {
    return std::span(values).subspan(values.empty() ? 0 : frame * bone_count, values.empty() ? 0 : bone_count);
  };
  return {slice(x),       slice(y),       slice(rotation_degrees), slice(scale_x), slice(scale_y),
          slice(opacity), slice(visible), slice(z_order),          slice(spatial)};
}

Character::Character(std::shared_ptr<const Contents> contents) noexcept : contents_(std::move(contents)) {}

std::expected<Character, Finding> Character::build(CharacterData data, const BindPose& bind) {
  return CharacterBuilder::build(std::move(data), bind, {}, {});
}

const CharacterData& Character::data() const noexcept { return contents_->data; }

std::span<const Image> Character::images() const noexcept {
  static const Image placeholder{"none", 64, 64, ImageEncoding::absent, {}};
  const CharacterData& data = contents_->data;
  return data.images.empty() && !data.meshes.empty() ? std::span(&placeholder, 1) : std::span(data.images);
}

std::span<const Bone> Character::bones() const noexcept { return contents_->data.bones; }
std::span<const Mesh> Character::meshes() const noexcept { return contents_->data.meshes; }
std::span<const Clip> Character::clips() const noexcept { return contents_->data.clips; }
std::span<const Vertex> Character::vertices() const noexcept { return contents_->data.vertices; }
std::span<const std::uint16_t> Character::indices() const noexcept { return contents_->data.indices; }

std::span<const Vertex> Character::vertices(const Mesh& mesh) const noexcept {
  return vertices().subspan(mesh.first_vertex, mesh.vertex_count);
}
std::span<const std::uint16_t> Character::indices(const Mesh& mesh) const noexcept {
  return indices().subspan(mesh.first_index, mesh.index_count);
}

std::optional<std::uint32_t> Character::find_clip(std::string_view name) const noexcept {
  return find_by_name(contents_->data.clips, name);
}
std::optional<std::uint32_t> Character::find_bone(std::string_view name) const noexcept {
  return find_by_name(contents_->data.bones, name);
}
std::optional<std::uint32_t> Character::find_mesh(std::string_view name) const noexcept {
  return find_by_name(contents_->data.meshes, name);
}

std::uint32_t Character::governing_bone(std::size_t mesh) const noexcept { return contents_->governing_bones[mesh]; }
std::span<const std::uint32_t> Character::governing_bones() const noexcept { return contents_->governing_bones; }
BindPoseSource Character::bind_pose_source() const noexcept { return contents_->bind_source; }
PoseView Character::bind_pose() const noexcept { return contents_->bind_pose.frame(0, contents_->data.bones.size()); }
std::span<const Affine> Character::inverse_bind() const noexcept { return contents_->inverse_bind; }
bool Character::is_spatial() const noexcept { return contents_->data.spatial; }
std::span<const SpatialVertex> Character::spatial_vertices() const noexcept { return contents_->data.spatial_vertices; }
std::span<const Affine3> Character::spatial_inverse_bind() const noexcept { return contents_->spatial_inverse_bind; }
std::span<const Finding> Character::warnings() const noexcept { return contents_->warnings; }

}  // namespace pchr

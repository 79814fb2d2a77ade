// SPDX-License-Identifier: MIT
// Access to a character's parts.
#include "character/contents.hpp"

#include "character/build.hpp"
#include "character/fail.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pchr {
namespace {

template <typename Id, typename T>
Id find_by_name(const std::vector<T>& items, std::string_view name) noexcept {
  const auto found = std::ranges::find(items, name, &T::name);
  return found == items.end() ? Id::none : Id(found - items.begin());
}

}  // namespace

BindPose parse_bind_pose(std::string_view text) {
  if (text == "auto") return AutomaticBindPose{};
  if (text == "identity") return IdentityBindPose{};
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    std::uint32_t frame = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, frame);
    if (error == std::errc() && stopped == end) return ClipBindPose{std::string(text.substr(0, colon)), frame};
  }
  return ClipBindPose{std::string(text)};
}

void BoneSamples::resize(std::size_t count) {
  x.resize(count, 0.0F);
  y.resize(count, 0.0F);
  rotation_degrees.resize(count, 0.0F);
  scale_x.resize(count, 1.0F);
  scale_y.resize(count, 1.0F);
  opacity.resize(count, 1.0F);
  visible.resize(count, 1);
  z_order.resize(count, 0);
}

PoseView BoneSamples::frame(std::size_t frame, std::size_t bone_count) const noexcept {
  const auto slice = [&](const auto& values) {
    return std::span(values).subspan(values.empty() ? 0 : frame * bone_count, values.empty() ? 0 : bone_count);
  };
  return {slice(x),       slice(y),       slice(rotation_degrees), slice(scale_x),   slice(scale_y),
          slice(opacity), slice(visible), slice(z_order),          slice(samples_3d)};
}

double Clip::frame_begin(std::uint32_t frame) const noexcept {
  if (frames_per_second <= 0 || frame == 0) return 0;
  if (!frame_ends.empty()) return frame_ends[std::min<std::size_t>(frame, frame_ends.size()) - 1];
  double seconds = frame / frames_per_second;
  // A rounded quotient can lie in the frame before.
  while (std::floor(seconds * frames_per_second) < frame) seconds = std::nextafter(seconds, HUGE_VAL);
  return seconds;
}

Character::Character(const Character& other) noexcept : contents_(other.contents_) {
  if (contents_ != nullptr) contents_->owners.fetch_add(1, std::memory_order_relaxed);
}
Character::~Character() {
  if (contents_ != nullptr && contents_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete contents_;
}

Expected<Character, Diagnostic> Character::build(CharacterData data, const BindPose& bind) {
  return or_out_of_memory([&] { return CharacterBuilder::build(std::move(data), bind, {}, {}); });
}

const CharacterData& Character::data() const noexcept { return contents_->data; }

Table<ImageId, Image> Character::images() const noexcept {
  static const Image placeholder{"none", 64, 64, ImageEncoding::absent, {}};
  const CharacterData& data = contents_->data;
  return data.images.empty() && !data.meshes.empty() ? Table<ImageId, Image>(&placeholder, 1)
                                                     : Table<ImageId, Image>(data.images);
}

Table<BoneId, Bone> Character::bones() const noexcept { return contents_->data.bones; }
Table<MeshId, Mesh> Character::meshes() const noexcept { return contents_->data.meshes; }
Table<ClipId, Clip> Character::clips() const noexcept { return contents_->data.clips; }
std::span<const Vertex> Character::vertices() const noexcept { return contents_->data.vertices; }
std::span<const std::uint16_t> Character::indices() const noexcept { return contents_->data.indices; }

std::span<const Vertex> Character::vertices(const Mesh& mesh) const noexcept {
  return vertices().subspan(mesh.first_vertex, mesh.vertex_count);
}
std::span<const std::uint16_t> Character::indices(const Mesh& mesh) const noexcept {
  return indices().subspan(mesh.first_index, mesh.index_count);
}

ClipId Character::find_clip(std::string_view name) const noexcept {
  return find_by_name<ClipId>(contents_->data.clips, name);
}
BoneId Character::find_bone(std::string_view name) const noexcept {
  return find_by_name<BoneId>(contents_->data.bones, name);
}
MeshId Character::find_mesh(std::string_view name) const noexcept {
  return find_by_name<MeshId>(contents_->data.meshes, name);
}

BoneId Character::governing_bone(MeshId mesh) const noexcept { return governing_bones()[mesh]; }
Table<MeshId, BoneId> Character::governing_bones() const noexcept { return contents_->governing_bones; }
BindPoseSource Character::bind_pose_source() const noexcept { return contents_->bind_source; }
const std::optional<BindPoseGuess>& Character::bind_pose_guess() const noexcept { return contents_->bind_guess; }
PoseView Character::bind_pose() const noexcept { return contents_->bind_pose.frame(0, contents_->data.bones.size()); }
std::span<const Affine> Character::inverse_bind() const noexcept { return contents_->inverse_bind; }
bool Character::is_3d() const noexcept { return contents_->data.is_3d; }
std::span<const Vertex3D> Character::vertices_3d() const noexcept { return contents_->data.vertices_3d; }
std::span<const Affine3> Character::inverse_bind_3d() const noexcept { return contents_->inverse_bind_3d; }
std::span<const Diagnostic> Character::warnings() const noexcept { return contents_->warnings; }

}  // namespace pchr

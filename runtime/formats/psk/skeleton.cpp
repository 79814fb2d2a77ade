// SPDX-License-Identifier: MIT
// The bones of an Unreal mesh as a character's.
#include "formats/psk/skeleton.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace pchr::psk {
namespace {

constexpr std::int32_t kRoot = -1;

void remark(FindingId id, std::size_t bone, const std::string& name, std::string detail, Remarks& remarks) {
  remarks.add(id, [&] { return Finding{id, fmt::format("bones[{}]", bone), name, {}, std::move(detail)}; });
}

/// The parent of each bone, or kRoot.
std::vector<std::int32_t> find_parents(std::span<const Bone> bones, Remarks& remarks) {
  std::vector<std::int32_t> parents(bones.size(), kRoot);
  for (std::size_t i = 1; i < bones.size(); ++i) {
    const std::int32_t parent = bones[i].parent;
    if (parent >= 0 && static_cast<std::size_t>(parent) < bones.size()) parents[i] = parent;
  }
  // What does not reach a root within as many steps as there are bones goes round in a circle. Each bone is visited
  // once: `reaches` is the last start that came by.
  std::vector<std::size_t> visited(bones.size(), 0);
  for (std::size_t start = 1; start < bones.size(); ++start) {
    auto at = static_cast<std::int32_t>(start);
    while (at != kRoot && visited[static_cast<std::size_t>(at)] == 0) {
      visited[static_cast<std::size_t>(at)] = start;
      at = parents[static_cast<std::size_t>(at)];
    }
    if (at == kRoot || visited[static_cast<std::size_t>(at)] != start) continue;
    const auto bone = static_cast<std::size_t>(at);
    remark(FindingId::psk_bone_detached, bone, bones[bone].name,
           fmt::format("found parent {}, which is the bone itself or below it", parents[bone]), remarks);
    parents[bone] = kRoot;
  }
  return parents;
}

/// The bones, each after its parent, and otherwise as they come.
std::vector<std::uint32_t> parents_first(std::span<const std::int32_t> parents) {
  std::vector<std::uint32_t> order;
  std::vector<bool> placed(parents.size());
  std::vector<std::uint32_t> branch;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    branch.clear();
    for (auto at = static_cast<std::int32_t>(i); at != kRoot && !placed[static_cast<std::size_t>(at)];
         at = parents[static_cast<std::size_t>(at)]) {
      branch.push_back(static_cast<std::uint32_t>(at));
      placed[static_cast<std::size_t>(at)] = true;
    }
    order.insert(order.end(), branch.rbegin(), branch.rend());
  }
  return order;
}

}  // namespace

LocalTransform local_transform(Vec3 position, const Quat& rotation, bool is_root) noexcept {
  return {to_y_up(position), normalised(to_y_up(is_root ? rotation : conjugate(rotation)))};
}

bool is_finite(const LocalTransform& transform) noexcept {
  const Vec3 sum = transform.position + transform.scale;
  return std::isfinite(sum.x) && std::isfinite(sum.y) && std::isfinite(sum.z);
}

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept {
  samples.x[sample] = transform.position.x;
  samples.y[sample] = transform.position.y;
  samples.scale_x[sample] = transform.scale.x;
  samples.scale_y[sample] = transform.scale.y;
  samples.spatial[sample] = {transform.rotation, transform.position.z, transform.scale.z};
}

Skeleton make_skeleton(std::span<const Bone> bones, Remarks& remarks) {
  if (bones.empty()) return {{{"root", kRoot}}, {}, {LocalTransform{}}};
  const std::vector<std::int32_t> parents = find_parents(bones, remarks);
  Skeleton skeleton;
  skeleton.number_of.resize(bones.size());
  for (const std::uint32_t number : parents_first(parents)) {
    skeleton.number_of[number] = static_cast<std::uint32_t>(skeleton.bones.size());
    const Bone& bone = bones[number];
    const std::int32_t parent = parents[number];
    const bool is_root = parent == kRoot;
    skeleton.bones.push_back(
        {bone.name, is_root ? kRoot : static_cast<std::int32_t>(skeleton.number_of[static_cast<std::size_t>(parent)])});
    LocalTransform bind = local_transform(bone.position, bone.rotation, is_root);
    if (!is_finite(bind)) {
      remark(FindingId::psk_value_replaced, number, bone.name, "0 is used for its position", remarks);
      bind.position = Vec3{0.0F};
    }
    skeleton.bind.push_back(bind);
  }
  return skeleton;
}

}  // namespace pchr::psk

// SPDX-License-Identifier: MIT
// Composes local transforms into world transforms and skinning palettes, in 2D and 3D.
#include "character/kernels.hpp"

#include <pchr/3d.hpp>

#include <algorithm>
#include <cassert>

namespace pchr {
namespace {

void compose_front_view(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept {
  std::vector<Affine3> world_3d(bones.size());
  compose(bones, pose, world_3d);
  std::ranges::transform(world_3d, world.begin(), front_view);
}

}  // namespace

FramePointers pointers_to(const PoseView& view) noexcept {
  return {view.x.data(),       view.y.data(),       view.rotation_degrees.data(),
          view.scale_x.data(), view.scale_y.data(), view.opacity.empty() ? nullptr : view.opacity.data(),
          view.visible.data(), view.z_order.data(), view.samples_3d.data()};
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept {
  assert(pose.x.size() == bones.size() && world.size() == bones.size());
  if (!pose.samples_3d.empty()) return compose_front_view(bones, pose, world);
  kernels().compose(bones.data(), bones.size(), pointers_to(pose), world.data(), nullptr, nullptr);
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept {
  assert(pose.x.size() == bones.size() && world.size() == bones.size());
  assert(inverse_bind.size() == bones.size() && palette.size() == bones.size());
  if (!pose.samples_3d.empty()) {
    compose_front_view(bones, pose, world);
    return build_palette(world, inverse_bind, palette);
  }
  kernels().compose(bones.data(), bones.size(), pointers_to(pose), world.data(), inverse_bind.data(), palette.data());
}

void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept {
  assert(world.size() == inverse_bind.size() && world.size() == palette.size());
  kernels().build_palette(world.data(), inverse_bind.data(), palette.data(), world.size());
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine3> inverse_bind,
             std::span<Affine3> world, std::span<Affine3> palette) noexcept {
  assert(pose.samples_3d.size() == bones.size() && world.size() == bones.size());
  assert(inverse_bind.size() == bones.size() && palette.size() == bones.size());
  compose(bones, pose, world);
  for (std::size_t i = 0; i < bones.size(); ++i) palette[i] = concatenate(world[i], inverse_bind[i]);
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine3> world) noexcept {
  assert(pose.samples_3d.size() == bones.size() && world.size() == bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const BoneSample3D& depth = pose.samples_3d[i];
    const Affine3 local = transform_of({pose.x[i], pose.y[i], depth.z}, depth.rotation,
                                       {pose.scale_x[i], pose.scale_y[i], depth.scale_z});
    const auto parent = static_cast<std::int32_t>(bones[i].parent);
    world[i] = parent < 0 ? local : concatenate(world[static_cast<std::size_t>(parent)], local);
  }
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Turns clips into poses, and poses into matrices and skinned vertices. All functions are pure: the same character
// and time give the same bits in every build and on every processor. None allocates once its output is large enough.
//
//   pchr::PoseBuffers buffers;
//   pchr::pose_clip(hero, walk, seconds, pchr::Sampling::smooth, buffers);
//   const pchr::Affine grip = buffers.world[index(hand)];
//   renderer.draw(model, buffers, camera);
#pragma once

#include <pchr/draw_list.hpp>

namespace PCHR_API pchr {

/// A place on a clip's frames: `frame`, or between `frame` and `next` where `factor` is above 0.
struct ClipTime {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float factor = 0;  ///< 0 up to, not including, 1.
  bool operator==(const ClipTime&) const = default;
};

/// Frames of a clip, both included.
struct FrameRange {
  std::uint32_t first = 0, last = 0;
  bool operator==(const FrameRange&) const = default;
};

enum class Sampling : std::uint8_t {
  step,   ///< Each frame is held until the next, as exported.
  smooth  ///< Position, scale and opacity go in a line, rotation along the shortest arc; visibility and draw order are
          ///< the earlier frame's; from last to first only where the clip loops.
};

/// Returns the place of `clip` at `seconds`, which must be finite: frame floor(seconds * rate), wrapped where the clip
/// loops, else clamped to its frames.
[[nodiscard]] ClipTime clip_time(const Clip& clip, double seconds, Sampling sampling) noexcept;

/// Returns the earliest time at which clip_time() returns `frame`.
[[nodiscard]] double seconds_of_frame(const Clip& clip, std::uint32_t frame) noexcept;

/// One local transform per bone, with visibility, order and opacity.
using Pose = BoneSamples;

/// Views a pose, for the functions that read one.
[[nodiscard]] PoseView view(const Pose& pose) noexcept;

/// Samples a clip. A clip without frames gives the bind pose.
void sample(const Character& character, ClipId clip, ClipTime position, Pose& out);

/// What one character shows at one moment: a clip, or a crossfade from it to another.
struct PoseRequest {
  ClipId clip{};
  ClipTime position{};
  ClipId fade_clip{};  ///< Not read where the weight is 0; nor are `clip` and `position` where it is 1.
  ClipTime fade_position{};
  float fade_weight = 0;  ///< 0 shows `clip`, 1 `fade_clip`, in between their blend; clamped to 0..1.
};

/// Samples a clip, or two and blends them as blend() does.
void sample(const Character& character, const PoseRequest& request, Pose& out);

/// Copies the bind pose.
void sample_bind_pose(const Character& character, Pose& out);

/// Moves `pose` towards `to`, which has as many bones and is no part of it, by `weight`, clamped to 0..1: position,
/// scale and opacity in a line, rotation along the shortest arc. Visibility and draw order are those of `to` from 0.5
/// on.
void blend(const PoseView& to, float weight, Pose& pose);

/// Computes the world transform of every bone: world = parent's world * T * R * S. All spans have one element per bone,
/// here and below.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;

/// Computes world transforms and the skinning palette, world * inverse bind, in one pass.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;

/// Computes the skinning palette: world * inverse bind. `palette` may be `world`.
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

/// Skins vertices as the vertex shader does, but for rounding: each position by the sum of weight * palette[bone] over
/// its used slots. `out` has one element per vertex.
void deform(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept;

/// What is needed to draw one character at one moment. Keep it between frames to reuse its memory.
struct PoseBuffers {
  Pose pose;
  std::vector<Affine> world, palette;             ///< Per bone; of a 3D character, their front_view().
  std::vector<Affine3> world_3d{}, palette_3d{};  ///< Per bone of a 3D character.
  DrawList draw_list;
};

/// Poses a clip at a time: samples, composes, and builds palette and draw list. See clip_time() for `seconds`.
void pose_clip(const Character& character, ClipId clip, double seconds, Sampling sampling, PoseBuffers& out);
/// Poses a clip at a place between its frames.
void pose_clip(const Character& character, ClipId clip, ClipTime position, PoseBuffers& out);
/// Poses one request for each output. Threads may each pose a part of the spans.
void pose_many(const Character& character, std::span<const PoseRequest> requests, std::span<PoseBuffers> out);
/// Poses the bind pose.
void pose_bind(const Character& character, PoseBuffers& out);
/// Rebuilds world, palette and draw list from `out.pose`, after it was edited.
void update(const Character& character, PoseBuffers& out);

/// Skins one mesh of a posed character, as seen from the front. `out` has one element per vertex of the mesh.
void deform_mesh(const Character& character, const PoseBuffers& posed, MeshId mesh, std::span<Vec2> out) noexcept;

/// One element per bone, not 0 for those that take part; empty for all.
using BoneMask = std::vector<std::uint8_t>;

/// Returns the mask of a bone and its descendants.
[[nodiscard]] BoneMask mask_of_subtree(const Character& character, BoneId bone);
/// Returns the mask of the listed bones.
[[nodiscard]] BoneMask mask_of_bones(const Character& character, std::span<const BoneId> bones);

/// Blends the bones in `mask` alone.
void blend(const PoseView& to, float weight, const BoneMask& mask, Pose& pose);

/// Moves `pose` towards a place in a clip, as `blend` does.
void blend(const Character& character, ClipId clip, ClipTime position, float weight, Pose& pose);

/// Adds `weight`, clamped to 0..1, times the way from `reference` to `layer` for the bones in `mask`: differences of
/// position, scale and opacity (kept within 0..1), and the shorter turn. Visibility and draw order stay.
void blend_additive(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose);

/// Values of one bone that replace those of a clip. Values left out stay.
struct BoneOverride {
  BoneId bone{};  ///< Ignored where it does not exist.
  std::optional<float> x{}, y{};
  std::optional<float> rotation_degrees{};
  std::optional<float> scale_x{}, scale_y{};
  std::optional<bool> visible{};
  std::optional<std::int32_t> z_order{};
  float weight = 1;       ///< 0 keeps the pose's value, 1 takes the given one; visible and z_order from 0.5 on.
  bool relative = false;  ///< Adds position, rotation and z_order to the pose's, and multiplies scale.
};

/// Applies overrides one after the other, between sampling and composing.
void override_bones(std::span<const BoneOverride> overrides, Pose& pose) noexcept;

/// Return the world transform of `bone` in a pose, a clip or a crossfade: the bits that sampling and composing all
/// bones would give. A clip without frames shows the bind pose.
/// @{
[[nodiscard]] Affine bone_world(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept;
[[nodiscard]] Affine bone_world(const Character& character, ClipId clip, ClipTime position, BoneId bone) noexcept;
[[nodiscard]] Affine bone_world(const Character& character, const PoseRequest& request, BoneId bone) noexcept;
/// @}

/// Returns the world transform of `bone` in the bind pose, also where a bone that is flat there is skinned from another
/// frame.
[[nodiscard]] Affine bind_bone_world(const Character& character, BoneId bone) noexcept;

/// Returns the origin of a bone, in world pixels.
[[nodiscard]] constexpr Vec2 position_of(const Affine& world) noexcept { return world[2]; }

/// Returns the direction of a bone: the angle from world +Y, counter-clockwise, to its own +Y, along which it lies;
/// above -180 to 180 degrees, 0 where its +Y has no length.
[[nodiscard]] float rotation_degrees_of(const Affine& world) noexcept;

/// Returns the local rotation, above -180 to 180 degrees, with which `bone` points at `world_target` while everything
/// else of `pose` stays; its rotation in `pose` where the target is at its origin, or its scale along +Y or an ancestor
/// flattens it.
[[nodiscard]] float rotation_towards(std::span<const Bone> bones, const PoseView& pose, BoneId bone,
                                     Vec2 world_target) noexcept;

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Turns clips into poses, and poses into matrices and skinned vertices. The functions are pure: the same character and
// time give the same bits in every build and on every processor. They allocate only until their outputs are large
// enough.
//
//   pchr::PoseBuffers buffers;
//   pchr::pose_clip(hero, walk, seconds, pchr::Sampling::smooth, buffers);
//   const pchr::Affine grip = buffers.world[index(hand)];
//   renderer.draw(model, buffers, camera);
#pragma once

#include <pchr/draw_list.hpp>

namespace PCHR_API pchr {

/// A position within a clip: `frame`, or between `frame` and `next` if `factor` is above 0.
struct ClipTime {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float factor = 0;  ///< Blend from `frame` to `next`, in [0, 1).
  bool operator==(const ClipTime&) const = default;
};

/// A range of a clip's frames, both ends included.
struct FrameRange {
  std::uint32_t first = 0, last = 0;
  bool operator==(const FrameRange&) const = default;
};

/// What to show between two frames.
enum class Sampling : std::uint8_t {
  step,   ///< Holds each frame until the next, as exported.
  smooth  ///< Interpolates position, scale and opacity linearly, and rotation along the shortest arc. Visibility and
          ///< draw order come from the earlier frame. The last frame blends into the first only if the clip loops.
};

/// Returns the position of `clip` at `seconds`, which must be finite: frame floor(seconds * rate), wrapped if the clip
/// loops, else clamped to its frames.
[[nodiscard]] ClipTime clip_time(const Clip& clip, double seconds, Sampling sampling) noexcept;

/// One local transform per bone, with visibility, draw order and opacity.
using Pose = BoneSamples;

/// Returns a view of `pose`, for functions that read one.
[[nodiscard]] PoseView view(const Pose& pose) noexcept;

/// Samples a clip. A clip without frames gives the bind pose.
void sample(const Character& character, ClipId clip, ClipTime position, Pose& out);

/// What to sample for one character: a clip, or a crossfade from one clip to another.
struct PoseRequest {
  ClipId clip{};
  ClipTime position{};
  ClipId fade_clip{};  ///< Not read if `fade_weight` is 0. If it is 1, `clip` and `position` are not read.
  ClipTime fade_position{};
  float fade_weight = 0;  ///< 0 gives `clip`, 1 gives `fade_clip`. Clamped to 0..1.
};

/// Samples one clip, or samples two and blends them like blend() does.
void sample(const Character& character, const PoseRequest& request, Pose& out);

/// Returns a view of one frame of a clip, or of the last one if there is no such frame. A clip without frames gives the
/// bind pose. Valid as long as the character.
[[nodiscard]] PoseView frame_pose(const Character& character, ClipId clip, std::uint32_t frame) noexcept;

/// Copies the bind pose to `out`.
void sample_bind_pose(const Character& character, Pose& out);

/// Moves `pose` toward `to` by `weight`, clamped to 0..1: position, scale and opacity linearly, rotation along the
/// shortest arc. From weight 0.5 on, visibility and draw order come from `to`. `to` must have as many bones and must
/// not alias `pose`.
void blend(const PoseView& to, float weight, Pose& pose);

/// Computes the world transform of every bone: world = parent's world * T * R * S. All spans, here and below, have one
/// element per bone.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;

/// Computes world transforms and the skinning palette, world * inverse bind, in one pass.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;

/// Computes the skinning palette: world * inverse bind. `palette` may be `world`.
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

/// Skins vertices like the vertex shader does, except for rounding: each result is the sum of weight * palette[bone] *
/// position over the used slots. `out` has one element per vertex.
void deform(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept;

/// Everything needed to draw one character at one moment. Reuse it between frames to avoid allocation.
struct PoseBuffers {
  Pose pose;
  std::vector<Affine> world, palette;  ///< One per bone. For a 3D character, the front_view() of the 3D ones.
  std::vector<Affine3> world_3d{}, palette_3d{};  ///< One per bone of a 3D character, else empty.
  DrawList draw_list;
};

/// Samples a clip at a time, then computes world transforms, palette and draw list. See clip_time() for `seconds`.
void pose_clip(const Character& character, ClipId clip, double seconds, Sampling sampling, PoseBuffers& out);
/// Does the same at a position within the clip.
void pose_clip(const Character& character, ClipId clip, ClipTime position, PoseBuffers& out);
/// Poses one request per output. To use several threads, give each a part of both spans.
void pose_many(const Character& character, std::span<const PoseRequest> requests, std::span<PoseBuffers> out);
/// Computes world transforms, palette and draw list for the bind pose.
void pose_bind(const Character& character, PoseBuffers& out);
/// Recomputes world transforms, palette and draw list after a change to `out.pose`.
void update(const Character& character, PoseBuffers& out);

/// Skins one mesh of a posed character, as seen from the front. `out` has one element per vertex of the mesh.
void deform_mesh(const Character& character, const PoseBuffers& posed, MeshId mesh, std::span<Vec2> out) noexcept;

/// One element per bone, nonzero for the bones to include. Empty includes all.
using BoneMask = std::vector<std::uint8_t>;

/// Returns the mask of a bone and its descendants.
[[nodiscard]] BoneMask mask_of_subtree(const Character& character, BoneId bone);
/// Returns the mask of the listed bones.
[[nodiscard]] BoneMask mask_of_bones(const Character& character, std::span<const BoneId> bones);

/// Blends only the bones in `mask`.
void blend(const PoseView& to, float weight, const BoneMask& mask, Pose& pose);

/// Moves `pose` toward a sampled clip, like the other overloads.
void blend(const Character& character, ClipId clip, ClipTime position, float weight, Pose& pose);

/// Adds the difference between `layer` and `reference` (often the bind pose or a frame_pose()), times `weight` (clamped
/// to 0..1), to the bones in `mask`: position, scale, opacity (the result is clamped to 0..1) and rotation along the
/// shortest arc. Visibility and draw order do not change.
void blend_additive(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose);

/// Values that replace those of one bone. Unset values keep the pose's.
struct BoneOverride {
  BoneId bone{};  ///< Ignored if the bone does not exist.
  std::optional<float> x{}, y{};
  std::optional<float> rotation_degrees{};
  std::optional<float> scale_x{}, scale_y{};
  std::optional<bool> visible{};
  std::optional<std::int32_t> z_order{};
  float weight = 1;       ///< 0 keeps the pose's values, 1 replaces them. `visible` and `z_order` apply from 0.5 on.
  bool relative = false;  ///< Adds position, rotation and z_order to the pose's, and multiplies scale.
};

/// Applies overrides in order. Call it between sampling and composing.
void override_bones(std::span<const BoneOverride> overrides, Pose& pose) noexcept;

/// Return the world transform of one bone in a pose, clip or crossfade, bit for bit what sampling and composing all
/// bones would give. A clip without frames gives the bind pose.
/// @{
[[nodiscard]] Affine bone_world(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept;
[[nodiscard]] Affine bone_world(const Character& character, ClipId clip, ClipTime position, BoneId bone) noexcept;
[[nodiscard]] Affine bone_world(const Character& character, const PoseRequest& request, BoneId bone) noexcept;
/// @}

/// Returns the world transform of `bone` in the bind pose. If it is singular there, skinning uses another frame, but
/// this still returns the bind pose.
[[nodiscard]] Affine bind_bone_world(const Character& character, BoneId bone) noexcept;

/// Returns the origin of a bone in world pixels.
[[nodiscard]] constexpr Vec2 position_of(const Affine& world) noexcept { return world[2]; }

/// Returns the direction of a bone, which lies along its local +Y: the angle from world +Y, counter-clockwise, in
/// degrees in (-180, 180]. Returns 0 if its +Y has no length.
[[nodiscard]] float rotation_degrees_of(const Affine& world) noexcept;

/// Returns the local rotation, in degrees in (-180, 180], that points `axis` (a direction in the bone's own space) at
/// `world_target` with everything else in `pose` unchanged. Returns the bone's current rotation if none does: the
/// target is at its origin, its scale makes the axis 0, or an ancestor is singular.
[[nodiscard]] float rotation_towards(std::span<const Bone> bones, const PoseView& pose, BoneId bone, Vec2 world_target,
                                     Vec2 axis = {0, 1}) noexcept;

}  // namespace pchr

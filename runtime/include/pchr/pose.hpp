// SPDX-License-Identifier: MIT
// Turns clips into poses, and poses into matrices and skinned vertices. All functions are pure: the same character
// and time give the same bits in every build and on every processor. None allocates once its output is large enough.
//
//   pchr::PoseBuffers buffers;
//   pchr::pose_clip(hero, walk, seconds, pchr::Sampling::smooth, buffers);
//   const pchr::Affine grip = buffers.world[index(hand)];
//   renderer.draw(model, buffers, camera);
#pragma once

#include <pchr/3d.hpp>
#include <pchr/character.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/geometry.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// A place on a clip's frames: `frame`, or between `frame` and `next` where `factor` is above 0.
struct ClipTime {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float factor = 0;  ///< 0 up to, not including, 1.
};

enum class Sampling : std::uint8_t {
  step,   ///< Each frame is held until the next, as exported.
  smooth  ///< In between: linear for position, scale and opacity, the shortest arc for rotation;
          ///< visibility and draw order from the earlier frame; last to first only where the clip loops.
};

/// Returns where `clip` is at `seconds`: frame floor(seconds * rate), wrapped where the clip loops and clamped
/// to its first and last frame where not. Frame 0 for a rate of 0. `seconds` must be finite.
[[nodiscard]] ClipTime clip_time(const Clip& clip, double seconds, Sampling sampling) noexcept;

/// Returns the earliest time whose frame is `frame`: about frame / rate, exactly such that clip_time agrees.
[[nodiscard]] double seconds_of_frame(const Clip& clip, std::uint32_t frame) noexcept;

/// One local transform per bone, with visibility, order and opacity: what an instance owns.
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

/// Samples a clip, or two and blends them as `blend` does.
void sample(const Character& character, const PoseRequest& request, Pose& out);

/// Copies the bind pose.
void sample_bind_pose(const Character& character, Pose& out);

/// Moves `pose` towards `to` by `weight`, clamped to 0..1: in a line for position, scale and opacity, along the
/// shortest arc for rotation. Visibility and draw order are the heavier side's: `to`'s from 0.5 on. Both have the
/// same number of bones; `to` may not be a part of `pose`.
void blend(const PoseView& to, float weight, Pose& pose);

/// Computes the world transform of every bone: world = parent's world * T * R * S. `world` has one element per bone.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;

/// Computes world transforms and the skinning palette, world * inverse bind, in one pass. All spans have one element
/// per bone.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;

/// Computes the skinning palette: world * inverse bind, per bone. All spans have one element per bone; `palette` may be
/// `world`.
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

/// Skins vertices on the CPU: each position by the sum of weight * palette[bone] over its used slots. The
/// vertex shader computes the same, but for rounding. `out` has one element per vertex.
void deform(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept;

/// All that is needed to draw one character at one moment. Keep it between frames to reuse its memory.
struct PoseBuffers {
  Pose pose;
  std::vector<Affine> world;    ///< Per bone. Of a 3D character, as seen from the front.
  std::vector<Affine> palette;  ///< Per bone. Of a 3D character, what it does to x and y where z is 0.
  std::vector<Affine3> world_3d{}, palette_3d{};  ///< Per bone of a 3D character.
  DrawList draw_list;
};

/// Poses a clip at a time: samples, composes, and builds palette and draw list. See clip_time() for `seconds`.
void pose_clip(const Character& character, ClipId clip, double seconds, Sampling sampling, PoseBuffers& out);
/// Poses a clip at a place between its frames.
void pose_clip(const Character& character, ClipId clip, ClipTime position, PoseBuffers& out);
/// Poses one request for each output; both spans have the same length. Nothing is shared but the character, so
/// threads may each pose a part of the spans.
void pose_many(const Character& character, std::span<const PoseRequest> requests, std::span<PoseBuffers> out);
/// Poses the bind pose.
void pose_bind(const Character& character, PoseBuffers& out);
/// Rebuilds world, palette and draw list from `out.pose`, after it was edited.
void update(const Character& character, PoseBuffers& out);

/// Skins one mesh of a posed character, 2D or 3D, as seen from the front. `out` has one
/// element per vertex of the mesh.
void deform_mesh(const Character& character, const PoseBuffers& posed, MeshId mesh, std::span<Vec2> out) noexcept;

/// Which bones take part: not 0 for those that do. Empty means all; otherwise one element per bone.
using BoneMask = std::vector<std::uint8_t>;

/// Returns the mask of a bone and its descendants.
[[nodiscard]] BoneMask mask_of_subtree(const Character& character, BoneId bone);
/// Returns the mask of the listed bones.
[[nodiscard]] BoneMask mask_of_bones(const Character& character, std::span<const BoneId> bones);

/// Blends the bones in `mask` alone.
void blend(const PoseView& to, float weight, const BoneMask& mask, Pose& pose);

/// Moves `pose` towards a place in a clip, as `blend` does.
void blend(const Character& character, ClipId clip, ClipTime position, float weight, Pose& pose);

/// Adds to `pose`, for the bones in `mask`, `weight` times the way from `reference` to `layer`: differences of
/// position, scale and opacity (kept within 0..1), and the shorter turn of rotation. Visibility and draw order stay as
/// they are. `weight` is clamped to 0..1.
void blend_additive(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose);

/// Values of one bone that replace what a clip says. Values left out stay as they are.
struct BoneOverride {
  BoneId bone{};  ///< One that does not exist is ignored.
  std::optional<float> x{}, y{};
  std::optional<float> rotation_degrees{};
  std::optional<float> scale_x{}, scale_y{};
  std::optional<bool> visible{};
  std::optional<std::int32_t> z_order{};
  float weight = 1;       ///< From the pose's value, 0, to the given one, 1; visible and z_order from 0.5 on.
  bool relative = false;  ///< Position and rotation are added to the pose's, scale multiplied; z_order added.
};

/// Applies overrides one after the other, between sampling and composing.
void override_bones(std::span<const BoneOverride> overrides, Pose& pose) noexcept;

/// Returns the world transform of `bone` in `pose`: what `compose` gives, to the bit. `pose` has one value per bone.
[[nodiscard]] Affine bone_world(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept;

/// Returns the world transform of `bone` where a clip is at `position`, to the bit as if the whole clip were sampled.
/// A clip without frames gives the bind pose.
[[nodiscard]] Affine bone_world(const Character& character, ClipId clip, ClipTime position, BoneId bone) noexcept;

/// Returns the world transform of `bone` in a clip or a crossfade.
[[nodiscard]] Affine bone_world(const Character& character, const PoseRequest& request, BoneId bone) noexcept;

/// Returns the world transform of `bone` in the bind pose. A bone that cannot be inverted there is skinned from another
/// moment; this is still the bind pose's own.
[[nodiscard]] Affine bind_bone_world(const Character& character, BoneId bone) noexcept;

/// Returns where a bone's origin is, in world pixels.
[[nodiscard]] constexpr Vec2 position_of(const Affine& world) noexcept { return world[2]; }

/// Returns which way a bone points: the angle from world +Y, counter-clockwise, to its own +Y, along which it lies;
/// above -180 to 180 degrees. A bone that only turns points by as much as it is turned. 0 for one whose +Y has no
/// length.
[[nodiscard]] float rotation_degrees_of(const Affine& world) noexcept;

/// Returns the local rotation, above -180 to 180 degrees, with which `bone` points at `world_target` while everything
/// else of `pose` stays as it is; right beneath parents that are turned, flipped, scaled or sheared, too. The bone's
/// own rotation in `pose` where no rotation can: the target is at its origin, or an ancestor or its own scale along +Y
/// flattens it.
[[nodiscard]] float rotation_towards(std::span<const Bone> bones, const PoseView& pose, BoneId bone,
                                     Vec2 world_target) noexcept;

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Clips into poses, poses into matrices and skinned vertices. All functions are pure: the same
// character and frame give the same bits, in every build and on every processor. None allocates once its output is
// large enough.
#pragma once

#include <pchr/character.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/geometry.hpp>
#include <pchr/spatial.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// A place on a clip's frames: `frame`, or between `frame` and `next` where `factor` is above 0.
struct FramePosition {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float factor = 0;  ///< 0 up to, not including, 1.
};

enum class Sampling : std::uint8_t {
  step,   ///< Each frame is held until the next, as exported.
  smooth  ///< In between: linear for position, scale and opacity, the shortest arc for rotation;
          ///< visibility and draw order from the earlier frame; last to first only where the clip loops.
};

/// Where `clip` is at `seconds`: frame floor(seconds * rate), wrapped where the clip loops and clamped
/// to its first and last frame where not. Frame 0 for a rate of 0. `seconds` must be finite.
[[nodiscard]] FramePosition frame_position(const Clip& clip, double seconds, Sampling sampling) noexcept;

/// The earliest time whose frame is `frame`: about frame / rate, exactly such that frame_position agrees.
[[nodiscard]] double seconds_of_frame(const Clip& clip, std::uint32_t frame) noexcept;

/// One local transform per bone, with visibility, order and opacity: what an instance owns.
using Pose = BoneSamples;

/// A pose, for the functions that read one.
[[nodiscard]] PoseView view(const Pose& pose) noexcept;

/// Samples a clip. A clip without frames gives the bind pose.
void sample(const Character& character, std::uint32_t clip, FramePosition position, Pose& out);

/// What one character shows at one moment: a clip, or a crossfade from it to another.
struct PoseRequest {
  std::uint32_t clip = 0;
  FramePosition position{};
  std::uint32_t fade_clip = 0;  ///< Not read where the weight is 0; nor are `clip` and `position` where it is 1.
  FramePosition fade_position{};
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

/// World transform of every bone: world = parent's world * T * R * S. `world` has one element per bone.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;

/// The same, and the skinning palette with it: world * inverse bind, in one pass. All spans have one element per bone.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;

/// The same of spatial characters. The functions above show such a pose from the front, and
/// allocate for it.
/// @{
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine3> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine3> inverse_bind,
             std::span<Affine3> world, std::span<Affine3> palette) noexcept;
/// @}

/// Skinning palette: world * inverse bind, per bone. All spans have one element per bone; `palette` may be `world`.
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

/// Skins vertices on the CPU: each position by the sum of weight * palette[bone] over its used slots. What the vertex
/// shader computes, but for rounding. `out` has one element per vertex.
void skin(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept;

/// The same of a spatial character, whose vertices and their third dimension are at the same places of both spans.
void skin(std::span<const Vertex> vertices, std::span<const SpatialVertex> depths, std::span<const Affine3> palette,
          std::span<Vec3> out) noexcept;

/// All that is needed to draw one character at one moment. Keep it between frames to reuse its memory.
struct PosedCharacter {
  Pose pose;
  std::vector<Affine> world;    ///< Per bone. Of a spatial character, as seen from the front.
  std::vector<Affine> palette;  ///< Per bone. Of a spatial character, what it does to x and y where z is 0.
  std::vector<Affine3> spatial_world{}, spatial_palette{};  ///< Per bone of a spatial character.
  DrawList draw_list;
};

/// Samples, composes, and builds palette and draw list.
void pose_clip(const Character& character, std::uint32_t clip, FramePosition position, PosedCharacter& out);
/// The same for a request to each output; both spans have the same length. Nothing is shared but the character, so
/// threads may each pose a part of the spans.
void pose_many(const Character& character, std::span<const PoseRequest> requests, std::span<PosedCharacter> out);
/// The same for the bind pose.
void pose_bind(const Character& character, PosedCharacter& out);
/// Rebuilds world, palette and draw list from `out.pose`, after it was edited.
void update(const Character& character, PosedCharacter& out);

/// Skins one mesh of a posed character, planar or spatial: where its vertices are seen from the front. `out` has one
/// element per vertex of the mesh.
void skin_mesh(const Character& character, const PosedCharacter& posed, std::uint32_t mesh,
               std::span<Vec2> out) noexcept;

}  // namespace pchr

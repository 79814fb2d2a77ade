// SPDX-License-Identifier: MIT
// Rotates 3D characters towards the viewer, so that code that knows their front can show them from any side.
#pragma once

#include <pchr/3d.hpp>
#include <pchr/pose.hpp>

namespace pchr::player {

/// The axis that points up in an Unreal file; z in Unreal itself.
enum class UpAxis : std::uint8_t { z, y };

enum class Side : std::uint8_t { front, right, top, back, left, bottom };

struct Turntable {
  float yaw_degrees = 0;    ///< The viewer's movement to the right around the character, in (-180, 180].
  float pitch_degrees = 0;  ///< The viewer's movement up, -90 to 90.
  UpAxis up = UpAxis::z;
  std::uint32_t quarter_turns = 0;  ///< Around the up axis, counter-clockwise from above, 0 to 3.
  bool cull_back_faces = false;
  bool operator==(const Turntable&) const = default;
};

/// Clamps the pitch and wraps the yaw.
[[nodiscard]] Turntable limited(Turntable turntable) noexcept;
/// Sets the angles of a side and keeps the rest.
[[nodiscard]] Turntable viewed_from(Turntable turntable, Side side) noexcept;
[[nodiscard]] bool is_viewed_from(const Turntable& turntable, Side side) noexcept;

/// Maps a character as read to upright: y is up and the ground is at y = 0.
[[nodiscard]] Affine3 upright(const Turntable& turntable) noexcept;
/// Maps an upright character to its view along -z. The upright point `pivot` stays in place.
[[nodiscard]] Affine3 rotated(const Turntable& turntable, Vec3 pivot) noexcept;
/// Maps a character as read to its view. `pivot` is a point of the character as read. Returns exactly the identity for
/// the default view.
[[nodiscard]] Affine3 rotation_of(const Turntable& turntable, Vec3 pivot) noexcept;

/// Poses a clip, or the bind pose if `clip` is none.
void pose_clip_or_bind(const Character& character, ClipId clip, ClipTime time, PoseBuffers& out);
/// Rotates a posed 3D character so that overlays, hit tests and bounds match its view.
void rotate(const Affine3& by, PoseBuffers& posed) noexcept;
[[nodiscard]] Box rotated_box(const Affine3& by, const Box& box) noexcept;

/// How far the character reaches, as read.
struct Extent {
  Box box{};                    ///< Flat for 2D characters.
  std::vector<Vec3> corners{};  ///< The furthest points of a 3D character in many directions.
};

/// Samples some frames of the clip for depth and corners, and uses all frames for the front.
[[nodiscard]] Extent clip_extent(const Character& character, ClipId clip);
/// Covers all clips, or the bind pose if there are none.
[[nodiscard]] Extent character_extent(const Character& character);
/// Returns the bounds of the rotated extent, exact to a few hundredths of its size, or exact without rotation.
[[nodiscard]] Rect seen_bounds(const Affine3& rotation, const Extent& extent) noexcept;

/// Returns the center of rotation: the center of the bind pose for a 3D character, else the origin.
[[nodiscard]] Vec3 pivot_of(const Character& character);

}  // namespace pchr::player

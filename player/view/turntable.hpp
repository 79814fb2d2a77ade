// SPDX-License-Identifier: MIT
// How a 3D character is turned towards who looks, so that all that knows its front shows it from any side.
#pragma once

#include <pchr/pose.hpp>

namespace pchr::player {

/// Which axis of an Unreal file points up: Unreal's own is z.
enum class UpAxis : std::uint8_t { z, y };

enum class Side : std::uint8_t { front, right, top, back, left, bottom };

struct Turntable {
  float yaw_degrees = 0;    ///< The viewer's way around to the right, above -180 to 180,
  float pitch_degrees = 0;  ///< and up, -90 to 90.
  UpAxis up = UpAxis::z;
  std::uint32_t quarter_turns = 0;  ///< Around the axis that is up, counter-clockwise seen from above, 0 to 3.
  bool cull_back_faces = false;
  bool operator==(const Turntable&) const = default;
};

/// Brings values within their limits; a yaw wraps.
[[nodiscard]] Turntable limited(Turntable turntable) noexcept;
/// Shows a side; the rest stays.
[[nodiscard]] Turntable seen_from(Turntable turntable, Side side) noexcept;
[[nodiscard]] bool is_seen_from(const Turntable& turntable, Side side) noexcept;

/// Maps a character as it was read to how it stands: up is y, and the ground is y = 0.
[[nodiscard]] Affine3 upright(const Turntable& turntable) noexcept;
/// Maps how it stands to how it is seen, along -z. `pivot`, a standing point, stays where it is.
[[nodiscard]] Affine3 turned(const Turntable& turntable, Vec3 pivot) noexcept;
/// Maps a character as it was read to how it is seen; `pivot` is a point of it as it was read. Exactly the identity
/// where it is seen as it was read.
[[nodiscard]] Affine3 turn_of(const Turntable& turntable, Vec3 pivot) noexcept;

/// Turns a posed 3D character, so that overlays, hit tests and bounds are of what is seen.
void turn(const Affine3& by, PoseBuffers& posed) noexcept;
[[nodiscard]] Box turned_box(const Affine3& by, const Box& box) noexcept;

/// How far what is shown reaches, as it was read.
struct Extent {
  Box box{};                    ///< Flat for a 2D character.
  std::vector<Vec3> corners{};  ///< What of a 3D one reaches furthest in many directions.
};

/// Finds depth and corners from some frames of the clip, the rest from all.
[[nodiscard]] Extent clip_extent(const Character& character, ClipId clip);
/// Covers all clips, or the bind pose where there are none.
[[nodiscard]] Extent character_extent(const Character& character);
/// Returns the bounds once it is turned: to within a few hundredths of its size, or unturned exactly.
[[nodiscard]] Rect seen_bounds(const Affine3& turn, const Extent& extent) noexcept;

/// Returns what a character turns around: the middle of its bind pose; the origin where it is 2D.
[[nodiscard]] Vec3 pivot_of(const Character& character);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// How a 3D character is turned towards who looks, so that all that knows its front shows it from any side. Knows
// nothing of the window.
#pragma once

#include <pchr/3d.hpp>
#include <pchr/character.hpp>
#include <pchr/geometry.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

/// Which axis of an Unreal file points up: Unreal's own is z.
enum class UpAxis : std::uint8_t { z, y };

enum class Side : std::uint8_t { front, right, top, back, left, bottom };

struct Turntable {
  float yaw_degrees = 0;    ///< From how far around to the right it is looked at, above -180 to 180,
  float pitch_degrees = 0;  ///< and from how far above, -90 to 90.
  UpAxis up = UpAxis::z;
  std::uint32_t quarter_turns = 0;  ///< Around the axis that is up, counter-clockwise seen from above, 0 to 3.
  bool cull_back_faces = false;
  bool operator==(const Turntable&) const = default;
};

/// Values brought within their limits; a yaw goes round.
[[nodiscard]] Turntable limited(Turntable turntable) noexcept;
/// Seen from a side; the rest stays.
[[nodiscard]] Turntable seen_from(Turntable turntable, Side side) noexcept;
/// Returns whether it is seen from that side.
[[nodiscard]] bool is_seen_from(const Turntable& turntable, Side side) noexcept;

/// From a character as it was read to how it stands: up is y, and the ground is y = 0.
[[nodiscard]] Affine3 upright(const Turntable& turntable) noexcept;
/// From how it stands to how it is seen, along -z. `pivot` stays where it is; it stands there, too.
[[nodiscard]] Affine3 turned(const Turntable& turntable, Vec3 pivot) noexcept;
/// From a character as it was read to how it is seen; `pivot` is a place of it as it was read. Exactly nothing where it
/// is seen as it was read.
[[nodiscard]] Affine3 turn_of(const Turntable& turntable, Vec3 pivot) noexcept;

/// Turns a posed 3D character: overlays, hit tests and bounds then are of what is seen.
void turn(const Affine3& by, PoseBuffers& posed) noexcept;
/// The box around a turned box.
[[nodiscard]] Box turned_box(const Affine3& by, const Box& box) noexcept;

/// How far what is shown reaches, as it was read.
struct Extent {
  Box box{};                    ///< Without depth of a 2D character.
  std::vector<Vec3> corners{};  ///< Of a 3D one, what reaches furthest in many directions.
};

/// Of a clip. Depth and corners are found from some of its frames, the rest from all.
[[nodiscard]] Extent clip_extent(const Character& character, ClipId clip);
/// Of all clips, or of the bind pose where there are none.
[[nodiscard]] Extent character_extent(const Character& character);
/// What is seen of it once it is turned: to within a few hundredths of its size, or unturned exactly.
[[nodiscard]] Rect seen_bounds(const Affine3& turn, const Extent& extent) noexcept;

/// What a character turns around: the middle of its bind pose; the origin where it is 2D.
[[nodiscard]] Vec3 pivot_of(const Character& character);

}  // namespace pchr::player

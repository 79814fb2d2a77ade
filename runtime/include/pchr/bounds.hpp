// SPDX-License-Identifier: MIT
// How far a character reaches: for culling, cameras and quick tests. World pixels, before an instance's placement.
//
// Bounds are exact: they are those of the skinned vertices that are shown, of every frame that the clip has, not of the
// bind pose. Smooth play may reach a little further between two frames. What is not finite is left out, and what shows
// nothing is empty.
//
// A clip's bounds are found when they are first asked for, which poses each of its frames once, on several threads
// where there are many; then they are kept with the character. Finding all of them at load would take longer than all
// else that loading does. Any number of threads may ask at once.
#pragma once

#include <pchr/character.hpp>
#include <pchr/geometry.hpp>
#include <pchr/pose.hpp>

#include <cstdint>

namespace PCHR_API pchr {

/// Of what a posed character shows. Allocates nothing.
[[nodiscard]] Rect bounds(const Character& character, const PosedCharacter& posed) noexcept;
/// Of one mesh of a posed character, shown or not. Allocates nothing.
[[nodiscard]] Rect mesh_bounds(const Character& character, const PosedCharacter& posed, std::uint32_t mesh) noexcept;

/// Of one frame of a clip that has it.
[[nodiscard]] Rect frame_bounds(const Character& character, std::uint32_t clip, std::uint32_t frame);
/// Of one mesh over the frames of a clip that show it. The first question poses the clip's frames once for all meshes.
[[nodiscard]] Rect mesh_bounds(const Character& character, std::uint32_t clip, std::uint32_t mesh);
/// Union of the bounds of every frame of a clip.
[[nodiscard]] Rect clip_bounds(const Character& character, std::uint32_t clip);
/// Union over every frame of every clip, or of the bind pose where no frame shows anything.
[[nodiscard]] Rect character_bounds(const Character& character);

}  // namespace pchr

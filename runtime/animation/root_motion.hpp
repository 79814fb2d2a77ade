// SPDX-License-Identifier: MIT
// How far a bone goes in a step of time.
#pragma once

#include <pchr/character.hpp>
#include <pchr/clock.hpp>
#include <pchr/geometry.hpp>

#include <cstdint>

namespace pchr {

/// How far `bone` went in a step that a clip's clock made, in its parent's space: in a line from frame to frame.
/// Where a clip loops, the step from its last frame to its first is as long as the one before.
[[nodiscard]] Vec2 moved_in_step(const Character& character, std::uint32_t clip, std::uint32_t bone, const Clock& clock,
                                 const Advance& step) noexcept;

}  // namespace pchr

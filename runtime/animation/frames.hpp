// SPDX-License-Identifier: MIT
// Frames of bone values as the kernels take them.
#pragma once

#include "animation/kernels.hpp"

#include <pchr/pose.hpp>

#include <cstddef>
#include <cstdint>

namespace pchr {

/// The values of `samples` from element `first` on.
[[nodiscard]] FramePointers pointers_to(const BoneSamples& samples, std::size_t first) noexcept;
[[nodiscard]] FramePointers pointers_to(const PoseView& view) noexcept;

/// A place of a clip, or the bind pose where the clip has no frames.
[[nodiscard]] BetweenFrames place_of(const Character& character, std::uint32_t clip, FramePosition position) noexcept;

}  // namespace pchr

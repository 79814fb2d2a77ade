// SPDX-License-Identifier: MIT
// A Pomyu character's animations as frames of placed sprites, each sprite a bone.
#pragma once

#include "formats/chp/pictures.hpp"
#include "formats/chp/sprite.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::chp {

/// A sprite drawn in a frame.
struct Use {
  std::uint32_t bone = 0;
  Placement placement;
};

/// An animation as frames that may last unequally long.
struct ClipPlan {
  int animation = 0;
  std::uint32_t loop_start = 0;
  std::vector<std::int64_t> start_ms;  ///< Of each frame; the first starts at 0.
  std::vector<std::size_t> first_use;  ///< Of each frame; it ends where the next begins, the last at `end_use`.
  std::size_t end_use = 0;
  std::int64_t end_ms = 0;
};

/// A step with which only the animations' own frames remain.
inline constexpr std::int64_t kNoSteps = std::int64_t{1} << 40;

struct Plan {
  /// By bone. A sprite that a frame draws several times has as many bones.
  std::vector<Sprite> sprites;
  std::vector<Use> uses;  ///< Of all clips, from back to front in each frame.
  std::vector<ClipPlan> clips;
  std::int64_t step_ms = 1;  ///< Tweens do not move in smaller steps.
};

/// Plans the animations that have frames. Tweens get a frame whenever a value changes, at whole milliseconds, as long
/// as there are at most some millions of samples; where there would be more, in larger steps. Nothing if even without
/// any there are more than `most_samples`, or more sprites than bones can be.
[[nodiscard]] std::optional<Plan> plan_clips(const File& file, const Pictures& pictures, std::uint64_t most_samples);

}  // namespace pchr::chp

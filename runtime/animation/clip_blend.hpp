// SPDX-License-Identifier: MIT
// Clips that play as one: their common phase, and the time that a play of them takes.
#pragma once

#include <pchr/animator.hpp>

namespace pchr {

/// How often a play can restart: a step can be of any length, and a double counts no further.
constexpr double kMaxLoops = 0x1p53;

/// The clips of a blend space. The clock of a play is that of `reference`; the others follow it.
struct ClipBlend {
  std::vector<ClipId> clips;
  std::vector<Clock> clocks;  ///< At the start of each clip.
  std::uint32_t reference = 0;
  /// Points at which the clips are in step: rows with the seconds of each clip, ascending. In the first row, the
  /// reference starts; the last is one duration later. In a loop, other clips can start elsewhere.
  std::vector<double> seconds;
};

/// Makes a blend of clips. Those whose markers have the same names in the same order are in step there.
[[nodiscard]] std::shared_ptr<const ClipBlend> make_clip_blend(const Character& character, std::vector<ClipId> clips,
                                                               LoopMode mode, const Markers& markers);

/// Return the time that a play takes at speed 1 to reach `clip_seconds` of its clip, and the inverse. They differ only
/// in a blend, where the duration is the mean of those of its clips.
/// @{
[[nodiscard]] double play_seconds(const Play& play, double clip_seconds) noexcept;
[[nodiscard]] double clip_seconds(const Play& play, double play_seconds) noexcept;
/// @}

/// Do the same as the functions of Clock. `clock` is that of the play, now or at another time.
/// @{
[[nodiscard]] double seconds_to_end(const Play& play, const Clock& clock, bool backwards) noexcept;
Advance advance(Play& play, double seconds) noexcept;
Advance advance_to_end(Play& play, bool backwards) noexcept;
/// @}

/// Returns the number of clips that a play shows, from 1 to 3.
[[nodiscard]] inline std::size_t parts_of(const Play& play) noexcept {
  return play.blend_weights[2] > 0 ? 3 : play.blend_weights[1] > 0 ? 2 : 1;
}

/// A clip that a play shows: its clock after a step, and the step.
struct BlendedStep {
  ClipId clip{};
  float weight = 1;
  Clock clock;
  Advance step;
};

/// Returns the step of one of the clips that `play` shows. The clock of the play was `before` and did `step`.
[[nodiscard]] BlendedStep blended_step(const Play& play, std::size_t part, const Clock& before,
                                       const Advance& step) noexcept;

/// Returns when `part` reached what it would have reached after `part_seconds`, had it played alone at its own speed.
[[nodiscard]] double seconds_until(const Play& play, std::size_t part, const Clock& before, double part_seconds,
                                   bool backwards) noexcept;

/// Returns the part with the largest weight.
[[nodiscard]] std::size_t main_part(const Play& play) noexcept;

/// Samples what a play of a clip or a blend shows.
void sample(const Character& character, const Play& play, Sampling sampling, Pose& out);

}  // namespace pchr

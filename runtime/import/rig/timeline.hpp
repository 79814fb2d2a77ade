// SPDX-License-Identifier: MIT
// Values of a timeline at one time.
#pragma once

#include "import/rig/rig.hpp"

namespace pchr::rig {

/// Time within one play of an animation.
struct PlayTime {
  double seconds = 0;
  bool repeats = false;  ///< Another play follows.
};

/// Returns the time of a timeline, which can run at another speed than its animation.
[[nodiscard]] PlayTime play_time(const Timeline& timeline, const Animation& animation, double seconds) noexcept;

/// Returns the value at a time between two keys of a Bezier curve with two handles. All are seconds and values.
[[nodiscard]] double bezier_at(Point from, const Point* handles, Point to, double seconds) noexcept;

/// Keys around a time.
struct Moment {
  const double* from = nullptr;
  const double* to = nullptr;
  double part = 0;  ///< 0 is at `from`, 1 at `to`.

  const Point* handles = nullptr;  ///< Two for each channel of Bezier values.
  double seconds = 0, from_seconds = 0, to_seconds = 0;

  [[nodiscard]] double operator[](std::size_t channel) const noexcept {
    if (handles != nullptr) {
      return bezier_at({from_seconds, from[channel]}, handles + 2 * channel, {to_seconds, to[channel]}, seconds);
    }
    return from[channel] + (to[channel] - from[channel]) * part;
  }
};

/// Returns the keys around a time, or the first or last one twice. A key that follows a stepped one begins `early`
/// seconds before its time.
[[nodiscard]] Moment moment_of(const Timeline& timeline, const PlayTime& time, double early = 0) noexcept;

/// Applies a timeline of attachments, opacity or the draw order. Does nothing for others.
void apply_to_slots(const Timeline& timeline, const Moment& moment, Pose& pose);

/// Does what evaluate() does for armatures that compose matrices.
void compose(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose);

}  // namespace pchr::rig

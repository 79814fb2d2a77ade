// SPDX-License-Identifier: MIT
// Frames before and after the one that is shown. Knows nothing of the window.
#pragma once

#include "transport.hpp"
#include "turntable.hpp"

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

inline constexpr std::uint32_t kMostOnionFrames = 5;  ///< On either side.

/// The frames that follow each other: from the first to the last, and where they loop on with `loop_begin`.
struct FrameOrder {
  FrameRange frames{};
  bool loops = false;
  std::uint32_t loop_begin = 0;
};

struct OnionFrame {
  std::uint32_t frame = 0;
  std::int32_t distance = 0;  ///< How many frames after the one that is shown; negative before it.
  bool operator==(const OnionFrame&) const = default;
};

/// Up to `before` and `after` frames around `frame`, in the order in which they are drawn: the furthest first. None
/// twice, and not `frame` itself.
void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out);

/// How frames follow each other while `clock` plays `clip`.
[[nodiscard]] FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept;

/// The frames around the one that is shown, posed.
struct Onion {
  std::vector<OnionFrame> frames{};
  std::vector<PosedCharacter> posed{};  ///< At least as many; further ones keep their memory.

  // What they are of:
  std::uint32_t clip = 0;
  std::uint32_t file = 0;
  std::vector<std::uint8_t> hidden{};
  Turntable turntable{};
  std::vector<OnionFrame> wanted{};  ///< Of the next picture; kept for its memory.
};

}  // namespace pchr::player

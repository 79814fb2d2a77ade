// SPDX-License-Identifier: MIT
// What lies under the open character or replaces it, onion skin and overdraw, and the path of a bone.
#pragma once

#include "document/turntable.hpp"
#include "gl/painting.hpp"
#include "playback/transport.hpp"

namespace pchr::player {

struct Scene;

inline constexpr std::uint32_t kMaxOnionFrames = 5;  ///< In each direction.

/// Playback order of frames: from first to last and, if they loop, again from `loop_begin`.
struct FrameOrder {
  FrameRange frames{};
  bool loops = false;
  std::uint32_t loop_begin = 0;
};

struct OnionFrame {
  std::uint32_t frame = 0;
  std::int32_t distance = 0;  ///< Frames after the shown one; negative for frames before it.
  bool operator==(const OnionFrame&) const = default;
};

/// Finds up to `before` and `after` frames around `frame`, furthest first, without duplicates and without `frame`
/// itself.
void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out);

[[nodiscard]] FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept;

/// The frames around the shown one, posed.
struct Onion {
  struct Ghosts {
    std::vector<OnionFrame> frames{};
    ClipId clip{};
    std::vector<std::uint8_t> hidden{};
    Turntable turntable{};
    bool operator==(const Ghosts&) const = default;
  };
  Ghosts ghosts{};
  Ghosts wanted{};                   ///< For the next frame; reuses its memory.
  std::vector<PoseBuffers> posed{};  ///< At least as many as ghosts; extra ones keep their memory.
};

/// Path of a bone over a clip.
struct Trail {
  std::vector<Vec3> points{};  ///< World positions, one per frame; z is 0 for 2D characters.
  const Clip* clip = nullptr;
  BoneId bone{};
};

/// Updates `trail`, which belongs to `character`, with the path of `bone` in `clip`.
void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone);

/// Draws ghosts of the frames before and after the shown one into the viewport.
void draw_onion(Scene& scene, OffscreenLayer& layer, Renderer& renderer);

/// Draws how many meshes cover each pixel. Returns false and draws nothing if the GPU cannot.
bool draw_overdraw(Scene& scene, OffscreenLayer& layer, Renderer& renderer);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Crossfades and layers of clips, using the same animator as games.
#pragma once

#include "document/text.hpp"

#include <pchr/animator.hpp>

namespace pchr::player {

/// A clip that loops on top of the crossfade.
struct MixLayer {
  ClipId clip{};
  float weight = 1.0F;
  LayerMode mode = LayerMode::override_below;
  std::optional<BoneId> bone{};  ///< Root of the subtree that the layer moves; absent for all bones.
  bool operator==(const MixLayer&) const = default;
};

struct MixEvent {
  ShortText text{};
  double age_seconds = 0;
};

struct Mix {
  static constexpr double kLeadSeconds = 0.8;  ///< How long a replay shows the first clip.
  static constexpr std::size_t kMaxLayers = 8;

  Animator animator;
  ClipId from{};
  ClipId to{};
  double fade_seconds = 0.3;
  std::vector<MixLayer> layers;

  std::optional<double> until_fade{};  ///< Absent once the fade has started.
  bool changed = true;                 ///< Whether the animator has moved since the last pose.
  std::array<MixEvent, 8> events{};    ///< Newest first.
  std::size_t event_count = 0;
};

/// Starts a crossfade from `clip`, which must have frames, to the next clip that moves.
[[nodiscard]] Mix begin_mix(const Character& character, std::shared_ptr<const Markers> markers, ClipId clip,
                            double fade_seconds = 0.3);

/// Continues with another version of the character: the same crossfade and layers, matched by name, at the same time.
/// Drops layers of missing clips; the crossfade uses `replacement` instead, which must have frames.
void continue_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers, ClipId replacement);

/// Shows `from`, then fades to `to`. Layers restart.
void replay(Mix& mix);
/// Fades from the current clip to `clip`.
void fade_to(Mix& mix, ClipId clip);
/// Replays the crossfade from `clip`. Ignores a clip without frames.
void set_from(Mix& mix, ClipId clip);

void add_layer(Mix& mix, ClipId clip);
void remove_layer(Mix& mix, std::size_t layer);
void set_layer_clip(Mix& mix, std::size_t layer, ClipId clip);
/// Applies a layer's edited weight, mode and bone.
void update_layer(Mix& mix, std::size_t layer);

void advance(Mix& mix, double seconds, double speed);
/// Steps by frames of the current clip; fades advance as well.
void step(Mix& mix, std::int64_t frames);
void seek_frame(Mix& mix, std::uint32_t frame);

/// Returns the current clip: the target of the fade once it has started.
[[nodiscard]] const Play* playing_clip(const Mix& mix) noexcept;

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Clips faded into each other and in layers, by the animator that games use.
#pragma once

#include "ui/text.hpp"

#include <pchr/animator.hpp>

namespace pchr::player {

/// A clip that loops over the crossfade.
struct MixLayer {
  ClipId clip{};
  float weight = 1.0F;
  LayerMode mode = LayerMode::override_below;
  std::optional<BoneId> bone{};  ///< Root of the subtree that the layer moves; absent: all bones.
};

struct MixEvent {
  ShortText text{};
  double age_seconds = 0;
};

struct Mix {
  static constexpr double kLeadSeconds = 0.8;  ///< How long a replay shows what it fades from.
  static constexpr std::size_t kMaxLayers = 8;

  Animator animator;
  ClipId from{};
  ClipId to{};
  double fade_seconds = 0.3;
  std::vector<MixLayer> layers;

  std::optional<double> until_fade{};  ///< Absent once the fade has begun.
  bool changed = true;                 ///< The animator has moved since the last pose.
  std::array<MixEvent, 8> events{};    ///< Newest first.
  std::size_t event_count = 0;
};

/// Begins a crossfade from `clip`, which must have frames, to the next clip that moves.
[[nodiscard]] Mix begin_mix(const Character& character, std::shared_ptr<const Markers> markers, ClipId clip,
                            double fade_seconds = 0.3);

/// Continues with another state of the character: the same crossfade and layers, by names, at the same moment. Layers
/// of clips that are gone are dropped; the crossfade has `replacement` for them, which must have frames.
void go_on_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers, ClipId replacement);

/// Shows `from`, then fades to `to`. Layers restart.
void replay(Mix& mix);
/// Fades from what plays to `clip` now.
void fade_to(Mix& mix, ClipId clip);
/// Replays the crossfade, from `clip`. Ignores a clip without frames.
void set_from(Mix& mix, ClipId clip);

void add_layer(Mix& mix, ClipId clip);
void remove_layer(Mix& mix, std::size_t layer);
void set_layer_clip(Mix& mix, std::size_t layer, ClipId clip);
/// Applies weight, mode and bone of a layer that was edited.
void update_layer(Mix& mix, std::size_t layer);

void advance(Mix& mix, double seconds, double speed);
/// Moves by frames of the clip that plays; fades move along.
void step(Mix& mix, std::int64_t frames);
void seek_frame(Mix& mix, std::uint32_t frame);

/// Returns the clip that plays: the one that is faded to, once that has begun.
[[nodiscard]] const Play* playing_clip(const Mix& mix) noexcept;

}  // namespace pchr::player

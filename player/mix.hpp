// SPDX-License-Identifier: MIT
// Clips faded into each other and in layers, by the animator that games use.
#pragma once

#include "text.hpp"

#include <pchr/animator.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pchr::player {

/// A clip over the crossfade, again and again.
struct MixLayer {
  std::uint32_t clip = 0;
  float weight = 1.0F;
  LayerMode mode = LayerMode::override_below;
  std::optional<std::uint32_t> bone{};  ///< It and what hangs from it; absent: all bones.
};

/// What the animator said, newest first.
struct MixEvent {
  ShortText text{};
  double age_seconds = 0;
};

struct Mix {
  static constexpr double kLeadSeconds = 0.8;  ///< How long a replay shows what it fades from.
  static constexpr std::size_t kMostLayers = 8;

  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double fade_seconds = 0.3;
  std::vector<MixLayer> layers;

  std::optional<Animator> animator;
  std::optional<double> until_fade{};  ///< Absent once the fade has begun.
  bool changed = true;                 ///< The picture is not that of the animator any more.
  std::array<MixEvent, 8> events{};
  std::size_t event_count = 0;
};

/// Begins anew with `character`: a crossfade from `clip` to the next clip with frames, and no layers. `clip` must have
/// frames.
void begin_mix(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers, std::uint32_t clip);

/// Goes on with another state of the character: the same crossfade and layers, by names, at the same moment of the clip
/// that plays. Layers of clips that are not there any more are left out, and the crossfade has `clip` for them, which
/// must have frames.
void go_on_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers, std::uint32_t clip);

/// Shows `from`, then fades to `to`. Layers begin anew with it.
void replay(Mix& mix);
/// Fades from what plays to `clip` now.
void fade_to(Mix& mix, std::uint32_t clip);

/// Fades from `clip` to the same as before, and replays it. A clip without frames is left alone.
void set_from(Mix& mix, std::uint32_t clip);

void add_layer(Mix& mix, std::uint32_t clip);
void remove_layer(Mix& mix, std::size_t layer);
void set_layer_clip(Mix& mix, std::size_t layer, std::uint32_t clip);
/// Takes over weight, mode and bone of a layer after they were edited.
void update_layer(Mix& mix, std::size_t layer);

/// Goes on by `seconds` times `speed`.
void advance(Mix& mix, double seconds, double speed);
/// Moves by frames of the clip that plays; fades go on with it.
void step(Mix& mix, std::int64_t frames);
/// Moves the clip that plays to `frame`.
void seek_frame(Mix& mix, std::uint32_t frame);

/// The clip that plays: what is faded to, once that has begun. Null before a mix was begun.
[[nodiscard]] const Play* playing_clip(const Mix& mix) noexcept;

}  // namespace pchr::player

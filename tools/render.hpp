// SPDX-License-Identifier: MIT
// What `pchr render` draws: its options, and the plan of its outputs.
#pragma once

#include "drawing.hpp"

namespace pchr::tools {

/// What the camera fits: all frames of the clip, all frames of all clips, or each frame.
enum class Fit : std::uint8_t { clip, file, frame };

struct RenderOptions {
  InputOptions input;
  std::vector<std::string> clips;
  bool all_clips = false;
  MomentOptions moment;
  PlanOptions plan;
  PixelBudget budget;
  ViewOptions view;
  OrbitOptions orbit;
  Fit fit = Fit::clip;
  std::string output;
  std::optional<AnimationFormat> format;  ///< Inferred from the output's extension if absent.
  EncoderOptions encoder;
  const CLI::Option* compression = nullptr;  ///< To find out whether it was given.
  std::optional<std::uint32_t> loops;
  std::optional<std::uint32_t> contact_sheet;
  std::string reference;  ///< Empty if there is none.
  double threshold = 0.02;
};

/// Returns the bounds of what the camera fits.
[[nodiscard]] Rect bounds_to_fit(const Character& character, const RenderOptions& options, ClipId clip, ClipTime time);
/// Returns the 3D view that the options ask for, if they do.
[[nodiscard]] std::optional<SceneView> scene_to_fit(const Character& character, const RenderOptions& options,
                                                    ClipId clip, ClipTime time, const Camera& camera);

/// Returns the animations and images to render, with their paths. Fails as wrong usage if that is not possible.
[[nodiscard]] std::vector<ExportedAnimation> plan_animations(const Character& character, const RenderOptions& options);

/// Keeps the outputs of a shard.
void keep_shard(std::vector<ExportedAnimation>& animations, const Shard& shard);

/// Draws a row of frames for each clip.
[[nodiscard]] Bitmap draw_contact_sheet(Stage& stage, const Input& input, const RenderOptions& options);

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What pchr render was asked for, and its parts.
#pragma once

#include "common.hpp"
#include "film/film.hpp"
#include "film_plan.hpp"
#include "name_template.hpp"
#include "orbit.hpp"
#include "stage.hpp"
#include "view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::tools {

/// What the camera of each picture fits.
enum class Fit : std::uint8_t {
  clip,  ///< All frames of its clip.
  file,  ///< All frames of all clips.
  frame  ///< What it shows.
};

struct RenderOptions {
  InputOptions input;
  std::vector<std::string> clips;
  bool all_clips = false;
  MomentOptions moment;  ///< But for its clip.
  film::PlanOptions film;
  PixelBudget budget;
  ViewOptions view;
  OrbitOptions orbit;
  Fit fit = Fit::clip;
  std::string output;
  std::optional<film::Format> format;  ///< Absent: by the output's extension.
  film::Settings settings;
  std::optional<std::uint32_t> loops;
  std::optional<std::uint32_t> contact_sheet;
  std::string reference;  ///< Empty: none.
  double threshold = 0.02;
};

/// One film, or a picture, which is a film of one frame.
struct RenderJob {
  std::vector<Shot> shots;
  film::Film film;
  std::vector<std::string> paths;  ///< One for each shot, or one for all.
};

/// All that is to be drawn. Fails, as wrong usage, where two of them would be one file, or replace the character.
[[nodiscard]] Result<std::vector<RenderJob>> plan_jobs(const Character& character, const RenderOptions& options);

/// What shows a moment where the camera fits what was asked for.
[[nodiscard]] Rect bounds_of(const Character& character, const RenderOptions& options,
                             std::optional<std::uint32_t> clip, FramePosition position);

/// The same in space, where it is asked for.
[[nodiscard]] std::optional<SceneView> scene_of(const Character& character, const RenderOptions& options,
                                                std::optional<std::uint32_t> clip, FramePosition position,
                                                const Camera& camera);

/// Draws, encodes and writes all jobs.
[[nodiscard]] Result<void> render_jobs(const Input& input, const RenderOptions& options,
                                       const std::vector<RenderJob>& jobs);

/// One picture of all clips: a row each, `options.contact_sheet` frames in it. Premultiplied.
[[nodiscard]] Result<Bitmap> draw_contact_sheet(const Input& input, const RenderOptions& options);

}  // namespace pchr::tools

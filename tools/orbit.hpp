// SPDX-License-Identifier: MIT
// Spatial characters seen from around them.
#pragma once

#include "view.hpp"

#include <pchr/orbit_camera.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::tools {

struct OrbitOptions {
  std::vector<float> angles;  ///< Yaw and pitch in degrees; none: from the front, without perspective.
  bool cull = false;
};

/// --orbit and --cull. The view's options are there already.
void add_orbit_options(CLI::App& command, OrbitOptions& options);

/// Fails, as wrong usage, where they are asked of a planar character.
[[nodiscard]] Result<void> check_orbit(const Character& character, const OrbitOptions& options);

/// Around what is seen at a moment of the clip, or in the bind pose.
[[nodiscard]] Box box_at(const Character& character, std::optional<std::uint32_t> clip, FramePosition position);
/// Around what is seen in some frames of the clip, of all clips, or in the bind pose where there are none.
[[nodiscard]] Box box_over_clip(const Character& character, std::optional<std::uint32_t> clip);
[[nodiscard]] Box box_over_clips(const Character& character);

/// What `camera` sees, moved around `box`. Nothing where the camera alone says it all.
[[nodiscard]] std::optional<SceneView> scene_of(const OrbitOptions& options, const Camera& camera, const Box& box,
                                                float margin);

}  // namespace pchr::tools

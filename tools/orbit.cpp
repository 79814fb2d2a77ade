// SPDX-License-Identifier: MIT
// Spatial characters seen from around them.
#include "orbit.hpp"

#include <CLI/CLI.hpp>
#include <glm/common.hpp>

#include <algorithm>

namespace pchr::tools {
namespace {

void include(Box& box, const Box& other) {
  if (other.empty()) return;
  box.include(other.min);
  box.include(other.max);
}

}  // namespace

void add_orbit_options(CLI::App& command, OrbitOptions& options) {
  CLI::Option* orbit = command.add_option("--orbit", options.angles,
                                          "Of a .psk: from how far around to the right, and above, in degrees; with "
                                          "perspective");
  orbit->option_text("YAW,PITCH")->delimiter(',')->expected(2)->check(check_finite);
  for (const char* option : {"--zoom", "--centre", "--scale", "--flip-y"}) orbit->excludes(option);
  command.add_flag("--cull", options.cull, "Of a .psk: leave out faces that look away");
}

Result<void> check_orbit(const Character& character, const OrbitOptions& options) {
  if (character.is_spatial() || (options.angles.empty() && !options.cull)) return {};
  return fail(ExitCode::usage, "pchr: --orbit and --cull are for spatial characters; this one is planar");
}

Box box_at(const Character& character, std::optional<std::uint32_t> clip, FramePosition position) {
  PosedCharacter posed;
  clip ? pose_clip(character, *clip, position, posed) : pose_bind(character, posed);
  return box_of(character, posed);
}

Box box_over_clip(const Character& character, std::optional<std::uint32_t> clip) {
  constexpr std::uint32_t kMostFrames = 16;
  PosedCharacter posed;
  const std::uint32_t frames = clip ? character.clips()[*clip].frame_count : 0;
  if (frames == 0) return box_at(character, std::nullopt, {});
  Box box;
  const std::uint32_t step = std::max(frames / kMostFrames, 1U);
  for (std::uint32_t frame = 0; frame < frames; frame += step) {
    pose_clip(character, *clip, {frame, frame, 0}, posed);
    include(box, box_of(character, posed));
  }
  return box;
}

Box box_over_clips(const Character& character) {
  Box box;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) include(box, box_over_clip(character, clip));
  return box.empty() ? box_over_clip(character, std::nullopt) : box;
}

std::optional<SceneView> scene_of(const OrbitOptions& options, const Camera& camera, const Box& box, float margin) {
  if (options.angles.empty() && !options.cull) return std::nullopt;
  SceneView view;
  if (options.angles.empty()) {
    const Vec3 reach = box.empty() ? Vec3{1.0F} : glm::max(glm::abs(box.min), glm::abs(box.max));
    view = scene_view(camera, reach.z * 2);
  } else {
    OrbitCamera orbit;
    orbit.yaw_degrees = options.angles[0];
    orbit.pitch_degrees = options.angles[1];
    orbit.viewport = camera.viewport;
    view = scene_view(fit(orbit, box, margin));
  }
  view.cull_back_faces = options.cull;
  return view;
}

}  // namespace pchr::tools

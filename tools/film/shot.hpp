// SPDX-License-Identifier: MIT
// One picture of a film to draw: a moment, and the camera that sees it.
#pragma once

#include <pchr/orbit_camera.hpp>
#include <pchr/pose.hpp>
#include <pchr/renderer.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pchr::film {

/// Of the pictures' edges.
inline constexpr std::uint32_t kSamples = 4;
/// Pictures on their way from the GPU: one that is drawn, one that is copied, one that is taken.
inline constexpr std::size_t kInFlight = 3;

struct Shot {
  std::optional<std::uint32_t> clip;  ///< Absent: the bind pose.
  FramePosition position;
  Camera camera;
  std::size_t character = 0;         ///< Of those that can be drawn.
  std::optional<SceneView> scene{};  ///< Of a spatial character, instead of the camera.
};

/// Draws it into the framebuffer that is bound. The memory of `posed` is used again.
void draw(Renderer& renderer, const Model& model, const Shot& shot, PosedCharacter& posed);
/// The same of a pose of the caller's own, which is that of the shot's moment but for what it leaves out.
void draw_posed(Renderer& renderer, const Model& model, const Shot& shot, const PosedCharacter& posed);

}  // namespace pchr::film

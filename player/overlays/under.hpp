// SPDX-License-Identifier: MIT
// What is drawn by the renderer besides the character, or in its place.
#pragma once

#include "app/app.hpp"
#include "gl/offscreen_layer.hpp"

namespace pchr::player {

/// The colors of 1, 2, 3 ... meshes over a pixel.
inline constexpr std::size_t kOverdrawColors = 8;
[[nodiscard]] Color overdraw_color(std::size_t meshes) noexcept;

/// Draws ghosts of the frames before and after the one that is shown into the viewport. They are posed where that
/// frame, or what is hidden, has changed.
void draw_onion(App& app, OffscreenLayer& layer, Renderer& renderer);

/// Draws how many meshes cover each pixel. Returns false, and draws nothing, where the GPU cannot.
bool draw_overdraw(App& app, OffscreenLayer& layer, Renderer& renderer);

}  // namespace pchr::player

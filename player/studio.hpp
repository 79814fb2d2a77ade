// SPDX-License-Identifier: MIT
// Draws the window's pictures: the canvas and the panels around it, or the character alone.
#pragma once

#include "atlas_texture.hpp"
#include "background_image.hpp"
#include "canvas.hpp"
#include "exporter.hpp"
#include "gpu_timer.hpp"
#include "presentation.hpp"
#include "screenshot.hpp"
#include "session.hpp"
#include "smooth_target.hpp"
#include "window.hpp"

#include <expected>
#include <memory>

namespace pchr::player {

/// What pictures are drawn with, timed by and written to.
struct Studio {
  Graphics graphics;
  SmoothTarget canvas;
  GpuTimer timer;
  AtlasTexture atlas;
  PictureWriter pictures{};
  Exporter exporter{};
  BackgroundImage image{};
  Presentation presentation{};

  /// On the current OpenGL context, which must outlive it.
  [[nodiscard]] static std::expected<std::unique_ptr<Studio>, RenderError> set_up();
};

/// Draws and presents one picture of the session.
void draw_picture(Session& session, Window& window, Studio& studio);

/// Tells where a screenshot went, once it is there. Returns whether there is something to tell.
bool tell_of_screenshots(Session& session, PictureWriter& pictures);

}  // namespace pchr::player

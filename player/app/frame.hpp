// SPDX-License-Identifier: MIT
// Draws the window's frames: the canvas and the panels around it, or the character alone.
#pragma once

#include "app/app.hpp"
#include "app/background_image.hpp"
#include "app/exporter.hpp"
#include "app/screenshot.hpp"
#include "app/window.hpp"
#include "gl/atlas_texture.hpp"
#include "gl/gpu_timer.hpp"
#include "gl/msaa_target.hpp"
#include "view/canvas.hpp"

namespace pchr::player {

/// The character alone in a window without a frame, over whatever else is on the screen.
class Presentation {
 public:
  /// Brings the window in line with app.view.presenting: its canvas, in `canvas`, becomes all of it, where it is
  /// and as large as it is, and in the end everything is as it was before.
  void update(App& app, Window& window, const Rect& canvas);
  /// The mouse while it is shown: a drag moves the window, the wheel resizes it with what it shows.
  void handle_mouse(App& app, Window& window);

 private:
  bool shown_ = false;
  Camera camera_{};  ///< As it was before.
  bool fitted_ = true;
  std::optional<Vec2> grabbed_{};  ///< Where the mouse holds the window, in its units.
};

/// What frames are drawn with, timed by and written to.
struct Studio {
  Graphics graphics;
  MsaaTarget canvas{};
  GpuTimer timer{};
  AtlasTexture atlas{};
  ScreenshotWriter screenshots{};
  Exporter exporter{};
  BackgroundImage image{};
  Presentation presentation{};

  /// Sets it up on the current OpenGL context, which must outlive it.
  [[nodiscard]] static std::expected<std::unique_ptr<Studio>, RenderError> set_up();
};

/// Draws and presents one frame.
void draw_frame(App& app, Window& window, Studio& studio);

/// Tells where a screenshot went, once it is there. Returns whether there is something to tell.
bool tell_of_screenshots(App& app, ScreenshotWriter& screenshots);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
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

/// Shows the character alone in a window without a frame, over whatever else is on the screen.
class Presentation {
 public:
  /// Brings the window in line with app.view.presenting: its `canvas` becomes all of it, in its place and size, and in
  /// the end everything is restored.
  void update(App& app, Window& window, const Rect& canvas);
  /// Handles the mouse meanwhile: a drag moves the window, the wheel resizes it with what it shows.
  void handle_mouse(App& app, Window& window);

 private:
  bool shown_ = false;
  Camera camera_{};  ///< As it was before.
  bool fitted_ = true;
  std::optional<Vec2> grabbed_{};  ///< Where the mouse holds the window, in its units.
};

/// All that frames are drawn with, timed by and written to.
struct Studio {
  Graphics graphics;
  MsaaTarget canvas{};
  GpuTimer timer{};
  AtlasTexture atlas{};
  ScreenshotWriter screenshots{};
  Exporter exporter{};
  BackgroundImage image{};
  Presentation presentation{};

  /// Sets up the current OpenGL context, which must outlive it.
  [[nodiscard]] static std::expected<std::unique_ptr<Studio>, RenderError> set_up();
};

/// Draws and presents one frame: the canvas with panels, or the character alone.
void draw_frame(App& app, Window& window, Studio& studio);

/// Reports where a screenshot went. Returns whether there was one.
bool tell_of_screenshots(App& app, ScreenshotWriter& screenshots);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"
#include "app/background_image.hpp"
#include "app/cast_thumbnails.hpp"
#include "app/exporter.hpp"
#include "app/screenshot.hpp"
#include "app/window.hpp"
#include "gl/atlas_texture.hpp"
#include "gl/gpu_timer.hpp"
#include "gl/msaa_target.hpp"
#include "ui/changed_areas.hpp"
#include "view/canvas.hpp"

namespace pchr::player {

/// Shows the character alone in a borderless window above everything else on the screen.
class Presentation {
 public:
  /// Follows app.view.presenting: shrinks the window to `canvas`, in place, and restores everything at the end.
  void update(App& app, Window& window, const Rect& canvas);
  /// Handles the mouse while presenting: dragging moves the window, the wheel resizes it and its content.
  void handle_mouse(App& app, Window& window);

 private:
  bool shown_ = false;
  Camera camera_{};  ///< Camera before the presentation.
  std::optional<Rect> fitted_{};
  std::optional<Vec2> grabbed_{};  ///< Point of the window under the mouse while dragging, in window units.
};

/// Everything that draws, times and saves frames.
struct Studio {
  Graphics graphics;
  MsaaTarget canvas;
  GpuTimer timer{};
  AtlasTexture atlas{};
  CastThumbnails cast{};
  ScreenshotWriter screenshots{};
  Exporter exporter{};
  BackgroundImage image{};
  Presentation presentation{};
  Performance measured{};            ///< What app.performance shows next.
  double measured_at = 0;            ///< When app.performance was last updated.
  std::uint64_t figure_drawn = 0;    ///< Figure::revision on the display.
  std::optional<Rect> area_drawn{};  ///< Its changing_area().
  Affine seen{};                     ///< From the world to the canvas on the display.
  ChangedAreas interface_drawn{};

  /// Uses the current OpenGL context, which must outlive it.
  [[nodiscard]] static Expected<std::unique_ptr<Studio>, RenderError> set_up();
};

/// Returns which panels there are, unless the character is presented alone.
[[nodiscard]] Panels panels_of(const App& app) noexcept;

/// Returns the monitor's scale, or the one that the user chose.
[[nodiscard]] DisplayScale scale_of(const App& app, const Window& window);

/// What may have changed since the last frame, besides Dear ImGui's output and the open character's pose.
struct Changes {
  bool all = false;     ///< Anything, such as the size of the window or what a texture contains.
  bool canvas = false;  ///< Poses on the canvas.
};

/// Draws and presents one frame: the canvas with panels, or the character alone. Draws only what changed, and presents
/// nothing if the display shows the same already.
void draw_frame(App& app, Window& window, Studio& studio, Changes changes);

/// Reports a finished screenshot. Returns whether there was one.
bool report_screenshots(App& app, ScreenshotWriter& screenshots);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Draws frames, and saves them.
#pragma once

#include "app/exporter.hpp"
#include "app/window.hpp"
#include "gl/gl.hpp"
#include "ui/app.hpp"
#include "ui/panels.hpp"
#include "view/canvas.hpp"

#include <pchr/geometry.hpp>

#include <imgui.h>

#include <filesystem>
#include <future>
#include <span>
#include <vector>

namespace pchr::player {

/// Adds `area` to areas that do not overlap. Overlapping ones are joined.
void add_area(std::vector<Rect>& areas, Rect area);

/// Compares what Dear ImGui draws with what it drew before.
class ChangedAreas {
 public:
  /// Returns the areas in which `data` differs from that of the last call, as whole framebuffer pixels, y down. They do
  /// not overlap. Ignores the contents of textures.
  [[nodiscard]] std::vector<Rect> update(const ImDrawData& data);

 private:
  /// The contents of one window of Dear ImGui.
  struct Drawn {
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
  };
  std::vector<Drawn> drawn_;
};

/// Limits drawing to `areas`, which update() returned for the same frame.
void clip(ImDrawData& data, std::span<const Rect> areas);

/// Path of the written file, empty for a copied image, or an error message.
using WrittenFile = Expected<std::filesystem::path, std::string>;

/// Writes `bytes` as STEM.png, or STEM_2.png and so on if that exists, to the first writable folder. Never replaces a
/// file or leaves a partial one.
[[nodiscard]] WrittenFile write_new_file(std::span<const std::filesystem::path> folders, const std::string& stem,
                                         std::span<const std::byte> bytes);

/// Encodes and writes or copies frames on threads.
class ScreenshotWriter {
 public:
  /// Writes `premultiplied` like write_new_file().
  void write(Bitmap premultiplied, std::vector<std::filesystem::path> folders, std::string stem);
  /// Puts `premultiplied` on the clipboard.
  void copy(Bitmap premultiplied);
  /// Returns the result of each write() and copy() once, in order.
  [[nodiscard]] std::optional<WrittenFile> take();
  [[nodiscard]] bool busy() const noexcept { return !writing_.empty(); }

 private:
  std::vector<std::future<WrittenFile>> writing_;
};

/// Decodes the background image on a thread.
class BackgroundImage {
 public:
  /// Passes the view's image to `painter`. Falls back to the checker if it cannot be read, with an error unless the
  /// file is gone. Returns whether the frame changed.
  bool update(App& app, BackgroundPainter& painter);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid(); }

 private:
  std::filesystem::path path_{};  ///< The image that is shown or being read.
  std::future<Expected<Bitmap, std::string>> reading_{};
};

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
struct FrameOutput {
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
  std::uint64_t poses_drawn = 0;     ///< Scene::poses on the display.
  std::optional<Rect> area_drawn{};  ///< Its changing_area().
  Affine seen{};                     ///< From the world to the canvas on the display.
  ChangedAreas interface_drawn{};

  /// Uses the current OpenGL context, which must outlive it.
  [[nodiscard]] static Expected<std::unique_ptr<FrameOutput>, RenderError> set_up();
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
void draw_frame(App& app, Window& window, FrameOutput& output, Changes changes);

/// Reports a finished screenshot. Returns whether there was one.
bool report_screenshots(App& app, ScreenshotWriter& screenshots);

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// The area that shows the characters, and its grid.
#pragma once

#include "document/turntable.hpp"
#include "gl/gl.hpp"
#include "view/scene.hpp"

#include <imgui.h>

#include <array>

namespace pchr::player {

/// Line distances in world pixels. Both are 1, 2 or 5 times a power of ten, and `major` is a multiple of `minor`.
struct GridStep {
  double minor = 0;
  double major = 0;
};

/// Returns the finest grid whose lines are at least `min_pixels` viewport pixels apart. Both arguments must be
/// positive.
[[nodiscard]] GridStep grid_step(double zoom, double min_pixels) noexcept;

[[nodiscard]] GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept;

/// The view of the ground.
struct GroundView {
  const Turntable& turntable;
  const Camera& camera;
  Vec3 pivot{0.0F};  ///< As for rotation_of().
  Box box{};         ///< Bounds of the object on the ground, as read.
};

/// Returns the finest grid whose lines are at least `min_pixels` apart when viewed from above, limited to a sane number
/// of lines.
[[nodiscard]] GridStep ground_step(const GroundView& view, double min_pixels) noexcept;

/// Returns the lines of a floor under `view.box` and the origin, in color `ink` (straight RGB), and of the file's axes
/// above it: x red, y green, z blue, fainter on their negative side.
[[nodiscard]] std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step,
                                                 const std::array<float, 3>& ink, float thickness);

/// Max distance, in design units, between clicks that step through overlapping parts.
inline constexpr float kPickReach = 4.0F;
/// Max distance at which a joint is picked, as a multiple of that.
inline constexpr float kJointReach = 2.0F;

/// The canvas's area, and the mapping between its window units and the camera's pixels.
struct Canvas {
  Rect area;            ///< Window units.
  float pixels = 1.0F;  ///< Framebuffer pixels per window unit.

  /// Convert between window units and camera viewport pixels.
  [[nodiscard]] Vec2 to_viewport(Vec2 point) const noexcept { return (point - area.min) * pixels; }
  [[nodiscard]] Vec2 to_window(Vec2 pixel) const noexcept { return pixel / pixels + area.min; }
};

/// Returns `area` in framebuffer pixels, y down.
[[nodiscard]] Rect pixels_of(const Rect& area, float pixels);

struct Graphics {
  Renderer renderer;
  BackgroundPainter background;
  OffscreenLayer layer;
};

/// Returns the grid of a canvas with `interface_scale` window units per design unit.
[[nodiscard]] GridStep grid_step(Scene& scene, const Canvas& canvas, float interface_scale) noexcept;

/// The sides of a comparison. Without one, the first is the whole canvas.
struct Sides {
  Canvas first{}, second{};            ///< Both of the same size.
  Rect first_shown{}, second_shown{};  ///< Visible part of each side, in window units.
  [[nodiscard]] const Canvas& under(Vec2 point) const noexcept { return point.x < second_shown.min.x ? first : second; }
};
[[nodiscard]] Sides sides_of(Scene& scene, const Canvas& canvas);

/// Sets the camera's viewport, and fits it and follows the root bone as the view asks. Aligns hard texels with whole
/// pixels.
void place_camera(Scene& scene, const Canvas& canvas);

/// Handles the mouse: the wheel zooms at the cursor, any button drags, the right button or Alt rotates 3D characters.
void navigate(Scene& scene, const Canvas& canvas);
/// Returns the zoom factor for a wheel movement by `notches`. With hard texels, steps between whole zooms once full
/// notches have accumulated.
[[nodiscard]] float wheel_factor(Scene& scene, float notches);

/// Returns the point in `area` that was clicked with a button (an ImGuiMouseButton) without dragging, in window units.
[[nodiscard]] std::optional<Vec2> clicked_point(const Rect& area, int button);

/// Limits a zoom relative to the size of the character. A 2D one can also be zoomed as if it had the usual size.
[[nodiscard]] float limited_zoom(Scene& scene, float zoom);
/// Zooms by `factor` around the window point `at`, within limits.
void zoom(Scene& scene, const Canvas& canvas, Vec2 at, float factor);

/// Returns the bounds of the open character in window units if nothing else on the canvas changes with its pose.
[[nodiscard]] std::optional<Rect> changing_area(const Scene& scene, const Canvas& canvas);

/// Draws background and characters into the current framebuffer of `framebuffer` pixels. `part`: draw only this part of
/// the canvas, in window units; only if changing_area() returns one.
void draw_canvas(Scene& scene, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                 const std::optional<Rect>& part, Graphics& graphics);
/// Draws only the characters on a transparent background.
void draw_transparent(Scene& scene, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics);

/// Renders the canvas offscreen at its size in framebuffer pixels, with or without the background. Returns
/// premultiplied colors. Fails if the context does not support it.
[[nodiscard]] Expected<Bitmap, RenderError> render_canvas(Scene& scene, const Canvas& canvas, float interface_scale,
                                                          bool on_background, GetProcAddress get_proc_address,
                                                          Graphics& graphics);

/// Draws a posed character into the viewport.
void draw_character(Scene& scene, const Model& model, const PoseBuffers& posed, const Camera& camera,
                    Renderer& renderer);

/// Selects and drags characters with the left button. Returns whether the mouse holds one.
bool drag_lineup(Scene& scene, const Canvas& canvas);

}  // namespace pchr::player

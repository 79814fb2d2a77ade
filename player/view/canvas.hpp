// SPDX-License-Identifier: MIT
// The area in which the character is shown.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"
#include "gl/offscreen_layer.hpp"
#include "ui/layout.hpp"

namespace pchr::player {

/// Where the canvas is, and how its window units relate to the camera's pixels.
struct Canvas {
  Rect area;            ///< Window units.
  float pixels = 1.0F;  ///< Framebuffer pixels per window unit.

  /// Window units to camera viewport pixels and back.
  [[nodiscard]] Vec2 to_viewport(Vec2 point) const noexcept { return (point - area.min) * pixels; }
  [[nodiscard]] Vec2 to_window(Vec2 pixel) const noexcept { return pixel / pixels + area.min; }
};

struct Graphics {
  Renderer renderer;
  BackgroundPainter background;
  OffscreenLayer layer;
};

/// Returns the grid of a canvas with `interface_scale` window units per design unit.
[[nodiscard]] GridStep grid_step(App& app, const Canvas& canvas, float interface_scale) noexcept;

/// The sides of a comparison; without one the first is all of the canvas.
struct Sides {
  Canvas first{}, second{};            ///< Of the same size.
  Rect first_shown{}, second_shown{};  ///< Window units; the part of the canvas that shows each.
  [[nodiscard]] const Canvas& under(Vec2 point) const noexcept { return point.x < second_shown.min.x ? first : second; }
};
[[nodiscard]] Sides sides_of(App& app, const Canvas& canvas);

/// Gives the camera the canvas's size and, while it is fitted, the bounds of what is shown; puts hard texels on whole
/// pixels.
void place_camera(App& app, const Canvas& canvas);

/// Zooms at the cursor by the wheel and moves by any button; the right one, or the left with Alt, turns 3D characters.
void navigate(App& app, const Canvas& canvas);
/// Returns the factor of the zoom for a wheel turned by `notches`; where texels are hard, from one whole zoom to
/// another, once whole notches have come together.
[[nodiscard]] float wheel_factor(App& app, float notches);

/// Returns where `area` was clicked with the left button, in window units, without a drag.
[[nodiscard]] std::optional<Vec2> clicked_point(const Rect& area);

/// Zooms by `factor` around the window point `at`, within limits.
void zoom(App& app, const Canvas& canvas, Vec2 at, float factor);

/// Draws background and characters into the current framebuffer of `framebuffer` pixels.
void draw_canvas(App& app, const Canvas& canvas, Vec2 framebuffer, float interface_scale, Graphics& graphics);
/// Draws the characters alone, on nothing.
void draw_on_nothing(App& app, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics);

/// Renders one of the two offscreen, premultiplied, in the canvas's size in framebuffer pixels. Fails where this
/// context cannot.
[[nodiscard]] std::expected<Bitmap, RenderError> render_canvas(App& app, const Canvas& canvas, float interface_scale,
                                                               bool on_background, GetProcAddress get_proc_address,
                                                               Graphics& graphics);

/// Draws one posed character of the session into the viewport.
void draw_character(App& app, const Model& model, const PoseBuffers& posed, Renderer& renderer);

}  // namespace pchr::player

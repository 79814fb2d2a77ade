// SPDX-License-Identifier: MIT
// The area in which the character is shown.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"
#include "gl/background_painter.hpp"
#include "gl/offscreen_layer.hpp"
#include "overlays/grid.hpp"
#include "overlays/under.hpp"
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

/// Draws what is below the interface.
struct Graphics {
  Renderer renderer;
  BackgroundPainter background;
  OffscreenLayer layer;
};

/// The grid of a canvas whose window units are so many design units.
[[nodiscard]] GridStep grid_step(App& app, const Canvas& canvas, float interface_scale) noexcept;

/// Where what is compared is on the canvas; without a comparison the first is all of it.
struct Sides {
  Canvas first{}, second{};            ///< Of the same size.
  Rect first_shown{}, second_shown{};  ///< Window units: what of the canvas shows each.
  [[nodiscard]] const Canvas& under(Vec2 point) const noexcept { return point.x < second_shown.min.x ? first : second; }
};
[[nodiscard]] Sides sides_of(App& app, const Canvas& canvas);

/// Gives the camera the canvas's size and, while it is fitted, the bounds of what is shown. Hard texels come to lie on
/// whole pixels.
void place_camera(App& app, const Canvas& canvas);

/// The mouse over the canvas: the wheel zooms at the cursor, any held button moves the frame. A 3D character is
/// turned by the right one, or with Alt by the left.
void navigate(App& app, const Canvas& canvas);
/// By how much the zoom is to change for a wheel turned by `notches`: from one whole zoom to another where texels are
/// hard, once whole notches have come together.
[[nodiscard]] float wheel_factor(App& app, float notches);

/// Where the left button was clicked in `area`, in window units: pressed and released without a drag between.
[[nodiscard]] std::optional<Vec2> clicked_point(const Rect& area);

/// Zooms by `factor` around the window point `at`, within what a person can use.
void zoom(App& app, const Canvas& canvas, Vec2 at, float factor);

/// Draws background and characters into the framebuffer of `framebuffer` pixels.
void draw_canvas(App& app, const Canvas& canvas, Vec2 framebuffer, float interface_scale, Graphics& graphics);
/// Draws the characters alone into it, and nothing where they are not.
void draw_on_nothing(App& app, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics);

/// The same frame by itself, premultiplied, of the canvas's size in framebuffer pixels; with `on_background` or on
/// nothing. Fails where this context cannot draw beside the window.
[[nodiscard]] std::expected<Bitmap, RenderError> render_canvas(App& app, const Canvas& canvas, float interface_scale,
                                                               bool on_background, GetProcAddress get_proc_address,
                                                               Graphics& graphics);

/// Draws one posed character of the session into the viewport.
void draw_character(App& app, const Model& model, const PoseBuffers& posed, Renderer& renderer);

/// What the ground is seen with; a 3D character must be open.
[[nodiscard]] GroundView ground_view(App& app) noexcept;

}  // namespace pchr::player

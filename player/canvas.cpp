// SPDX-License-Identifier: MIT
// Camera, mouse navigation and drawing of the canvas.
#include "canvas.hpp"

#include "scene.hpp"
#include "smooth_target.hpp"
#include "theme.hpp"
#include "whole_zoom.hpp"

#include <pchr/offscreen.hpp>

#include <glm/common.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

/// Viewport pixels per world pixel.
struct ZoomLimits {
  float smallest = 0.01F;
  float largest = 64.0F;
};

constexpr float kZoomPerNotch = 1.15F;
constexpr float kTile = 12.0F;
constexpr float kLeastGridDistance = 14.0F;
constexpr float kFitMargin = 0.07F;
constexpr float kHardFitMargin = 0.01F;  ///< Whole zooms leave room by themselves.
/// Shown where a clip has nothing visible to fit.
constexpr Rect kNothing{{-100.0F, -100.0F}, {100.0F, 100.0F}};

/// Spatial characters have no pixels: they are as large as their unit of length has them.
ZoomLimits zoom_limits(const Session& session) {
  ZoomLimits limits;
  if (!shows_spatial(session)) return limits;
  const Vec3 size = session.document->bounds.box.size();
  const float largest = std::max({size.x, size.y, size.z});
  if (!(largest > 0.0F)) return limits;
  constexpr float kUsualSize = 400.0F;
  const float unit = kUsualSize / largest;
  return {limits.smallest * unit, limits.largest * unit};
}

/// `area` in framebuffer pixels, y down.
Rect pixels_of(const Rect& area, float pixels) {
  return {glm::round(area.min * pixels), glm::round(area.max * pixels)};
}

void draw_background(const Session& session, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                     BackgroundPainter& background) {
  const View& view = session.view;
  const Rect pixels = pixels_of(canvas.area, canvas.pixels);
  const float unit = interface_scale * canvas.pixels;
  if (view.background == Background::image && background.has_image()) {
    return background.draw_image(framebuffer, pixels, view.colour, view.tiled ? unit : 0.0F);
  }
  const float thickness = std::max(std::floor(unit), 1.0F);
  const bool spatial = shows_spatial(session);
  GridLines grid;
  if (view.grid && session.document && !spatial) {
    grid = grid_lines(view.camera, grid_step(session, canvas, interface_scale), thickness);
  }
  const Colour& light = view.background != Background::colour ? kCheckerLight : view.colour;
  const Colour& dark = view.background != Background::colour ? kCheckerDark : view.colour;
  background.draw(framebuffer, pixels, light, dark, std::round(kTile * unit), grid);
  if (!view.grid || !spatial) return;
  const bool bright = light[0] * 0.3F + light[1] * 0.6F + light[2] * 0.1F > 0.5F;
  const std::array<float, 3> ink = bright ? std::array{0.0F, 0.0F, 0.0F} : std::array{1.0F, 1.0F, 1.0F};
  background.draw_lines(ground_lines(ground_view(session), grid_step(session, canvas, interface_scale), ink, thickness),
                        pixels.size());
}

/// Side by side each has a background of its own, whose grid is where the character is.
void draw_backgrounds(const Session& session, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                      BackgroundPainter& background) {
  const Sides sides = sides_of(session, canvas);
  draw_background(session, sides.first, framebuffer, interface_scale, background);
  if (!comparing(session) || sides.second.area.min == sides.first.area.min) return;
  draw_background(session, sides.second, framebuffer, interface_scale, background);
}

void add(DrawStatistics& sum, const DrawStatistics& drawn) {
  sum.draw_calls += drawn.draw_calls;
  sum.triangles += drawn.triangles;
  sum.uploaded_bytes += drawn.uploaded_bytes;
}

void draw_alone(Session& session, const Canvas& canvas, Vec2 framebuffer, bool layers, Graphics& graphics) {
  const View& view = session.view;
  const Rect pixels = pixels_of(canvas.area, canvas.pixels);
  graphics.background.begin_part(framebuffer, pixels, pixels);
  graphics.background.end_parts();
  const bool overdraw = view.overdraw && !shows_spatial(session);
  if (layers && view.onion && !overdraw) draw_onion(session, graphics.layer, graphics.renderer);
  if (!layers || !overdraw || !draw_overdraw(session, graphics.plain, graphics.layer, graphics.renderer)) {
    draw_character(session, session.document->model, session.document->posed, graphics.renderer);
  }
  session.performance.drawn = graphics.renderer.statistics();
}

void draw_compared(Session& session, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics) {
  const auto draw = [&](const Canvas& side, const Rect& shown, const Model& model, const PosedCharacter& posed) {
    graphics.background.begin_part(framebuffer, pixels_of(side.area, side.pixels), pixels_of(shown, side.pixels));
    draw_character(session, model, posed, graphics.renderer);
    add(session.performance.drawn, graphics.renderer.statistics());
  };
  const Sides sides = sides_of(session, canvas);
  draw(sides.first, sides.first_shown, session.document->model, session.document->posed);
  draw(sides.second, sides.second_shown, compared_model(session), session.comparison.posed);
  graphics.background.end_parts();
}

/// `layers`: with the onion skin, or the overdraw in its place.
void draw_characters(Session& session, const Canvas& canvas, Vec2 framebuffer, bool layers, Graphics& graphics) {
  session.performance.drawn = {};
  if (!session.document) return;
  comparing(session) ? draw_compared(session, canvas, framebuffer, graphics)
                     : draw_alone(session, canvas, framebuffer, layers, graphics);
}

/// As if a hand held the character's front: over the height of the canvas it turns by half.
void drag_around(Session& session, const Canvas& canvas, Vec2 dragged) {
  const Vec2 degrees = dragged * (180.0F / std::max(canvas.area.size().y, 1.0F));
  Turntable turntable = session.view.turntable;
  turntable.yaw_degrees -= degrees.x;
  turntable.pitch_degrees += degrees.y;
  set_turntable(session, turntable);
  session.view.fitted = false;
}

}  // namespace

Sides sides_of(const Session& session, const Canvas& canvas) {
  const Rect& all = canvas.area;
  if (!comparing(session)) return {canvas, canvas, all, {all.max, all.max}};
  const float pixel = 1.0F / canvas.pixels;
  if (session.comparison.mode == CompareMode::wipe) {
    const float divider = all.min.x + std::round(session.comparison.divider * all.size().x / pixel) * pixel;
    return {canvas, canvas, {all.min, {divider, all.max.y}}, {{divider, all.min.y}, all.max}};
  }
  const Vec2 half{std::floor(all.size().x * 0.5F / pixel) * pixel, all.size().y};
  const Rect left{all.min, all.min + half};
  const Rect right{{left.max.x, all.min.y}, left.max + Vec2{half.x, 0.0F}};
  return {{left, canvas.pixels}, {right, canvas.pixels}, left, right};
}

void place_camera(Session& session, const Canvas& canvas) {
  View& view = session.view;
  Camera& camera = view.camera;
  camera.centre -= std::exchange(view.snapped, Vec2{0.0F});
  camera.viewport = glm::max(canvas.area.size() * canvas.pixels, Vec2{1.0F});
  const bool hard = has_hard_pixels(session);
  const auto bounds = shown_bounds(session);
  if (view.fitted && bounds) {
    camera = fit(camera, bounds->empty() ? kNothing : *bounds, hard ? kHardFitMargin : kFitMargin);
    if (hard) camera.zoom = whole_zoom_below(camera.zoom);
    const ZoomLimits limits = zoom_limits(session);
    camera.zoom = std::clamp(camera.zoom, limits.smallest, limits.largest);
  }
  if (!hard) return;
  camera.zoom = nearest_whole_zoom(camera.zoom);
  const Vec2 before = camera.centre;
  camera = on_whole_pixels(camera, texel_corner(session.document->character()));
  view.snapped = camera.centre - before;
}

void zoom(Session& session, const Canvas& canvas, Vec2 at, float factor) {
  View& view = session.view;
  const ZoomLimits limits = zoom_limits(session);
  const float wanted = std::clamp(view.camera.zoom * factor, limits.smallest, limits.largest);
  view.camera = zoom_at(view.camera, canvas.to_viewport(at), wanted / view.camera.zoom);
  view.fitted = false;
}

float wheel_factor(Session& session, float notches) {
  View& view = session.view;
  if (!has_hard_pixels(session)) return std::pow(kZoomPerNotch, notches);
  // Touch pads send parts of notches.
  view.wheel = view.wheel * notches < 0.0F ? notches : view.wheel + notches;
  const float whole = std::trunc(view.wheel);
  view.wheel -= whole;
  if (whole == 0.0F) return 1.0F;
  return next_whole_zoom(view.camera.zoom, std::pow(kZoomPerNotch, whole)) / view.camera.zoom;
}

void navigate(Session& session, const Canvas& canvas) {
  View& view = session.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse) return;
  if (io.MouseWheel != 0.0F) {
    zoom(session, canvas, {io.MousePos.x, io.MousePos.y}, wheel_factor(session, io.MouseWheel));
  }
  for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseDragging(button, 0.0F) || ImGui::IsMouseClicked(button)) continue;
    const Vec2 dragged{io.MouseDelta.x, io.MouseDelta.y};
    if (dragged == Vec2{0.0F}) return;
    const bool turns = button == ImGuiMouseButton_Right || (button == ImGuiMouseButton_Left && io.KeyAlt);
    if (turns && shows_spatial(session)) return drag_around(session, canvas, dragged);
    const Vec2 moved = dragged * canvas.pixels / view.camera.zoom;
    view.camera.centre += Vec2{-moved.x, view.camera.flip_y ? -moved.y : moved.y};
    view.fitted = false;
    return;
  }
}

std::optional<Vec2> clicked_point(const Rect& area) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || io.MouseDownOwned[ImGuiMouseButton_Left] || !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
    return std::nullopt;
  if (io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > io.MouseDragThreshold * io.MouseDragThreshold)
    return std::nullopt;
  const Vec2 at{io.MousePos.x, io.MousePos.y};
  const bool inside = at.x >= area.min.x && at.y >= area.min.y && at.x < area.max.x && at.y < area.max.y;
  return inside ? std::optional(at) : std::nullopt;
}

GridStep grid_step(const Session& session, const Canvas& canvas, float interface_scale) noexcept {
  const float least = kLeastGridDistance * interface_scale * canvas.pixels;
  if (shows_spatial(session)) return ground_step(ground_view(session), least);
  return grid_step(session.view.camera.zoom, least);
}

void draw_canvas(Session& session, const Canvas& canvas, Vec2 framebuffer, float interface_scale, Graphics& graphics) {
  draw_backgrounds(session, canvas, framebuffer, interface_scale, graphics.background);
  draw_characters(session, canvas, framebuffer, true, graphics);
}

void draw_on_nothing(Session& session, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics) {
  graphics.background.clear();
  draw_characters(session, canvas, framebuffer, false, graphics);
}

std::expected<Bitmap, RenderError> take_picture(Session& session, const Canvas& canvas, float interface_scale,
                                                bool on_background, GetProcAddress get_proc_address,
                                                Graphics& graphics) {
  const Canvas alone{{Vec2{0.0F}, canvas.area.size()}, canvas.pixels};
  const Vec2 size = pixels_of(canvas.area, canvas.pixels).size();
  auto target = OffscreenTarget::create(get_proc_address, static_cast<std::uint32_t>(size.x),
                                        static_cast<std::uint32_t>(size.y), kCanvasSamples);
  if (!target) return std::unexpected(std::move(target.error()));
  target->begin();
  if (on_background) draw_backgrounds(session, alone, size, interface_scale, graphics.background);
  draw_characters(session, alone, size, false, graphics);
  return target->finish();
}

}  // namespace pchr::player

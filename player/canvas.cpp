// SPDX-License-Identifier: MIT
// Camera, mouse navigation and drawing of the canvas.
#include "canvas.hpp"

#include "theme.hpp"

#include <pchr/offscreen.hpp>

#include <glm/common.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

constexpr float kSmallestZoom = 0.01F;
constexpr float kLargestZoom = 64.0F;
constexpr float kZoomPerNotch = 1.15F;
constexpr float kTile = 12.0F;
constexpr std::uint32_t kSamples = 4;  ///< As the window has.
constexpr float kFitMargin = 0.07F;
/// Shown where a clip has nothing visible to fit.
constexpr Rect kNothing{{-100.0F, -100.0F}, {100.0F, 100.0F}};

/// `area` in framebuffer pixels, y down.
Rect pixels_of(const Rect& area, float pixels) {
  return {glm::round(area.min * pixels), glm::round(area.max * pixels)};
}

void draw_background(const View& view, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                     BackgroundPainter& background) {
  if (view.background == Background::image && background.has_image()) {
    return background.draw_image(framebuffer, pixels_of(canvas.area, canvas.pixels), view.colour,
                                 view.tiled ? interface_scale * canvas.pixels : 0.0F);
  }
  const bool checker = view.background != Background::colour;
  background.draw(framebuffer, pixels_of(canvas.area, canvas.pixels), checker ? kCheckerLight : view.colour,
                  checker ? kCheckerDark : view.colour, std::round(kTile * interface_scale * canvas.pixels));
}

void add(DrawStatistics& sum, const DrawStatistics& drawn) {
  sum.draw_calls += drawn.draw_calls;
  sum.triangles += drawn.triangles;
  sum.uploaded_bytes += drawn.uploaded_bytes;
}

void draw_characters(Session& session, const Canvas& canvas, Vec2 framebuffer, BackgroundPainter& painter,
                     Renderer& renderer) {
  DrawStatistics& drawn = session.performance.drawn;
  drawn = {};
  if (!session.document) return;
  const auto draw = [&](const Canvas& side, const Rect& shown, const Model& model, const PosedCharacter& posed) {
    painter.begin_part(framebuffer, pixels_of(side.area, side.pixels), pixels_of(shown, side.pixels));
    renderer.draw(model, posed, session.view.camera);
    add(drawn, renderer.statistics());
  };
  const Sides sides = sides_of(session, canvas);
  draw(sides.first, sides.first_shown, session.document->model, session.document->posed);
  if (comparing(session)) {
    draw(sides.second, sides.second_shown, compared_model(session), session.comparison.posed);
  }
  painter.end_parts();
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

void place_camera(View& view, const Canvas& canvas, const std::optional<Rect>& bounds) {
  view.camera.viewport = glm::max(canvas.area.size() * canvas.pixels, Vec2{1.0F});
  if (!view.fitted || !bounds) return;
  view.camera = fit(view.camera, bounds->empty() ? kNothing : *bounds, kFitMargin);
  view.camera.zoom = std::clamp(view.camera.zoom, kSmallestZoom, kLargestZoom);
}

void zoom(View& view, const Canvas& canvas, Vec2 at, float factor) {
  const float wanted = std::clamp(view.camera.zoom * factor, kSmallestZoom, kLargestZoom);
  view.camera = zoom_at(view.camera, canvas.to_viewport(at), wanted / view.camera.zoom);
  view.fitted = false;
}

void navigate(View& view, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse) return;
  if (io.MouseWheel != 0.0F) {
    zoom(view, canvas, {io.MousePos.x, io.MousePos.y}, std::pow(kZoomPerNotch, io.MouseWheel));
  }
  for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseDragging(button, 0.0F) || ImGui::IsMouseClicked(button)) continue;
    const Vec2 moved = Vec2{io.MouseDelta.x, io.MouseDelta.y} * canvas.pixels / view.camera.zoom;
    if (moved == Vec2{0.0F}) return;
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

void draw_canvas(Session& session, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                 BackgroundPainter& background, Renderer& renderer) {
  draw_background(session.view, canvas, framebuffer, interface_scale, background);
  draw_characters(session, canvas, framebuffer, background, renderer);
}

std::expected<Bitmap, RenderError> take_picture(Session& session, const Canvas& canvas, float interface_scale,
                                                bool on_background, GetProcAddress get_proc_address,
                                                BackgroundPainter& background, Renderer& renderer) {
  const Canvas alone{{Vec2{0.0F}, canvas.area.size()}, canvas.pixels};
  const Vec2 size = pixels_of(canvas.area, canvas.pixels).size();
  auto target = OffscreenTarget::create(get_proc_address, static_cast<std::uint32_t>(size.x),
                                        static_cast<std::uint32_t>(size.y), kSamples);
  if (!target) return std::unexpected(std::move(target.error()));
  target->begin();
  if (on_background) draw_background(session.view, alone, size, interface_scale, background);
  draw_characters(session, alone, size, background, renderer);
  return target->finish();
}

}  // namespace pchr::player

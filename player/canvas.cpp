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

/// Where the canvas is in the framebuffer, y down.
Rect pixels_of(const Canvas& canvas) {
  return {glm::round(canvas.area.min * canvas.pixels), glm::round(canvas.area.max * canvas.pixels)};
}

void draw_background(const View& view, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                     BackgroundPainter& background) {
  const bool checker = view.background == Background::checker;
  background.draw(framebuffer, pixels_of(canvas), checker ? kCheckerLight : view.colour,
                  checker ? kCheckerDark : view.colour, std::round(kTile * interface_scale * canvas.pixels));
}

void draw_character(Session& session, Renderer& renderer) {
  session.performance.drawn = {};
  if (!session.document) return;
  renderer.draw(session.document->model, session.document->posed, session.view.camera);
  session.performance.drawn = renderer.statistics();
}

}  // namespace

void place_camera(View& view, const Canvas& canvas, const std::optional<Document>& document) {
  view.camera.viewport = glm::max(canvas.area.size() * canvas.pixels, Vec2{1.0F});
  if (!view.fitted || !document) return;
  view.camera = fit(view.camera, document->bounds.empty() ? kNothing : document->bounds, kFitMargin);
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

std::optional<Vec2> clicked_point(const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || io.MouseDownOwned[ImGuiMouseButton_Left] || !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
    return std::nullopt;
  if (io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > io.MouseDragThreshold * io.MouseDragThreshold)
    return std::nullopt;
  const Vec2 at{io.MousePos.x, io.MousePos.y};
  const Rect& area = canvas.area;
  const bool inside = at.x >= area.min.x && at.y >= area.min.y && at.x < area.max.x && at.y < area.max.y;
  return inside ? std::optional(at) : std::nullopt;
}

void draw_canvas(Session& session, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                 BackgroundPainter& background, Renderer& renderer) {
  draw_background(session.view, canvas, framebuffer, interface_scale, background);
  draw_character(session, renderer);
}

std::expected<Bitmap, RenderError> take_picture(Session& session, const Canvas& canvas, float interface_scale,
                                                bool on_background, GetProcAddress get_proc_address,
                                                BackgroundPainter& background, Renderer& renderer) {
  const Canvas alone{{Vec2{0.0F}, canvas.area.size()}, canvas.pixels};
  const Vec2 size = pixels_of(canvas).size();
  auto target = OffscreenTarget::create(get_proc_address, static_cast<std::uint32_t>(size.x),
                                        static_cast<std::uint32_t>(size.y), kSamples);
  if (!target) return std::unexpected(std::move(target.error()));
  target->begin();
  if (on_background) draw_background(session.view, alone, size, interface_scale, background);
  draw_character(session, renderer);
  return target->finish();
}

}  // namespace pchr::player

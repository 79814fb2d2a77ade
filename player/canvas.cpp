// SPDX-License-Identifier: MIT
// Camera, mouse navigation and drawing of the canvas.
#include "canvas.hpp"

#include "theme.hpp"

#include <glm/common.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

constexpr float kSmallestZoom = 0.01F;
constexpr float kLargestZoom = 64.0F;
constexpr float kZoomPerNotch = 1.15F;
constexpr float kTile = 12.0F;
constexpr float kFitMargin = 0.07F;
/// Shown where a clip has nothing visible to fit.
constexpr Rect kNothing{{-100.0F, -100.0F}, {100.0F, 100.0F}};

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
  const View& view = session.view;
  const Rect pixels{glm::round(canvas.area.min * canvas.pixels), glm::round(canvas.area.max * canvas.pixels)};
  const bool checker = view.background == Background::checker;
  background.draw(framebuffer, pixels, checker ? kCheckerLight : view.colour, checker ? kCheckerDark : view.colour,
                  std::round(kTile * interface_scale * canvas.pixels));
  session.performance.drawn = {};
  if (!session.document) return;
  renderer.draw(session.document->model, session.document->posed, view.camera);
  session.performance.drawn = renderer.statistics();
}

}  // namespace pchr::player

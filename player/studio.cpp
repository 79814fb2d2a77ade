// SPDX-License-Identifier: MIT
// One picture after the other.
#include "studio.hpp"

#include "overlays/overlays.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <string>
#include <utility>

namespace pchr::player {
namespace {

/// Clicks no further apart walk down what lies below them, in design units.
constexpr float kSamePlace = 4.0F;

/// A mean of the last pictures.
void average(double& mean, double value) { mean += (value - mean) * (mean == 0.0 ? 1.0 : 0.1); }

void build_interface(Session& session, const Layout& layout, const Canvas& canvas, AtlasTexture& texture) {
  const Sides sides = sides_of(session, canvas);
  if (session.view.tab != Tab::atlas) session.atlas.large = false;
  if (atlas_is_large(session)) {
    large_atlas(session, layout, texture);
  } else {
    draw_overlays(session, sides.first, sides.first_shown, layout.scale);
    compare_bar(session, layout, canvas);
  }
  if (!session.document) empty_state(session, layout);
  left_panel(session, layout);
  view_panel(session, layout, sides.first);
  right_panel(session, layout, texture);
  transport_panel(session, layout);
  opening_progress(session.files.progress, layout);
  error_banner(session, layout);
  notice_bubble(session.notice, layout);
  exports_window(session, layout);
  browser_window(session.browser, session.files, layout);
  help_window(session, layout);
}

/// Takes the screenshot that is asked for.
void take_screenshot(Session& session, const Canvas& canvas, float interface_scale, Studio& studio) {
  const Screenshot wanted = std::exchange(session.screenshot, Screenshot::none);
  if (wanted == Screenshot::none || !session.document) return;
  auto picture = take_picture(session, canvas, interface_scale, wanted == Screenshot::with_background,
                              glfwGetProcAddress, studio.graphics);
  if (picture) {
    studio.pictures.write(*std::move(picture), screenshot_folders(session), screenshot_stem(session));
  } else {
    session.error = "The screenshot cannot be taken: " + picture.error().message;
  }
}

/// The character alone, over the desktop where that can be.
void draw_presentation(Session& session, Window& window, Studio& studio) {
  const DisplayScale scale = window.scale();
  window.begin_interface();
  advance(session, 0.0);
  studio.presentation.handle_mouse(session, window);
  const Layout layout = arrange(window.size(), scale.interface, false);
  const Canvas canvas{layout.canvas, scale.pixels};
  error_banner(session, layout);
  notice_bubble(session.notice, layout);
  window.finish_interface();
  place_camera(session, sides_of(session, canvas).first);
  const Vec2 framebuffer = window.framebuffer_size();
  const bool transparent = window.transparent();
  studio.canvas.begin(framebuffer);
  if (transparent) {
    draw_on_nothing(session, canvas, framebuffer, studio.graphics);
  } else {
    draw_canvas(session, canvas, framebuffer, scale.interface, studio.graphics);
  }
  studio.canvas.end();
  take_screenshot(session, canvas, scale.interface, studio);
  window.draw_interface();
  if (!transparent) studio.graphics.background.make_opaque();
  window.present();
}

void draw_with_panels(Session& session, Window& window, Studio& studio) {
  const double begun = glfwGetTime();
  const DisplayScale scale = window.scale();
  window.begin_interface();
  advance(session, 0.0);  // What input has just opened has no markers and no mix yet.
  // Navigation moves the canvas of the last layout; panels shown or hidden take effect with the next.
  const Layout layout = arrange(window.size(), scale.interface, session.view.panels, shows_spatial(session));
  const Canvas canvas{layout.canvas, scale.pixels};
  const Sides sides = sides_of(session, canvas);
  place_camera(session, sides.first);
  navigate(session, sides.under(vec(ImGui::GetIO().MousePos)));
  advance(session, 0.0);  // A spatial character may have been turned.
  if (const auto point = clicked_point(sides.first_shown)) {
    const Vec2 world = viewport_to_world(session.view.camera, sides.first.to_viewport(*point));
    pick(session, world, kSamePlace * scale.interface * canvas.pixels / session.view.camera.zoom);
  }
  const double interface_begun = glfwGetTime();
  const bool covered = atlas_is_large(session);
  build_interface(session, layout, canvas, studio.atlas);
  window.finish_interface();
  average(session.performance.interface_milliseconds, (glfwGetTime() - interface_begun) * 1000.0);
  advance(session, 0.0);
  place_camera(session, sides_of(session, canvas).first);
  studio.timer.begin();
  if (covered) {
    session.performance.drawn = {};
  } else {
    studio.canvas.begin(window.framebuffer_size());
    draw_canvas(session, canvas, window.framebuffer_size(), scale.interface, studio.graphics);
    studio.canvas.end();
  }
  take_screenshot(session, canvas, scale.interface, studio);
  window.draw_interface();
  studio.graphics.background.make_opaque();
  studio.timer.end();
  session.performance.gpu_milliseconds = studio.timer.milliseconds();
  average(session.performance.cpu_milliseconds, (glfwGetTime() - begun) * 1000.0);
  window.present();
}

}  // namespace

std::expected<std::unique_ptr<Studio>, RenderError> Studio::set_up() {
  auto renderer = Renderer::create(glfwGetProcAddress);
  if (!renderer) return std::unexpected(renderer.error());
  auto background = BackgroundPainter::create(glfwGetProcAddress);
  if (!background) return std::unexpected(background.error());
  auto layer = Layer::create(glfwGetProcAddress);
  if (!layer) return std::unexpected(layer.error());
  auto atlas = AtlasTexture::create(glfwGetProcAddress);
  if (!atlas) return std::unexpected(atlas.error());
  auto canvas = SmoothTarget::create(glfwGetProcAddress);
  if (!canvas) return std::unexpected(canvas.error());
  return std::unique_ptr<Studio>(
      new Studio{.graphics = {std::move(*renderer), std::move(*background), std::move(*layer)},
                 .canvas = std::move(*canvas),
                 .timer = GpuTimer(glfwGetProcAddress),
                 .atlas = std::move(*atlas)});
}

void draw_picture(Session& session, Window& window, Studio& studio) {
  session.view.presenting ? draw_presentation(session, window, studio) : draw_with_panels(session, window, studio);
}

bool tell_of_screenshots(Session& session, PictureWriter& pictures) {
  const auto written = pictures.take();
  if (!written) return false;
  if (*written) {
    const std::string path = shown_path(**written);
    show_notice(session.notice, "Saved " + path, path);
  } else {
    session.error = written->error();
  }
  return true;
}

}  // namespace pchr::player

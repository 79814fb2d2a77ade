// SPDX-License-Identifier: MIT
#include "app/frame.hpp"

#include "overlays/overlays.hpp"
#include "platform/cache_folder.hpp"
#include "ui/panels.hpp"
#include "view/lineup_view.hpp"

#include <GLFW/glfw3.h>

#include <cmath>

namespace pchr::player {
namespace {

/// Updates a running average.
void average(double& mean, double value) { mean += (value - mean) * (mean == 0.0 ? 1.0 : 0.1); }

/// Shows the measurements twice per second: readouts that change faster cannot be read.
void publish(Performance& shown, Studio& studio, double now) {
  constexpr double kSeconds = 0.5;
  if (now - studio.measured_at < kSeconds) return;
  studio.measured_at = now;
  studio.measured.drawn = shown.drawn;
  studio.measured.presented = shown.presented;
  studio.measured.canvases = shown.canvases;
  shown = studio.measured;
}

void build_panels(App& app, const Layout& layout, const Canvas& canvas, Studio& studio) {
  const Sides sides = sides_of(app, canvas);
  menu_bar(app, layout);
  if (app.document && app.view.tab != Tab::atlas) app.document->atlas.large = false;
  if (atlas_is_large(app)) {
    large_atlas(app, layout, studio.atlas);
  } else {
    draw_overlays(app, sides.first, sides.first_shown, layout.scale);
    label_lineup(app, canvas, layout.scale);
    compare_bar(app, layout, canvas);
  }
  if (!app.document) empty_state(app, layout);
  cast_panel(app, layout, studio.cast);
  left_panel(app, layout);
  if (app.document && !ImGui::IsAnyItemActive()) commit(app.document->rig);
  view_panel(app, layout);
  right_panel(app, layout, studio.atlas);
  transport_panel(app, layout);
  docks(app, layout);
  opening_progress(app.files.progress, layout);
}

/// Follows which docks are open. A click on the canvas closes one that is open over it.
void note_docks(App& app, const Layout& layout) {
  for (const Dock dock : kDocks) app.docks_open[std::to_underlying(dock)] = layout.is_open(dock);
  std::optional<Dock>& over = app.arrangement.over;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::GetIO().WantCaptureMouse;
  if (over && (clicked || !layout.is_over(*over))) over.reset();
}

/// Returns the part of the canvas, in window units, that a new pose changed; nothing if that can be all of it.
std::optional<Rect> changed_part(const App& app, const Canvas& canvas, Studio& studio) {
  const std::optional<Rect> area = changing_area(app, canvas);
  const auto before = std::exchange(studio.area_drawn, area);
  const Affine seen = world_to_viewport(app.view.camera);
  if (std::exchange(studio.seen, seen) != seen || !area || !before) return std::nullopt;
  Rect part = *area;
  part.include(*before);
  return part;
}

bool needs_depth(const App& app) {
  return app.shows_3d() || (comparing(app) && second_document(app).is_3d()) ||
         std::ranges::any_of(app.lineup.members, [](const auto& member) { return member.document.is_3d(); });
}

void take_screenshot(App& app, const Canvas& canvas, float interface_scale, Studio& studio) {
  const Screenshot kind = std::exchange(app.screenshot, Screenshot::none);
  if (kind == Screenshot::none || !app.document) return;
  const bool on_background = kind == Screenshot::with_background || kind == Screenshot::copied_with_background;
  const bool copied = kind == Screenshot::copied || kind == Screenshot::copied_with_background;
  auto frame = render_canvas(app, canvas, interface_scale, on_background, glfwGetProcAddress, studio.graphics);
  if (frame && copied) {
    studio.screenshots.copy(*std::move(frame));
  } else if (frame) {
    studio.screenshots.write(*std::move(frame), screenshot_folders(app), screenshot_stem(app));
  } else {
    app.error = "Cannot take the screenshot: " + frame.error().message;
  }
}

/// Moves, zooms and selects with the mouse.
void handle_mouse(App& app, const Canvas& canvas, float interface_scale) {
  const Sides sides = sides_of(app, canvas);
  place_camera(app, sides.first);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  app.cursor.reset();
  if (!ImGui::GetIO().WantCaptureMouse && ImGui::IsMousePosValid(&mouse)) {
    app.cursor = viewport_to_world(app.view.camera, sides.first.to_viewport(mouse));
  }
  const bool drags = drag_lineup(app, canvas);
  if (!drags) navigate(app, sides.under(ImGui::GetIO().MousePos));
  const auto clicked = [&](ImGuiMouseButton button) -> std::optional<Vec2> {
    const auto point = clicked_point(sides.first_shown, button);
    if (!point) return std::nullopt;
    return viewport_to_world(app.view.camera, sides.first.to_viewport(*point));
  };
  const float reach = kPickReach * interface_scale * canvas.pixels / app.view.camera.zoom;
  if (const auto world = clicked(ImGuiMouseButton_Left)) pick(app, *world, reach);
  if (const auto world = clicked(ImGuiMouseButton_Right)) open_canvas_menu(app, *world, reach);
}

}  // namespace

Expected<std::unique_ptr<Studio>, RenderError> Studio::set_up() {
  if (auto loaded = load_gl(glfwGetProcAddress); !loaded) return Unexpected(loaded.error());
  auto renderer =
      Renderer::create(glfwGetProcAddress, {.executor = thread_executor(),
                                            .compile_on_first_use = true,
                                            .program_cache = {program_folder().loading(), program_folder().storing()}});
  if (!renderer) return Unexpected(renderer.error());
  auto background = BackgroundPainter::create();
  if (!background) return Unexpected(background.error());
  auto layer = OffscreenLayer::create();
  if (!layer) return Unexpected(layer.error());
  auto canvas = MsaaTarget::create();
  if (!canvas) return Unexpected(canvas.error());
  return std::unique_ptr<Studio>(new Studio{
      .graphics = {std::move(*renderer), std::move(*background), std::move(*layer)}, .canvas = std::move(*canvas)});
}

Panels panels_of(const App& app) noexcept {
  return {.shown = app.view.panels,
          .cast = app.cast.entries.size() > 1,
          .is_3d = app.shows_3d(),
          .arrangement = app.arrangement};
}

DisplayScale scale_of(const App& app, const Window& window) {
  DisplayScale scale = window.scale();
  if (app.interface_percent > 0) scale.interface = static_cast<float>(app.interface_percent) / 100.0F / scale.pixels;
  return scale;
}

void draw_frame(App& app, Window& window, Studio& studio, Changes changes) {
  const double begun = glfwGetTime();
  const bool presenting = app.view.presenting;
  const DisplayScale scale = scale_of(app, window);
  app.monitor_percent = static_cast<int>(std::lround(window.scale().interface * scale.pixels * 100.0F));
  window.begin_interface();
  if (presenting) studio.presentation.handle_mouse(app, window);
  // Toggled panels take effect in the next frame's layout.
  const Panels panels = presenting ? Panels{.menu = false, .shown = false} : panels_of(app);
  const Layout layout = arrange(window.size(), scale.interface, panels);
  const Canvas canvas{layout.canvas, scale.pixels};
  if (!presenting) note_docks(app, layout);
  if (!presenting) handle_mouse(app, canvas, scale.interface);
  const double interface_begun = glfwGetTime();
  const bool covered = atlas_is_large(app);
  if (!presenting) build_panels(app, layout, canvas, studio);
  error_banner(app, layout);
  notice_bubble(app, layout);
  if (!presenting) {
    export_bubble(app, layout);
    exports_window(app, layout);
    browser_window(app.browser, app.files, layout);
    help_window(app, layout);
    context_menu(app);
  }
  quit_window(app, layout);
  ImGui::Render();
  average(studio.measured.interface_milliseconds, (glfwGetTime() - interface_begun) * 1000.0);
  place_camera(app, sides_of(app, canvas).first);
  const Vec2 framebuffer = window.framebuffer_size();
  const Rect pixels = pixels_of(canvas.area, canvas.pixels);
  if (studio.canvas.resize(framebuffer, pixels)) changes.all = true;
  std::vector<Rect> areas = studio.interface_drawn.update(*ImGui::GetDrawData());
  const std::optional<Rect> part = changed_part(app, canvas, studio);
  const bool posed_anew = std::exchange(studio.figure_drawn, app.figure.revision) != app.figure.revision;
  const bool canvas_changes = !covered && (changes.all || changes.canvas || posed_anew);
  if (changes.all) areas = {{Vec2{0.0F}, framebuffer}};
  if (canvas_changes && !changes.all) add_area(areas, part ? pixels_of(*part, canvas.pixels) : pixels);
  if (areas.empty()) return;
  const bool on_desktop = presenting && window.transparent();
  studio.timer.begin();
  if (covered) {
    app.performance.drawn = {};
  } else if (canvas_changes) {
    studio.canvas.begin_canvas(needs_depth(app));
    on_desktop
        ? draw_transparent(app, canvas, framebuffer, studio.graphics)
        : draw_canvas(app, canvas, framebuffer, scale.interface, changes.all ? std::nullopt : part, studio.graphics);
    ++app.performance.canvases;
  }
  take_screenshot(app, canvas, scale.interface, studio);
  studio.canvas.begin_interface(areas, on_desktop);
  clip(*ImGui::GetDrawData(), areas);
  window.draw_interface();
  studio.canvas.show();
  studio.timer.end();
  studio.measured.gpu_milliseconds = studio.timer.milliseconds();
  average(studio.measured.cpu_milliseconds, (glfwGetTime() - begun) * 1000.0);
  publish(app.performance, studio, begun);
  window.present();
  ++app.performance.presented;
}

bool report_screenshots(App& app, ScreenshotWriter& screenshots) {
  const auto written = screenshots.take();
  if (!written) return false;
  if (*written && (*written)->empty()) {
    show_notice(app.notice, "Image copied", NoticeKind::success);
  } else if (*written) {
    const std::string path = shown_path(**written);
    show_notice(app.notice, {.text = "Saved " + path,
                             .kind = NoticeKind::success,
                             .to_copy = path,
                             .buttons = {{{"show-in-folder", "Show in folder"}}}});
  } else {
    app.error = written->error();
  }
  return true;
}

void Presentation::update(App& app, Window& window, const Rect& canvas) {
  View& view = app.view;
  // Opening a panel ends the presentation.
  if (!app.document || app.browser.open || view.help) view.presenting = false;
  if (view.presenting == shown_) return;
  shown_ = view.presenting;
  grabbed_.reset();
  if (!shown_) {
    window.end_presentation();
    view.camera = camera_;
    view.fitted = fitted_;
    return;
  }
  camera_ = view.camera;
  fitted_ = view.fitted;
  window.begin_presentation(canvas);
  if (!window.transparent()) {
    show_notice(app.notice,
                "This desktop does not support transparent windows, so the background stays. Press Esc to leave.");
  }
}

void Presentation::handle_mouse(App& app, Window& window) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.MouseDown[ImGuiMouseButton_Left]) grabbed_.reset();
  if (io.WantCaptureMouse) return;
  const float factor = io.MouseWheel != 0.0F ? wheel_factor(app, io.MouseWheel) : 1.0F;
  if (factor != 1.0F) app.view.camera.zoom *= window.resize_by(factor);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) grabbed_ = window.cursor();
  if (grabbed_) window.drag_to(*grabbed_);
}

}  // namespace pchr::player

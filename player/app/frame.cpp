// SPDX-License-Identifier: MIT
#include "app/frame.hpp"

#include "overlays/overlays.hpp"
#include "platform/output_file.hpp"
#include "platform/desktop.hpp"
#include "platform/utf8_path.hpp"
#include "ui/panels.hpp"
#include "view/canvas.hpp"

#include <pchr/export/animation.hpp>

#include <GLFW/glfw3.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace pchr::player {
namespace {

Rect intersection(const Rect& a, const Rect& b) { return {glm::max(a.min, b.min), glm::min(a.max, b.max)}; }

bool overlap(const Rect& a, const Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

template <typename T>
bool same(const std::vector<T>& before, const ImVector<T>& now) {
  return std::ssize(before) == now.Size &&
         (before.empty() || std::memcmp(before.data(), now.Data, before.size() * sizeof(T)) == 0);
}

/// A corner of a triangle with what its command adds.
struct Corner {
  ImDrawVert vertex;
  const ImDrawCmd* command;

  bool operator==(const Corner& other) const {
    // A command begins with its clip rectangle and its texture.
    return std::memcmp(&vertex, &other.vertex, sizeof(vertex)) == 0 &&
           std::memcmp(command, other.command, offsetof(ImDrawCmd, VtxOffset)) == 0;
  }
};

std::vector<Corner> corners(std::span<const ImDrawVert> vertices, std::span<const ImDrawIdx> indices,
                            std::span<const ImDrawCmd> commands) {
  std::vector<Corner> all;
  for (const ImDrawCmd& command : commands) {
    for (const ImDrawIdx index : indices.subspan(command.IdxOffset, command.ElemCount)) {
      all.push_back({vertices[command.VtxOffset + index], &command});
    }
  }
  return all;
}

/// Returns the visible bounds of some triangles.
Rect bounds(std::span<const Corner> triangles) {
  Rect all;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    Rect triangle;
    for (const Corner& corner : triangles.subspan(i, 3)) triangle.include({corner.vertex.pos.x, corner.vertex.pos.y});
    const ImVec4& shown = triangles[i].command->ClipRect;
    all.include(intersection(triangle, {{shown.x, shown.y}, {shown.z, shown.w}}));
  }
  return all;
}

/// Returns the bounds of the triangles between the first and the last that differ.
Rect difference(std::span<const Corner> before, std::span<const Corner> now) {
  const auto first = std::ranges::mismatch(before, now).in1 - before.begin();
  const std::size_t begin = static_cast<std::size_t>(first) / 3 * 3;
  before = before.subspan(begin);
  now = now.subspan(begin);
  const auto last = std::mismatch(before.rbegin(), before.rend(), now.rbegin(), now.rend()).first - before.rbegin();
  const std::size_t end = static_cast<std::size_t>(last) / 3 * 3;
  Rect all = bounds(before.first(before.size() - end));
  all.include(bounds(now.first(now.size() - end)));
  return all;
}

/// Returns the pixels that Dear ImGui's OpenGL backend clips to.
Rect clipped_pixels(const ImVec4& shown, const ImDrawData& data) {
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  const Vec2 min = (Vec2{shown.x, shown.y} - corner) * scale;
  const Vec2 max = (Vec2{shown.z, shown.w} - corner) * scale;
  const float height = std::trunc(data.DisplaySize.y * scale.y);
  const Vec2 size = glm::floor(max - min);
  const float bottom = height - std::trunc(height - max.y);
  return {{std::trunc(min.x), bottom - size.y}, {std::trunc(min.x) + size.x, bottom}};
}

}  // namespace

void add_area(std::vector<Rect>& areas, Rect area) {
  const auto joins = [&](const Rect& other) { return overlap(area, other); };
  for (auto other = std::ranges::find_if(areas, joins); other != areas.end();
       other = std::ranges::find_if(areas, joins)) {
    area.include(*other);
    areas.erase(other);
  }
  areas.push_back(area);
}

std::vector<Rect> ChangedAreas::update(const ImDrawData& data) {
  std::vector<Rect> areas;
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  const Rect window{Vec2{0.0F}, glm::floor(Vec2{data.DisplaySize.x, data.DisplaySize.y} * scale)};
  const auto count = static_cast<std::size_t>(data.CmdListsCount);
  drawn_.resize(std::max(drawn_.size(), count));
  const ImDrawList nothing(nullptr);
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const ImDrawList& list = i < count ? *data.CmdLists[static_cast<int>(i)] : nothing;
    Drawn& drawn = drawn_[i];
    if (same(drawn.vertices, list.VtxBuffer) && same(drawn.indices, list.IdxBuffer) &&
        same(drawn.commands, list.CmdBuffer)) {
      continue;
    }
    Drawn now{{list.VtxBuffer.begin(), list.VtxBuffer.end()},
              {list.IdxBuffer.begin(), list.IdxBuffer.end()},
              {list.CmdBuffer.begin(), list.CmdBuffer.end()}};
    const Rect differs = difference(corners(drawn.vertices, drawn.indices, drawn.commands),
                                    corners(now.vertices, now.indices, now.commands));
    drawn = std::move(now);
    const Rect pixels =
        intersection(window, {glm::floor((differs.min - corner) * scale), glm::ceil((differs.max - corner) * scale)});
    if (!differs.empty() && pixels.size() != Vec2{0.0F}) add_area(areas, pixels);
  }
  drawn_.resize(count);
  return areas;
}

void clip(ImDrawData& data, std::span<const Rect> areas) {
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImVector<ImDrawCmd> commands;
    for (ImDrawCmd command : data.CmdLists[i]->CmdBuffer) {
      if (command.UserCallback != nullptr) {
        commands.push_back(command);
        continue;
      }
      const Rect shown = clipped_pixels(command.ClipRect, data);
      for (const Rect& area : areas) {
        if (!overlap(shown, area)) continue;
        const Rect part = intersection(shown, area);
        const Vec2 min = part.min / scale + corner;
        const Vec2 max = part.max / scale + corner;
        command.ClipRect = {min.x, min.y, max.x, max.y};
        commands.push_back(command);
      }
    }
    data.CmdLists[i]->CmdBuffer.swap(commands);
  }
}

namespace {

namespace fs = std::filesystem;

ExportResult<fs::path> write_into(const fs::path& folder, const std::string& stem, std::span<const std::byte> bytes) {
  constexpr int kMaxNumber = 100'000;
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? stem + ".png" : fmt::format("{}_{}.png", stem, number);
    fs::path path = folder / path_from_utf8(name);
    std::error_code ignored;
    if (number < kMaxNumber && fs::exists(fs::symlink_status(path, ignored))) continue;
    OutputFiles files({}, false);
    auto written = files.write(utf8_of(path), bytes);
    if (written) written = files.publish(Existing::keep);
    if (written) return path;
    if (written.error().kind != ExportError::Kind::exists || number == kMaxNumber) {
      return Unexpected(written.error());
    }
  }
}

}  // namespace

WrittenFile write_new_file(std::span<const fs::path> folders, const std::string& stem,
                           std::span<const std::byte> bytes) {
  std::string error = "no folder to write to";
  for (const fs::path& folder : folders) {
    auto written = write_into(folder, stem, bytes);
    if (written) return *std::move(written);
    // The error for the preferred folder is the most useful.
    if (&folder == folders.data()) error = written.error().message;
  }
  return Unexpected("Cannot save the screenshot: " + error);
}

void ScreenshotWriter::write(Bitmap premultiplied, std::vector<fs::path> folders, std::string stem) {
  writing_.push_back(std::async(std::launch::async, [frame = std::move(premultiplied), folders = std::move(folders),
                                                     stem = std::move(stem)]() mutable {
    unpremultiply(frame);
    return write_new_file(folders, stem, encode_png(frame, PngCompression::fast));
  }));
}

void ScreenshotWriter::copy(Bitmap premultiplied) {
  writing_.push_back(std::async(std::launch::async, [frame = std::move(premultiplied)]() mutable -> WrittenFile {
    unpremultiply(frame);
    auto copied = copy_image(frame);
    if (!copied) return Unexpected(std::move(copied.error()));
    return fs::path();
  }));
}

std::optional<WrittenFile> ScreenshotWriter::take() {
  if (writing_.empty() || !is_ready(writing_.front())) return std::nullopt;
  WrittenFile written = writing_.front().get();
  writing_.erase(writing_.begin());
  return written;
}

namespace {

namespace fs = std::filesystem;

Expected<Bitmap, std::string> read_image(const fs::path& path) {
  std::error_code error;
  // Reading a pipe could block forever.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    return Unexpected(shown_path(path) + ": not a regular file");
  }
  auto bitmap = load_png(utf8_of(path));
  if (!bitmap) return Unexpected(describe(bitmap.error(), shown_path(path.filename())));
  return *std::move(bitmap);
}

}  // namespace

bool BackgroundImage::update(App& app, BackgroundPainter& painter) {
  View& view = app.view;
  if (view.image.empty() && view.background == Background::image) view.background = Background::checker;
  if (!busy() && view.image != path_) {
    path_ = view.image;
    if (!path_.empty()) reading_ = std::async(std::launch::async, [path = path_] { return read_image(path); });
  }
  if (!is_ready(reading_)) return false;
  const auto bitmap = reading_.get();
  std::string problem;
  if (!bitmap) {
    problem = bitmap.error();
  } else if (!painter.set_image(*bitmap)) {
    problem = shown_path(path_) + ": too large for this GPU";
  }
  if (problem.empty() || view.image != path_) return true;
  std::error_code error;
  if (fs::exists(path_, error)) app.error = std::move(problem);
  view.image.clear();
  path_.clear();
  if (view.background == Background::image) view.background = Background::checker;
  return true;
}

namespace {

/// Updates a running average.
void average(double& mean, double value) { mean += (value - mean) * (mean == 0.0 ? 1.0 : 0.1); }

/// Shows the measurements twice per second: readouts that change faster cannot be read.
void publish(Performance& shown, FrameOutput& output, double now) {
  constexpr double kSeconds = 0.5;
  if (now - output.measured_at < kSeconds) return;
  output.measured_at = now;
  shown = output.measured;
}

void build_panels(App& app, const Layout& layout, const Canvas& canvas, FrameOutput& output) {
  const Sides sides = sides_of(app, canvas);
  menu_bar(app, layout);
  if (app.document() && app.view.tab != Tab::atlas) app.document()->atlas.large = false;
  if (atlas_is_large(app)) {
    large_atlas(app, layout, output.atlas);
  } else {
    draw_overlays(app, sides.first, sides.first_shown, layout.scale);
    label_lineup(app, canvas, layout.scale);
    compare_bar(app, layout, canvas);
  }
  if (!app.document()) empty_state(app, layout);
  cast_panel(app, layout, output.cast);
  left_panel(app, layout);
  if (app.document() && !ImGui::IsAnyItemActive()) commit(app.document()->rig);
  view_panel(app, layout);
  right_panel(app, layout, output.atlas);
  transport_panel(app, layout);
  docks(app, layout);
  if (app.document()) opening_progress(app.requests.progress, layout);
}

/// Follows which docks are open. A click on the canvas closes one that is open over it.
void note_docks(App& app, const Layout& layout) {
  for (const Dock dock : kDocks) app.docks_open[std::to_underlying(dock)] = layout.is_open(dock);
  std::optional<Dock>& over = app.arrangement.over;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::GetIO().WantCaptureMouse;
  if (over && (clicked || !layout.is_over(*over))) over.reset();
}

/// Returns the part of the canvas, in window units, that a new pose changed; nothing if that can be all of it.
std::optional<Rect> changed_part(const App& app, const Canvas& canvas, FrameOutput& output) {
  const std::optional<Rect> area = changing_area(app, canvas);
  const auto before = std::exchange(output.area_drawn, area);
  const Affine seen = world_to_viewport(app.view.camera);
  if (std::exchange(output.seen, seen) != seen || !area || !before) return std::nullopt;
  Rect part = *area;
  part.include(*before);
  return part;
}

bool needs_depth(const App& app) {
  return app.shows_3d() || (comparing(app) && second_document(app).is_3d()) ||
         std::ranges::any_of(app.members(), [](const Actor& member) { return member.document.is_3d(); });
}

void take_screenshot(App& app, const Canvas& canvas, float interface_scale, FrameOutput& output) {
  const Screenshot kind = std::exchange(app.screenshot, Screenshot::none);
  if (kind == Screenshot::none || !app.document()) return;
  const bool on_background = kind == Screenshot::with_background || kind == Screenshot::copied_with_background;
  const bool copied = kind == Screenshot::copied || kind == Screenshot::copied_with_background;
  auto frame = render_canvas(app, canvas, interface_scale, on_background, glfwGetProcAddress, output.graphics);
  if (frame && copied) {
    output.screenshots.copy(*std::move(frame));
  } else if (frame) {
    output.screenshots.write(*std::move(frame), screenshot_folders(app), screenshot_stem(app));
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

Expected<std::unique_ptr<FrameOutput>, RenderError> FrameOutput::set_up() {
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
  return std::unique_ptr<FrameOutput>(new FrameOutput{
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

void draw_frame(App& app, Window& window, FrameOutput& output, Changes changes) {
  const double begun = glfwGetTime();
  const bool presenting = app.view.presenting;
  const DisplayScale scale = scale_of(app, window);
  app.monitor_percent = static_cast<int>(std::lround(window.scale().interface * scale.pixels * 100.0F));
  window.begin_interface();
  if (presenting) output.presentation.handle_mouse(app, window);
  // Toggled panels take effect in the next frame's layout.
  const Panels panels = presenting ? Panels{.menu = false, .shown = false} : panels_of(app);
  const Layout layout = arrange(window.size(), scale.interface, panels);
  const Canvas canvas{layout.canvas, scale.pixels};
  if (!presenting) note_docks(app, layout);
  if (!presenting) handle_mouse(app, canvas, scale.interface);
  const double interface_begun = glfwGetTime();
  const bool covered = atlas_is_large(app);
  if (!presenting) build_panels(app, layout, canvas, output);
  error_banner(app, layout);
  notice_bubble(app, layout);
  if (!presenting) {
    export_bubble(app, layout);
    exports_window(app, layout);
    browser_window(app.browser, app.requests, layout);
    help_window(app, layout);
    context_menu(app);
  }
  quit_window(app, layout);
  ImGui::Render();
  average(output.measured.interface_milliseconds, (glfwGetTime() - interface_begun) * 1000.0);
  place_camera(app, sides_of(app, canvas).first);
  const Vec2 framebuffer = window.framebuffer_size();
  const Rect pixels = pixels_of(canvas.area, canvas.pixels);
  if (output.canvas.resize(framebuffer, pixels)) changes.all = true;
  std::vector<Rect> areas = output.interface_drawn.update(*ImGui::GetDrawData());
  const std::optional<Rect> part = changed_part(app, canvas, output);
  const bool posed_anew = std::exchange(output.poses_drawn, app.poses) != app.poses;
  const bool canvas_changes = !covered && (changes.all || changes.canvas || posed_anew);
  if (changes.all) areas = {{Vec2{0.0F}, framebuffer}};
  if (canvas_changes && !changes.all) add_area(areas, part ? pixels_of(*part, canvas.pixels) : pixels);
  if (areas.empty()) return;
  const bool on_desktop = presenting && window.transparent();
  output.timer.begin();
  if (covered) {
    app.drawn = {};
  } else if (canvas_changes) {
    output.canvas.begin_canvas(needs_depth(app));
    on_desktop
        ? draw_transparent(app, canvas, framebuffer, output.graphics)
        : draw_canvas(app, canvas, framebuffer, scale.interface, changes.all ? std::nullopt : part, output.graphics);
    ++app.canvases;
  }
  take_screenshot(app, canvas, scale.interface, output);
  output.canvas.begin_interface(areas, on_desktop);
  clip(*ImGui::GetDrawData(), areas);
  window.draw_interface();
  output.canvas.show();
  output.timer.end();
  output.measured.gpu_milliseconds = output.timer.milliseconds();
  average(output.measured.cpu_milliseconds, (glfwGetTime() - begun) * 1000.0);
  publish(app.performance, output, begun);
  window.present();
  ++app.presented;
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
  if (!app.document() || app.browser.open || view.help) view.presenting = false;
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

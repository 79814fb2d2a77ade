// SPDX-License-Identifier: MIT
// pchr-player: shows and plays a character in a window.
#include "background_image.hpp"
#include "canvas.hpp"
#include "fonts.hpp"
#include "gpu_timer.hpp"
#include "keys.hpp"
#include "opening.hpp"
#include "overlays/overlays.hpp"
#include "panels/panels.hpp"
#include "preferences.hpp"
#include "screenshot.hpp"
#include "session.hpp"
#include "theme.hpp"
#include "widgets.hpp"
#include "window.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::player {
namespace {

enum ExitCode { kFine = 0, kUsage = 2, kNoDisplay = 3 };

constexpr std::string_view kUsageText =
    "Usage: pchr-player [FILE]...\n"
    "Shows and plays Pachario characters. A folder stands for the characters in it, - for standard input.\n"
    "Files and folders can also be dropped on the window.\n"
    "\n"
    "  --help     show this text\n"
    "  --version  show the version\n"
    "\n"
    "Exit codes: 0 fine, 2 wrong usage, 3 no display or no OpenGL 3.3.\n";

/// Dear ImGui shows some effects of an input only in the frame after it.
constexpr int kPicturesAfterInput = 3;
constexpr double kIdleSeconds = 10.0;
/// Clicks no further apart walk down what lies below them, in design units.
constexpr float kSamePlace = 4.0F;

/// What watches and keeps the pictures that are drawn.
struct Studio {
  Graphics graphics;
  GpuTimer timer{glfwGetProcAddress};
  PictureWriter pictures{};
  BackgroundImage image{};
};

/// A mean of the last pictures.
void average(double& mean, double value) { mean += (value - mean) * (mean == 0.0 ? 1.0 : 0.1); }

std::expected<Graphics, RenderError> set_up_graphics() {
  auto renderer = Renderer::create(glfwGetProcAddress);
  if (!renderer) return std::unexpected(renderer.error());
  auto background = BackgroundPainter::create(glfwGetProcAddress);
  if (!background) return std::unexpected(background.error());
  auto layer = Layer::create(glfwGetProcAddress);
  if (!layer) return std::unexpected(layer.error());
  return Graphics{std::move(*renderer), std::move(*background), std::move(*layer)};
}

/// All names the interface shows, so that the font has their glyphs.
std::string names(const Session& session) {
  std::string text;
  for (const auto& path : session.files.recent) text += shown_path(path);
  if (session.browser.open) {
    text += shown_path(session.browser.folder);
    for (const BrowserEntry& entry : session.browser.all) text += entry.name;
  }
  if (!session.document) return text;
  text += session.document->name();
  if (const auto& file = session.comparison.file) {
    text += shown_path(file->path);
    for (const Clip& clip : file->model.character().clips()) text += clip.name;
  }
  for (const Clip& clip : session.document->character().clips()) text += clip.name;
  for (const Bone& bone : session.document->character().bones()) text += bone.name;
  for (const Mesh& mesh : session.document->character().meshes()) text += mesh.name;
  for (const Image& image : session.document->character().images()) text += image.name;
  return text;
}

void build_interface(Session& session, const Layout& layout, const Canvas& canvas) {
  const Sides sides = sides_of(session, canvas);
  draw_overlays(session, sides.first, sides.first_shown, layout.scale);
  compare_bar(session, layout, canvas);
  if (!session.document) empty_state(session, layout);
  left_panel(session, layout);
  view_panel(session, layout, sides.first);
  right_panel(session, layout);
  transport_panel(session, layout);
  opening_progress(session.files.progress, layout);
  error_banner(session, layout);
  notice_bubble(session.notice, layout);
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

/// Tells where a screenshot went, once it is there. Returns whether there is something to tell.
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

void draw_picture(Session& session, Window& window, Studio& studio) {
  const double begun = glfwGetTime();
  const DisplayScale scale = window.scale();
  window.begin_interface();
  advance(session, 0.0);  // What input has just opened has no markers and no mix yet.
  // Navigation moves the canvas of the last layout; panels shown or hidden take effect with the next.
  const Layout layout = arrange(window.size(), scale.interface, session.view.panels);
  const Canvas canvas{layout.canvas, scale.pixels};
  const Sides sides = sides_of(session, canvas);
  place_camera(session.view, sides.first, shown_bounds(session));
  navigate(session.view, sides.under(vec(ImGui::GetIO().MousePos)));
  if (const auto point = clicked_point(sides.first_shown)) {
    const Vec2 world = viewport_to_world(session.view.camera, sides.first.to_viewport(*point));
    pick(session, world, kSamePlace * scale.interface * canvas.pixels / session.view.camera.zoom);
  }
  const double interface_begun = glfwGetTime();
  build_interface(session, layout, canvas);
  window.finish_interface();
  average(session.performance.interface_milliseconds, (glfwGetTime() - interface_begun) * 1000.0);
  advance(session, 0.0);
  place_camera(session.view, sides_of(session, canvas).first, shown_bounds(session));
  studio.timer.begin();
  draw_canvas(session, canvas, window.framebuffer_size(), scale.interface, studio.graphics);
  take_screenshot(session, canvas, scale.interface, studio);
  window.draw_interface();
  studio.timer.end();
  session.performance.gpu_milliseconds = studio.timer.milliseconds();
  average(session.performance.cpu_milliseconds, (glfwGetTime() - begun) * 1000.0);
  window.present();
}

void handle_input(Session& session, const Input& input) {
  if (!input.dropped.empty() && has_image_suffix(input.dropped.front())) {
    set_background_image(session.view, input.dropped.front());
  } else if (comparing(session) && !input.dropped.empty()) {
    open_to_compare(session, input.dropped.front());
  } else {
    open_files(session.files, input.dropped);
  }
  if (ImGui::GetIO().WantTextInput) return;
  if (session.browser.open && !input.typed.empty()) {
    set_filter(session.browser, session.browser.filter + input.typed);
  }
  for (const KeyPress& press : input.keys) handle_key(session, press);
}

/// Writes what is to be remembered, where that is something new.
class Memory {
 public:
  Memory(Session& session, WindowPlace& place) : place_(place) {
    apply_preferences(written_, session, place);
    place_ = place;
  }
  void update(const Session& session, const Window& window) {
    place_ = window.place(place_);
    std::string text = describe_preferences(session, place_, written_);
    if (text == written_) return;
    write_preferences(file_, text);
    written_ = std::move(text);
  }

 private:
  std::filesystem::path file_ = preferences_file();
  std::string written_ = read_preferences(file_);
  WindowPlace place_;
};

void run(Session& session, Window& window, Studio& studio, Memory& memory) {
  Opening opening(glfwPostEmptyEvent);
  Fonts fonts;
  DisplayScale built_for{.interface = 0.0F};
  std::uint32_t built_for_names = 0;
  double last = glfwGetTime();
  double last_picture = last;
  int pictures_due = 0;
  while (!session.quit && glfwWindowShouldClose(window.handle()) == GLFW_FALSE) {
    // Half the screen's period: where presenting waits for the screen this adds nothing, and where it does
    // not the processor still rests.
    const bool busy =
        pictures_due > 0 || playing(session) || opening.busy() || studio.pictures.busy() || studio.image.busy();
    const double idle_seconds = session.notice.text.empty() ? kIdleSeconds : session.notice.seconds_left;
    const Input input = window.wait(busy ? window.refresh_seconds() * 0.5 : idle_seconds);
    const double now = glfwGetTime();
    const bool moved = advance(session, now - last);
    const bool news = pass(session.notice, now - last) || tell_of_screenshots(session, studio.pictures);
    last = now;
    handle_input(session, input);
    if (!session.browser.image.empty()) {
      set_background_image(session.view, std::exchange(session.browser.image, {}));
    }
    const bool painted = studio.image.update(session, studio.graphics.background);
    const bool opened = opening.update(session, studio.graphics.renderer, now) || painted;
    if (input.any || opened || news || ImGui::GetIO().WantTextInput) pictures_due = kPicturesAfterInput;
    if (moved) pictures_due = std::max(pictures_due, 1);
    if (pictures_due == 0) continue;
    --pictures_due;

    const std::uint32_t name_changes =
        session.files_opened + session.comparison.files_compared + session.browser.changes;
    if (const DisplayScale scale = window.scale(); !(scale == built_for) || name_changes != built_for_names) {
      built_for = scale;
      built_for_names = name_changes;
      memory.update(session, window);
      apply_theme(scale.interface);
      fonts.update(scale.interface, scale.pixels, names(session));
    }
    window.set_title(title(session));
    double& rate = session.performance.pictures_per_second;
    rate += (1.0 / std::max(now - last_picture, 1e-4) - rate) * 0.1;
    last_picture = now;
    draw_picture(session, window, studio);
  }
}

int fail(ExitCode code, std::string_view sentence) {
  fmt::print(stderr, "pchr-player: {}\n", sentence);
  return code;
}

int play(std::vector<std::filesystem::path> files) {
  Session session;
  WindowPlace place;
  Memory memory(session, place);
  auto window = Window::open(place);
  if (!window) return fail(kNoDisplay, window.error());
  auto graphics = set_up_graphics();
  if (!graphics) return fail(kNoDisplay, graphics.error().message);
  open_files(session.files, std::move(files));
  Studio studio{.graphics = *std::move(graphics)};
  run(session, **window, studio, memory);
  memory.update(session, **window);
  session = {};  // What it has on the GPU must go before the window does.
  return kFine;
}

int main(std::span<const char* const> arguments) {
  std::vector<std::filesystem::path> files;
  bool options = true;
  for (const std::string_view argument : arguments) {
    if (options && argument == "--help") {
      fmt::print("{}", kUsageText);
      return kFine;
    }
    if (options && argument == "--version") {
      fmt::print("pchr-player {}\n", PCHR_VERSION);
      return kFine;
    }
    if (options && argument == "--") {
      options = false;
    } else if (options && argument.starts_with("-") && argument != kStandardInput) {
      return fail(kUsage, fmt::format("unknown option {}; see pchr-player --help", argument));
    } else {
      files.emplace_back(argument);
    }
  }
  return play(std::move(files));
}

}  // namespace
}  // namespace pchr::player

int main(int count, char** values) {
  return pchr::player::main(std::span<const char* const>(values, static_cast<std::size_t>(count)).subspan(1));
}

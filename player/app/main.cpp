// SPDX-License-Identifier: MIT
// pchr-player: shows and plays characters in a window.

#include "app/command_line.hpp"
#include "app/frame.hpp"
#include "app/opening.hpp"
#include "app/preferences.hpp"
#include "app/questions.hpp"
#include "platform/process.hpp"
#include "platform/desktop.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"

#include <GLFW/glfw3.h>

#include <atomic>
#include <thread>

namespace pchr::player {
namespace {

enum ExitCode { kSuccess = 0, kUsage = 2, kEnvironment = 3 };

/// Dear ImGui shows some effects of an input a few frames late.
constexpr int kFramesAfterInput = 3;
constexpr double kIdleSeconds = 10.0;
/// How often to check whether a hidden window can be seen again, as not every system reports that.
constexpr double kHiddenSeconds = 0.25;
/// Share of a refresh period after which the next frame may begin. Presenting waits for the rest, on most systems.
constexpr double kPace = 0.9;
/// A notice loses at most this much of its time at once, so that it is seen however slow the machine is.
constexpr double kNoticeStep = 0.1;

/// Returns all names that the interface shows, so that the font can include their glyphs.
std::string shown_names(const App& app) {
  std::string text;
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts) text += part.name;
  };
  for (const auto& path : app.requests.recent) text += shown_path(path);
  if (app.browser.open) {
    text += shown_path(app.browser.folder);
    add(app.browser.all);
  }
  add(app.cast.entries);
  for (const auto& actor : app.actors) {
    const Document& document = actor->document;
    text += shown_path(document.path);
    add(document.character().clips());
    add(document.character().bones());
    add(document.character().meshes());
    add(document.character().images());
    add(document.markers->all());
    add(document.masks);
    const States& states = document.rig.rig.states;
    add(states.parameters);
    add(states.layers);
    for (const StateLayer& layer : states.layers) add(layer.states);
    if (document.rig.typed_name) text += document.rig.typed_name->text;
    for (const AnimationFile& file : document.imported.animation_files) text += file.path;
    if (const auto& artwork = document.imported.artwork) {
      add(artwork->layers);
      add(artwork->tilesets);
      add(artwork->tags);
    }
  }
  return text;
}

void handle_input(App& app, const Input& input, bool takes_text) {
  if (!input.dropped.empty() && has_image_suffix(input.dropped.front())) {
    set_background_image(app.view, input.dropped.front());
  } else if (comparing(app) && !input.dropped.empty() && !has_extension(input.dropped.front(), {".psa"})) {
    open_to_compare(app.requests, input.dropped.front());
  } else {
    open_with_animations(app, input.dropped);
  }
  for (const int key : input.released) release_key(app, key);
  if (a_menu_is_open()) {
    const auto closes = [](const KeyPress& press) {
      return press.key == GLFW_KEY_ESCAPE || press.key == GLFW_KEY_F10 || press.key == GLFW_KEY_LEFT_ALT;
    };
    if (std::ranges::any_of(input.keys, closes)) close_menus();
    return;
  }
  if (takes_text) {
    // A text field receives all other keys.
    for (const KeyPress& press : input.keys) {
      if (types_nothing(press)) handle_key(app, press);
    }
    return;
  }
  if (app.browser.open && !input.typed.empty()) set_filter(app.browser, app.browser.filter + input.typed);
  for (const KeyPress& press : input.keys) handle_key(app, press);
}

/// Answers a question about what is shown, see class Questions.
std::string answer(const App& app, std::string_view question) {
  const std::size_t space = std::min(question.find(' '), question.size());
  const std::string_view about = question.substr(std::min(space + 1, question.size()));
  if (question.substr(0, space) == "state") return describe_state(app, about);
  const auto place = find_widget(about);
  if (!place) return {};
  return fmt::format("{} {} {} {}", place->min.x, place->min.y, place->max.x, place->max.y);
}

/// Returns whether the cast or one of its thumbnails changed.
bool update_cast(App& app, CastThumbnails& thumbnails, bool returned) {
  // Files may have changed while the user was in another program.
  if (returned) {
    refresh(app.cast);
    thumbnails.recheck();
  }
  const bool listed = update(app.cast);
  app.names_changed |= listed;
  return thumbnails.update(app.cast) || listed;
}

bool is_working(const FrameOutput& output, const Opening& opening) {
  return opening.busy() || output.screenshots.busy() || output.image.busy() || output.atlas.busy() ||
         output.cast.busy() || output.exporter.busy();
}

/// Returns how long the playing clip still waits on its end, so that nothing moves; 0 if it does not.
double seconds_of_rest(const App& app) {
  const bool rig_moves = app.document() && app.find(Role::open)->motion.applied.rig;
  return rig_moves ? 0.0 : seconds_of_rest(app.playback);
}

/// Returns how long to wait for input. `works`: something goes on in the background.
/// `save_in`: seconds until something must be saved.
double patience(const App& app, const Window& window, bool frame_due, bool works, double save_in) {
  constexpr double kCursorSeconds = 0.1;  // The cursor of a text field blinks.
  const double refresh = window.refresh_seconds();
  const bool playing = app.playback.playing();
  if (works) return refresh * 0.5;
  const double resting = std::clamp(save_in, 0.0, kIdleSeconds);
  if (!app.visible) return std::min(playing ? kHiddenSeconds : kIdleSeconds, resting);
  if (frame_due) return 0.0;
  const double rest = seconds_of_rest(app);
  if (playing && rest <= 0.0) return refresh * (1.0 - kPace);
  if (window.takes_text()) return kCursorSeconds;
  const bool notice_ends = !app.notice.text.empty() && app.notice.seconds_left <= kNoticeWithButtonsSeconds;
  const double idle = notice_ends ? std::min({resting, app.notice.seconds_left, kNoticeStep}) : resting;
  return playing ? std::min(idle, rest) : idle;
}

/// Returns why it ended, if that was not the user's choice.
std::optional<std::string> run(App& app, Window& window, FrameOutput& output, PreferencesSaver& preferences,
                               Opening& opening) {
  Questions questions(glfwPostEmptyEvent, kFramesAfterInput);
  Fonts fonts;
  DisplayScale built_for{.interface = 0.0F};
  double last = glfwGetTime();
  double last_frame = last;
  int frames_due = 0;
  bool was_focused = true;
  int all_due = 0;  ///< Frames in which anything may change.
  bool canvas_moves = false;
  while (!app.quit && glfwWindowShouldClose(window.handle()) == GLFW_FALSE) {
    if (auto loss = context_loss(window.reset_status())) return loss;
    const bool awaited = questions.wait_for_frame();
    const bool exports = output.exporter.draws();
    if (!awaited && !exports && app.visible && (frames_due > 0 || app.playback.playing())) {
      // A moving mouse must not cause more frames than the display shows.
      const double pause = last + window.refresh_seconds() * kPace - glfwGetTime();
      if (pause > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    }
    const bool works = awaited || is_working(output, opening);
    const double save_in = preferences.due() - glfwGetTime();
    const Input input = window.wait(exports ? 0.0 : patience(app, window, frames_due > 0, works, save_in));
    const bool visible = app.visible = window.visible();
    const double now = glfwGetTime();
    // Time stands still while the window cannot be seen.
    const double passed = visible ? now - last : 0.0;
    const bool moved = advance(app, passed);
    const bool news = pass(app.notice, std::min(passed, kNoticeStep)) || report_screenshots(app, output.screenshots);
    last = now;
    handle_input(app, input, window.takes_text());
    if ((app.quit || glfwWindowShouldClose(window.handle()) != GLFW_FALSE) && !may_quit(app)) {
      app.quit = false;
      glfwSetWindowShouldClose(window.handle(), GLFW_FALSE);
    }
    if (!app.browser.chosen.empty()) use_choice(app);
    std::optional<AtlasTexture::Wanted> image;
    if (atlas_is_shown(app)) image = {app.document()->character(), app.document()->atlas.image};
    const bool sent = output.atlas.update(std::move(image));
    const bool painted = output.image.update(app, output.graphics.background) || sent;
    const bool exported = output.exporter.update(app, output.graphics.renderer);
    const bool focused = glfwGetWindowAttrib(window.handle(), GLFW_FOCUSED) != GLFW_FALSE;
    const bool returned = !std::exchange(was_focused, focused) && focused;
    const bool listed = update_cast(app, output.cast, returned);
    const bool opened = opening.update(app, output.graphics.renderer, now) || painted || listed;
    const bool acts = input.acts || opened;
    const bool changed = acts || input.any || exported || news;
    if (acts || exported) preferences.note_change(now);
    if (now >= preferences.due()) preferences.update(app, window.place(preferences.place()), now);
    if (changed || !visible) frames_due = kFramesAfterInput;
    if (acts || !visible) all_due = kFramesAfterInput;
    if (moved || awaited || window.takes_text()) frames_due = std::max(frames_due, 1);
    canvas_moves |= moved;
    const auto respond = [&] {
      if (!awaited || window.has_input()) return;
      static_cast<void>(window.cursor());  // A round trip: the display answers once it has the frame.
      const bool rests = !changed && !moved && !app.playback.playing() && !is_working(output, opening);
      questions.frame_shown(rests, [&](std::string_view question) { return answer(app, question); });
    };
    window.set_title(title(app));
    if (!visible) respond();
    if (frames_due == 0 || !visible) continue;
    --frames_due;

    const bool in_browser = std::exchange(app.browser.names_changed, false);
    const bool names_changed = std::exchange(app.names_changed, false) || in_browser;
    if (const DisplayScale scale = scale_of(app, window); !(scale == built_for) || names_changed) {
      built_for = scale;
      preferences.update(app, window.place(preferences.place()), now);
      apply_theme(scale.interface);
      fonts.update(scale.interface, scale.pixels, shown_names(app));
      all_due = std::max(all_due, 1);
    }
    double& rate = output.measured.frames_per_second;
    rate += (1.0 / std::max(now - last_frame, 1e-4) - rate) * 0.1;
    last_frame = now;
    begin_widget_places(questions.are_asked());
    const Layout layout = arrange(window.size(), scale_of(app, window).interface, panels_of(app));
    output.presentation.update(app, window, layout.canvas);
    draw_frame(app, window, output, {.all = all_due > 0, .canvas = std::exchange(canvas_moves, false)});
    all_due = std::max(all_due - 1, 0);
    respond();
  }
  return std::nullopt;
}

int fail_with(ExitCode code, std::string_view message) {
  print_error(fmt::format("pchr-player: {}\n", printable(message)));
  return code;
}

int print(std::string_view text) {
  return print_text(text) ? kSuccess : fail_with(kEnvironment, "cannot write to standard output");
}

int play(std::vector<std::filesystem::path> files, ImportOptions options) {
  App app;
  app.requests.options = std::move(options);
  PreferencesSaver preferences(app);
  app.unsaved_rig = find_unsaved_rig();
  std::atomic<bool> waits_for_events = false;
  std::optional<Opening> opening(std::in_place, [&] {
    if (waits_for_events) glfwPostEmptyEvent();
  });
  // The file is read while the window opens.
  open_with_animations(app, std::move(files));
  opening->start(app, 0.0);
  app.requests.options.bind_pose = {};  // Other files have other clips.
  auto window = Window::open(preferences.place());
  if (!window) return fail_with(kEnvironment, window.error());
  auto output = FrameOutput::set_up();
  if (!output) return fail_with(kEnvironment, output.error().message);
  waits_for_events = true;
  if (app.notice.text.empty()) offer_unsaved_rig(app);
  const auto loss = run(app, **window, **output, preferences, *opening);
  preferences.update(app, (*window)->place(preferences.place()), glfwGetTime());
  // The user chose to lose changes that are not saved.
  if (!loss && app.document() && has_unsaved_changes(app.document()->rig)) forget_unsaved_rig(*app.document());
  // GPU objects must be destroyed before the window.
  opening.reset();
  app = {};
  return loss ? fail_with(kEnvironment, *loss) : kSuccess;
}

int main(std::span<const std::string> arguments) {
  auto line = parse_command_line(arguments);
  if (!line) return fail_with(kUsage, line.error());
  if (!line->printed.empty()) return print(line->printed);
  return play(std::move(line->files), std::move(line->options));
}

}  // namespace
}  // namespace pchr::player

int main(int count, char** values) {
  const std::vector<std::string> arguments = pchr::utf8_arguments(count, values);
  return pchr::player::main(std::span(arguments).subspan(1));
}

// SPDX-License-Identifier: MIT
// pchr-player: shows and plays a character in a window.
#include "animations.hpp"
#include "background_image.hpp"
#include "fonts.hpp"
#include "keys.hpp"
#include "opening.hpp"
#include "preferences.hpp"
#include "questions.hpp"
#include "session.hpp"
#include "studio.hpp"
#include "textures.hpp"
#include "theme.hpp"
#include "window.hpp"

#include <pchr/finding.hpp>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::player {
namespace {

enum ExitCode { kFine = 0, kUsage = 2, kEnvironment = 3 };

constexpr std::string_view kUsageText =
    "Usage: pchr-player [OPTION]... [FILE]...\n"
    "Shows and plays Pachario and Pomyu characters, Pixquare artworks and Unreal meshes, with the .psa files that are\n"
    "named beside them. A folder stands for the characters in it, - for standard input.\n"
    "Files and folders can also be dropped on the window.\n"
    "\n"
    "  --second-player  dress Pomyu characters (.chp) for the second player\n"
    "  --black-key      make black transparent in legacy .chp characters without #AutoColorSet\n"
    "                   (default: the color of the corner pixel)\n"
    "  --encoding NAME  the encoding of a .chp's text, as iconv names it (found out)\n"
    "  --help           show this text\n"
    "  --version        show the version\n"
    "\n"
    "Exit codes: 0 fine, 2 wrong usage, 3 no display, no OpenGL 3.3, or standard output cannot be written.\n";

/// Dear ImGui shows some effects of an input only in the frame after it.
constexpr int kPicturesAfterInput = 3;
constexpr double kIdleSeconds = 10.0;
/// All names the interface shows, so that the font has their glyphs.
std::string names(const Session& session) {
  std::string text;
  for (const auto& path : session.files.recent) text += shown_path(path);
  if (session.browser.open) {
    text += shown_path(session.browser.folder);
    for (const BrowserEntry& entry : session.browser.all) text += entry.name;
  }
  if (!session.document) return text;
  text += shown_path(session.document->path);
  if (const auto& file = session.comparison.file) {
    text += shown_path(file->path);
    for (const Clip& clip : file->model.character().clips()) text += clip.name;
  }
  for (const Clip& clip : session.document->character().clips()) text += clip.name;
  for (const Bone& bone : session.document->character().bones()) text += bone.name;
  for (const Mesh& mesh : session.document->character().meshes()) text += mesh.name;
  for (const Image& image : session.document->character().images()) text += image.name;
  for (const AnimationFile& file : session.document->character().data().animation_files) text += file.path;
  if (const auto& artwork = session.document->character().data().artwork) {
    for (const ArtworkLayer& layer : artwork->layers) text += layer.name;
    for (const ArtworkTileset& tileset : artwork->tilesets) text += tileset.name;
  }
  return text;
}

void handle_input(Session& session, const Input& input) {
  if (!input.dropped.empty() && has_image_suffix(input.dropped.front())) {
    set_background_image(session.view, input.dropped.front());
  } else if (comparing(session) && !input.dropped.empty() && !has_animation_suffix(input.dropped.front())) {
    open_to_compare(session, input.dropped.front());
  } else {
    open_with_animations(session, input.dropped);
  }
  if (ImGui::GetIO().WantTextInput) {
    // A text field takes every other key.
    for (const KeyPress& press : input.keys) session.quit |= quits(press);
    return;
  }
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

/// Whether something goes on by itself.
bool works(const Session& session, const Studio& studio, const Opening& opening) {
  return playing(session) || opening.busy() || studio.pictures.busy() || studio.image.busy() || studio.atlas.busy() ||
         studio.exporter.busy();
}

void run(Session& session, Window& window, Studio& studio, Memory& memory) {
  Opening opening(glfwPostEmptyEvent);
  Questions questions;
  Fonts fonts;
  DisplayScale built_for{.interface = 0.0F};
  std::uint32_t built_for_names = 0;
  double last = glfwGetTime();
  double last_picture = last;
  int pictures_due = 0;
  while (!session.quit && glfwWindowShouldClose(window.handle()) == GLFW_FALSE) {
    // Half the screen's period: where presenting waits for the screen this adds nothing, and where it does
    // not the processor still rests.
    const double idle_seconds = session.notice.text.empty() ? kIdleSeconds : session.notice.seconds_left;
    const bool awaited = questions.wait_for_frame();
    const bool busy = pictures_due > 0 || awaited || works(session, studio, opening);
    const Input input = window.wait(busy ? window.refresh_seconds() * 0.5 : idle_seconds);
    const double now = glfwGetTime();
    const bool moved = advance(session, now - last);
    const bool news = pass(session.notice, now - last) || tell_of_screenshots(session, studio.pictures);
    last = now;
    handle_input(session, input);
    if (!session.browser.image.empty()) {
      set_background_image(session.view, std::exchange(session.browser.image, {}));
    }
    if (!session.browser.textures.empty()) {
      add_texture_folder(session, std::exchange(session.browser.textures, {}));
    }
    const bool sent = studio.atlas.update(session);
    const bool painted = studio.image.update(session, studio.graphics.background) || sent;
    const bool exported = studio.exporter.update(session, studio.graphics.renderer, glfwGetProcAddress);
    const bool opened = opening.update(session, studio.graphics.renderer, now) || painted;
    const bool changed = input.any || opened || exported || news;
    if (changed || ImGui::GetIO().WantTextInput) pictures_due = kPicturesAfterInput;
    if (moved || awaited) pictures_due = std::max(pictures_due, 1);
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
    const Layout layout = arrange(window.size(), window.scale().interface, session.view.panels);
    studio.presentation.update(session, window, layout.canvas);
    draw_picture(session, window, studio);
    if (!awaited) continue;
    static_cast<void>(window.cursor());  // The display answers when it has the picture.
    questions.frame_shown(!changed && !moved && !works(session, studio, opening));
  }
}

int fail(ExitCode code, std::string_view sentence) {
  // Not fmt::print, which throws where standard error cannot be written.
  std::fputs(fmt::format("pchr-player: {}\n", printable(sentence)).c_str(), stderr);
  return code;
}

int print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? kFine : fail(kEnvironment, "cannot write to standard output");
}

int play(std::vector<std::filesystem::path> files, LoadOptions options) {
  Session session;
  session.files.options = std::move(options);
  WindowPlace place;
  Memory memory(session, place);
  auto window = Window::open(place);
  if (!window) return fail(kEnvironment, window.error());
  auto studio = Studio::set_up();
  if (!studio) return fail(kEnvironment, studio.error().message);
  open_with_animations(session, std::move(files));
  run(session, **window, **studio, memory);
  memory.update(session, **window);
  session = {};  // What it has on the GPU must go before the window does.
  return kFine;
}

int main(std::span<const char* const> arguments) {
  std::vector<std::filesystem::path> files;
  LoadOptions load;
  bool options = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (options && argument == "--help") {
      return print(kUsageText);
    }
    if (options && argument == "--version") {
      return print("pchr-player " PCHR_VERSION "\n");
    }
    if (options && argument == "--") {
      options = false;
    } else if (options && argument == "--second-player") {
      load.second_player = true;
    } else if (options && argument == "--black-key") {
      load.black_color_key = true;
    } else if (options && argument == "--encoding") {
      if (++i == arguments.size()) return fail(kUsage, "--encoding needs a name, such as shift-jis");
      load.text_encoding = arguments[i];
    } else if (options && argument.starts_with("-") && argument != kStandardInput) {
      return fail(kUsage, fmt::format("unknown option {}; see pchr-player --help", argument));
    } else {
      files.emplace_back(argument);
    }
  }
  return play(std::move(files), std::move(load));
}

}  // namespace
}  // namespace pchr::player

int main(int count, char** values) {
  return pchr::player::main(std::span<const char* const>(values, static_cast<std::size_t>(count)).subspan(1));
}

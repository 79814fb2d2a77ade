// SPDX-License-Identifier: MIT
// The player on a private display, and what tests need from it.
#pragma once

#include "desktop.hpp"
#include "ui/layout.hpp"
#include "questions.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace pchr::test {

namespace fs = std::filesystem;

inline constexpr int kWidth = 1280;
inline constexpr int kHeight = 800;
inline const player::Layout kLayout = player::arrange({kWidth, kHeight}, 1.0F);
inline const Rect kCanvas = kLayout.canvas;

/// Frames of the clip "bend" of arm_file(), which comes after the clip "bind" with one frame.
inline constexpr std::uint32_t kBendFrames = 8;

/// Returns the center of `frame` on the timeline of a clip with `count` frames.
inline Vec2 timeline_frame(std::uint32_t frame, std::uint32_t count = kBendFrames) {
  const Rect bar = player::timeline_bar(kLayout);
  const float along = (static_cast<float>(frame) + 0.5F) / static_cast<float>(count);
  return {bar.min.x + bar.size().x * along, bar.center().y};
}

inline fs::path arm_file() {
  const fs::path path = output("window/arm.pchr");
  write_file(path, write_v1(two_bone_arm()));
  return path;
}

inline fs::path broken_file() {
  Bytes bytes = write_v1(two_bone_arm());
  bytes.resize(bytes.size() / 2);
  const fs::path path = output("window/broken.pchr");
  write_file(path, bytes);
  return path;
}

/// Returns the path of pchr-player.exe if the tests run with it, under Wine (tests/windows/run.sh).
inline std::optional<std::string> windows_player() {
  const char* path = std::getenv("PCHR_TEST_PLAYER");
  return path != nullptr ? std::optional<std::string>(path) : std::nullopt;
}

/// Returns a path as the player knows it.
inline std::string path_text(const fs::path& path) {
  std::string text = path.string();
  if (!windows_player()) return text;
  std::ranges::replace(text, '/', '\\');
  return "Z:" + text;
}

/// Returns a configuration folder for a player, in which nothing but the place of the window is set.
inline std::string fresh_configuration() {
  const fs::path folder = output("window/config");
  fs::remove_all(folder);
  if (windows_player()) {
    fs::create_directories(folder / "pchr");
    std::ofstream(folder / "pchr/player.conf") << "window = " << kWidth << "x" << kHeight << "+0+0\n";
  }
  return folder.string();
}

/// Starts a private display. Wine keeps to the one it was started on, so tests with it share that.
inline Desktop open_desktop(int width = kWidth, int height = kHeight, int dots_per_inch = 96) {
  return windows_player() ? Desktop(std::getenv("DISPLAY")) : Desktop(width, height, dots_per_inch);
}

/// The player on a display of its own. Saves a last screenshot if the test fails, and fails the test on an OpenGL
/// error.
struct RunningPlayer {
  Desktop desktop;
  Questions questions;
  ChildProcess process;
  WindowId window = 0;

  explicit RunningPlayer(const std::vector<std::string>& arguments, int width = kWidth, int height = kHeight,
                         int dots_per_inch = 96, const std::string& configuration = fresh_configuration())
      : desktop(open_desktop(width, height, dots_per_inch)),
        process(command(arguments),
                {{"DISPLAY", desktop.name()},
                 {"LIBGL_ALWAYS_SOFTWARE", "1"},
                 {"MESA_DEBUG", "1"},
                 {"PCHR_PLAYER_QUESTIONS", windows_player() ? "0,1" : "3,3"},
                 {"WAYLAND_DISPLAY", std::nullopt},
                 {"XDG_CACHE_HOME", path_text(fs::path(configuration) / "cache")},
                 {"XDG_CONFIG_HOME", path_text(configuration)}},
                output("window/player.log"), questions_as(windows_player() ? std::vector{0, 1} : std::vector{3})) {
    questions.give_away();
    REQUIRE(eventually([&] { return (window = desktop.find_window("Pachario player")) != 0; }));
    desktop.after_input = [this] { shows_frame(); };
    desktop.focus(window);
    desktop.move(kCanvas.center());
  }

  ~RunningPlayer() {
    const std::string printed = read_text(output("window/player.log"));
    if (std::uncaught_exceptions() > 0) {
      desktop.keep_screenshot("failure.png");
      std::fputs(printed.c_str(), stderr);
      return;
    }
    // Mesa reports every OpenGL error with these words.
    CHECK(printed.find("User error") == std::string::npos);
  }

  [[nodiscard]] Inherited questions_as(std::vector<int> descriptors) const {
    return {questions.players_end(), std::move(descriptors)};
  }

  static std::vector<std::string> command(const std::vector<std::string>& arguments) {
    const auto windows = windows_player();
    std::vector<std::string> all =
        windows ? std::vector<std::string>{PCHR_WINE, *windows} : std::vector<std::string>{PCHR_PLAYER_PROGRAM};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }

  /// Asks a question about all input so far and waits for the answer. Returns nothing if the player quits instead.
  std::optional<std::string> ask(const std::string& question) const {
    desktop.deliver();
    if (!questions.ask(question)) return std::nullopt;
    const Questions::Answer answer = questions.answer();
    if (answer.outcome == Questions::Outcome::none) FAIL("the player does not answer " << question);
    return answer.outcome == Questions::Outcome::answered ? std::optional(answer.text) : std::nullopt;
  }
  /// Waits for a frame that includes all input so far.
  void shows_frame() const { ask("frame"); }
  /// Waits until nothing plays, loads or is being written, and the effects of all input are visible.
  [[nodiscard]] bool comes_to_rest() const { return ask("rest").has_value(); }
  /// Returns a part of the player's state, by its key in player/app/questions.cpp.
  [[nodiscard]] std::string state(const std::string& key) const { return ask("state " + key).value_or(std::string()); }
  /// Waits until a part of the state has a value.
  [[nodiscard]] bool state_becomes(const std::string& key, const std::string& value) const {
    std::string last;
    const bool equal = eventually([&] { return (last = state(key)) == value; });
    if (!equal) UNSCOPED_INFO(key << " is " << last << ", not " << value);
    return equal;
  }
  /// Returns where a widget is, by the name of its control in player/ui; nothing if it is not visible.
  [[nodiscard]] std::optional<Rect> find(const std::string& widget) const {
    const std::string text = ask("where " + widget).value_or(std::string());
    Rect area;
    if (std::sscanf(text.c_str(), "%f %f %f %f", &area.min.x, &area.min.y, &area.max.x, &area.max.y) != 4) return {};
    return area;
  }
  /// Waits for a widget to be visible and returns where it is.
  [[nodiscard]] Rect where(const std::string& widget) const {
    std::optional<Rect> area;
    INFO("looking for " << widget);
    REQUIRE(eventually([&] { return (area = find(widget)).has_value(); }));
    return *area;
  }
  /// Clicks the center of a widget.
  void click(const std::string& widget) { desktop.click(where(widget).center()); }
  /// Returns whether the area stays unchanged for `time`, even if the player is playing.
  [[nodiscard]] bool stays(std::chrono::milliseconds time, const Rect& area = kCanvas) const {
    shows_frame();
    const Screenshot first = capture();
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
      shows_frame();
      if (difference(capture(), first, area) > 0) return false;
    }
    shows_frame();
    return difference(capture(), first, area) == 0;
  }

  [[nodiscard]] Screenshot capture() const { return desktop.capture(); }
  [[nodiscard]] std::string title() const { return desktop.title(window); }

  [[nodiscard]] bool shows_title(const std::string& text) const {
    return eventually([&] { return title().find(text) != std::string::npos; });
  }
  [[nodiscard]] bool becomes(const Screenshot& expected, const Rect& area = kCanvas) const {
    return eventually([&] { return difference(capture(), expected, area) == 0; });
  }
  [[nodiscard]] bool changes_from(const Screenshot& before, const Rect& area = kCanvas) const {
    return eventually([&] { return difference(capture(), before, area) > 0; });
  }
  /// Presses a key and returns the screenshot after the canvas has changed.
  [[nodiscard]] Screenshot screenshot_after_key(const std::string& name) {
    const Screenshot before = capture();
    desktop.key(name);
    REQUIRE(changes_from(before));
    REQUIRE(comes_to_rest());
    return capture();
  }
  /// Returns whether the image in docs/ still matches the window. Writes it if PCHR_UPDATE_GOLDENS is 1.
  [[nodiscard]] bool is_documented(const std::string& name) const {
    desktop.keep_screenshot("docs-" + name);
    const fs::path documented_path = fs::path(PCHR_DOCS_DIR) / name;
    if (updating_goldens()) {
      fs::copy_file(output("window/docs-" + name), documented_path, fs::copy_options::overwrite_existing);
    }
    const Screenshot shown = capture();
    Image file{name, kWidth, kHeight, ImageEncoding::png, read_file(documented_path)};
    const auto documented = decode(file);
    REQUIRE(documented);
    // Fonts and drivers differ slightly between systems; a different layout differs more.
    double sum = 0;
    for (std::size_t i = 0; i < shown.rgb.size(); ++i) {
      sum += std::abs(static_cast<double>(shown.rgb[i]) - documented->rgba[i / 3 * 4 + i % 3]);
    }
    UNSCOPED_INFO("PCHR_UPDATE_GOLDENS=1 updates docs/" << name);
    return sum / static_cast<double>(shown.rgb.size()) < 2.0;
  }
  /// Waits for an open file, pauses and goes to the first frame.
  Screenshot pause_at_start() {
    // The file opens asynchronously, and keys have no effect until then.
    REQUIRE(eventually([&] { return title().find("\u2013") != std::string::npos; }));
    desktop.key("space");
    desktop.key("Home");
    REQUIRE(comes_to_rest());
    return capture();
  }
};

}  // namespace pchr::test

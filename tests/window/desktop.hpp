// SPDX-License-Identifier: MIT
// A private display for a test, with real windows, keys, mouse and screenshots.
#pragma once

#include "child_process.hpp"

#include <pchr/geometry.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct _XDisplay;

namespace pchr::test {

using WindowId = unsigned long;

/// Content of a display: RGB rows from top to bottom.
struct Screenshot {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Returns the number of pixels in `area` that differ visibly between two screenshots of the same size.
[[nodiscard]] std::size_t difference(const Screenshot& a, const Screenshot& b, const Rect& area);
/// Returns the number of distinct colors in `area`.
[[nodiscard]] std::size_t color_count(const Screenshot& screenshot, const Rect& area);

/// Polls `condition` until it holds. Returns false on timeout.
template <typename Condition>
[[nodiscard]] bool eventually(Condition&& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// An X server without a screen or window manager, and a connection to it.
class Desktop {
 public:
  /// `dots_per_inch` is what the display reports: 96 is normal, 192 doubles the scale.
  Desktop(int width, int height, int dots_per_inch = 96);
  /// Connects to a running server, which may be larger than the window.
  explicit Desktop(const std::string& name);
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;
  ~Desktop();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< Value for DISPLAY.
  [[nodiscard]] _XDisplay* connection() const noexcept { return connection_; }
  [[nodiscard]] WindowId root() const;

  /// Called after each key or button press or release and each mouse movement, so that the player handles them one by
  /// one: Dear ImGui misses a press and release within one frame.
  std::function<void()> after_input;
  /// Returns once the programs have received all input so far.
  void deliver() const;

  /// Returns the window whose title contains `title`, or 0.
  [[nodiscard]] WindowId find_window(const std::string& title) const;
  [[nodiscard]] std::string title(WindowId window) const;
  [[nodiscard]] Vec2 size(WindowId window) const;
  void resize(WindowId window, int width, int height);
  void focus(WindowId window);

  /// Presses and releases a key by its X name, such as "space", "Right" or "q", while `held` is down.
  void key(const std::string& name, const std::string& held = {});
  void hold_key(const std::string& name);
  void release_key(const std::string& name);
  void move(Vec2 to);
  void press(unsigned button);
  void release(unsigned button);
  void click(Vec2 at);
  void double_click(Vec2 at);
  void wheel(bool up);
  /// Presses `button` at `from` and moves to `to` in small steps, without releasing.
  void drag(Vec2 from, Vec2 to, unsigned button = 1);

  [[nodiscard]] Screenshot capture() const;
  /// Captures the display and saves it as a PNG in the build folder, for people to look at.
  void keep_screenshot(const std::string& file_name) const;

 private:
  void connect();
  void sent() const;

  std::string name_;
  std::unique_ptr<ChildProcess> server_;
  _XDisplay* connection_ = nullptr;
};

}  // namespace pchr::test

// SPDX-License-Identifier: MIT
// A display of its own for a test: real windows, real keys and mouse, real pictures.
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

/// What a display shows: RGB, rows from top to bottom.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Pixels of `area` that differ visibly between two pictures of the same size.
[[nodiscard]] std::size_t difference(const Picture& a, const Picture& b, const Rect& area);
/// Distinct colors within `area`.
[[nodiscard]] std::size_t color_count(const Picture& picture, const Rect& area);

/// Asks `condition` again and again until it holds. False where it never does.
template <typename Condition>
[[nodiscard]] bool eventually(Condition&& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// An X server without a screen, and a connection to it. It has no window manager.
class Desktop {
 public:
  /// `dots_per_inch` is what programs are told of the screen; 96 is normal, 192 doubles everything.
  Desktop(int width, int height, int dots_per_inch = 96);
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;
  ~Desktop();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< For DISPLAY.
  [[nodiscard]] _XDisplay* connection() const noexcept { return connection_; }
  [[nodiscard]] WindowId root() const;

  /// Called after each key and button that goes down or up and each movement of the mouse, so that what is tested sees
  /// them one by one: Dear ImGui misses what comes and goes within a frame.
  std::function<void()> after_input;
  /// Returns once programs have been sent every input so far.
  void deliver() const;
  /// Wakes the program of `window` with an event that means nothing.
  void poke(WindowId window) const;

  /// The window whose title contains `title`, or 0.
  [[nodiscard]] WindowId find_window(const std::string& title) const;
  [[nodiscard]] std::string title(WindowId window) const;
  [[nodiscard]] Vec2 size(WindowId window) const;
  void resize(WindowId window, int width, int height);
  void focus(WindowId window);

  /// Presses and releases a key by its X name, such as "space", "Right" or "q", holding `held` where given.
  void key(const std::string& name, const std::string& held = {});
  void hold_key(const std::string& name);
  void release_key(const std::string& name);
  void move(Vec2 to);
  void press(unsigned button);
  void release(unsigned button);
  void click(Vec2 at);
  void wheel(bool up);
  /// Presses `button` at `from`, moves to `to` in small steps and keeps it pressed.
  void drag(Vec2 from, Vec2 to, unsigned button = 1);

  [[nodiscard]] Picture capture() const;
  /// Captures and keeps the picture as a PNG in the build folder, for people to look at.
  void keep_picture(const std::string& file_name) const;

 private:
  void sent() const;

  std::string name_;
  std::unique_ptr<ChildProcess> server_;
  _XDisplay* connection_ = nullptr;
};

}  // namespace pchr::test

// SPDX-License-Identifier: MIT
// Input events between the window and Dear ImGui.
#pragma once

#include <pchr/geometry.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace pchr::player {

/// An event as GLFW reports it.
struct InputEvent {
  enum class Kind : std::uint8_t { move, enter, button, wheel, key, character, focus };
  Kind kind = Kind::move;
  int code = 0;      ///< Button, key or character; 1 or 0 for entering or leaving the window or its focus.
  int scancode = 0;  ///< For a key.
  int action = 0;    ///< For a button or key: GLFW_PRESS, GLFW_RELEASE or GLFW_REPEAT.
  int modifiers = 0;
  Vec2 at{};  ///< Mouse position in window units, or wheel movement in notches.
};

/// Keeps events until frames take them. Dear ImGui and the commands look at the mouse and the keys once per frame, so a
/// frame takes no two events of which one would hide the other, such as a press and its release.
class InputQueue {
 public:
  void push(const InputEvent& event) { events_.push_back(event); }
  [[nodiscard]] bool empty() const noexcept { return events_.empty(); }
  /// Removes and returns the events of the next frame. Without `keys`, key presses and what follows them wait.
  [[nodiscard]] std::vector<InputEvent> take_frame(bool keys = true);

 private:
  std::deque<InputEvent> events_;
};

}  // namespace pchr::player

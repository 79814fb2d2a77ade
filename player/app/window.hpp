// SPDX-License-Identifier: MIT
// The window, and its input.
#pragma once

#include "gl/gl.hpp"
#include "platform/desktop.hpp"
#include "ui/commands.hpp"

#include <pchr/expected.hpp>
#include <pchr/geometry.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace pchr::player {

/// An event as GLFW reports it.
struct InputEvent {
  enum class Kind : std::uint8_t { move, enter, button, wheel, key, character, focus };
  Kind kind = Kind::move;
  int code = 0;      ///< Button, key or character; 1 or 0 for entering or leaving the window or its focus.
  int scancode = 0;  ///< For a key.
  int action = 0;    ///< For a button or key: GLFW_PRESS, GLFW_RELEASE or GLFW_REPEAT.
  int modifiers = 0;
  Vec2 at{};           ///< Mouse position in window units, or wheel movement in notches.
  double seconds = 0;  ///< For a button: when it was read.
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

/// Input of one frame. The mouse is read from Dear ImGui.
struct Input {
  std::vector<KeyPress> keys{};
  std::vector<int> released{};  ///< Keys by the label on the user's keyboard, also when the window loses the focus.
  std::string typed{};          ///< UTF-8.
  std::vector<std::filesystem::path> dropped{};
  bool any = true;   ///< Whether the frame may have to change.
  bool acts = true;  ///< Whether there is more than a mouse that hovers over the window.
};

/// What GLFW's callbacks collect.
struct ReceivedInput {
  InputQueue events{};
  Input input{};  ///< What does not go through the queue.
  bool minimized = false;
};

struct DisplayScale {
  float interface = 1.0F;  ///< Window units per design unit.
  float pixels = 1.0F;     ///< Framebuffer pixels per window unit.
  bool operator==(const DisplayScale&) const = default;
};

struct WindowPlace {
  Vec2 size{1280.0F, 800.0F};    ///< Design units.
  std::optional<Vec2> corner{};  ///< Top left corner in desktop units; absent to let the system decide.
  bool maximized = false;
};

/// A window with Dear ImGui. Its OpenGL 3.3 context is current on this thread for its lifetime.
class Window {
 public:
  /// Opens a window at `place`, if that is on a screen. Returns a message if there is no display or no OpenGL 3.3.
  [[nodiscard]] static Expected<std::unique_ptr<Window>, std::string> open(const WindowPlace& place);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  [[nodiscard]] GLFWwindow* handle() const noexcept { return handle_; }
  [[nodiscard]] Vec2 size() const;              ///< Window units.
  [[nodiscard]] Vec2 framebuffer_size() const;  ///< Pixels.
  [[nodiscard]] DisplayScale scale() const;
  /// Returns the current place, or parts of `before` while the window is maximized, minimized or presented.
  [[nodiscard]] WindowPlace place(const WindowPlace& before) const;
  /// Returns a GetResetStatus for the context; null if the driver has none.
  [[nodiscard]] GetResetStatus reset_status() const noexcept { return reset_status_; }
  /// Returns whether any part of the window can be seen, as far as the system says.
  [[nodiscard]] bool visible() const;
  [[nodiscard]] double refresh_seconds() const;  ///< Time between two screen refreshes.
  void set_title(const std::string& title);      ///< Cheap if the title is unchanged.

  /// Returns whether the desktop is visible where alpha is below 1.
  [[nodiscard]] bool transparent() const;
  /// Shrinks the window to `area`, in window units, and makes it borderless and topmost.
  void begin_presentation(const Rect& area);
  /// Restores place, size and border.
  void end_presentation();
  [[nodiscard]] Vec2 cursor() const;  ///< The current mouse position, in window units.
  void drag_to(Vec2 point);           ///< Moves the window so that `point` is under the mouse.
  /// Resizes the window around its center, within limits. Returns the applied factor.
  float resize_by(float factor);

  /// Waits for input for at most `seconds` and returns that of the next frame.
  [[nodiscard]] Input wait(double seconds);
  /// Returns whether there is input for more frames.
  [[nodiscard]] bool has_input() const noexcept { return !received_.events.empty(); }
  /// Returns whether a text field has the keyboard focus.
  [[nodiscard]] bool takes_text() const;

  void begin_interface();  ///< Starts a Dear ImGui frame.
  void draw_interface();   ///< Draws the finished Dear ImGui frame.
  void present();

 private:
  Window() = default;
  void receive(const InputEvent& event, Input& input);
  bool library_ = false;
  bool interface_ = false;
  GLFWwindow* handle_ = nullptr;
  GetResetStatus reset_status_ = nullptr;
  std::optional<WindowPlace> ordinary_{};  ///< Place before a presentation; its size is in window units.
  ReceivedInput received_{};
  std::optional<Vec2> mouse_{};    ///< Where the mouse was last in the window; absent outside.
  std::array<bool, 5> buttons_{};  ///< Pressed mouse buttons.
  bool alt_alone_ = false;         ///< Whether Alt is held and nothing else was pressed since.
  bool focus_moves_ = false;       ///< Whether the keyboard focus may change with the next frame.
  std::unique_ptr<WindowCover> cover_{};
  std::string title_;
  double frame_begun_ = 0;
  double frame_seconds_ = 0;  ///< The slowest of the recent frames.
  double pressed_ = -1;       ///< When the last press of a button was read.
};

}  // namespace pchr::player

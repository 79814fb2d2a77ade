// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/geometry.hpp>

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace pchr::player {

/// A key as the user's keyboard labels it: a GLFW key, or one of the characters ? / [ ].
struct KeyPress {
  int key = 0;
  int modifiers = 0;
  bool repeated = false;  ///< Sent again because the key is held.
};

/// Input since the last frame. The mouse is read through Dear ImGui.
struct Input {
  std::vector<KeyPress> keys{};
  std::string typed{};  ///< UTF-8.
  std::vector<std::filesystem::path> dropped{};
  bool any = true;  ///< The frame may have to change.
};

struct DisplayScale {
  float interface = 1.0F;  ///< Window units per design unit.
  float pixels = 1.0F;     ///< Framebuffer pixels per window unit.
  bool operator==(const DisplayScale&) const = default;
};

struct WindowPlace {
  Vec2 size{1280.0F, 800.0F};    ///< Design units.
  std::optional<Vec2> corner{};  ///< Upper left, in the desktop's units; absent: the system decides.
  bool maximized = false;
};

/// One window with Dear ImGui. Its OpenGL 3.3 context is current on this thread while it lives.
class Window {
 public:
  /// Opens a window there, as far as it is on a screen. Fails with a sentence where there is no display or no
  /// OpenGL 3.3.
  [[nodiscard]] static std::expected<std::unique_ptr<Window>, std::string> open(const WindowPlace& place);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  [[nodiscard]] GLFWwindow* handle() const noexcept { return handle_; }
  [[nodiscard]] Vec2 size() const;              ///< Window units.
  [[nodiscard]] Vec2 framebuffer_size() const;  ///< Pixels.
  [[nodiscard]] DisplayScale scale() const;
  /// Returns where it is now; parts of `before` while it is maximized, hidden or presented.
  [[nodiscard]] WindowPlace place(const WindowPlace& before) const;
  [[nodiscard]] double refresh_seconds() const;  ///< Between two frames of the screen.
  void set_title(const std::string& title);      ///< Cheap where the title is the same.

  /// Returns whether the desktop shows through where alpha is below 1.
  [[nodiscard]] bool transparent() const;
  /// Makes `area` of it, in window units, all of it: without a frame, above other windows.
  void begin_presentation(const Rect& area);
  /// Restores its place, size and frame.
  void end_presentation();
  [[nodiscard]] Vec2 cursor() const;  ///< The current mouse position, in window units.
  void carry(Vec2 point);             ///< Moves the window so that its `point` is below the mouse.
  /// Resizes it around its middle, within limits. Returns the factor that was applied.
  float resize_by(float factor);

  /// Waits for input for at most `seconds` and returns it.
  [[nodiscard]] Input wait(double seconds);

  void begin_interface();  ///< Starts a Dear ImGui frame.
  void draw_interface();   ///< Draws it, once it is rendered.
  void present();

 private:
  Window() = default;
  bool library_ = false;
  bool interface_ = false;
  GLFWwindow* handle_ = nullptr;
  std::optional<WindowPlace> ordinary_{};  ///< Before a presentation; its size is in window units.
  Input input_;
  std::string title_;
  double frame_begun_ = 0;
  double frame_seconds_ = 0;  ///< Of the slowest of the last frames.
};

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
#include "app/window.hpp"

#include "platform/utf8_path.hpp"

#include <pchr/image.hpp>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <glm/common.hpp>
#include <imgui.h>
#include <imgui_internal.h>
#include <window_icons.hpp>

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

using Kind = InputEvent::Kind;

/// With more events than this in the queue, frames are slow, and the wheel and the mouse must not fall behind.
constexpr std::size_t kMany = 32;

bool is_typed(const InputEvent& event) {
  return event.kind == Kind::character || (event.kind == Kind::key && event.action != GLFW_RELEASE);
}

/// Returns whether a frame can take `event` after `taken`.
bool fits(std::span<const InputEvent> taken, const InputEvent& event, bool many) {
  const auto has = [&](Kind kind) { return std::ranges::find(taken, kind, &InputEvent::kind) != taken.end(); };
  const auto has_key = [&](auto&& condition) {
    return std::ranges::any_of(taken, [&](const InputEvent& e) { return e.kind == Kind::key && condition(e); });
  };
  const auto is_press = [](const InputEvent& e) { return e.action == GLFW_PRESS; };
  switch (event.kind) {
    case Kind::move:
      return !has(Kind::button) && (many || !has(Kind::wheel)) && !has_key(is_press);
    case Kind::button:
      return !has(Kind::button) && !has(Kind::wheel);
    case Kind::wheel:
      return !has(Kind::button);
    case Kind::key:
      if (has(Kind::button) || has(Kind::wheel)) return false;
      if (event.action == GLFW_REPEAT) return true;
      // A text field handles characters before keys.
      return !has_key([&](const InputEvent& e) {
        return (e.code == event.code && e.action != GLFW_REPEAT) || (is_press(e) && is_press(event));
      });
    case Kind::character:
      return !has(Kind::button) && !has(Kind::wheel);
    case Kind::enter:
    case Kind::focus:
      break;
  }
  return true;
}

}  // namespace

std::vector<InputEvent> InputQueue::take_frame(bool keys) {
  const bool many = events_.size() > kMany;
  std::vector<InputEvent> taken;
  while (!events_.empty() && (keys || !is_typed(events_.front())) && fits(taken, events_.front(), many)) {
    taken.push_back(events_.front());
    events_.pop_front();
  }
  return taken;
}

namespace {

ReceivedInput& received_by(GLFWwindow* window) {
  return *static_cast<ReceivedInput*>(glfwGetWindowUserPointer(window));
}
InputQueue& queue_of(GLFWwindow* window) { return received_by(window).events; }
Input& input_of(GLFWwindow* window) {
  Input& input = received_by(window).input;
  input.any = input.acts = true;
  return input;
}

/// GLFW names keys by their position on a US keyboard; shortcuts go by the letter printed on the key.
int labeled_key(int key, int scancode) {
  if (key < GLFW_KEY_A || key > GLFW_KEY_Z) return key;
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] < 'a' || name[0] > 'z' || name[1] != '\0') return key;
  return name[0] - 'a' + GLFW_KEY_A;
}

/// Returns whether a character is a shortcut regardless of its key. Its GLFW key has the same value.
bool is_shortcut(unsigned character) {
  return character == '?' || character == '/' || character == '[' || character == ']';
}

// Dear ImGui receives these events from Window::wait().
void install_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    queue_of(w).push({Kind::key, key, scancode, action, modifiers});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    queue_of(w).push({Kind::character, static_cast<int>(character)});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int modifiers) {
    queue_of(w).push({Kind::button, button, 0, action, modifiers, {}, glfwGetTime()});
  });
  glfwSetScrollCallback(
      window, [](GLFWwindow* w, double x, double y) { queue_of(w).push({.kind = Kind::wheel, .at = {x, y}}); });
  glfwSetCursorPosCallback(
      window, [](GLFWwindow* w, double x, double y) { queue_of(w).push({.kind = Kind::move, .at = {x, y}}); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) { queue_of(w).push({Kind::enter, entered}); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) { queue_of(w).push({Kind::focus, focused}); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    Input& input = input_of(w);
    // GLFW reports UTF-8 on every system.
    for (int i = 0; i < count; ++i) input.dropped.push_back(path_from_utf8(paths[i]));
  });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int iconified) {
    input_of(w);
    received_by(w).minimized = iconified == GLFW_TRUE;
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { input_of(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { input_of(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { input_of(w); });
}

constexpr float kMinSide = 80.0F;  ///< For windows without a border.

std::string describe_failure(const char* what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return reason != nullptr ? std::string(what) + " (" + reason + ")" : what;
}

/// Returns a pair of numbers that describe a window.
template <typename Number>
Vec2 query(void (*get)(GLFWwindow*, Number*, Number*), GLFWwindow* window) {
  Number x = 0;
  Number y = 0;
  get(window, &x, &y);
  return {static_cast<float>(x), static_cast<float>(y)};
}

void set_icon(GLFWwindow* window) {
  std::vector<Bitmap> bitmaps;
  for (const WindowIcon& icon : kWindowIcons) {
    const Image image{"icon", icon.size, icon.size, ImageEncoding::png, {icon.png.begin(), icon.png.end()}};
    auto bitmap = decode(image);
    assert(bitmap);
    unpremultiply(*bitmap);
    bitmaps.push_back(*std::move(bitmap));
  }
  std::vector<GLFWimage> images;
  for (Bitmap& bitmap : bitmaps) {
    images.push_back({static_cast<int>(bitmap.width), static_cast<int>(bitmap.height), bitmap.rgba.data()});
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

/// Returns whether enough of the window's title bar is on a screen to drag it.
bool is_reachable(Vec2 corner, float width) {
  constexpr float kEnough = 80.0F;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  return std::any_of(monitors, monitors + count, [&](GLFWmonitor* monitor) {
    glm::ivec2 place{0}, area{0};
    glfwGetMonitorWorkarea(monitor, &place.x, &place.y, &area.x, &area.y);
    const Vec2 from = Vec2(place) + Vec2{kEnough - width, -1.0F};
    const Vec2 to = Vec2(place + area) - kEnough;
    return corner.x > from.x && corner.x < to.x && corner.y >= from.y && corner.y < to.y;
  });
}

/// Returns the size of the largest area that a window can fill; nothing if there is no monitor.
std::optional<Vec2> largest_area() {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  std::optional<Vec2> largest;
  for (int i = 0; i < count; ++i) {
    glm::ivec2 place{0}, area{0};
    glfwGetMonitorWorkarea(monitors[i], &place.x, &place.y, &area.x, &area.y);
    largest = glm::max(largest.value_or(Vec2{0.0F}), Vec2(area));
  }
  return largest;
}

void move(GLFWwindow* window, Vec2 corner) {
  glfwSetWindowPos(window, static_cast<int>(corner.x), static_cast<int>(corner.y));
}

void set_area(GLFWwindow* window, const Rect& area) {
  glfwSetWindowSize(window, static_cast<int>(area.size().x), static_cast<int>(area.size().y));
  move(window, area.min);
}

}  // namespace

Expected<std::unique_ptr<Window>, std::string> Window::open(const WindowPlace& place) {
  std::unique_ptr<Window> window(new Window);
  window->library_ = glfwInit() == GLFW_TRUE;
  if (!window->library_) return Unexpected(describe_failure("no display is available"));

  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  // Can only be requested at creation. Every pixel has an alpha of 1 except while presenting.
  glfwWindowHint(GLFW_TRANSPARENT_FRAMEBUFFER, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  // Desktops find the program of a window by this name.
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "pchr-player");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "pchr-player");
  glfwWindowHint(GLFW_MAXIMIZED, place.maximized ? GLFW_TRUE : GLFW_FALSE);
  const auto create = [&] {
    const auto [width, height] = std::pair(static_cast<int>(place.size.x), static_cast<int>(place.size.y));
    return window->handle_ = glfwCreateWindow(width, height, "Pachario player", nullptr, nullptr);
  };
  if (create() == nullptr) {
    // Some drivers fail although they offer to report resets.
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    create();
  }
  if (window->handle_ == nullptr) {
    return Unexpected(describe_failure("cannot open a window with OpenGL 3.3"));
  }
  if (const auto largest = largest_area()) {
    const Vec2 wanted = window->size();
    const Vec2 fitting = glm::min(wanted, glm::max(*largest, Vec2{1.0F}));
    if (fitting != wanted) {
      glfwSetWindowSize(window->handle_, static_cast<int>(fitting.x), static_cast<int>(fitting.y));
    }
  }
  if (place.corner && is_reachable(*place.corner, window->size().x)) move(window->handle_, *place.corner);
  set_icon(window->handle_);
  glfwShowWindow(window->handle_);
  glfwSetWindowUserPointer(window->handle_, &window->received_);
  glfwMakeContextCurrent(window->handle_);
  glfwSwapInterval(1);
  if (glfwExtensionSupported("GL_ARB_robustness") == GLFW_TRUE) {
    window->reset_status_ = reinterpret_cast<GetResetStatus>(glfwGetProcAddress("glGetGraphicsResetStatusARB"));
  }
  install_callbacks(window->handle_);
  window->cover_ = std::make_unique<WindowCover>(window->handle_);

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window->handle_, false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;  // InputQueue does it, for the commands as well.
#endif
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ImGui_ImplOpenGL3_CreateDeviceObjects();
  window->interface_ = true;
  return window;
}

Window::~Window() {
  if (interface_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  cover_.reset();
  if (handle_ != nullptr) glfwDestroyWindow(handle_);
  if (library_) glfwTerminate();
}

Vec2 Window::size() const { return query(glfwGetWindowSize, handle_); }
Vec2 Window::framebuffer_size() const { return query(glfwGetFramebufferSize, handle_); }
Vec2 Window::cursor() const { return query(glfwGetCursorPos, handle_); }

DisplayScale Window::scale() const {
  float content = 1.0F;
  glfwGetWindowContentScale(handle_, &content, nullptr);
  Vec2 units, framebuffer;
  // X11 is queried on every call: values from before and after a resize would not match.
  do {
    units = size();
    framebuffer = framebuffer_size();
  } while (size() != units);
  const float pixels = units.x > 0.0F ? framebuffer.x / units.x : 1.0F;
  if (!(content > 0.0F) || !(pixels > 0.0F)) return {};
  return {.interface = content / pixels, .pixels = pixels};
}

WindowPlace Window::place(const WindowPlace& before) const {
  if (ordinary_) return before;
  WindowPlace now = before;
  now.maximized = glfwGetWindowAttrib(handle_, GLFW_MAXIMIZED) == GLFW_TRUE;
  const Vec2 current = size();
  const bool hidden = glfwGetWindowAttrib(handle_, GLFW_ICONIFIED) == GLFW_TRUE;
  if (now.maximized || hidden || current.x < 1.0F || current.y < 1.0F) return now;
  now.size = current / scale().interface;
  now.corner = query(glfwGetWindowPos, handle_);
  return now;
}

bool Window::visible() const { return !received_.minimized && !cover_->covered(); }

double Window::refresh_seconds() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return 1.0 / (mode != nullptr && mode->refreshRate > 0 ? mode->refreshRate : 60);
}

void Window::set_title(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(handle_, printable(title_).c_str());
}

bool Window::transparent() const { return glfwGetWindowAttrib(handle_, GLFW_TRANSPARENT_FRAMEBUFFER) == GLFW_TRUE; }

void Window::begin_presentation(const Rect& area) {
  const Vec2 corner = query(glfwGetWindowPos, handle_);
  const bool maximized = glfwGetWindowAttrib(handle_, GLFW_MAXIMIZED) == GLFW_TRUE;
  ordinary_ = WindowPlace{.size = size(), .corner = corner, .maximized = maximized};
  if (maximized) glfwRestoreWindow(handle_);
  glfwSetWindowAttrib(handle_, GLFW_DECORATED, GLFW_FALSE);
  glfwSetWindowAttrib(handle_, GLFW_FLOATING, GLFW_TRUE);
  const Vec2 from = area.min + corner;
  set_area(handle_, {from, from + glm::max(area.size(), Vec2{kMinSide})});
}

void Window::end_presentation() {
  if (!ordinary_) return;
  glfwSetWindowAttrib(handle_, GLFW_FLOATING, GLFW_FALSE);
  glfwSetWindowAttrib(handle_, GLFW_DECORATED, GLFW_TRUE);
  set_area(handle_, {*ordinary_->corner, *ordinary_->corner + ordinary_->size});
  if (ordinary_->maximized) glfwMaximizeWindow(handle_);
  ordinary_.reset();
}

void Window::drag_to(Vec2 point) {
  const Vec2 moved = glm::round(cursor() - point);
  if (moved != Vec2{0.0F}) move(handle_, query(glfwGetWindowPos, handle_) + moved);
}

float Window::resize_by(float factor) {
  constexpr float kMaxSide = 8192.0F;
  const Vec2 before = size();
  const Vec2 after = glm::round(before * factor);
  if (std::min(after.x, after.y) < kMinSide || std::max(after.x, after.y) > kMaxSide) return 1.0F;
  const Vec2 corner = query(glfwGetWindowPos, handle_) + glm::round((before - after) * 0.5F);
  set_area(handle_, {corner, corner + after});
  return after.y / before.y;
}

Input Window::wait(double seconds) {
  InputQueue& events = received_.events;
  seconds > 0.0 && events.empty() ? glfwWaitEventsTimeout(seconds) : glfwPollEvents();
  Input input = std::exchange(received_.input, Input{.any = false, .acts = false});
  input.any |= !events.empty();
  const auto taken = events.take_frame(!std::exchange(focus_moves_, false));
  for (const InputEvent& event : taken) receive(event, input);
  input.acts |= std::ranges::any_of(taken, [&](const InputEvent& event) {
    const bool hovers = event.kind == InputEvent::Kind::move || event.kind == InputEvent::Kind::enter;
    return !hovers || std::ranges::find(buttons_, true) != buttons_.end();
  });
  return input;
}

void Window::receive(const InputEvent& event, Input& input) {
  const bool is_alt = event.kind == InputEvent::Kind::key && event.code == GLFW_KEY_LEFT_ALT;
  alt_alone_ &= is_alt || event.kind == InputEvent::Kind::move;
  switch (event.kind) {
    case InputEvent::Kind::move:
      mouse_ = event.at;
#if IMGUI_VERSION_NUM >= 18700
      ImGui_ImplGlfw_CursorPosCallback(handle_, event.at.x, event.at.y);
#endif
      break;
    case InputEvent::Kind::enter:
      mouse_.reset();
      ImGui_ImplGlfw_CursorEnterCallback(handle_, event.code);
      break;
    case InputEvent::Kind::button:
      if (event.code < static_cast<int>(buttons_.size())) buttons_[event.code] = event.action == GLFW_PRESS;
      // A click can open a field that takes the keyboard focus.
      focus_moves_ = true;
      if (event.action == GLFW_PRESS) {
        // Dear ImGui measures between frames, of which slow ones can be far apart. A press can be a frame older than
        // when it was read.
        constexpr double kMaxSeconds = 0.3;
        const bool is_second = event.seconds - pressed_ < kMaxSeconds + std::min(frame_seconds_, 1.0);
        ImGui::GetIO().MouseDoubleClickTime = is_second ? 1e6F : 0;
        pressed_ = event.seconds;
      }
#if IMGUI_VERSION_NUM >= 18700
      ImGui_ImplGlfw_MouseButtonCallback(handle_, event.code, event.action, event.modifiers);
#endif
      break;
    case InputEvent::Kind::wheel:
      ImGui_ImplGlfw_ScrollCallback(handle_, event.at.x, event.at.y);
      break;
    case InputEvent::Kind::key:
      if (event.code == GLFW_KEY_LEFT_ALT) {
        // Alt alone is pressed once it is released: with another key, a button or the wheel it is a modifier.
        if (event.action == GLFW_RELEASE && alt_alone_) input.keys.push_back({.key = event.code});
        alt_alone_ = event.action == GLFW_PRESS;
      } else if (event.action != GLFW_RELEASE && !is_shortcut(static_cast<unsigned>(event.code))) {
        input.keys.push_back({labeled_key(event.code, event.scancode), event.modifiers, event.action == GLFW_REPEAT});
      } else if (event.action == GLFW_RELEASE) {
        input.released.push_back(labeled_key(event.code, event.scancode));
      }
      ImGui_ImplGlfw_KeyCallback(handle_, event.code, event.scancode, event.action, event.modifiers);
      break;
    case InputEvent::Kind::character: {
      const auto character = static_cast<unsigned>(event.code);
      char utf8[5];
      ImTextCharToUtf8(utf8, character);  // Its result depends on the version.
      input.typed += utf8;
      if (is_shortcut(character)) input.keys.push_back({.key = event.code});
      ImGui_ImplGlfw_CharCallback(handle_, character);
      break;
    }
    case InputEvent::Kind::focus:
      ImGui_ImplGlfw_WindowFocusCallback(handle_, event.code);
      break;
  }
}

bool Window::takes_text() const {
  // WantTextInput stays set for a frame after the field has lost the focus.
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return context.ActiveId != 0 && context.ActiveId == context.InputTextState.ID;
}

void Window::begin_interface() {
  frame_begun_ = glfwGetTime();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  // Newer versions choose with Enter as well as with Space.
  const bool navigates = (io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
  if (navigates && (io.KeysDown[GLFW_KEY_ENTER] || io.KeysDown[GLFW_KEY_KP_ENTER])) {
    io.NavInputs[ImGuiNavInput_Activate] = 1.0F;
  }
  // The backend has asked GLFW for the current state.
  std::ranges::copy(buttons_, io.MouseDown);
  if (mouse_ && ImGui::IsMousePosValid(&io.MousePos)) io.MousePos = *mouse_;
#endif
  ImGui::NewFrame();
}

void Window::draw_interface() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

void Window::present() {
  focus_moves_ |= ImGui::GetCurrentContext()->NavMoveSubmitted;
  glfwSwapBuffers(handle_);
  constexpr double kForgotten = 0.9;
  frame_seconds_ = std::max(glfwGetTime() - frame_begun_, frame_seconds_ * kForgotten);
}

}  // namespace pchr::player

// SPDX-License-Identifier: MIT
// Contexts without a visible window, through WGL.
#include "render/headless_context.hpp"

#include <windows.h>

#include <future>
#include <mutex>
#include <thread>

namespace pchr {
namespace {

constexpr std::string_view kHint =
    "install the driver of the graphics card; on a machine without one, put opengl32.dll of Mesa into the folder of "
    "the "
    "program";

// From WGL_ARB_create_context, WGL_ARB_create_context_profile and WGL_EXT_create_context_es2_profile.
constexpr int kMajorVersion = 0x2091;
constexpr int kMinorVersion = 0x2092;
constexpr int kContextFlags = 0x2094;
constexpr int kDebugFlag = 1;
constexpr int kProfileMask = 0x9126;
constexpr int kCoreProfile = 1;
constexpr int kEsProfile = 4;
using CreateContextAttribs = HGLRC(WINAPI*)(HDC, HGLRC share, const int* attributes);

/// The functions of opengl32.dll.
struct Wgl {
  template <typename Function>
  Function* find(const char* name) {
    // Through void (*)(), which GCC knows to be any function.
    const auto function = reinterpret_cast<void (*)()>(complete ? ::GetProcAddress(library, name) : nullptr);
    complete = function != nullptr;
    return reinterpret_cast<Function*>(function);
  }

  HMODULE library;
  bool complete = library != nullptr;
  decltype(&wglCreateContext) create_context = find<decltype(wglCreateContext)>("wglCreateContext");
  decltype(&wglDeleteContext) delete_context = find<decltype(wglDeleteContext)>("wglDeleteContext");
  decltype(&wglGetCurrentContext) get_current_context = find<decltype(wglGetCurrentContext)>("wglGetCurrentContext");
  decltype(&wglGetCurrentDC) get_current_device = find<decltype(wglGetCurrentDC)>("wglGetCurrentDC");
  decltype(&wglGetProcAddress) get_proc_address = find<decltype(wglGetProcAddress)>("wglGetProcAddress");
  decltype(&wglMakeCurrent) make_current = find<decltype(wglMakeCurrent)>("wglMakeCurrent");
};

// Loaded on first use and never unloaded: drivers keep threads in it.
const Wgl& wgl() {
  static const Wgl loaded{LoadLibraryW(L"opengl32.dll")};
  return loaded;
}

// wglGetProcAddress does not know the functions of OpenGL 1.1, for which drivers return null or a small number.
void (*find_function(const char* name))() {
  const PROC function = wgl().get_proc_address(name);
  const auto number = reinterpret_cast<std::intptr_t>(function);
  if (number > 3 || number < -1) return reinterpret_cast<void (*)()>(function);
  return reinterpret_cast<void (*)()>(::GetProcAddress(wgl().library, name));
}

Unexpected<RenderError> fail_with_code(std::string_view what) {
  return fail(format_text("{} failed with Windows error 0x{:x}", what, static_cast<std::uint32_t>(GetLastError())));
}

/// A window that is never shown. It has its own thread, because Windows destroys a window when its thread ends, and
/// because other programs wait for every window to answer their broadcasts.
class HiddenWindow {
 public:
  HiddenWindow() = default;
  HiddenWindow(const HiddenWindow&) = delete;
  HiddenWindow& operator=(const HiddenWindow&) = delete;
  ~HiddenWindow() {
    if (!thread_.joinable()) return;
    PostThreadMessageW(thread_id_, WM_QUIT, 0, 0);
    thread_.join();
  }

  /// Creates the window, which OpenGL can then draw on.
  Expected<void, RenderError> open() {
    std::promise<Expected<void, RenderError>> created;
    auto result = created.get_future();
    thread_ = std::thread([this, promise = std::move(created)]() mutable { run(std::move(promise)); });
    return result.get();
  }
  [[nodiscard]] HDC device() const { return device_; }

 private:
  void run(std::promise<Expected<void, RenderError>> created) {
    thread_id_ = GetCurrentThreadId();
    const auto window = create();
    if (!window) return created.set_value(Unexpected(window.error()));
    created.set_value({});
    MSG message;
    while (GetMessageW(&message, nullptr, 0, 0) > 0) DispatchMessageW(&message);
    DestroyWindow(*window);
  }

  Expected<HWND, RenderError> create() {
    // Wine fails if two threads create the first windows of a program at once.
    static std::mutex creation;
    const std::lock_guard lock(creation);
    const HINSTANCE program = GetModuleHandleW(nullptr);
    WNDCLASSW description{};
    description.style = CS_OWNDC;
    description.lpfnWndProc = DefWindowProcW;
    description.hInstance = program;
    description.lpszClassName = L"pchr headless context";
    if (RegisterClassW(&description) == 0 && GetLastError() != ERROR_CLASS_ALREADY_EXISTS) {
      return fail_with_code("RegisterClass");
    }
    const HWND window =
        CreateWindowExW(0, description.lpszClassName, L"", WS_POPUP, 0, 0, 1, 1, nullptr, nullptr, program, nullptr);
    if (window == nullptr) return fail_with_code("CreateWindow");
    device_ = GetDC(window);
    PIXELFORMATDESCRIPTOR format{};
    format.nSize = sizeof format;
    format.nVersion = 1;
    format.dwFlags = PFD_SUPPORT_OPENGL | PFD_DRAW_TO_WINDOW;
    format.iPixelType = PFD_TYPE_RGBA;
    format.cColorBits = 24;
    if (SetPixelFormat(device_, ChoosePixelFormat(device_, &format), &format) == FALSE) {
      auto failed = fail_with_code("choosing a pixel format");
      DestroyWindow(window);
      return failed;
    }
    return window;
  }

  HDC device_ = nullptr;
  DWORD thread_id_ = 0;
  std::thread thread_;
};

}  // namespace

struct HeadlessContext::Resources {
  HiddenWindow window{};
  HGLRC context = nullptr;
  std::string description{};

  ~Resources() {
    if (context == nullptr) return;
    if (wgl().get_current_context() == context) wgl().make_current(nullptr, nullptr);
    wgl().delete_context(context);
  }

  bool make_current() const { return wgl().make_current(window.device(), context) != FALSE; }

  // Creates a context and makes it current.
  Expected<void, RenderError> open(const HeadlessOptions& options) {
    if (auto opened = window.open(); !opened) return opened;
    // The function that creates a context of a given version is an extension: only a current context has it.
    context = wgl().create_context(window.device());
    if (context == nullptr) return fail_with_code("wglCreateContext");
    if (!make_current()) return fail_with_code("wglMakeCurrent");
    auto described = describe_context(find_function);
    if (!described) return Unexpected(described.error());
    const auto create = reinterpret_cast<CreateContextAttribs>(find_function("wglCreateContextAttribsARB"));
    if (create == nullptr) return fail(format_text("the driver has only {}", *described));

    const bool is_es = options.api == GlApi::es;
    const int attributes[] = {kMajorVersion,
                              3,
                              kMinorVersion,
                              is_es ? 0 : 3,
                              kContextFlags,
                              options.debug ? kDebugFlag : 0,
                              kProfileMask,
                              is_es ? kEsProfile : kCoreProfile,
                              0};
    const HGLRC created = create(window.device(), nullptr, attributes);
    if (created == nullptr) return fail_with_code(format_text("wglCreateContextAttribsARB of {}", *described));
    wgl().make_current(nullptr, nullptr);
    wgl().delete_context(std::exchange(context, created));
    if (!make_current()) return fail_with_code("wglMakeCurrent");
    described = describe_context(find_function);
    if (!described) return Unexpected(described.error());
    description = *std::move(described);
    return {};
  }
};

HeadlessContext::HeadlessContext(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

Expected<HeadlessContext, RenderError> HeadlessContext::create(const HeadlessOptions& options) {
  if (!wgl().complete) return fail_without_context(options.api, "cannot load opengl32.dll", kHint);
  const HDC previous_device = wgl().get_current_device();
  const HGLRC previous_context = wgl().get_current_context();
  std::unique_ptr<Resources> resources(new Resources);
  const auto opened = resources->open(options);
  if (opened) return HeadlessContext(std::move(resources));
  resources.reset();
  wgl().make_current(previous_device, previous_context);
  return fail_without_context(options.api, opened.error().message, kHint);
}

bool HeadlessContext::make_current() { return resources_->make_current(); }
GetProcAddress HeadlessContext::get_proc_address() const noexcept { return find_function; }
std::string HeadlessContext::description() const { return resources_->description; }

}  // namespace pchr

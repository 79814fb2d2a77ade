// SPDX-License-Identifier: MIT
// Contexts without a window, through EGL.
#include "render/headless_context.hpp"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

namespace pchr {
namespace {

constexpr std::string_view kHint = "on Debian or Ubuntu: apt install libegl1 libgl1-mesa-dri";

/// The functions of libEGL. Extension functions can be null.
struct Egl {
  struct Address {
    void* address;
    template <class Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };
  Address find(const char* name) {
    void* const address = dlsym(library, name);
    complete = complete && address != nullptr;
    return {address};
  }
  Address find_extension(const char* name) const {
    return {complete ? reinterpret_cast<void*>(get_proc_address(name)) : nullptr};
  }

  void* library;
  bool complete = true;
  decltype(&eglGetProcAddress) get_proc_address = find("eglGetProcAddress");
  decltype(&eglGetError) get_error = find("eglGetError");
  decltype(&eglQueryString) query_string = find("eglQueryString");
  decltype(&eglInitialize) initialize = find("eglInitialize");
  decltype(&eglBindAPI) bind_api = find("eglBindAPI");
  decltype(&eglChooseConfig) choose_config = find("eglChooseConfig");
  decltype(&eglCreateContext) create_context = find("eglCreateContext");
  decltype(&eglCreatePbufferSurface) create_pbuffer_surface = find("eglCreatePbufferSurface");
  decltype(&eglMakeCurrent) make_current = find("eglMakeCurrent");
  decltype(&eglGetCurrentContext) get_current_context = find("eglGetCurrentContext");
  decltype(&eglDestroyContext) destroy_context = find("eglDestroyContext");
  decltype(&eglDestroySurface) destroy_surface = find("eglDestroySurface");
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = find_extension("eglGetPlatformDisplayEXT");
  PFNEGLQUERYDEVICESEXTPROC query_devices = find_extension("eglQueryDevicesEXT");
  PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string = find_extension("eglQueryDeviceStringEXT");
};

struct Platform {
  EGLenum platform;
  void* native_display;
  std::string name;
};

// The library is never closed: drivers keep threads and thread-local destructors in it.
Expected<Egl, RenderError> load_egl() {
  void* const library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return fail(format_text("cannot load libEGL.so.1, which OpenGL without a window needs ({}); {}",
                            reason != nullptr ? reason : "no reason given", kHint));
  }
  const Egl egl{library};
  if (!egl.complete) return fail(format_text("libEGL.so.1 lacks required functions; {}", kHint));
  return egl;
}

bool lists(const char* extensions, std::string_view wanted) {
  const std::string all = format_text(" {} ", extensions != nullptr ? extensions : "");
  return all.find(format_text(" {} ", wanted)) != std::string::npos;
}

// Returns ways to get a display, most promising first: hardware, software, no device.
std::vector<Platform> find_platforms(const Egl& egl) {
  std::vector<Platform> platforms;
  if (egl.get_platform_display == nullptr) return platforms;
  const char* extensions = egl.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  EGLint count = 0;
  if (lists(extensions, "EGL_EXT_platform_device") && egl.query_devices != nullptr &&
      egl.query_device_string != nullptr && egl.query_devices(0, nullptr, &count) == EGL_TRUE && count > 0) {
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    if (egl.query_devices(count, devices.data(), &count) != EGL_TRUE) count = 0;
    devices.resize(static_cast<std::size_t>(count));
    for (const bool software : {false, true}) {
      for (EGLDeviceEXT device : devices) {
        if (lists(egl.query_device_string(device, EGL_EXTENSIONS), "EGL_MESA_device_software") != software) continue;
        platforms.push_back({EGL_PLATFORM_DEVICE_EXT, device, format_text("device {}", platforms.size())});
      }
    }
  }
  if (lists(extensions, "EGL_MESA_platform_surfaceless")) {
    platforms.push_back({EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, "surfaceless"});
  }
  return platforms;
}

}  // namespace

struct HeadlessContext::Resources {
  Egl egl;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;  ///< Only if the context needs a surface to be current.
  EGLenum api = EGL_OPENGL_API;
  std::string description{};

  // The display is not terminated: the whole process shares it, and other contexts can be using it.
  ~Resources() {
    if (context == EGL_NO_CONTEXT) return;
    egl.bind_api(api);
    if (egl.get_current_context() == context) {
      egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    egl.destroy_context(display, context);
    if (surface != EGL_NO_SURFACE) egl.destroy_surface(display, surface);
  }

  bool make_current() const {
    return egl.bind_api(api) == EGL_TRUE && egl.make_current(display, surface, surface, context) == EGL_TRUE;
  }

  // Creates a context on one platform and makes it current.
  Expected<void, RenderError> open(const Platform& platform, const HeadlessOptions& options) {
    const bool is_es = options.api == GlApi::es;
    api = is_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API;
    const auto failed = [&](const char* what) {
      return fail(format_text("{}: {} failed with EGL error 0x{:x}", platform.name, what, egl.get_error()));
    };
    display = egl.get_platform_display(platform.platform, platform.native_display, nullptr);
    if (display == EGL_NO_DISPLAY) return failed("eglGetPlatformDisplay");
    EGLint major = 0, minor = 0;
    if (egl.initialize(display, &major, &minor) != EGL_TRUE) return failed("eglInitialize");
    if (std::pair(major, minor) < std::pair(1, 5)) {
      return fail(format_text("{}: has EGL {}.{}, but 1.5 is required", platform.name, major, minor));
    }
    if (egl.bind_api(api) != EGL_TRUE) return failed("eglBindAPI");

    const bool surfaceless = lists(egl.query_string(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
    const EGLint config_attributes[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        is_es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (egl.choose_config(display, config_attributes, &config, 1, &count) != EGL_TRUE) return failed("eglChooseConfig");
    if (count == 0) return fail(format_text("{}: has no configuration for {}", platform.name, name_of(options.api)));

    const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                         3,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         is_es ? 0 : 3,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         options.debug ? EGL_TRUE : EGL_FALSE,
                                         is_es ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_NONE};
    context = egl.create_context(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT) return failed("creating a context");
    if (!surfaceless) {
      const EGLint surface_attributes[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
      surface = egl.create_pbuffer_surface(display, config, surface_attributes);
      if (surface == EGL_NO_SURFACE) return failed("eglCreatePbufferSurface");
    }
    if (!make_current()) return failed("eglMakeCurrent");
    auto described = describe_context(egl.get_proc_address);
    if (!described) return Unexpected(described.error());
    description = *std::move(described);
    return {};
  }
};

HeadlessContext::HeadlessContext(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

Expected<HeadlessContext, RenderError> HeadlessContext::create(const HeadlessOptions& options) {
  const auto egl = load_egl();
  if (!egl) return Unexpected(egl.error());
  std::string reasons;
  for (const Platform& platform : find_platforms(*egl)) {
    std::unique_ptr<Resources> resources(new Resources{*egl});
    const auto opened = resources->open(platform, options);
    if (opened) return HeadlessContext(std::move(resources));
    reasons += (reasons.empty() ? "" : "; ") + opened.error().message;
  }
  if (reasons.empty()) reasons = "EGL offers neither a device nor a surfaceless platform";
  return fail_without_context(options.api, reasons, kHint);
}

bool HeadlessContext::make_current() { return resources_->make_current(); }
GetProcAddress HeadlessContext::get_proc_address() const noexcept { return resources_->egl.get_proc_address; }
std::string HeadlessContext::description() const { return resources_->description; }

}  // namespace pchr

// SPDX-License-Identifier: MIT
#include "render/gl.hpp"

#include "character/format.hpp"

namespace pchr {

namespace {

using GetString = PFNGLGETSTRINGPROC;

// Returns null also for the small numbers that wglGetProcAddress returns for functions that it does not know.
GetString get_string_of(auto function) {
  const auto number = reinterpret_cast<std::intptr_t>(function);
  return number >= -1 && number <= 3 ? nullptr : reinterpret_cast<GetString>(function);
}

// Calls `load_gl` and `load_es`, which fill a context and return its version or 0.
Expected<std::shared_ptr<Gl>, RenderError> load(GetString get_string, const auto& load_gl, const auto& load_es) {
  auto gl = std::make_shared<Gl>();
  const GLubyte* const name = get_string != nullptr ? get_string(GL_VERSION) : nullptr;
  const std::string_view version = name != nullptr ? reinterpret_cast<const char*>(name) : "";
  gl->is_es = version.starts_with("OpenGL ES ");
  const int loaded = name == nullptr ? 0 : gl->is_es ? load_es(*gl) : load_gl(*gl);
  if (loaded == 0) {
    return fail(
        "cannot load the OpenGL functions; make sure that a context is current on this thread and that "
        "get_proc_address belongs to it (on Windows, wglGetProcAddress alone lacks the functions of OpenGL 1.1)");
  }
  if (loaded < (gl->is_es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) {
    return fail(format_text("OpenGL 3.3 or OpenGL ES 3.0 or newer is required, but this context is \"{}\"", version));
  }
  const GLubyte* const renderer = get_string(GL_RENDERER);
  gl->is_llvmpipe =
      renderer != nullptr && std::string_view(reinterpret_cast<const char*>(renderer)).starts_with("llvmpipe");
  gl->has_srgb_switch = !gl->is_es || gl->EXT_sRGB_write_control != 0;
  // Checks one function of each version, because some loaders do not know all of them.
  if (gl->GenVertexArrays == nullptr || gl->BindSampler == nullptr || gl->DrawElementsInstanced == nullptr ||
      (!gl->is_es && gl->TexBuffer == nullptr)) {
    return fail(format_text("cannot load some functions of OpenGL {}, although the context reports that version",
                            gl->is_es ? "ES 3.0" : "3.3"));
  }
  return gl;
}

}  // namespace

Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddress get_proc_address) {
  if (get_proc_address == nullptr) get_proc_address = [](const char*) -> void (*)() { return nullptr; };
  return load(
      get_string_of(get_proc_address("glGetString")), [&](Gl& gl) { return gladLoadGLContext(&gl, get_proc_address); },
      [&](Gl& gl) { return gladLoadGLES2Context(&gl, get_proc_address); });
}

Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddressPointer get_proc_address) {
  if (get_proc_address == nullptr) get_proc_address = [](const char*) -> void* { return nullptr; };
  const auto find = [](void* loader, const char* name) {
    return reinterpret_cast<GLADapiproc>((*static_cast<GetProcAddressPointer*>(loader))(name));
  };
  return load(
      get_string_of(get_proc_address("glGetString")),
      [&](Gl& gl) { return gladLoadGLContextUserPtr(&gl, find, &get_proc_address); },
      [&](Gl& gl) { return gladLoadGLES2ContextUserPtr(&gl, find, &get_proc_address); });
}

}  // namespace pchr

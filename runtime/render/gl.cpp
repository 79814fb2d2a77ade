// SPDX-License-Identifier: MIT
#include "render/gl.hpp"

#include "character/format.hpp"

namespace pchr {

namespace {

/// Checks what glad loaded into `gl`: `loaded` is the version, or 0.
Expected<std::shared_ptr<const Gl>, RenderError> checked(std::shared_ptr<const Gl> gl, int loaded) {
  if (loaded == 0) {
    return fail(
        "cannot load the OpenGL functions; make sure that a context is current on this thread and that "
        "get_proc_address belongs to it");
  }
  if (loaded < GLAD_MAKE_VERSION(3, 3)) {
    const auto* version = reinterpret_cast<const char*>(gl->GetString(GL_VERSION));
    return fail(
        format_text("OpenGL 3.3 or newer is required, but this context is \"{}\"", version != nullptr ? version : "?"));
  }
  // Checks one function of each version, because some loaders do not know all of them.
  if (gl->GenVertexArrays == nullptr || gl->TexBuffer == nullptr || gl->DrawElementsBaseVertex == nullptr ||
      gl->BindSampler == nullptr) {
    return fail("cannot load some OpenGL 3.3 functions, although the context reports that version");
  }
  return gl;
}

}  // namespace

Expected<std::shared_ptr<const Gl>, RenderError> load_gl(GetProcAddress get_proc_address) {
  const auto gl = std::make_shared<Gl>();
  return checked(gl, get_proc_address != nullptr ? gladLoadGLContext(gl.get(), get_proc_address) : 0);
}

Expected<std::shared_ptr<const Gl>, RenderError> load_gl(GetProcAddressPointer get_proc_address) {
  const auto gl = std::make_shared<Gl>();
  const auto load = [](void* loader, const char* name) {
    return reinterpret_cast<GLADapiproc>((*static_cast<GetProcAddressPointer*>(loader))(name));
  };
  return checked(gl, get_proc_address != nullptr ? gladLoadGLContextUserPtr(gl.get(), load, &get_proc_address) : 0);
}

}  // namespace pchr

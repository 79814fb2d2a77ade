// SPDX-License-Identifier: MIT
#include "render/gl.hpp"

#include "character/format.hpp"

namespace pchr {

std::expected<std::shared_ptr<const Gl>, RenderError> load_gl(GetProcAddress get_proc_address) {
  auto gl = std::make_shared<Gl>();
  const int loaded = get_proc_address != nullptr ? gladLoadGLContext(gl.get(), get_proc_address) : 0;
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

}  // namespace pchr

// SPDX-License-Identifier: MIT
#include "render/gl.hpp"

#include "character/format.hpp"

namespace pchr {

std::expected<std::shared_ptr<const Gl>, RenderError> load_gl(GetProcAddress get_proc_address) {
  auto gl = std::make_shared<Gl>();
  const int loaded = get_proc_address != nullptr ? gladLoadGLContext(gl.get(), get_proc_address) : 0;
  if (loaded == 0) {
    return fail(
        "The OpenGL functions cannot be loaded. Is a context current on this thread, and did the given "
        "function come from what made it?");
  }
  if (loaded < GLAD_MAKE_VERSION(3, 3)) {
    const auto* version = reinterpret_cast<const char*>(gl->GetString(GL_VERSION));
    return fail(
        format_text("OpenGL 3.3 or newer is needed, but this context is \"{}\".", version != nullptr ? version : "?"));
  }
  // A sample of each version's functions: some loaders know only what their own makers use.
  if (gl->GenVertexArrays == nullptr || gl->TexBuffer == nullptr || gl->DrawElementsBaseVertex == nullptr ||
      gl->BindSampler == nullptr) {
    return fail("Some OpenGL 3.3 functions cannot be loaded, although the context claims that version.");
  }
  return gl;
}

}  // namespace pchr

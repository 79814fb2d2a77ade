// SPDX-License-Identifier: MIT
// Contexts that work, and contexts and systems that do not.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"

using namespace pchr;
using test::contains;

namespace {

void (*find_nothing(const char*))() { return nullptr; }

template <const char* version>
const GLubyte* GLAD_API_PTR get_version(GLenum) {
  return reinterpret_cast<const GLubyte*>(version);
}
constexpr char kOpenGl21[] = "2.1 Mesa 22.3.6";
constexpr char kOpenGl32[] = "3.2.0 NVIDIA";
constexpr char kOpenGlEs32[] = "OpenGL ES 3.2 Mesa 22.3.6";

std::string error_on(GetProcAddress get_proc_address) {
  const auto renderer = Renderer::create(get_proc_address);
  const auto target = OffscreenTarget::create(get_proc_address, 4, 4);
  REQUIRE_FALSE(renderer);
  REQUIRE_FALSE(target);
  CHECK(renderer.error().message == target.error().message);
  return renderer.error().message;
}

}  // namespace

TEST_CASE("a headless context says what it is, and needs no display", "[render]") {
  const auto context = HeadlessContext::create();
  REQUIRE(context);
  CHECK_THAT(context->description(), contains("OpenGL "));
  const auto gl = test::require_value(load_gl(context->get_proc_address()));
  CHECK((get_integer(*gl, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_CORE_PROFILE_BIT) != 0);
}

TEST_CASE("a debug context is one only where asked for", "[render]") {
  for (const bool debug : {false, true}) {
    const auto context = HeadlessContext::create(debug);
    REQUIRE(context);
    const auto gl = test::require_value(load_gl(context->get_proc_address()));
    CHECK(((get_integer(*gl, GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_DEBUG_BIT) != 0) == debug);
  }
}

TEST_CASE("headless contexts come and go", "[render]") {
  std::optional<HeadlessContext> kept;
  for (int i = 0; i < 8; ++i) {
    auto context = HeadlessContext::create();
    REQUIRE(context);
    kept = std::move(*context);
    CHECK(Renderer::create(kept->get_proc_address()));
  }
  HeadlessContext moved = std::move(*kept);
  kept.reset();
  CHECK(Renderer::create(moved.get_proc_address()));
}

TEST_CASE("without a current context, or with a loader that finds nothing, the error says so", "[render]") {
  CHECK_THAT(error_on(find_nothing), contains("cannot be loaded") && contains("current on this thread"));
  CHECK_THAT(error_on(nullptr), contains("cannot be loaded"));
}

TEST_CASE("a context older than OpenGL 3.3 is an error that names its version", "[render]") {
  const test::Session session;
  const auto error_for = [&](auto* get_string) {
    const test::Hooks hooks(session.get_proc_address(), {{"glGetString", test::as_hook(get_string)}});
    return error_on(test::hooked_get_proc_address);
  };
  CHECK(error_for(get_version<kOpenGl21>) == "OpenGL 3.3 or newer is needed, but this context is \"2.1 Mesa 22.3.6\".");
  CHECK_THAT(error_for(get_version<kOpenGl32>), contains("3.2.0 NVIDIA"));
  CHECK_THAT(error_for(get_version<kOpenGlEs32>), contains("OpenGL ES 3.2"));
}

TEST_CASE("a loader that misses functions of OpenGL 3.3 is an error", "[render]") {
  const test::Session session;
  for (const char* name : {"glDrawElementsBaseVertex", "glTexBuffer", "glBindSampler", "glGenVertexArrays"}) {
    const test::Hooks hooks(session.get_proc_address(), {{name, nullptr}});
    CHECK_THAT(error_on(test::hooked_get_proc_address), contains("Some OpenGL 3.3 functions cannot be loaded"));
  }
}

TEST_CASE("a driver that refuses the shaders is an error with the driver's words", "[render]") {
  test::Session session;
  static const Gl* real = nullptr;
  real = session.gl.get();
  const auto spoil_source = [](GLuint shader, GLsizei, const GLchar* const*, const GLint*) {
    const char* source = "#version 330 core\nvoid main() { nonsense }";
    real->ShaderSource(shader, 1, &source, nullptr);
  };
  const test::Hooks hooks(session.get_proc_address(), {{"glShaderSource", test::as_hook(+spoil_source)}});
  const auto renderer = Renderer::create(test::hooked_get_proc_address);
  REQUIRE_FALSE(renderer);
  CHECK_THAT(renderer.error().message, contains("does not accept the shaders") && contains("error"));
  (void)session.take_messages();
}

// Run by tests of their own, in environments without drivers or without EGL.
TEST_CASE("without any driver the error names the packages", "[.][without_drivers]") {
  const auto context = HeadlessContext::create();
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  CHECK_THAT(context.error().message, contains("No OpenGL 3.3") && contains("libegl1 libgl1-mesa-dri"));
}

TEST_CASE("without libEGL the error names the packages", "[.][without_egl]") {
  const auto context = HeadlessContext::create();
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  CHECK_THAT(context.error().message, contains("libEGL.so.1, which cannot be loaded") && contains("libegl1"));
}

// SPDX-License-Identifier: MIT
// Working contexts, and contexts and systems with missing parts.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"

#include <cstdlib>
#include <thread>

namespace context_test {
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
constexpr char kOpenGlEs20[] = "OpenGL ES 2.0 Mesa 22.3.6";

std::string error_on(GetProcAddress get_proc_address) {
  const auto renderer = Renderer::create(get_proc_address);
  const auto target = OffscreenTarget::create(get_proc_address, 4, 4);
  REQUIRE_FALSE(renderer);
  REQUIRE_FALSE(target);
  CHECK(renderer.error().message == target.error().message);
  return renderer.error().message;
}

}  // namespace

TEST_CASE("a headless context describes itself and needs no display", "[render]") {
  const auto context = HeadlessContext::create(test::headless_options());
  REQUIRE(context);
  CHECK_THAT(context->description(), contains("OpenGL "));
  const auto gl = test::require_value(load_gl(context->get_proc_address()));
  CHECK(gl->is_es == (test::headless_options().api == GlApi::es));
  if (!gl->is_es) CHECK((get_integer(*gl, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_CORE_PROFILE_BIT) != 0);
}

TEST_CASE("function loaders that return object pointers work as well", "[render]") {
  static std::optional<HeadlessContext> context;
  context = test::require_value(HeadlessContext::create(test::headless_options()));
  const GetProcAddressPointer get_proc_address = [](const char* name) {
    return reinterpret_cast<void*>(context->get_proc_address()(name));
  };
  CHECK(Renderer::create(get_proc_address));
  context.reset();
  const GetProcAddressPointer nothing = nullptr;
  const auto without = Renderer::create(nothing);
  REQUIRE_FALSE(without);
  CHECK_THAT(without.error().message, contains("cannot load the OpenGL functions"));
}

TEST_CASE("a context is a debug context only on request", "[render]") {
  for (const bool debug : {false, true}) {
    const auto context = HeadlessContext::create(test::headless_options(debug));
    REQUIRE(context);
    const auto gl = test::require_value(load_gl(context->get_proc_address()));
    CHECK(((get_integer(*gl, GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_DEBUG_BIT) != 0) == debug);
  }
}

TEST_CASE("headless contexts can be created and destroyed repeatedly", "[render]") {
  std::optional<HeadlessContext> kept;
  for (int i = 0; i < 8; ++i) {
    auto context = HeadlessContext::create(test::headless_options());
    REQUIRE(context);
    kept = std::move(*context);
    CHECK(Renderer::create(kept->get_proc_address()));
  }
  HeadlessContext moved = std::move(*kept);
  kept.reset();
  CHECK(Renderer::create(moved.get_proc_address()));
}

TEST_CASE("of several headless contexts, each can be made current again", "[render]") {
  auto first = test::require_value(HeadlessContext::create(test::headless_options()));
  const auto gl = test::require_value(load_gl(first.get_proc_address()));
  gl->ClearColor(0.25F, 0, 0, 0);
  const auto clear_red = [&] {
    GLfloat color[4] = {};
    gl->GetFloatv(GL_COLOR_CLEAR_VALUE, color);
    return color[0];
  };
  {
    auto second = test::require_value(HeadlessContext::create(test::headless_options()));
    CHECK(clear_red() == 0.0F);
    CHECK(first.make_current());
    CHECK(clear_red() == 0.25F);
    CHECK(second.make_current());
    CHECK(clear_red() == 0.0F);
  }
  CHECK(first.make_current());
  CHECK(clear_red() == 0.25F);
}

TEST_CASE("a headless context outlives the thread that created it", "[render]") {
  std::optional<HeadlessContext> context;
  std::thread([&] {
    auto created = HeadlessContext::create(test::headless_options());
    if (created) context = std::move(*created);
    // Only one thread at a time can have a context, and creating another one gives it up.
    const auto other = HeadlessContext::create(test::headless_options());
  }).join();
  REQUIRE(context);
  CHECK(context->make_current());
  CHECK(Renderer::create(context->get_proc_address()));
}

TEST_CASE("without a current context or with a useless loader, the error says so", "[render]") {
  CHECK_THAT(error_on(find_nothing), contains("cannot load") && contains("current on this thread"));
  CHECK_THAT(error_on(nullptr), contains("cannot load"));
  // What drivers' wglGetProcAddress returns for functions of OpenGL 1.1.
  const GetProcAddress wgl_alone = [](const char*) { return reinterpret_cast<void (*)()>(std::intptr_t{-1}); };
  CHECK_THAT(error_on(wgl_alone), contains("wglGetProcAddress alone"));
}

TEST_CASE("a context older than OpenGL 3.3 or OpenGL ES 3.0 is an error that names its version", "[render]") {
  const test::Session session;
  const auto error_for = [&](auto* get_string) {
    const test::Hooks hooks(session.get_proc_address(), {{"glGetString", test::as_hook(get_string)}});
    return error_on(test::hooked_get_proc_address);
  };
  CHECK(error_for(get_version<kOpenGl21>) ==
        "OpenGL 3.3 or OpenGL ES 3.0 or newer is required, but this context is \"2.1 Mesa 22.3.6\"");
  CHECK_THAT(error_for(get_version<kOpenGl32>), contains("3.2.0 NVIDIA"));
  CHECK_THAT(error_for(get_version<kOpenGlEs20>), contains("OpenGL ES 2.0"));
}

TEST_CASE("a loader that misses functions is an error", "[render]") {
  const test::Session session;
  for (const char* name : {"glBindSampler", "glGenVertexArrays", "glDrawElementsInstanced", "glTexBuffer"}) {
    if (session.gl->is_es && std::string_view(name) == "glTexBuffer") continue;
    const test::Hooks hooks(session.get_proc_address(), {{name, nullptr}});
    CHECK_THAT(error_on(test::hooked_get_proc_address), contains("cannot load some functions of OpenGL "));
  }
}

TEST_CASE("a driver that rejects the shaders is an error with the driver's log", "[render]") {
  test::Session session;
  static const Gl* real = nullptr;
  real = session.gl.get();
  const auto corrupt_source = [](GLuint shader, GLsizei, const GLchar* const*, const GLint*) {
    const char* source = "#version 330 core\nvoid main() { nonsense }";
    real->ShaderSource(shader, 1, &source, nullptr);
  };
  const test::Hooks hooks(session.get_proc_address(), {{"glShaderSource", test::as_hook(+corrupt_source)}});
  const auto renderer = Renderer::create(test::hooked_get_proc_address);
  REQUIRE_FALSE(renderer);
  CHECK_THAT(renderer.error().message, contains("rejected the shaders") && contains("error"));
  (void)session.take_messages();
}

// Run by separate tests, in environments without drivers or without EGL.
TEST_CASE("without any driver the error says what to install", "[.][without_drivers]") {
  const auto context = HeadlessContext::create(test::headless_options());
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  const char* const hint = std::getenv("PCHR_EXPECTED_HINT");
  REQUIRE(hint != nullptr);
  CHECK_THAT(context.error().message, contains("cannot create an OpenGL 3.3 context") && contains(hint));
}

TEST_CASE("without libEGL the error names the packages", "[.][without_egl]") {
  const auto context = HeadlessContext::create(test::headless_options());
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  CHECK_THAT(context.error().message, contains("cannot load libEGL.so.1") && contains("libegl1"));
}

}  // namespace context_test

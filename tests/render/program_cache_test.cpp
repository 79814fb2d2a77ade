// SPDX-License-Identifier: MIT
// Compiled programs that are kept between renderers.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "render/program.hpp"
#include "support/scenes.hpp"

#include <map>

namespace program_cache_test {
using namespace pchr;

namespace {

/// A cache in memory that counts.
struct Memory {
  std::map<std::string, std::vector<std::byte>> programs{};
  std::size_t loads = 0, stores = 0;

  static std::vector<std::byte> load(void* user, const std::string& key) {
    auto& memory = *static_cast<Memory*>(user);
    ++memory.loads;
    const auto found = memory.programs.find(key);
    return found != memory.programs.end() ? found->second : std::vector<std::byte>();
  }
  static void store(void* user, const std::string& key, std::span<const std::byte> bytes) {
    auto& memory = *static_cast<Memory*>(user);
    ++memory.stores;
    memory.programs[key].assign(bytes.begin(), bytes.end());
  }
  ProgramCache cache() { return {{load, this}, {store, this}}; }
};

bool offers_binaries(const Gl& gl) {
  return gl.GetProgramBinary != nullptr && get_integer(gl, GL_NUM_PROGRAM_BINARY_FORMATS) > 0;
}

PFNGLCOMPILESHADERPROC compile_really = nullptr;
unsigned compiled = 0;
void GLAD_API_PTR count_compiling(GLuint shader) {
  ++compiled;
  compile_really(shader);
}

struct Drawn {
  Bitmap image;
  unsigned compiled = 0;  ///< Shaders.
};

/// Draws with a new renderer and target.
Drawn draw(const test::Session& session, const RendererOptions& options) {
  compile_really = session.gl->CompileShader;
  compiled = 0;
  const test::Hooks hooks(session.get_proc_address(), {{"glCompileShader", test::as_hook(count_compiling)}});
  Renderer renderer = test::require_value(Renderer::create(test::hooked_get_proc_address, options));
  OffscreenTarget target = test::require_value(OffscreenTarget::create(renderer, 48, 48, 4));
  const auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  const Model model = test::require_value(renderer.upload(*character));
  PoseBuffers posed;
  pose_clip(*character, ClipId{1}, {}, posed);
  target.begin();
  renderer.draw(model, posed, {{0, 40}, 0.4F, {48, 48}});
  return {target.finish(), compiled};
}

/// A small program.
Expected<GLuint, RenderError> link(const Gl& gl) {
  const char* const head = gl.is_es ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
  return link_program(gl, {{GL_VERTEX_SHADER, "a", {head, "void main() { gl_Position = vec4(0); }"}},
                           {GL_FRAGMENT_SHADER, "b", {head, "out vec4 color; void main() { color = vec4(1); }"}}});
}

}  // namespace

TEST_CASE("the second renderer takes the programs of the first", "[render]") {
  const test::Session session;
  const bool has_binaries = offers_binaries(*session.gl);
  const Drawn plain = draw(session, {});
  CHECK(plain.compiled > 0);
  Memory memory;
  const Drawn first = draw(session, {.program_cache = memory.cache()});
  CHECK(first.compiled == plain.compiled);
  CHECK(first.image.rgba == plain.image.rgba);
  CHECK(memory.programs.size() == (has_binaries ? plain.compiled / 2 : 0));
  CHECK(memory.loads == memory.programs.size());
  CHECK(memory.stores == memory.programs.size());

  const Drawn second = draw(session, {.program_cache = memory.cache()});
  CHECK(second.compiled == (has_binaries ? 0 : plain.compiled));
  CHECK(second.image.rgba == plain.image.rgba);
  CHECK(memory.stores == memory.programs.size());
}

TEST_CASE("a program cache has one key for each program", "[render]") {
  const test::Session session;
  Memory memory;
  draw(session, {.program_cache = memory.cache()});
  const std::size_t programs = memory.programs.size();
  draw(session, {.blend_space = BlendSpace::linear, .program_cache = memory.cache()});
  draw(session, {.fragment_main = "return color.bgra;", .program_cache = memory.cache()});
  CHECK((memory.loads > programs) == offers_binaries(*session.gl));
  CHECK(memory.stores == memory.programs.size());
  for (const auto& [key, bytes] : memory.programs) {
    CHECK(key.size() == 16);
    CHECK(key.find_first_not_of("0123456789abcdef") == std::string::npos);
  }
}

TEST_CASE("a cache can only load, or only store", "[render]") {
  const test::Session session;
  Memory memory;
  const Drawn first = draw(session, {.program_cache = {.store = memory.cache().store}});
  CHECK(memory.loads == 0);
  const Drawn second = draw(session, {.program_cache = {.load = memory.cache().load}});
  CHECK((second.compiled == 0) == offers_binaries(*session.gl));
  CHECK(second.image.rgba == first.image.rgba);
  memory.programs.clear();
  CHECK(draw(session, {.program_cache = {.load = memory.cache().load}}).compiled == first.compiled);
  CHECK(memory.programs.empty());
}

TEST_CASE("damaged programs are compiled again and replaced", "[render]") {
  const test::Session session;
  if (!offers_binaries(*session.gl)) return;
  Memory memory;
  Gl gl = *session.gl;
  compile_really = session.gl->CompileShader;
  gl.CompileShader = count_compiling;
  gl.program_cache = memory.cache();
  const auto compiles = [&] {
    compiled = 0;
    const GLuint program = test::require_value(link(gl));
    GLint linked = GL_FALSE;
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl.DeleteProgram(program);
    return linked == GL_TRUE && compiled == 2;
  };
  CHECK(compiles());
  REQUIRE(memory.programs.size() == 1);
  std::vector<std::byte>& stored = memory.programs.begin()->second;
  const std::vector<std::byte> whole = stored;
  CHECK_FALSE(compiles());
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    stored = whole;
    stored[at] ^= std::byte{1};
    accepted += compiles() ? 0 : 1;
  }
  CHECK(accepted == 0);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    stored.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    accepted += compiles() ? 0 : 1;
  }
  CHECK(accepted == 0);
  stored = whole;
  stored.push_back(std::byte{0});
  CHECK(compiles());
  CHECK(stored == whole);
}

TEST_CASE("a program that the driver rejects is compiled", "[render]") {
  const test::Session session;
  if (!offers_binaries(*session.gl)) return;
  Memory memory;
  Gl gl = *session.gl;
  gl.program_cache = memory.cache();
  gl.DeleteProgram(test::require_value(link(gl)));
  gl.ProgramBinary = [](GLuint, GLenum, const void*, GLsizei) {};
  const GLuint program = test::require_value(link(gl));
  CHECK(memory.stores == 2);
  gl.DeleteProgram(program);
}

TEST_CASE("without program binaries, nothing is loaded or stored", "[render]") {
  const test::Session session;
  Memory memory;
  Gl gl = *session.gl;
  gl.program_cache = memory.cache();
  gl.GetProgramBinary = nullptr;
  gl.DeleteProgram(test::require_value(link(gl)));
  static PFNGLGETINTEGERVPROC get_really = nullptr;
  get_really = session.gl->GetIntegerv;
  gl.GetProgramBinary = session.gl->GetProgramBinary;
  gl.GetIntegerv = [](GLenum name, GLint* value) {
    name == GL_NUM_PROGRAM_BINARY_FORMATS ? static_cast<void>(*value = 0) : get_really(name, value);
  };
  gl.DeleteProgram(test::require_value(link(gl)));
  CHECK(memory.loads == 0);
  CHECK(memory.stores == 0);
}

}  // namespace program_cache_test

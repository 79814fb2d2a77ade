// SPDX-License-Identifier: MIT
// Working contexts, and contexts and systems with missing parts.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "render/palette_store.hpp"
#include "render/program.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <array>
#include <cstdlib>
#include <future>
#include <map>
#include <random>
#include <thread>
#include <type_traits>

namespace context_test {
namespace {

using namespace pchr;
using namespace pchr::test;

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

TEST_CASE("a headless context describes itself and needs no display", "[render]") {
  const auto context = HeadlessContext::create(headless_options());
  REQUIRE(context);
  CHECK_THAT(context->description(), contains("OpenGL "));
  const auto gl = require_value(load_gl(context->get_proc_address()));
  CHECK(gl->is_es == (headless_options().api == GlApi::es));
  if (!gl->is_es) CHECK((get_integer(*gl, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_CORE_PROFILE_BIT) != 0);
}

TEST_CASE("function loaders that return object pointers work as well", "[render]") {
  static std::optional<HeadlessContext> context;
  context = require_value(HeadlessContext::create(headless_options()));
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
    const auto context = HeadlessContext::create(headless_options(debug));
    REQUIRE(context);
    const auto gl = require_value(load_gl(context->get_proc_address()));
    CHECK(((get_integer(*gl, GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_DEBUG_BIT) != 0) == debug);
  }
}

TEST_CASE("headless contexts can be created and destroyed repeatedly", "[render]") {
  std::optional<HeadlessContext> kept;
  for (int i = 0; i < 8; ++i) {
    auto context = HeadlessContext::create(headless_options());
    REQUIRE(context);
    kept = std::move(*context);
    CHECK(Renderer::create(kept->get_proc_address()));
  }
  HeadlessContext moved = std::move(*kept);
  kept.reset();
  CHECK(Renderer::create(moved.get_proc_address()));
}

TEST_CASE("of several headless contexts, each can be made current again", "[render]") {
  auto first = require_value(HeadlessContext::create(headless_options()));
  const auto gl = require_value(load_gl(first.get_proc_address()));
  gl->ClearColor(0.25F, 0, 0, 0);
  const auto clear_red = [&] {
    GLfloat color[4] = {};
    gl->GetFloatv(GL_COLOR_CLEAR_VALUE, color);
    return color[0];
  };
  {
    auto second = require_value(HeadlessContext::create(headless_options()));
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
    auto created = HeadlessContext::create(headless_options());
    if (created) context = std::move(*created);
    // Only one thread at a time can have a context, and creating another one gives it up.
    const auto other = HeadlessContext::create(headless_options());
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
  const Session session;
  const auto error_for = [&](auto* get_string) {
    const Hooks hooks(session.get_proc_address(), {{"glGetString", as_hook(get_string)}});
    return error_on(hooked_get_proc_address);
  };
  CHECK(error_for(get_version<kOpenGl21>) ==
        "OpenGL 3.3 or OpenGL ES 3.0 or newer is required, but this context is \"2.1 Mesa 22.3.6\"");
  CHECK_THAT(error_for(get_version<kOpenGl32>), contains("3.2.0 NVIDIA"));
  CHECK_THAT(error_for(get_version<kOpenGlEs20>), contains("OpenGL ES 2.0"));
}

TEST_CASE("a loader that misses functions is an error", "[render]") {
  const Session session;
  for (const char* name : {"glBindSampler", "glGenVertexArrays", "glDrawElementsInstanced", "glTexBuffer"}) {
    if (session.gl->is_es && std::string_view(name) == "glTexBuffer") continue;
    const Hooks hooks(session.get_proc_address(), {{name, nullptr}});
    CHECK_THAT(error_on(hooked_get_proc_address), contains("cannot load some functions of OpenGL "));
  }
}

TEST_CASE("a driver that rejects the shaders is an error with the driver's log", "[render]") {
  Session session;
  static const Gl* real = nullptr;
  real = session.gl.get();
  const auto corrupt_source = [](GLuint shader, GLsizei, const GLchar* const*, const GLint*) {
    const char* source = "#version 330 core\nvoid main() { nonsense }";
    real->ShaderSource(shader, 1, &source, nullptr);
  };
  const Hooks hooks(session.get_proc_address(), {{"glShaderSource", as_hook(+corrupt_source)}});
  const auto renderer = Renderer::create(hooked_get_proc_address);
  REQUIRE_FALSE(renderer);
  CHECK_THAT(renderer.error().message, contains("rejected the shaders") && contains("error"));
  (void)session.take_messages();
}

// Run by separate tests, in environments without drivers or without EGL.
TEST_CASE("without any driver the error says what to install", "[.][without_drivers]") {
  const auto context = HeadlessContext::create(headless_options());
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  const char* const hint = std::getenv("PCHR_EXPECTED_HINT");
  REQUIRE(hint != nullptr);
  CHECK_THAT(context.error().message, contains("cannot create an OpenGL 3.3 context") && contains(hint));
}

TEST_CASE("without libEGL the error names the packages", "[.][without_egl]") {
  const auto context = HeadlessContext::create(headless_options());
  REQUIRE_FALSE(context);
  WARN(context.error().message);
  CHECK_THAT(context.error().message, contains("cannot load libEGL.so.1") && contains("libegl1"));
}

// Compiled programs that are kept between renderers.

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
Drawn draw(const Session& session, const RendererOptions& options) {
  compile_really = session.gl->CompileShader;
  compiled = 0;
  const Hooks hooks(session.get_proc_address(), {{"glCompileShader", as_hook(count_compiling)}});
  Renderer renderer = require_value(Renderer::create(hooked_get_proc_address, options));
  OffscreenTarget target = require_value(OffscreenTarget::create(renderer, 48, 48, 4));
  const auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  const Model model = require_value(renderer.upload(*character));
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

TEST_CASE("the second renderer takes the programs of the first", "[render]") {
  const Session session;
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
  const Session session;
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
  const Session session;
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
  const Session session;
  if (!offers_binaries(*session.gl)) return;
  Memory memory;
  Gl gl = *session.gl;
  compile_really = session.gl->CompileShader;
  gl.CompileShader = count_compiling;
  gl.program_cache = memory.cache();
  const auto compiles = [&] {
    compiled = 0;
    const GLuint program = require_value(link(gl));
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
  const Session session;
  if (!offers_binaries(*session.gl)) return;
  Memory memory;
  Gl gl = *session.gl;
  gl.program_cache = memory.cache();
  gl.DeleteProgram(require_value(link(gl)));
  gl.ProgramBinary = [](GLuint, GLenum, const void*, GLsizei) {};
  const GLuint program = require_value(link(gl));
  CHECK(memory.stores == 2);
  gl.DeleteProgram(program);
}

TEST_CASE("without program binaries, nothing is loaded or stored", "[render]") {
  const Session session;
  Memory memory;
  Gl gl = *session.gl;
  gl.program_cache = memory.cache();
  gl.GetProgramBinary = nullptr;
  gl.DeleteProgram(require_value(link(gl)));
  static PFNGLGETINTEGERVPROC get_really = nullptr;
  get_really = session.gl->GetIntegerv;
  gl.GetProgramBinary = session.gl->GetProgramBinary;
  gl.GetIntegerv = [](GLenum name, GLint* value) {
    name == GL_NUM_PROGRAM_BINARY_FORMATS ? static_cast<void>(*value = 0) : get_really(name, value);
  };
  gl.DeleteProgram(require_value(link(gl)));
  CHECK(memory.loads == 0);
  CHECK(memory.stores == 0);
}

// Renderers, models, targets and contexts destroyed in any order.

Character arm() {
  auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  return *character;
}

struct Parts {
  Renderer renderer;
  OffscreenTarget target;
  Model model;
};

Parts make_parts(const Session& session) {
  auto renderer = session.renderer();
  auto model = require_value(renderer.upload(arm()));
  return {std::move(renderer), require_value(OffscreenTarget::create(session.get_proc_address(), 48, 48)),
          std::move(model)};
}

Bitmap render(Renderer& renderer, OffscreenTarget& target, const Model& model, std::uint32_t frame) {
  PoseBuffers posed;
  pose_clip(model.character(), ClipId{1}, {frame, frame, 0}, posed);
  const Camera camera{{0, 40}, 0.4F, {48, 48}};
  target.begin();
  renderer.draw(model, posed, camera);
  return target.finish();
}

Bitmap render(Parts& parts, std::uint32_t frame) { return render(parts.renderer, parts.target, parts.model, frame); }

TEST_CASE("two renderers on one context draw alternately, and each other's models", "[render]") {
  const Session session;
  Parts first = make_parts(session), second = make_parts(session);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    const auto expected = render(first, frame).rgba;
    CHECK(render(second, frame).rgba == expected);
    CHECK(render(second.renderer, first.target, first.model, frame).rgba == expected);
  }
}

TEST_CASE("two contexts draw alternately", "[render]") {
  Session first_session, second_session;
  first_session.make_current();
  std::optional<Parts> first = make_parts(first_session);
  second_session.make_current();
  std::optional<Parts> second = make_parts(second_session);
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    first_session.make_current();
    const auto expected = render(*first, frame).rgba;
    CHECK(expected != std::vector<std::uint8_t>(expected.size(), 0));
    second_session.make_current();
    CHECK(render(*second, frame).rgba == expected);
  }
  second.reset();
  first_session.make_current();
  CHECK(render(*first, 0).rgba == render(*first, 0).rgba);
  first.reset();
}

/// Draws on a thread with its own context. Has no checks, because Catch2's are not thread-safe.
std::vector<std::uint8_t> render_on_own_context(const Character& character) {
  auto context = HeadlessContext::create(headless_options());
  if (!context) return {};
  auto renderer = Renderer::create(context->get_proc_address());
  auto target = OffscreenTarget::create(context->get_proc_address(), 48, 48);
  if (!renderer || !target) return {};
  std::vector<std::uint8_t> pixels;
  for (std::uint32_t round = 0; round < 3; ++round) {
    auto model = renderer->upload(character);
    if (!model) return {};
    for (std::uint32_t frame = 0; frame < 8; ++frame) {
      const Bitmap posed = render(*renderer, *target, *model, frame);
      pixels.insert(pixels.end(), posed.rgba.begin(), posed.rgba.end());
      const Instance instances[] = {{ClipId{1}, {frame, frame, 0}, {}},
                                    {ClipId{1}, {frame, (frame + 1) % 8, 0.5F}, {}}};
      target->begin();
      renderer->draw(*model, instances, {{0, 40}, 0.4F, {48, 48}});
      const Bitmap crowd = target->finish();
      pixels.insert(pixels.end(), crowd.rgba.begin(), crowd.rgba.end());
    }
  }
  return pixels;
}

TEST_CASE("contexts on their own threads draw one character concurrently", "[render]") {
  const Character character = arm();
  const auto expected = render_on_own_context(character);
  CHECK(expected.size() == 3 * 8 * 2 * 48 * 48 * 4);
  std::array<std::future<std::vector<std::uint8_t>>, 4> threads;
  for (auto& thread : threads) thread = std::async(std::launch::async, render_on_own_context, character);
  for (auto& thread : threads) CHECK((thread.get() == expected));
}

TEST_CASE("a renderer calls only functions from its own loader", "[render]") {
  const Session session;
  static const Gl* real = nullptr;
  static int calls = 0;
  real = session.gl.get();
  calls = 0;
  const auto count = [](GLenum target, GLuint texture) {
    ++calls;
    real->BindTexture(target, texture);
  };
  Parts plain = make_parts(session);
  const auto expected = render(plain, 2).rgba;
  const Hooks hooks(session.get_proc_address(), {{"glBindTexture", as_hook(+count)}});
  auto counted = require_value(Renderer::create(hooked_get_proc_address));
  calls = 0;
  CHECK(render(plain, 2).rgba == expected);
  CHECK(calls == 0);
  CHECK(render(counted, plain.target, plain.model, 2).rgba == expected);
  CHECK(calls > 0);
}

TEST_CASE("a model can be destroyed before or after its renderer", "[render]") {
  const Session session;
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 48, 48));
  std::optional<Renderer> first = session.renderer();
  std::optional<Model> model = require_value(first->upload(arm()));
  const auto expected = render(*first, target, *model, 2).rgba;
  first.reset();
  auto second = session.renderer();
  CHECK(render(second, target, *model, 2).rgba == expected);
  model.reset();
  const Model another = require_value(second.upload(arm()));
  CHECK(render(second, target, another, 2).rgba == expected);
}

TEST_CASE("nothing is left on the context after everything is destroyed", "[render]") {
  const Session session;
  {
    Parts parts = make_parts(session);
  }
  const Gl& gl = *session.gl;
  for (GLuint name = 1; name < 64; ++name) {
    CHECK(gl.IsBuffer(name) == GL_FALSE);
    CHECK(gl.IsTexture(name) == GL_FALSE);
    CHECK(gl.IsSampler(name) == GL_FALSE);
    CHECK(gl.IsVertexArray(name) == GL_FALSE);
    CHECK(gl.IsFramebuffer(name) == GL_FALSE);
    CHECK(gl.IsRenderbuffer(name) == GL_FALSE);
    CHECK(gl.IsProgram(name) == GL_FALSE);
    CHECK(gl.IsShader(name) == GL_FALSE);
  }
}

TEST_CASE("moving keeps the contents, and moved-from objects are destroyed cleanly", "[render]") {
  const Session session;
  Parts parts = make_parts(session);
  const auto expected = render(parts, 3).rgba;
  Parts moved = std::move(parts);
  CHECK(render(moved, 3).rgba == expected);
  Parts other = make_parts(session);
  other = std::move(moved);
  CHECK(render(other, 3).rgba == expected);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Model> && std::is_nothrow_move_assignable_v<Model>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Model>);
}

// Which palettes stay on the GPU, and where.

std::vector<BoneTexels> bones(std::size_t count, float value) {
  return std::vector(count, BoneTexels{value, 0, 0, value, 0, 0, 1, 0});
}

/// Returns the first value of a texel in a 2D palette texture.
float texel_at(const Gl& gl, GLuint texture, std::uint32_t number) {
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  REQUIRE(gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  std::array<float, 4> texel{};
  gl.ReadPixels(static_cast<GLint>(number % kPaletteWidth), static_cast<GLint>(number / kPaletteWidth), 1, 1, GL_RGBA,
                GL_FLOAT, texel.data());
  gl.DeleteFramebuffers(1, &framebuffer);
  return texel[0];
}

/// Returns what the GPU holds at a block's first bone.
float value_at(const Session& session, const PaletteStore& store, const PaletteStore::Block& block) {
  const Gl& gl = *session.gl;
  if (gl.is_es) return texel_at(gl, store.texture(block.page), 2 * block.first_bone);
  GLint buffer = 0;
  gl.BindTexture(GL_TEXTURE_BUFFER, store.texture(block.page));
  gl.GetIntegerv(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
  if (buffer == 0) {
    gl.GetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
  }
  gl.BindBuffer(GL_TEXTURE_BUFFER, static_cast<GLuint>(buffer));
  float value = 0;
  gl.GetBufferSubData(GL_TEXTURE_BUFFER, GLintptr{block.first_bone} * 32, sizeof(value), &value);
  return value;
}

TEST_CASE("the least recently used palette is evicted first, and never one in use", "[render]") {
  const Session session;
  PaletteStore store(session.gl, std::uint64_t{3} * 100 * 32);
  PaletteStore::Handle handles[5];
  for (int i = 0; i < 3; ++i) {
    store.begin_use();
    handles[i] = store.store(bones(100, static_cast<float>(i))).value();
  }
  store.begin_use();
  CHECK(store.find(handles[0]) != nullptr);
  handles[3] = store.store(bones(100, 3)).value();
  CHECK(store.find(handles[1]) == nullptr);
  CHECK(store.find(handles[0]) != nullptr);
  CHECK(store.find(handles[2]) != nullptr);
  CHECK_FALSE(store.store(bones(100, 4)));
  store.begin_use();
  handles[4] = store.store(bones(250, 4)).value();
  CHECK(store.find(handles[0]) == nullptr);
  CHECK(store.find(handles[2]) == nullptr);
  CHECK(store.find(handles[3]) == nullptr);
  CHECK_FALSE(store.store(bones(301, 5)));
  CHECK(store.find(handles[4]) != nullptr);
}

TEST_CASE("palettes keep their values while others come and go and memory grows", "[render]") {
  const Session session;
  PaletteStore store(session.gl, std::uint64_t{64} << 20);
  std::mt19937 random(3);
  struct Kept {
    PaletteStore::Handle handle;
    float value;
  };
  std::vector<Kept> kept;
  for (int i = 0; i < 400; ++i) {
    store.begin_use();
    if (!kept.empty() && random() % 3 == 0) {
      const std::size_t gone = random() % kept.size();
      store.release(kept[gone].handle);
      CHECK(store.find(kept[gone].handle) == nullptr);
      kept[gone] = kept.back();
      kept.pop_back();
    }
    const auto value = static_cast<float>(i);
    kept.push_back({store.store(bones(1 + random() % 2000, value)).value(), value});
    const Kept& any = kept[random() % kept.size()];
    const PaletteStore::Block* block = store.find(any.handle);
    REQUIRE(block != nullptr);
    CHECK(value_at(session, store, *block) == any.value);
  }
  CHECK(store.gpu_bytes() > 8192 * 32);
  CHECK(store.gpu_bytes() <= std::uint64_t{64} << 20);
  for (const Kept& each : kept) store.release(each.handle);
}

}  // namespace
}  // namespace context_test

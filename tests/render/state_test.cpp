// SPDX-License-Identifier: MIT
// Checks an engine's OpenGL state after each call to the renderer.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/3d.hpp>
#include <pchr/load.hpp>

#include <fmt/format.h>

#include <map>

namespace state_test {
using namespace pchr;
using namespace pchr::test;

namespace {

using State = std::map<std::string, std::vector<GLint>>;

struct Query {
  const char* name;
  GLenum query;
  std::size_t count = 1;
};
#define QUERY(name, ...) {#name, name __VA_OPT__(, ) __VA_ARGS__}

constexpr Query kQueries[] = {
    // State that the renderer changes and restores.
    QUERY(GL_CURRENT_PROGRAM), QUERY(GL_VERTEX_ARRAY_BINDING), QUERY(GL_ARRAY_BUFFER_BINDING), QUERY(GL_TEXTURE_BUFFER),
    QUERY(GL_PIXEL_UNPACK_BUFFER_BINDING), QUERY(GL_DRAW_INDIRECT_BUFFER_BINDING), QUERY(GL_ACTIVE_TEXTURE),
    QUERY(GL_BLEND), QUERY(GL_BLEND_EQUATION_RGB), QUERY(GL_BLEND_EQUATION_ALPHA), QUERY(GL_BLEND_SRC_RGB),
    QUERY(GL_BLEND_DST_RGB), QUERY(GL_BLEND_SRC_ALPHA), QUERY(GL_BLEND_DST_ALPHA), QUERY(GL_DEPTH_TEST),
    QUERY(GL_STENCIL_TEST), QUERY(GL_CULL_FACE), QUERY(GL_PRIMITIVE_RESTART), QUERY(GL_UNPACK_ALIGNMENT),
    QUERY(GL_UNPACK_SWAP_BYTES), QUERY(GL_UNPACK_LSB_FIRST), QUERY(GL_UNPACK_ROW_LENGTH), QUERY(GL_UNPACK_IMAGE_HEIGHT),
    QUERY(GL_UNPACK_SKIP_PIXELS), QUERY(GL_UNPACK_SKIP_ROWS), QUERY(GL_UNPACK_SKIP_IMAGES),
    // State that it must not change, and state that an offscreen target restores.
    QUERY(GL_DRAW_FRAMEBUFFER_BINDING), QUERY(GL_READ_FRAMEBUFFER_BINDING), QUERY(GL_RENDERBUFFER_BINDING),
    QUERY(GL_VIEWPORT, 4), QUERY(GL_SCISSOR_TEST), QUERY(GL_SCISSOR_BOX, 4), QUERY(GL_COLOR_WRITEMASK, 4),
    QUERY(GL_POLYGON_MODE), QUERY(GL_DEPTH_WRITEMASK), QUERY(GL_DEPTH_FUNC), QUERY(GL_STENCIL_FUNC),
    QUERY(GL_CULL_FACE_MODE), QUERY(GL_FRONT_FACE), QUERY(GL_FRAMEBUFFER_SRGB), QUERY(GL_MULTISAMPLE),
    QUERY(GL_PACK_ALIGNMENT), QUERY(GL_PACK_ROW_LENGTH), QUERY(GL_PACK_SKIP_ROWS), QUERY(GL_PACK_SKIP_PIXELS),
    QUERY(GL_PIXEL_PACK_BUFFER_BINDING), QUERY(GL_COPY_WRITE_BUFFER_BINDING), QUERY(GL_COPY_READ_BUFFER_BINDING),
    QUERY(GL_UNIFORM_BUFFER_BINDING), QUERY(GL_ELEMENT_ARRAY_BUFFER_BINDING), QUERY(GL_PRIMITIVE_RESTART_INDEX),
    QUERY(GL_COLOR_CLEAR_VALUE, 4)};

constexpr GLuint kUnits = 17;

constexpr GLenum kNotInEs[] = {GL_TEXTURE_BUFFER,    GL_DRAW_INDIRECT_BUFFER_BINDING,
                               GL_PRIMITIVE_RESTART, GL_PRIMITIVE_RESTART_INDEX,
                               GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST,
                               GL_POLYGON_MODE,      GL_MULTISAMPLE};

bool has(const Gl& gl, GLenum value) {
  if (value == GL_FRAMEBUFFER_SRGB) return gl.has_srgb_switch;
  return !gl.is_es || std::ranges::find(kNotInEs, value) == std::end(kNotInEs);
}

State snapshot(const Gl& gl) {
  State state;
  for (const Query& query : kQueries) {
    if (!has(gl, query.query)) continue;
    std::vector<GLint> values(8);
    gl.GetIntegerv(query.query, values.data());
    values.resize(query.count);
    state[query.name] = std::move(values);
  }
  const GLint active = get_integer(gl, GL_ACTIVE_TEXTURE);
  for (GLuint unit = 0; unit < kUnits; ++unit) {
    gl.ActiveTexture(GL_TEXTURE0 + unit);
    state[fmt::format("unit {}", unit)] = {
        get_integer(gl, GL_TEXTURE_BINDING_2D), gl.is_es ? 0 : get_integer(gl, GL_TEXTURE_BINDING_BUFFER),
        get_integer(gl, GL_SAMPLER_BINDING), get_integer(gl, GL_TEXTURE_BINDING_CUBE_MAP)};
  }
  gl.ActiveTexture(static_cast<GLenum>(active));
  for (GLuint buffer = 0; buffer < (gl.is_es ? 0 : 3); ++buffer) {
    std::vector<GLint>& values = state[fmt::format("draw buffer {}", buffer)];
    values = {gl.IsEnabledi(GL_BLEND, buffer)};
    if (gl.VERSION_4_0 == 0) continue;
    for (const GLenum value : {GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA,
                               GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA}) {
      gl.GetIntegeri_v(value, buffer, &values.emplace_back());
    }
  }
  if (gl.VERSION_4_1 != 0) state["pipeline"] = {get_integer(gl, GL_PROGRAM_PIPELINE_BINDING)};
  if (gl.VERSION_4_3 != 0) {
    state["shader storage"] = {get_integer(gl, GL_SHADER_STORAGE_BUFFER_BINDING)};
    state["fixed restart"] = {gl.IsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX)};
  }
  return state;
}

/// Returns the values in `now` that differ from `before`.
std::vector<std::string> changes(const State& before, const State& now) {
  std::vector<std::string> names;
  for (const auto& [name, values] : before) {
    if (now.at(name) != values) names.push_back(name);
  }
  return names;
}

const std::vector<std::string> kNone;

GLuint make_program(const Gl& gl) {
  const std::string version = gl.is_es ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
  const std::string texts[] = {version + "void main() { gl_Position = vec4(0.0); }",
                               version + "out vec4 color;\nvoid main() { color = vec4(1.0); }"};
  const char* sources[] = {texts[0].c_str(), texts[1].c_str()};
  const GLenum stages[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
  const GLuint program = gl.CreateProgram();
  for (int i = 0; i < 2; ++i) {
    const GLuint shader = gl.CreateShader(stages[i]);
    gl.ShaderSource(shader, 1, &sources[i], nullptr);
    gl.CompileShader(shader);
    gl.AttachShader(program, shader);
    gl.DeleteShader(shader);
  }
  gl.LinkProgram(program);
  return program;
}

/// Objects of an engine, and state in which nothing has its default value.
struct Engine {
  const Gl& gl;
  GLuint program = make_program(gl);
  GLuint vertex_array = 0, framebuffer = 0, renderbuffer = 0;
  GLuint buffers[9] = {};
  GLuint pipeline = 0, storage = 0;  // If the context supports them.
  GLuint textures_2d[kUnits] = {}, buffer_textures[kUnits] = {}, samplers[kUnits] = {};

  explicit Engine(const Gl& functions) : gl(functions) {
    gl.GenVertexArrays(1, &vertex_array);
    gl.GenBuffers(9, buffers);
    gl.GenFramebuffers(1, &framebuffer);
    gl.GenRenderbuffers(1, &renderbuffer);
    gl.GenTextures(kUnits, textures_2d);
    gl.GenTextures(kUnits, buffer_textures);
    gl.GenSamplers(kUnits, samplers);
    bind_objects();
    set_unusual_values();
    if (gl.VERSION_4_0 != 0) set_values_of_4_0();
    if (gl.VERSION_4_3 != 0) set_values_of_4_3();
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  ~Engine() {
    gl.UseProgram(0);
    if (gl.VERSION_4_3 != 0) {
      gl.Disable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
      gl.DeleteProgramPipelines(1, &pipeline);
      gl.DeleteBuffers(1, &storage);
    }
    gl.DeleteProgram(program);
    gl.DeleteVertexArrays(1, &vertex_array);
    gl.DeleteBuffers(9, buffers);
    gl.DeleteFramebuffers(1, &framebuffer);
    gl.DeleteRenderbuffers(1, &renderbuffer);
    gl.DeleteTextures(kUnits, textures_2d);
    gl.DeleteTextures(kUnits, buffer_textures);
    gl.DeleteSamplers(kUnits, samplers);
  }

  void bind_objects() {
    gl.UseProgram(program);
    gl.BindVertexArray(vertex_array);
    const GLenum targets[] = {GL_ARRAY_BUFFER,      GL_TEXTURE_BUFFER,       GL_PIXEL_UNPACK_BUFFER,
                              GL_PIXEL_PACK_BUFFER, GL_COPY_WRITE_BUFFER,    GL_COPY_READ_BUFFER,
                              GL_UNIFORM_BUFFER,    GL_ELEMENT_ARRAY_BUFFER, GL_DRAW_INDIRECT_BUFFER};
    for (std::size_t i = 0; i < std::size(targets); ++i) {
      if (gl.is_es && (targets[i] == GL_TEXTURE_BUFFER || targets[i] == GL_DRAW_INDIRECT_BUFFER)) continue;
      gl.BindBuffer(targets[i], buffers[i]);
      gl.BufferData(targets[i], 64, nullptr, GL_STATIC_DRAW);
    }
    for (GLuint unit = 0; unit < kUnits; ++unit) {
      gl.ActiveTexture(GL_TEXTURE0 + unit);
      gl.BindTexture(GL_TEXTURE_2D, textures_2d[unit]);
      if (!gl.is_es) gl.BindTexture(GL_TEXTURE_BUFFER, buffer_textures[unit]);
      gl.BindSampler(unit, samplers[unit]);
    }
    gl.ActiveTexture(GL_TEXTURE0 + 2);
    gl.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
  }

  // Different blending for each draw buffer.
  void set_values_of_4_0() const {
    gl.Disablei(GL_BLEND, 0);
    gl.BlendEquationSeparatei(1, GL_MIN, GL_FUNC_SUBTRACT);
    gl.BlendFuncSeparatei(1, GL_ONE_MINUS_DST_COLOR, GL_ZERO, GL_SRC_ALPHA, GL_ONE);
    gl.BlendEquationSeparatei(2, GL_MAX, GL_MIN);
    gl.BlendFuncSeparatei(2, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_COLOR, GL_ZERO, GL_DST_COLOR);
  }

  void set_values_of_4_3() {
    gl.GenProgramPipelines(1, &pipeline);
    gl.BindProgramPipeline(pipeline);
    gl.GenBuffers(1, &storage);
    gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, storage);
    gl.Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  }

  void set_unusual_values() {
    if (!gl.is_es) gl.Enablei(GL_BLEND, 1);
    gl.BlendEquationSeparate(GL_FUNC_REVERSE_SUBTRACT, GL_MAX);
    gl.BlendFuncSeparate(GL_DST_COLOR, GL_SRC_COLOR, GL_ONE_MINUS_DST_ALPHA, GL_DST_ALPHA);
    for (const GLenum capability :
         {GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_PRIMITIVE_RESTART, GL_SCISSOR_TEST, GL_FRAMEBUFFER_SRGB}) {
      if (has(gl, capability)) gl.Enable(capability);
    }
    if (!gl.is_es) {
      gl.Disable(GL_MULTISAMPLE);
      gl.PrimitiveRestartIndex(2);
      gl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    }
    gl.DepthMask(GL_FALSE);
    gl.DepthFunc(GL_GREATER);
    gl.StencilFunc(GL_NEVER, 1, 0xff);
    gl.CullFace(GL_FRONT_AND_BACK);
    gl.FrontFace(GL_CW);
    gl.Viewport(1, 2, 3, 4);
    gl.Scissor(5, 6, 7, 8);
    gl.ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    gl.ClearColor(0, 1, 0, 1);
    const std::pair<GLenum, GLint> transfer[] = {
        {GL_UNPACK_ALIGNMENT, 2},    {GL_UNPACK_SWAP_BYTES, 1},  {GL_UNPACK_LSB_FIRST, 1}, {GL_UNPACK_ROW_LENGTH, 7},
        {GL_UNPACK_IMAGE_HEIGHT, 9}, {GL_UNPACK_SKIP_PIXELS, 3}, {GL_UNPACK_SKIP_ROWS, 2}, {GL_UNPACK_SKIP_IMAGES, 1},
        {GL_PACK_ALIGNMENT, 8},      {GL_PACK_ROW_LENGTH, 11},   {GL_PACK_SKIP_ROWS, 1},   {GL_PACK_SKIP_PIXELS, 5}};
    for (const auto& [name, value] : transfer) {
      if (has(gl, name)) gl.PixelStorei(name, value);
    }
  }
};

struct Scene {
  Character character = make_character();
  PoseBuffers posed;

  Scene() { pose_bind(character, posed); }

  static Character make_character() {
    auto character = Character::build(two_bone_arm());
    REQUIRE(character);
    return *character;
  }
};

/// Calls everything that a renderer has and checks the engine's state after each call.
void check_work_leaves_state(const Gl& gl, GetProcAddress get_proc_address, const RendererOptions& options) {
  const Scene scene;
  const auto bitmaps = decode_images(scene.character);
  REQUIRE(bitmaps);
  const Camera camera = fit({{}, 1, {8, 8}}, bounds(scene.character, scene.posed));
  const Engine engine(gl);
  const State before = snapshot(gl);
  const auto check = [&](const char* after) {
    INFO("after " << after);
    CHECK(changes(before, snapshot(gl)) == kNone);
  };

  std::optional<Renderer> renderer = require_value(Renderer::create(get_proc_address, options));
  check("Renderer::create");
  std::optional<Model> model = require_value(renderer->upload(scene.character));
  check("upload");
  Upload upload = require_value(renderer->begin_upload(scene.character, *bitmaps));
  check("begin_upload");
  CHECK_FALSE(upload.step(100));
  check("a step of vertices");
  CHECK_FALSE(upload.step(upload.bytes_left() - 100));
  check("a step to the middle of an image");
  CHECK(upload.step_for(3600));
  check("step_for");
  model = std::move(upload).finish();
  check("finish, and a model destroyed");
  std::optional<Upload> dropped = require_value(renderer->begin_upload(scene.character, *bitmaps));
  dropped->step(5000);
  dropped.reset();
  check("an upload dropped");

  renderer->draw(*model, scene.posed, camera);
  CHECK(renderer->statistics().draw_calls == (gl.VERSION_4_3 != 0 ? 1 : 2));
  check("draw posed");
  renderer->draw(*model, scene.posed.palette, scene.posed.draw_list, camera);
  check("draw a palette");
  const bool fits = options.palette_budget_bytes > 0;
  CHECK(renderer->bake(*model, ClipId{0}, Sampling::step) == fits);
  check("bake");
  SkinData data;
  part_of(data, MeshId{0}).tint = {1, 0, 0, 1};
  part_of(data, MeshId{1}).image = add_image(data, scene.character, {2, 2, std::vector<std::uint8_t>(16)});
  std::optional<Skin> skin = require_value(renderer->upload_skin(*model, data));
  check("upload_skin");
  renderer->draw(*model, scene.posed, camera, {.skin = &*skin});
  check("draw posed in a skin");
  const Attachment badge{.bone = BoneId{0}, .model = &*model, .posed = &scene.posed};
  const DrawOptions screened{.appearance = {.blend = Blend::screen}, .depth = DepthMode::test_and_write};
  renderer->draw(*model, scene.posed, camera, screened, {&badge, 1});
  CHECK(renderer->statistics().instances == 2);
  check("draw an attachment, with blending and depth");
  // The other clip is baked on first use, and drawn both ways.
  const Instance instances[] = {{ClipId{1}, {0, 1, 0.5F}, {.blend = Blend::multiply}},
                                {ClipId{1}, {2, 2, 0}, {}, &*skin},
                                {ClipId::none, {}, {}}};
  renderer->draw(*model, instances, camera);
  CHECK(renderer->statistics().instances == 3);
  CHECK(renderer->statistics().posed == (fits ? 0 : 3));
  check("draw instances");
  renderer->draw(*model, instances, camera, StateHandling::restore, DepthMode::test);
  check("draw instances with depth");

  const Character solid = load_character(bytes_of(small_psk())).value();
  PoseBuffers posed;
  pose_bind(solid, posed);
  const Model solid_model = require_value(renderer->upload(solid));
  check("upload a 3D character");
  renderer->draw(solid_model, posed, camera);
  check("draw a 3D character's front");
  renderer->draw_scene(solid_model, std::span(&instances[2], 1), scene_view(OrbitCamera{}));
  CHECK(renderer->statistics().instances == 1);
  check("draw a 3D character in space");

  auto target = require_value(OffscreenTarget::create(get_proc_address, 8, 8, 4));
  check("OffscreenTarget::create");
  target.begin();
  renderer->draw(*model, instances, camera);
  (void)target.finish();
  check("an offscreen image");
  skin.reset();
  check("a skin destroyed");
  model.reset();
  check("a model destroyed");
  renderer.reset();
  check("a renderer destroyed");
}

const RendererOptions kOptions[] = {{}, {.palette_budget_bytes = 0}, {.blend_space = BlendSpace::linear}};

}  // namespace

TEST_CASE("an engine's OpenGL state is unchanged after every call", "[render]") {
  const Session session;
  for (const RendererOptions& options : kOptions) {
    check_work_leaves_state(*session.gl, session.get_proc_address(), options);
  }
}

TEST_CASE("an engine's OpenGL state is unchanged on a context of exactly OpenGL 3.3 or OpenGL ES", "[render]") {
  const Session session;
  const Hooks hooks(session.get_proc_address(), {{"glGetString", claim_3_3(*session.gl)}});
  const auto gl = require_value(load_gl(hooked_get_proc_address));
  REQUIRE(gl->VERSION_4_0 == 0);
  for (const RendererOptions& options : kOptions) {
    check_work_leaves_state(*gl, hooked_get_proc_address, options);
  }
}

TEST_CASE("a program that was deleted while in use is not bound again", "[render]") {
  const Session session;
  const Scene scene;
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(scene.character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 16, 16));
  target.begin();
  const GLuint program = make_program(*session.gl);
  session.gl->UseProgram(program);
  session.gl->DeleteProgram(program);
  renderer.draw(model, scene.posed, {});
  CHECK(get_integer(*session.gl, GL_CURRENT_PROGRAM) == 0);
  (void)target.finish();
}

TEST_CASE("a dirty draw can change state, and the next one still draws the same", "[render]") {
  const Session session;
  const Scene scene;
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(scene.character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 64, 64));
  const Camera camera = fit({{}, 1, {64, 64}}, bounds(scene.character, scene.posed));
  const auto render = [&](StateHandling handling) {
    target.begin();
    renderer.draw(model, scene.posed, camera, {.state = handling});
    return target.finish().rgba;
  };
  const auto expected = render(StateHandling::restore);
  CHECK(get_integer(*session.gl, GL_CURRENT_PROGRAM) == 0);
  CHECK(render(StateHandling::dirty) == expected);
  CHECK(get_integer(*session.gl, GL_CURRENT_PROGRAM) != 0);
  CHECK(render(StateHandling::dirty) == expected);
  CHECK(render(StateHandling::restore) == expected);
}

TEST_CASE("an engine's state does not change what is drawn", "[render]") {
  const Session session;
  const Scene scene;
  auto renderer = session.renderer();
  const Camera camera = fit({{}, 1, {64, 64}}, bounds(scene.character, scene.posed));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 64, 64, 4));
  const auto render = [&] {
    const Model model = require_value(renderer.upload(scene.character));
    target.begin();
    if (!session.gl->is_es) {
      session.gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
      session.gl->Enable(GL_MULTISAMPLE);
    }
    renderer.draw(model, scene.posed, camera);
    return target.finish().rgba;
  };
  const auto expected = render();
  const Engine engine(*session.gl);
  CHECK(render() == expected);
}

TEST_CASE("no index equals the primitive restart index of an engine", "[render]") {
  // As many vertices as 16 bits can address. The last index would be the restart index.
  CharacterData data = sliding_quad();
  data.meshes.clear();
  data.vertices.clear();
  data.indices.clear();
  while (data.vertices.size() < 65536) add_quad(data, "quad", 0, {{-8, -8}, {8, 8}}, 0);
  // Only the last one is in view.
  for (std::size_t i = 0; i + 4 < data.vertices.size(); ++i) data.vertices[i].x += 1000;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  const Session session;
  if (session.gl->VERSION_4_3 == 0 && !session.gl->is_es) {
    WARN("skipped: this context has no fixed restart index");
    return;
  }
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(*character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 16, 16));
  const Instance instance{ClipId{0}, {}, {}};
  target.begin();
  session.gl->Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  renderer.draw(model, instance, {{0, 0}, 1, {16, 16}});
  CHECK(session.gl->IsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX) == GL_TRUE);
  session.gl->Disable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  CHECK(target.finish().rgba == std::vector<std::uint8_t>(std::size_t{16} * 16 * 4, 255));
}

TEST_CASE("an offscreen target leaves an engine's OpenGL state unchanged", "[render]") {
  const Session session;
  const Engine engine(*session.gl);
  const State before = snapshot(*session.gl);
  for (const std::uint32_t samples : {1U, 4U}) {
    auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 8, 8, samples));
    CHECK(snapshot(*session.gl) == before);
    target.begin({1, 0.5F, 0.25F, 1});
    const Bitmap bitmap = target.finish();
    CHECK(snapshot(*session.gl) == before);
    CHECK(bitmap.rgba[4 * 8 * 8 - 4] == 255);
    target.begin();
  }
  CHECK(snapshot(*session.gl) == before);
}

}  // namespace state_test

// SPDX-License-Identifier: MIT
// The vertex shader against pchr::skin, with the positions that the GPU computed read back.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace pchr;

namespace {

// Transform feedback around the renderer's own program and draw calls: gl_Position of every index drawn.
const Gl* real_gl = nullptr;
std::vector<std::array<float, 4>> captured;

void GLAD_API_PTR link_for_capture(GLuint program) {
  const char* position = "gl_Position";
  real_gl->TransformFeedbackVaryings(program, 1, &position, GL_INTERLEAVED_ATTRIBS);
  real_gl->LinkProgram(program);
}

void GLAD_API_PTR draw_and_capture(GLenum mode, GLsizei count, GLenum type, const void* indices, GLint base_vertex) {
  const std::size_t first = captured.size();
  captured.resize(first + static_cast<std::size_t>(count));
  const auto bytes = static_cast<GLsizeiptr>(static_cast<std::size_t>(count) * sizeof(captured[0]));
  GLuint buffer = 0;
  real_gl->GenBuffers(1, &buffer);
  real_gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  real_gl->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
  real_gl->Enable(GL_RASTERIZER_DISCARD);
  real_gl->BeginTransformFeedback(GL_TRIANGLES);
  real_gl->DrawElementsBaseVertex(mode, count, type, indices, base_vertex);
  real_gl->EndTransformFeedback();
  real_gl->Disable(GL_RASTERIZER_DISCARD);
  real_gl->GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, captured.data() + first);
  real_gl->DeleteBuffers(1, &buffer);
}

// Mapped memory may hold anything: here it holds NaN.
void* GLAD_API_PTR map_and_spoil(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
  void* memory = real_gl->MapBufferRange(target, offset, length, access);
  REQUIRE(memory != nullptr);
  return std::memset(memory, 0xff, static_cast<std::size_t>(length));
}

/// A context whose renderers' vertex positions are read back.
struct CapturingSession {
  test::Session session;
  test::Hooks hooks{session.get_proc_address(),
                    {{"glLinkProgram", test::as_hook(link_for_capture)},
                     {"glMapBufferRange", test::as_hook(map_and_spoil)},
                     {"glDrawElementsBaseVertex", test::as_hook(draw_and_capture)}}};
  Renderer renderer = make_renderer();
  OffscreenTarget target = test::require_value(OffscreenTarget::create(session.get_proc_address(), 1, 1));

  CapturingSession() { target.begin(); }

  Renderer make_renderer() {
    real_gl = session.gl.get();
    return test::require_value(Renderer::create(test::hooked_get_proc_address));
  }

  std::vector<Vec2> positions(const Model& model, const PosedCharacter& posed, const Camera& camera,
                              const Instance& instance = {}) {
    captured.clear();
    renderer.draw(model, posed, camera, instance);
    std::vector<Vec2> points;
    for (const auto& position : captured) points.push_back(Vec2{position[0], position[1]} / position[3]);
    return points;
  }
};

/// With this camera world and clip coordinates are the same.
const Camera kWorldCamera{Vec2{0.0F}, 1.0F, Vec2{2.0F, 2.0F}};

/// Positions by pchr::skin, in the order in which they are drawn.
std::vector<Vec2> skinned(const Character& character, const PosedCharacter& posed) {
  std::vector<Vec2> points;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    std::vector<Vec2> vertices(mesh.vertex_count);
    skin(character.vertices(mesh), posed.palette, vertices);
    for (const std::uint16_t index : character.indices(mesh)) points.push_back(vertices[index]);
  }
  return points;
}

float largest_distance(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float distance = std::hypot(a[i].x - b[i].x, a[i].y - b[i].y);
    if (!(distance <= largest)) largest = distance;  // NaN too.
  }
  return largest;
}

constexpr float kTolerance = 1.0F / 64;

/// Every `step`-th frame of every clip.
void check_skinning(CapturingSession& session, const Character& character, std::uint32_t step) {
  const Model model = test::require_value(
      session.renderer.upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
  PosedCharacter posed;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; frame += step) {
      INFO("clip " << character.clips()[clip].name << ", frame " << frame);
      pose_clip(character, clip, {frame, frame, 0}, posed);
      CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) <= kTolerance);
    }
  }
}

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

}  // namespace

TEST_CASE("the GPU skins as skin() does, to 1/64 pixel, for characters made in code", "[render]") {
  CapturingSession session;
  check_skinning(session, build(test::sliding_quad()), 1);
  check_skinning(session, build(test::two_bone_arm()), 1);
}

TEST_CASE("the GPU skins as skin() does, to 1/64 pixel, for the sample characters", "[render]") {
  CapturingSession session;
  for (const char* name : {"kiri.pchr", "quad.pchr", "corners.pchr"}) {
    INFO(name);
    const auto character = load(test::asset(name));
    REQUIRE(character);
    check_skinning(session, *character, 1);
  }
}

TEST_CASE("the GPU skins as skin() does, to 1/64 pixel, for characters made by others", "[render][conformance]") {
  if (!test::conformance_folder()) {
    WARN("skipped: there is no folder of characters made by others");
    return;
  }
  CapturingSession session;
  for (const auto& file : test::conformance_characters()) {
    INFO(file.filename().string());
    const auto character = load(file);
    REQUIRE(character);
    check_skinning(session, *character, 9);
  }
}

TEST_CASE("weights are used as authored, negative or not summing to 1", "[render]") {
  CharacterData data = test::two_bone_arm();
  data.vertices[0].weights[0] = -0.5F;
  data.vertices[1].weights[0] = 3.0F;
  data.vertices[2] = {7, -9, 0, 0, {2, 1, 0, 2}, {0.25F, 0.5F, -0.125F, 2.0F}};
  data.vertices[3] = {7, -9, 0, 0, {2, 1, 0, 2}, {0, 0, 0, 0}};
  CapturingSession session;
  check_skinning(session, build(data), 1);
}

TEST_CASE("a slot of weight 0 is ignored whatever its bone says", "[render]") {
  CharacterData data = test::two_bone_arm();
  data.meshes.resize(1);
  for (Vertex& vertex : data.vertices) {
    vertex = {vertex.x, vertex.y, 0, 0, {65535, 1, 2, 0}, {0, 1, 0, 0}};
  }
  const Character character = build(data);
  CapturingSession session;
  const Model model = test::require_value(session.renderer.upload(character));
  PosedCharacter posed;
  pose_clip(character, 1, {3, 3, 0}, posed);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  posed.palette[0] = posed.palette[2] = {nan, nan, nan, nan, nan, nan};
  CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) <= kTolerance);
}

TEST_CASE("a character without bones draws, every vertex at the origin", "[render]") {
  CharacterData data = test::sliding_quad();
  data.bones.clear();
  data.clips.clear();
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  const Character character = build(data);
  CapturingSession session;
  const Model model = test::require_value(session.renderer.upload(character));
  PosedCharacter posed;
  posed.draw_list = {{0, 1.0F}};
  CHECK(session.positions(model, posed, kWorldCamera) == std::vector(6, Vec2{0.0F}));
}

TEST_CASE("placement comes after skinning and before the camera", "[render]") {
  const Character character = build(test::two_bone_arm());
  CapturingSession session;
  const Model model = test::require_value(session.renderer.upload(character));
  PosedCharacter posed;
  pose_clip(character, 1, {3, 3, 0}, posed);
  const Instance instance{{0.5F, 1.5F, -2.0F, 0.25F, 30.0F, -40.0F}, {1, 1, 1, 1}};
  for (const bool flip_y : {false, true}) {
    const Camera camera{{12.0F, 7.0F}, 2.5F, {640.0F, 480.0F}, flip_y};
    std::vector<Vec2> expected, drawn;
    for (const Vec2 point : skinned(character, posed)) {
      expected.push_back(apply(world_to_viewport(camera), apply(instance.placement, point)));
    }
    for (const Vec2 clip : session.positions(model, posed, camera, instance)) {
      drawn.push_back({(clip.x + 1) * 320, (1 - clip.y) * 240});
    }
    CHECK(largest_distance(drawn, expected) <= kTolerance);
  }
}

TEST_CASE("palettes of thousands of bones stream through many draws", "[render]") {
  constexpr std::uint16_t kBones = 9000;
  CharacterData data = test::sliding_quad();
  data.bones.assign(kBones, {"bone", -1});
  data.clips.clear();
  for (Vertex& vertex : data.vertices) vertex.bones[0] = kBones - 1;
  const Character character = build(data);
  CapturingSession session;
  const Model model = test::require_value(session.renderer.upload(character));
  PosedCharacter posed;
  pose_bind(character, posed);
  for (int draw = 0; draw < 12; ++draw) {
    posed.palette.back() = {1, 0, 0, 1, static_cast<float>(draw), 0};
    CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) == 0);
    CHECK(session.renderer.statistics().uploaded_bytes == kBones * 32);
  }
}

TEST_CASE("a palette larger than the ring gets the room it needs", "[render]") {
  constexpr std::uint16_t kBones = 50000;
  CharacterData data = test::sliding_quad();
  data.bones.assign(kBones, {"bone", -1});
  data.clips.clear();
  for (Vertex& vertex : data.vertices) vertex.bones[0] = kBones - 1;
  const Character character = build(data);
  CapturingSession session;
  if (get_integer(*session.session.gl, GL_MAX_TEXTURE_BUFFER_SIZE) < 2 * kBones) {
    WARN("skipped: this context's buffer textures are too small");
    return;
  }
  const Model model = test::require_value(session.renderer.upload(character));
  PosedCharacter posed;
  pose_bind(character, posed);
  for (int draw = 0; draw < 3; ++draw) {
    posed.palette.back() = {1, 0, 0, 1, 0, static_cast<float>(draw)};
    CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) == 0);
  }
}

// SPDX-License-Identifier: MIT
// Compares the vertex shader with pchr::deform(), by reading back the positions that the GPU computed.
#include "hooks.hpp"
#include "late_gl.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

namespace skinning_test {
using namespace pchr;
using namespace pchr::test;

namespace {

// Transform feedback around the renderer's own program and draw calls: gl_Position of every index drawn.
const Gl* real_gl = nullptr;
std::vector<std::array<float, 4>> captured;

void GLAD_API_PTR link_for_capture(GLuint program) {
  const char* position = "gl_Position";
  real_gl->TransformFeedbackVaryings(program, 1, &position, GL_INTERLEAVED_ATTRIBS);
  real_gl->LinkProgram(program);
}

/// Draws while capturing gl_Position of `count` indices instead of rasterizing.
template <typename Draw>
void capture(std::size_t count, const Draw& draw) {
  const std::size_t first = captured.size();
  captured.resize(first + count);
  const auto bytes = static_cast<GLsizeiptr>(count * sizeof(captured[0]));
  GLuint buffer = 0;
  real_gl->GenBuffers(1, &buffer);
  real_gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  real_gl->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
  real_gl->Enable(GL_RASTERIZER_DISCARD);
  real_gl->BeginTransformFeedback(GL_TRIANGLES);
  draw();
  real_gl->EndTransformFeedback();
  real_gl->Disable(GL_RASTERIZER_DISCARD);
  // OpenGL ES has no glGetBufferSubData.
  const void* const positions = real_gl->MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, GL_MAP_READ_BIT);
  REQUIRE(positions != nullptr);
  std::memcpy(captured.data() + first, positions, static_cast<std::size_t>(bytes));
  real_gl->UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
  real_gl->DeleteBuffers(1, &buffer);
}

void GLAD_API_PTR draw_and_capture(GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instances) {
  capture(static_cast<std::size_t>(count) * static_cast<std::size_t>(instances),
          [&] { real_gl->DrawElementsInstanced(mode, count, type, indices, instances); });
}

void GLAD_API_PTR multi_draw_and_capture(GLenum mode, GLenum type, const void* start, GLsizei count, GLsizei stride) {
  std::vector<std::array<std::uint32_t, 5>> commands(static_cast<std::size_t>(count));
  real_gl->GetBufferSubData(GL_DRAW_INDIRECT_BUFFER, std::bit_cast<GLintptr>(start),
                            static_cast<GLsizeiptr>(commands.size() * 20), commands.data());
  std::size_t indices = 0;
  for (const auto& command : commands) indices += std::size_t{command[0]} * command[1];
  capture(indices, [&] { real_gl->MultiDrawElementsIndirect(mode, type, start, count, stride); });
}

// Mapped memory has undefined contents. Here it is NaN.
void* GLAD_API_PTR map_and_poison(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
  void* memory = real_gl->MapBufferRange(target, offset, length, access);
  REQUIRE(memory != nullptr);
  return std::memset(memory, 0xff, static_cast<std::size_t>(length));
}

/// Counts the calls that the renderer makes.
enum class Path { newest, only_3_3 };

/// A context whose renderers' vertex positions are read back.
struct CapturingSession {
  Session session;
  std::optional<Hooks> hooks;
  std::optional<Renderer> own_renderer;
  OffscreenTarget target = require_value(OffscreenTarget::create(session.get_proc_address(), 1, 1));

  explicit CapturingSession(Path path = Path::newest, const RendererOptions& options = {}, bool late = false) {
    real_gl = session.gl.get();
    std::map<std::string, Hooks::Function> functions{{"glLinkProgram", as_hook(link_for_capture)},
                                                     {"glMapBufferRange", as_hook(map_and_poison)},
                                                     {"glDrawElementsInstanced", as_hook(draw_and_capture)},
                                                     {"glMultiDrawElementsIndirect", as_hook(multi_draw_and_capture)}};
    if (late) functions.merge(late_gl(*session.gl));
    if (path == Path::only_3_3) functions["glGetString"] = claim_3_3(*session.gl);
    hooks.emplace(session.get_proc_address(), functions);
    own_renderer = require_value(Renderer::create(hooked_get_proc_address, options));
    target.begin();
  }

  Renderer& renderer() { return *own_renderer; }

  std::vector<Vec2> positions(const Model& model, const PoseBuffers& posed, const Camera& camera,
                              const Appearance& appearance = {}) {
    captured.clear();
    renderer().draw(model, posed, camera, {.appearance = appearance});
    return take_points();
  }
  /// In world coordinates.
  std::vector<Vec2> positions(const Model& model, std::span<const Instance> instances);

  static std::vector<Vec2> take_points() {
    std::vector<Vec2> points;
    for (const auto& position : captured) points.push_back(Vec2{position[0], position[1]} / position[3]);
    return points;
  }
};

/// With this camera, world and clip coordinates are the same.
const Camera kWorldCamera{Vec2{0.0F}, 1.0F, Vec2{2.0F, 2.0F}};
/// Sees far enough that nothing is culled. A power of two, so nothing is rounded.
constexpr float kWideZoom = 1.0F / 16384;
const Camera kWideCamera{Vec2{0.0F}, kWideZoom, Vec2{2.0F, 2.0F}};

/// Positions from pchr::deform(), in draw order.
std::vector<Vec2> skinned(const Character& character, const PoseBuffers& posed) {
  std::vector<Vec2> points;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    std::vector<Vec2> vertices(mesh.vertex_count);
    deform(character.vertices(mesh), posed.palette, vertices);
    for (const std::uint16_t index : character.indices(mesh)) points.push_back(vertices[index]);
  }
  return points;
}

float largest_distance(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float distance = std::hypot(a[i].x - b[i].x, a[i].y - b[i].y);
    if (!(distance <= largest)) largest = distance;  // Also if NaN.
  }
  return largest;
}

std::vector<Vec2> CapturingSession::positions(const Model& model, std::span<const Instance> instances) {
  captured.clear();
  renderer().draw(model, instances, kWideCamera);
  std::vector<Vec2> points = take_points();
  for (Vec2& point : points) point /= kWideZoom;
  return points;
}

constexpr float kTolerance = 1.0F / 64;

/// Visits every `step`-th frame of every clip.
void check_skinning(CapturingSession& session, const Character& character, std::uint32_t step) {
  const Model model = require_value(
      session.renderer().upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
  PoseBuffers posed;
  for (const ClipId clip : character.clips().ids()) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; frame += step) {
      INFO("clip " << character.clips()[clip].name << ", frame " << frame);
      pose_clip(character, clip, {frame, frame, 0}, posed);
      CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) <= kTolerance);
    }
  }
}

template <typename Check>
void for_each_sample(const Check& check) {
  for (const char* name : {"kiri.pchr", "quad.pchr", "corners.pchr"}) {
    INFO(name);
    const auto character = load_character(asset(name));
    REQUIRE(character);
    check(*character);
  }
}

template <typename Check>
void for_each_conformance_character(const Check& check) {
  if (!conformance_folder()) {
    WARN("skipped: the folder of third-party characters does not exist");
    return;
  }
  for (const auto& file : conformance_characters()) {
    INFO(file.filename().string());
    const auto character = load_character(file);
    REQUIRE(character);
    check(*character);
  }
}

}  // namespace

TEST_CASE("the GPU skins like deform(), to 1/64 pixel, for characters made in code", "[render]") {
  CapturingSession session;
  check_skinning(session, build(sliding_quad()), 1);
  check_skinning(session, build(two_bone_arm()), 1);
}

TEST_CASE("the GPU skins like deform(), to 1/64 pixel, for the sample characters", "[render]") {
  CapturingSession session;
  for_each_sample([&](const Character& character) { check_skinning(session, character, 1); });
}

TEST_CASE("the GPU skins like deform(), to 1/64 pixel, for third-party characters", "[render][conformance]") {
  CapturingSession session;
  for_each_conformance_character([&](const Character& character) { check_skinning(session, character, 9); });
}

TEST_CASE("the GPU uses weights as authored, negative or not summing to 1", "[render]") {
  CharacterData data = two_bone_arm();
  data.vertices[0].weights[0] = -0.5F;
  data.vertices[1].weights[0] = 3.0F;
  data.vertices[2] = {7, -9, 0, 0, {2, 1, 0, 2}, {0.25F, 0.5F, -0.125F, 2.0F}};
  data.vertices[3] = {7, -9, 0, 0, {2, 1, 0, 2}, {0, 0, 0, 0}};
  CapturingSession session;
  check_skinning(session, build(data), 1);
}

TEST_CASE("the GPU ignores a slot of weight 0, whatever its bone is", "[render]") {
  CharacterData data = two_bone_arm();
  data.meshes.resize(1);
  for (Vertex& vertex : data.vertices) {
    vertex = {vertex.x, vertex.y, 0, 0, {65535, 1, 2, 0}, {0, 1, 0, 0}};
  }
  const Character character = build(data);
  CapturingSession session;
  const Model model = require_value(session.renderer().upload(character));
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {3, 3, 0}, posed);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  posed.palette[0] = posed.palette[2] = {nan, nan, nan, nan, nan, nan};
  CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) <= kTolerance);
}

TEST_CASE("a character without bones draws with every vertex at the origin", "[render]") {
  CharacterData data = sliding_quad();
  data.bones.clear();
  data.clips.clear();
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  const Character character = build(data);
  CapturingSession session;
  const Model model = require_value(session.renderer().upload(character));
  PoseBuffers posed;
  posed.draw_list = {{MeshId{0}, 1.0F}};
  CHECK(session.positions(model, posed, kWorldCamera) == std::vector(6, Vec2{0.0F}));
}

TEST_CASE("placement applies after skinning and before the camera", "[render]") {
  const Character character = build(two_bone_arm());
  CapturingSession session;
  const Model model = require_value(session.renderer().upload(character));
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {3, 3, 0}, posed);
  const Appearance appearance{{0.5F, 1.5F, -2.0F, 0.25F, 30.0F, -40.0F}, {1, 1, 1, 1}};
  for (const bool flip_y : {false, true}) {
    const Camera camera{{12.0F, 7.0F}, 2.5F, {640.0F, 480.0F}, flip_y};
    std::vector<Vec2> expected, drawn;
    for (const Vec2 point : skinned(character, posed)) {
      expected.push_back(apply(world_to_viewport(camera), apply(appearance.placement, point)));
    }
    for (const Vec2 clip : session.positions(model, posed, camera, appearance)) {
      drawn.push_back({(clip.x + 1) * 320, (1 - clip.y) * 240});
    }
    CHECK(largest_distance(drawn, expected) <= kTolerance);
  }
}

namespace {

/// Three vertices per bone, each with one influence.
CharacterData many_bones(std::uint16_t bones) {
  CharacterData data = sliding_quad();
  data.bones.assign(bones, {"bone", BoneId::none});
  data.clips.clear();
  data.vertices.clear();
  data.indices.clear();
  for (std::uint16_t bone = 0; bone < bones; ++bone) {
    data.vertices.push_back({static_cast<float>(bone % 100), 1, 0, 0, {bone, 0, 0, 0}, {1, 0, 0, 0}});
    data.indices.push_back(bone);
  }
  data.meshes[0].vertex_count = bones;
  data.meshes[0].index_count = bones;
  return data;
}

}  // namespace

TEST_CASE("palettes of thousands of bones stream through many draws", "[render]") {
  constexpr std::uint16_t kBones = 9000;
  const Character character = build(many_bones(kBones));
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path);
    const bool indirect = path == Path::newest && session.session.gl->VERSION_4_3 != 0;
    const Model model = require_value(session.renderer().upload(character));
    PoseBuffers posed;
    pose_bind(character, posed);
    for (int draw = 0; draw < 24; ++draw) {
      for (Affine& bone : posed.palette) bone = {1, 0, 0, 1, static_cast<float>(draw), 0};
      CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) == 0);
      CHECK(session.renderer().statistics().uploaded_bytes == kBones * 32 + 32 + (indirect ? 20 : 0));
    }
  }
}

TEST_CASE("posed characters have their own palettes while the GPU lags behind and names are reused", "[render]") {
  constexpr std::uint16_t kBones = 9000;
  const Character character = build(many_bones(kBones));
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path, {}, true);
    const Model model = require_value(session.renderer().upload(character));
    const unsigned before = reused_names();
    PoseBuffers posed;
    pose_bind(character, posed);
    for (int draw = 0; draw < 24; ++draw) {
      for (Affine& bone : posed.palette) bone = {1, 0, 0, 1, static_cast<float>(draw), 0};
      INFO("draw " << draw);
      CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) == 0);
    }
    CHECK(reused_names() > before);
  }
}

TEST_CASE("crowds of several models have their own instances while the GPU lags behind", "[render][much]") {
  constexpr std::size_t kInstances = 3000;
  const Character characters[] = {build(sliding_quad()), build(two_bone_arm())};
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path, {}, true);
    const Model models[] = {require_value(session.renderer().upload(characters[0])),
                            require_value(session.renderer().upload(characters[1]))};
    const unsigned before = reused_names();
    for (int draw = 0; draw < 24; ++draw) {
      const Character& character = characters[draw % 2];
      const auto clip = ClipId(character.clips().size() - 1);
      PoseBuffers posed;
      pose_clip(character, clip, {}, posed);
      std::vector<Instance> instances(kInstances, Instance{clip, {}, {}});
      std::vector<Vec2> expected;
      for (std::size_t i = 0; i < kInstances; ++i) {
        Affine& placement = instances[i].appearance.placement;
        placement = {1, 0, 0, 1, static_cast<float>(draw * 8), static_cast<float>(i % 64)};
        for (const Vec2 point : skinned(character, posed)) expected.push_back(apply(placement, point));
      }
      INFO("draw " << draw);
      CHECK(largest_distance(session.positions(models[draw % 2], instances), expected) <= kTolerance);
    }
    CHECK(reused_names() > before);
  }
}

TEST_CASE("a draw never restores a buffer that it has replaced", "[render]") {
  const Character character = build(many_bones(9000));
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path, {}, true);
    const Model model = require_value(session.renderer().upload(character));
    PoseBuffers posed;
    pose_bind(character, posed);
    // The session fails if OpenGL is asked to bind a deleted object.
    for (int draw = 0; draw < 24; ++draw) {
      captured.clear();
      session.renderer().draw(model, posed, kWorldCamera,
                              {.state = draw % 2 == 0 ? StateHandling::dirty : StateHandling::restore});
    }
    session.renderer().draw(model, posed, kWorldCamera);
  }
}

TEST_CASE("a palette larger than the ring gets the memory it needs", "[render]") {
  constexpr std::uint16_t kBones = 50001;
  const Character character = build(many_bones(kBones));
  CapturingSession session;
  if (get_integer(*session.session.gl, GL_MAX_TEXTURE_BUFFER_SIZE) < 2 * kBones) {
    WARN("skipped: this context's buffer textures are too small");
    return;
  }
  const Model model = require_value(session.renderer().upload(character));
  PoseBuffers posed;
  pose_bind(character, posed);
  for (int draw = 0; draw < 3; ++draw) {
    posed.palette.back() = {1, 0, 0, 1, 0, static_cast<float>(draw)};
    CHECK(largest_distance(session.positions(model, posed, kWorldCamera), skinned(character, posed)) == 0);
  }
}

namespace {

/// Compares every frame of every clip, and positions between frames, baked and posed.
void check_instances(CapturingSession& session, const Character& character, std::uint32_t step) {
  const Model model = require_value(
      session.renderer().upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
  PoseBuffers posed;
  for (const ClipId clip : character.clips().ids()) {
    const std::uint32_t frames = character.clips()[clip].frame_count;
    for (std::uint32_t frame = 0; frame < std::max(frames, 1U); frame += step) {
      const bool has_next = frame + 1 < frames || (frames > 1 && character.clips()[clip].looping);
      for (const float factor : {0.0F, 0.37F, 0.5F, 0.93F}) {
        if (factor > 0 && !has_next) continue;
        const ClipTime position{frame, factor > 0 ? (frame + 1) % frames : frame, factor};
        INFO("clip " << character.clips()[clip].name << ", frame " << frame << " + " << factor);
        pose_clip(character, clip, position, posed);
        const Instance instance{clip, position, {}};
        const auto drawn = session.positions(model, {&instance, 1});
        CHECK(largest_distance(drawn, skinned(character, posed)) <= (factor > 0 ? 0.25F : kTolerance));
      }
    }
  }
}

}  // namespace

TEST_CASE("baked clips equal posed clips, to 1/64 pixel on frames and 1/4 between", "[render][much]") {
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path);
    check_instances(session, build(sliding_quad()), 1);
    check_instances(session, build(two_bone_arm()), 1);
    for_each_sample([&](const Character& character) { check_instances(session, character, 1); });
  }
}

TEST_CASE("crossfading instances equal their poses, to 1/64 pixel", "[render]") {
  for (const Path path : {Path::newest, Path::only_3_3}) {
    CapturingSession session(path);
    for_each_sample([&](const Character& character) {
      const Model model = require_value(
          session.renderer().upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
      const auto clips = character.clips();
      std::vector<Instance> instances;
      std::vector<Vec2> expected;
      PoseBuffers posed;
      for (const ClipId from : clips.ids()) {
        for (const ClipId to : clips.ids()) {
          Instance instance{from, clip_time(clips[from], 0.31, Sampling::smooth), {}};
          instance.fade_clip = to;
          instance.fade_position = clip_time(clips[to], 0.77, Sampling::smooth);
          instance.fade_weight = 0.15F + 0.17F * static_cast<float>(instances.size() % 5);
          instances.push_back(instance);
          sample(character, {from, instance.position, to, instance.fade_position, instance.fade_weight}, posed.pose);
          update(character, posed);
          std::ranges::copy(skinned(character, posed), std::back_inserter(expected));
        }
      }
      CHECK(largest_distance(session.positions(model, instances), expected) <= kTolerance);
    });
  }
}

TEST_CASE("baked clips equal posed clips, for third-party characters", "[render][conformance]") {
  CapturingSession session;
  for_each_conformance_character([&](const Character& character) { check_instances(session, character, 9); });
}

}  // namespace skinning_test

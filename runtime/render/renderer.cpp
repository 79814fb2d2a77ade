// SPDX-License-Identifier: MIT
// Uploads characters and draws them, skinned on the GPU.
#include <pchr/renderer.hpp>

#include "render/gl_state.hpp"

#include <pchr_shaders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

namespace pchr {
namespace {

constexpr GLuint kImageUnit = 0;
constexpr GLuint kPaletteUnit = 1;
constexpr GLuint kPositionUv = 0, kBones = 1, kWeights = 2;  // Attribute locations in the vertex shader.

/// One bone of a palette as the vertex shader reads it: two texels.
struct BoneTexels {
  float a, b, c, d;
  float tx, ty, unused[2];
};
static_assert(sizeof(BoneTexels) == 32);

constexpr GLsizeiptr kTexelsPerBone = 2;
constexpr GLsizeiptr kRingBones = 32768;  // Every context's buffer textures hold as many.

/// Where palettes go, one behind the other.
struct PaletteRing {
  GLuint buffer = 0, texture = 0;
  GLsizeiptr capacity = 0, used = 0;  ///< In bones.
};

struct Uniforms {
  GLint first_bone = -1, placement = -1, world_to_clip = -1, tint = -1;
};

std::unexpected<RenderError> fail(std::string message) { return std::unexpected(RenderError{std::move(message)}); }

// The first of what went wrong: `get_parameter` and `get_log` are of shaders or of programs.
template <typename Parameter, typename Log>
std::expected<void, RenderError> check(GLuint object, GLenum status, Parameter get_parameter, Log get_log) {
  GLint fine = GL_FALSE, length = 0;
  get_parameter(object, status, &fine);
  if (fine == GL_TRUE) return {};
  get_parameter(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  get_log(object, length, nullptr, log.data());
  return fail(fmt::format("This driver does not accept the shaders: {}", log.c_str()));
}

std::expected<void, RenderError> compile(const Gl& gl, GLuint program, GLenum stage, const char* source) {
  const GLuint shader = gl.CreateShader(stage);
  gl.ShaderSource(shader, 1, &source, nullptr);
  gl.CompileShader(shader);
  gl.AttachShader(program, shader);
  auto result = check(shader, GL_COMPILE_STATUS, gl.GetShaderiv, gl.GetShaderInfoLog);
  gl.DeleteShader(shader);
  return result;
}

std::expected<void, RenderError> build_program(const Gl& gl, GLuint program) {
  if (auto compiled = compile(gl, program, GL_VERTEX_SHADER, shaders::puppet_vert); !compiled) return compiled;
  if (auto compiled = compile(gl, program, GL_FRAGMENT_SHADER, shaders::puppet_frag); !compiled) return compiled;
  gl.LinkProgram(program);
  return check(program, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog);
}

GLuint make_sampler(const Gl& gl, Filter filter) {
  GLuint sampler = 0;
  gl.GenSamplers(1, &sampler);
  const GLint near = filter == Filter::nearest ? GL_NEAREST : GL_LINEAR;
  gl.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, near);
  gl.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter == Filter::trilinear ? GL_LINEAR_MIPMAP_LINEAR : near);
  gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return sampler;
}

// Leaves the ring's buffer and texture bound.
PaletteRing make_ring(const Gl& gl) {
  PaletteRing ring{0, 0, kRingBones, 0};
  gl.GenBuffers(1, &ring.buffer);
  gl.BindBuffer(GL_TEXTURE_BUFFER, ring.buffer);
  gl.BufferData(GL_TEXTURE_BUFFER, ring.capacity * sizeof(BoneTexels), nullptr, GL_STREAM_DRAW);
  gl.GenTextures(1, &ring.texture);
  gl.BindTexture(GL_TEXTURE_BUFFER, ring.texture);
  gl.TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, ring.buffer);
  return ring;
}

// Where the first bone went; nothing if the driver is out of memory. A full ring begins anew in other memory, so
// that the GPU, which may still read the old one, is not waited for.
std::optional<GLint> stream_palette(const Gl& gl, PaletteRing& ring, std::span<const Affine> palette) {
  // The shader reads bone 0 of a character without bones too, with weight 0.
  const auto count = static_cast<GLsizeiptr>(std::max<std::size_t>(palette.size(), 1));
  gl.BindBuffer(GL_TEXTURE_BUFFER, ring.buffer);
  if (ring.used + count > ring.capacity) {
    ring.capacity = std::max(ring.capacity, count);
    ring.used = 0;
    gl.BufferData(GL_TEXTURE_BUFFER, ring.capacity * sizeof(BoneTexels), nullptr, GL_STREAM_DRAW);
  }
  auto* texels = static_cast<BoneTexels*>(
      gl.MapBufferRange(GL_TEXTURE_BUFFER, ring.used * sizeof(BoneTexels), count * sizeof(BoneTexels),
                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT));
  if (texels == nullptr) return std::nullopt;
  if (palette.empty()) *texels = {};
  std::transform(palette.begin(), palette.end(), texels, [](const Affine& bone) {
    return BoneTexels{bone[0].x, bone[0].y, bone[1].x, bone[1].y, bone[2].x, bone[2].y, {}};
  });
  gl.UnmapBuffer(GL_TEXTURE_BUFFER);
  return static_cast<GLint>(std::exchange(ring.used, ring.used + count));
}

// Unused slots repeat a used bone: weight 0 times a bone that is not finite would spread, and the bone of an
// unused slot may not even exist.
Vertex with_harmless_slots(Vertex vertex) {
  const auto* used = std::ranges::find_if(vertex.weights, [](float weight) { return weight != 0; });
  const std::uint16_t bone = used != std::end(vertex.weights) ? vertex.bones[used - vertex.weights] : std::uint16_t{0};
  for (int slot = 0; slot < 4; ++slot) {
    if (vertex.weights[slot] == 0) vertex.bones[slot] = bone;
  }
  return vertex;
}

GLuint make_buffer(const Gl& gl, GLenum target, std::span<const std::byte> bytes) {
  GLuint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(target, buffer);
  gl.BufferData(target, static_cast<GLsizeiptr>(bytes.size()), bytes.data(), GL_STATIC_DRAW);
  return buffer;
}

GLuint make_texture(const Gl& gl, const Bitmap& bitmap) {
  GLuint texture = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(bitmap.width), static_cast<GLsizei>(bitmap.height), 0,
                GL_RGBA, GL_UNSIGNED_BYTE, bitmap.rgba.data());
  gl.GenerateMipmap(GL_TEXTURE_2D);
  return texture;
}

std::uint64_t bytes_with_mipmaps(const Bitmap& bitmap) {
  std::uint64_t bytes = 0;
  const int levels = std::bit_width(std::max(bitmap.width, bitmap.height));
  for (int level = 0; level < levels; ++level) {
    bytes += std::uint64_t{4} * std::max(bitmap.width >> level, 1U) * std::max(bitmap.height >> level, 1U);
  }
  return bytes;
}

// OpenGL takes places in buffers as pointers.
const void* offset(std::size_t bytes) { return std::bit_cast<const void*>(bytes); }

void describe_vertices(const Gl& gl) {
  constexpr GLsizei kStride = sizeof(Vertex);
  gl.EnableVertexAttribArray(kPositionUv);
  gl.VertexAttribPointer(kPositionUv, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(Vertex, x)));
  gl.EnableVertexAttribArray(kBones);
  gl.VertexAttribIPointer(kBones, 4, GL_UNSIGNED_SHORT, kStride, offset(offsetof(Vertex, bones)));
  gl.EnableVertexAttribArray(kWeights);
  gl.VertexAttribPointer(kWeights, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(Vertex, weights)));
}

std::array<float, 4> premultiplied(std::array<float, 4> tint, float opacity) {
  const float alpha = tint[3] * opacity;
  return {tint[0] * alpha, tint[1] * alpha, tint[2] * alpha, alpha};
}

void set_affine(const Gl& gl, GLint uniform, const Affine& value) {
  gl.UniformMatrix3x2fv(uniform, 1, GL_FALSE, &value[0].x);
}

}  // namespace

struct Model::Resources {
  std::shared_ptr<const Gl> gl;
  Character character;
  Filter filter = Filter::trilinear;
  std::uint64_t gpu_bytes = 0;
  GLuint vertex_array = 0, vertices = 0, indices = 0;
  std::vector<GLuint> textures{};  ///< One per image.

  ~Resources() {
    gl->DeleteVertexArrays(1, &vertex_array);
    gl->DeleteBuffers(1, &vertices);
    gl->DeleteBuffers(1, &indices);
    gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
  }
};

Model::Model(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Character& Model::character() const noexcept { return resources_->character; }
std::uint64_t Model::gpu_bytes() const noexcept { return resources_->gpu_bytes; }
void Model::set_filter(Filter filter) noexcept { resources_->filter = filter; }

struct Renderer::Resources {
  std::shared_ptr<const Gl> gl;
  GLuint program = 0;
  Uniforms uniforms{};
  std::array<GLuint, 3> samplers{};  ///< By Filter.
  PaletteRing ring{};
  DrawStatistics statistics{};

  ~Resources() {
    gl->DeleteProgram(program);
    gl->DeleteSamplers(static_cast<GLsizei>(samplers.size()), samplers.data());
    gl->DeleteTextures(1, &ring.texture);
    gl->DeleteBuffers(1, &ring.buffer);
  }
};

Renderer::Renderer(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

std::expected<Renderer, RenderError> Renderer::create(GetProcAddress get_proc_address) {
  auto loaded = load_gl(get_proc_address);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  std::unique_ptr<Resources> resources(new Resources{std::move(*loaded)});
  const Gl& gl = *resources->gl;
  const SavedBindings saved(gl);

  resources->program = gl.CreateProgram();
  const GLuint program = resources->program;
  if (auto built = build_program(gl, program); !built) return std::unexpected(std::move(built.error()));
  gl.UseProgram(program);
  gl.Uniform1i(gl.GetUniformLocation(program, "image"), kImageUnit);
  gl.Uniform1i(gl.GetUniformLocation(program, "palette"), kPaletteUnit);
  resources->uniforms = {gl.GetUniformLocation(program, "first_bone"), gl.GetUniformLocation(program, "placement"),
                         gl.GetUniformLocation(program, "world_to_clip"), gl.GetUniformLocation(program, "tint")};
  for (const Filter filter : {Filter::trilinear, Filter::bilinear, Filter::nearest}) {
    resources->samplers[static_cast<std::size_t>(filter)] = make_sampler(gl, filter);
  }
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  resources->ring = make_ring(gl);
  return Renderer(std::move(resources));
}

std::expected<Model, RenderError> Renderer::upload(const Character& character, const Limits& limits) {
  const auto bitmaps = decode_images(character, limits);
  if (!bitmaps) return fail(describe(bitmaps.error(), "character"));
  return upload(character, *bitmaps);
}

std::expected<Model, RenderError> Renderer::upload(const Character& character, std::span<const Bitmap> bitmaps) {
  const Gl& gl = *resources_->gl;
  const auto images = character.images();
  if (bitmaps.size() != images.size()) {
    return fail(fmt::format("{} bitmaps were given for a character of {} images.", bitmaps.size(), images.size()));
  }
  const auto max_side = static_cast<std::uint32_t>(get_integer(gl, GL_MAX_TEXTURE_SIZE));
  for (std::size_t i = 0; i < bitmaps.size(); ++i) {
    const Bitmap& bitmap = bitmaps[i];
    if (bitmap.width == 0 || bitmap.height == 0 || bitmap.width > max_side || bitmap.height > max_side) {
      return fail(fmt::format("images[{}] \"{}\" has {} x {} pixels; this context's textures hold 1 x 1 to {} x {}.", i,
                              images[i].name, bitmap.width, bitmap.height, max_side, max_side));
    }
    const std::uint64_t bytes = std::uint64_t{4} * bitmap.width * bitmap.height;
    if (bitmap.rgba.size() != bytes) {
      return fail(fmt::format("The bitmap for images[{}] \"{}\" has {} bytes; {} x {} pixels are {}.", i,
                              images[i].name, bitmap.rgba.size(), bitmap.width, bitmap.height, bytes));
    }
  }
  const GLsizeiptr max_bones = get_integer(gl, GL_MAX_TEXTURE_BUFFER_SIZE) / kTexelsPerBone;
  if (std::cmp_greater(character.bones().size(), max_bones)) {
    return fail(fmt::format("The character has {} bones; this context's buffer textures hold {}.",
                            character.bones().size(), max_bones));
  }

  const SavedBindings saved_bindings(gl);
  const SavedPixelTransfer saved_unpacking(gl, PixelTransfer::unpack);
  std::unique_ptr<Model::Resources> model(new Model::Resources{resources_->gl, character});

  std::vector<Vertex> vertices(character.vertices().size());
  std::ranges::transform(character.vertices(), vertices.begin(), with_harmless_slots);
  const auto vertex_bytes = std::as_bytes(std::span<const Vertex>(vertices));
  const auto index_bytes = std::as_bytes(character.indices());
  gl.GenVertexArrays(1, &model->vertex_array);
  gl.BindVertexArray(model->vertex_array);
  model->vertices = make_buffer(gl, GL_ARRAY_BUFFER, vertex_bytes);
  describe_vertices(gl);
  model->indices = make_buffer(gl, GL_ELEMENT_ARRAY_BUFFER, index_bytes);
  model->gpu_bytes = vertex_bytes.size() + index_bytes.size();

  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  for (const Bitmap& bitmap : bitmaps) {
    model->textures.push_back(make_texture(gl, bitmap));
    model->gpu_bytes += bytes_with_mipmaps(bitmap);
  }
  return Model(std::move(model));
}

void Renderer::draw(const Model& model, std::span<const Affine> palette, const DrawList& draw_list,
                    const Camera& camera, const Instance& instance, StateHandling state) {
  const Gl& gl = *resources_->gl;
  const Model::Resources& parts = *model.resources_;
  const Uniforms& uniforms = resources_->uniforms;
  DrawStatistics& statistics = resources_->statistics;
  statistics = {};
  assert(palette.size() == parts.character.bones().size());
  if (draw_list.empty()) return;

  std::optional<SavedBindings> saved_bindings;
  std::optional<SavedTests> saved_tests;
  if (state == StateHandling::restore) {
    saved_bindings.emplace(gl);
    saved_tests.emplace(gl);
  }
  const std::optional<GLint> first_bone = stream_palette(gl, resources_->ring, palette);
  if (!first_bone) return;
  statistics.uploaded_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(palette.size(), 1) * sizeof(BoneTexels));

  for (const GLenum test : {GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_PRIMITIVE_RESTART}) gl.Disable(test);
  set_blending(gl, {true, GL_FUNC_ADD, GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA});
  gl.UseProgram(resources_->program);
  gl.Uniform1i(uniforms.first_bone, *first_bone);
  set_affine(gl, uniforms.placement, instance.placement);
  set_affine(gl, uniforms.world_to_clip, world_to_clip(camera));
  gl.BindVertexArray(parts.vertex_array);
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  gl.BindTexture(GL_TEXTURE_BUFFER, resources_->ring.texture);
  gl.BindSampler(kPaletteUnit, 0);
  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  gl.BindSampler(kImageUnit, resources_->samplers[static_cast<std::size_t>(parts.filter)]);

  for (const DrawItem& item : draw_list) {
    assert(item.mesh < parts.character.meshes().size());
    const Mesh& mesh = parts.character.meshes()[item.mesh];
    if (mesh.index_count == 0) continue;
    const auto tint = premultiplied(instance.tint, item.opacity);
    gl.Uniform4fv(uniforms.tint, 1, tint.data());
    gl.BindTexture(GL_TEXTURE_2D, parts.textures[mesh.image]);
    gl.DrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(mesh.index_count), GL_UNSIGNED_SHORT,
                              offset(std::size_t{mesh.first_index} * sizeof(std::uint16_t)),
                              static_cast<GLint>(mesh.first_vertex));
    ++statistics.draw_calls;
    statistics.triangles += mesh.index_count / 3;
  }
}

void Renderer::draw(const Model& model, const PosedCharacter& posed, const Camera& camera, const Instance& instance,
                    StateHandling state) {
  draw(model, posed.palette, posed.draw_list, camera, instance, state);
}

DrawStatistics Renderer::statistics() const noexcept { return resources_->statistics; }

}  // namespace pchr

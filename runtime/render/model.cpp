// SPDX-License-Identifier: MIT
// Characters onto the GPU.
#include "render/model.hpp"

#include "render/batch.hpp"
#include "render/program.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

namespace pchr {
namespace {

// A clip that was evicted is baked again only after as many draws: where the clips in use do not fit the budget
// together, they would push each other out for ever.
constexpr std::uint64_t kUsesBeforeBakingAgain = 256;

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

/// A new buffer of `count` elements, which `write` fills in the GPU's own memory.
template <typename T, typename Write>
GLuint make_buffer(const Gl& gl, GLenum target, std::size_t count, const Write& write) {
  GLuint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(target, buffer);
  const auto bytes = static_cast<GLsizeiptr>(count * sizeof(T));
  gl.BufferData(target, bytes, nullptr, GL_STATIC_DRAW);
  if (count == 0) return buffer;
  void* memory = gl.MapBufferRange(target, 0, bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (memory == nullptr) return buffer;
  write(std::span<T>(static_cast<T*>(memory), count));
  gl.UnmapBuffer(target);
  return buffer;
}

bool has_one_influence(const Vertex& vertex) {
  return std::ranges::count_if(vertex.weights, [](float weight) { return weight != 0; }) <= 1;
}

// Bones become entries of the palette. Unused slots repeat a used bone: weight 0 times a bone that is not finite would
// spread, and the bone of an unused slot may not even exist. An only influence comes first.
Vertex for_gpu(Vertex vertex, const PaletteLayout& layout, std::uint32_t governing_bone) {
  const auto* used = std::ranges::find_if(vertex.weights, [](float weight) { return weight != 0; });
  if (used == std::end(vertex.weights)) {
    std::ranges::fill(vertex.bones, std::uint16_t{0});
    return vertex;
  }
  const auto entry_of = [&](std::uint16_t bone) {
    return static_cast<std::uint16_t>(layout.find(bone, governing_bone));
  };
  const auto first_slot = static_cast<std::size_t>(used - vertex.weights);
  const std::uint16_t first = entry_of(vertex.bones[first_slot]);
  if (has_one_influence(vertex)) std::swap(vertex.weights[0], vertex.weights[first_slot]);
  for (int slot = 0; slot < 4; ++slot) {
    const bool again = vertex.weights[slot] == 0 || has_one_influence(vertex);
    vertex.bones[slot] = again ? first : entry_of(vertex.bones[slot]);
  }
  return vertex;
}

void write_vertices(const Character& character, const PaletteLayout& layout, std::span<Vertex> out) {
  // Vertices that no mesh has are drawn by none.
  std::ranges::fill(out, Vertex{});
  for (std::uint32_t number = 0; number < character.meshes().size(); ++number) {
    const Mesh& mesh = character.meshes()[number];
    std::ranges::transform(
        character.vertices(mesh), out.begin() + mesh.first_vertex,
        [&, bone = character.governing_bone(number)](const Vertex& vertex) { return for_gpu(vertex, layout, bone); });
  }
}

// OpenGL takes places in buffers as pointers.
const void* offset(std::size_t bytes) { return std::bit_cast<const void*>(bytes); }

void describe_vertices(const Gl& gl) {
  constexpr GLsizei kStride = sizeof(Vertex);
  for (const GLuint attribute :
       {kPositionUv, kBones, kWeights, kPlacementColumns, kPlacementTranslation, kStraightTint, kRow}) {
    gl.EnableVertexAttribArray(attribute);
    if (attribute >= kPlacementColumns) gl.VertexAttribDivisor(attribute, 1);
  }
  gl.VertexAttribPointer(kPositionUv, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(Vertex, x)));
  gl.VertexAttribIPointer(kBones, 4, GL_UNSIGNED_SHORT, kStride, offset(offsetof(Vertex, bones)));
  gl.VertexAttribPointer(kWeights, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(Vertex, weights)));
}

constexpr float kMostFloat = std::numeric_limits<float>::max();

CullBox to_cull_box(const Rect& bounds) {
  if (bounds.empty()) return {0, 0, -kMostFloat, -kMostFloat};
  const Vec2 centre = bounds.centre(), half = bounds.max * 0.5F - bounds.min * 0.5F;
  return {centre.x, centre.y, half.x * 1.0001F, half.y * 1.0001F};
}

DrawSegment only_segment(const DrawOrders& orders, std::uint32_t number) {
  if (number == DrawOrders::kNone || orders.orders[number].segment_count != 1) return {BakedRow::kNotOneSegment, 0, 0};
  return orders.segments[orders.orders[number].first_segment];
}

template <typename Index>
GLuint make_index_buffer(const Gl& gl, std::span<const std::uint32_t> indices) {
  return make_buffer<Index>(gl, GL_ELEMENT_ARRAY_BUFFER, indices.size(), [&](std::span<Index> out) {
    std::ranges::transform(indices, out.begin(), [](std::uint32_t index) { return static_cast<Index>(index); });
  });
}

}  // namespace

Model::Resources::~Resources() {
  for (const BakedClip& clip : clips) palettes->release(clip.handle);
  gl->DeleteVertexArrays(1, &vertex_array);
  gl->DeleteBuffers(1, &vertices);
  gl->DeleteBuffers(1, &indices);
  gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
}

Model::Model(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Character& Model::character() const noexcept { return resources_->character; }
std::uint64_t Model::gpu_bytes() const noexcept { return resources_->gpu_bytes; }
void Model::set_filter(Filter filter) noexcept { resources_->filter = filter; }

std::unique_ptr<Model::Resources> make_model(std::shared_ptr<const Gl> functions,
                                             std::shared_ptr<PaletteStore> palettes, const Character& character,
                                             std::span<const Bitmap> bitmaps) {
  std::unique_ptr<Model::Resources> model(new Model::Resources{std::move(functions), std::move(palettes), character,
                                                               make_palette_layout(character),
                                                               find_draw_orders(character)});
  const Gl& gl = *model->gl;
  model->one_influence = std::ranges::all_of(character.vertices(), has_one_influence);
  for (const DrawOrder& order : model->orders.orders) {
    model->most_segments = std::max(model->most_segments, order.segment_count);
  }
  model->clips.resize(character.clips().size() + 1);

  gl.GenVertexArrays(1, &model->vertex_array);
  gl.BindVertexArray(model->vertex_array);
  const std::size_t vertex_count = character.vertices().size();
  model->vertices = make_buffer<Vertex>(gl, GL_ARRAY_BUFFER, vertex_count,
                                        [&](std::span<Vertex> out) { write_vertices(character, model->layout, out); });
  describe_vertices(gl);
  const bool is_short = vertex_count <= 65536;
  model->index_type = is_short ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
  const std::vector<std::uint32_t> indices = std::exchange(model->orders.indices, {});
  model->indices =
      is_short ? make_index_buffer<std::uint16_t>(gl, indices) : make_index_buffer<std::uint32_t>(gl, indices);
  model->gpu_bytes = vertex_count * sizeof(Vertex) + indices.size() * (is_short ? 2 : 4);

  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  for (const Bitmap& bitmap : bitmaps) {
    model->textures.push_back(make_texture(gl, bitmap));
    model->gpu_bytes += bytes_with_mipmaps(bitmap);
  }
  return model;
}

const BakedClip* find_baked(Model::Resources& model, std::uint32_t number, bool smooth) noexcept {
  BakedClip& clip = model.clips[number];
  const PaletteStore::Block* block = model.palettes->find(clip.handle);
  if (block == nullptr || (smooth && !clip.rate.smooth)) return nullptr;
  clip.first_bone = block->first_bone;
  clip.texture = model.palettes->texture(block->page);
  clip.in_use = model.palettes->use();
  return &clip;
}

const BakedClip* bake(Model::Resources& model, std::uint32_t number, bool smooth) {
  if (const BakedClip* found = find_baked(model, number, smooth)) return found;
  PaletteStore& store = *model.palettes;
  BakedClip& clip = model.clips[number];
  if (clip.too_large || (smooth && clip.not_smooth)) return nullptr;
  const bool was_evicted = clip.baked_in_use != 0 && (clip.rate.smooth || !smooth);
  if (was_evicted && store.use() - clip.baked_in_use < kUsesBeforeBakingAgain) return nullptr;

  const std::optional<BakeRate> rate = smooth ? smooth_bake_rate(model.character, model.layout, number) : BakeRate{};
  const std::uint32_t frames = baked_frames(model.character, number);
  const std::size_t entries = model.layout.entries.size();
  if (!rate || rate->rows(frames) > store.most_page_bones() / entries) {
    (smooth ? clip.not_smooth : clip.too_large) = true;
    return nullptr;
  }
  store.release(clip.handle);
  const auto rows = static_cast<std::size_t>(rate->rows(frames));
  std::vector<BoneTexels> palettes(rows * entries);
  std::vector<Rect> bounds(rows);
  bake_clip(model.character, model.layout, number, *rate, palettes, bounds);
  const auto handle = store.store(palettes);
  clip.last_frame = frames - 1;
  clip.rate = *rate;
  clip.rows.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto frame = static_cast<std::uint32_t>(row / rate->steps);
    clip.rows[row] = {to_cull_box(bounds[row]),
                      only_segment(model.orders, model.orders.of_frame(number, frame % frames)),
                      static_cast<std::uint32_t>(row * entries) * kFactorSteps};
  }
  clip.boxes_between.resize(clip.rate.smooth ? rows - 1 : 0);
  for (std::size_t row = 0; row < clip.boxes_between.size(); ++row) {
    Rect both = bounds[row];
    both.include(bounds[row + 1]);
    clip.boxes_between[row] = to_cull_box(both);
  }
  clip.handle = handle.value_or(PaletteStore::Handle{});
  clip.baked_in_use = store.use();
  return find_baked(model, number, smooth);
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
#include "render/model.hpp"

#include "character/format.hpp"
#include "render/batch.hpp"
#include "render/gl_state.hpp"
#include "render/palette_store.hpp"
#include "render/program.hpp"
#include "render/texture.hpp"

#include <chrono>
#include <cmath>

namespace pchr {
namespace {

CullBox to_cull_box(const Rect& bounds) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  if (bounds.empty()) return {0, 0, -kMaxFloat, -kMaxFloat};
  const Vec2 center = bounds.center(), half = bounds.max * 0.5F - bounds.min * 0.5F;
  return {center.x, center.y, half.x * 1.0001F, half.y * 1.0001F};
}

DrawSegment only_segment(const DrawOrders& orders, std::uint32_t number) {
  if (number == DrawOrders::kNone || orders.orders[number].segment_count != 1) return {BakedRow::kNotOneSegment, 0, 0};
  return orders.segments[orders.orders[number].first_segment];
}

}  // namespace

Model::Resources::~Resources() {
  for (const BakedClip& clip : clips) palettes->release(clip.handle);
  gl->DeleteVertexArrays(1, &vertex_array);
  gl->DeleteBuffers(1, &vertices);
  gl->DeleteBuffers(1, &depths);
  gl->DeleteBuffers(1, &indices);
  gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
}

Model::Model(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

const Character& Model::character() const noexcept { return resources_->character; }
std::uint64_t Model::gpu_bytes() const noexcept { return resources_->gpu_bytes; }
void Model::set_filter(Filter filter) noexcept { resources_->filter = filter; }

const BakedClip* find_baked(Model::Resources& model, ClipId id, bool smooth) noexcept {
  BakedClip& clip = model.clip(id);
  const PaletteStore::Block* block = model.palettes->find(clip.handle);
  if (block == nullptr || (smooth && !clip.rate.smooth)) return nullptr;
  clip.first_bone = block->first_bone;
  clip.texture = model.palettes->texture(block->page);
  clip.in_use = model.palettes->use();
  return &clip;
}

const BakedClip* bake(Model::Resources& model, ClipId id, bool smooth, const Executor& executor) {
  if (const BakedClip* found = find_baked(model, id, smooth)) return found;
  PaletteStore& store = *model.palettes;
  BakedClip& clip = model.clip(id);
  if (clip.too_large || (smooth && clip.not_smooth)) return nullptr;
  // Otherwise, clips that do not fit the budget together would evict each other forever.
  constexpr std::uint64_t kUsesBeforeBakingAgain = 256;
  const bool was_evicted = clip.baked_in_use != 0 && (clip.rate.smooth || !smooth);
  if (was_evicted && store.use() - clip.baked_in_use < kUsesBeforeBakingAgain) return nullptr;

  const std::optional<BakeRate> rate = smooth ? smooth_bake_rate(model.character, model.layout, id) : BakeRate{};
  const std::uint32_t frames = baked_frames(model.character, id);
  const std::size_t entries = model.layout.row_bones();
  if (!rate || rate->rows(frames) > store.max_page_bones() / entries) {
    (smooth ? clip.not_smooth : clip.too_large) = true;
    return nullptr;
  }
  store.release(clip.handle);
  const auto rows = static_cast<std::size_t>(rate->rows(frames));
  std::vector<BoneTexels> palettes(rows * entries);
  std::vector<Rect> bounds(rows);
  bake_clip(model.character, model.layout, id, *rate, palettes, bounds, executor);
  const auto handle = store.store(palettes);
  clip.last_frame = frames - 1;
  clip.rate = *rate;
  clip.rows.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto frame = static_cast<std::uint32_t>(row / rate->steps);
    clip.rows[row] = {to_cull_box(bounds[row]), only_segment(model.orders, model.orders.of_frame(id, frame % frames)),
                      static_cast<std::uint32_t>(row * entries) * kFactorSteps};
  }
  clip.is_simple =
      std::ranges::all_of(clip.rows, [](const BakedRow& row) { return row.segment.image != BakedRow::kNotOneSegment; });
  clip.boxes_between.resize(clip.rate.smooth ? rows - 1 : 0);
  for (std::size_t row = 0; row < clip.boxes_between.size(); ++row) {
    Rect both = bounds[row];
    both.include(bounds[row + 1]);
    clip.boxes_between[row] = to_cull_box(both);
  }
  clip.handle = handle.value_or(PaletteStore::Handle{});
  clip.baked_in_use = store.use();
  return find_baked(model, id, smooth);
}

namespace {

bool continues(const SkinPiece& piece, const SkinPiece& next) {
  return same_look(piece.look, next.look) && piece.segment.image == next.segment.image &&
         piece.segment.first_index + piece.segment.index_count == next.segment.first_index;
}

/// Adds the pieces of one draw order. Hidden meshes and changes of color split the order's index list, which stays the
/// model's, so one draw call can serve all skins without images of their own.
void add_pieces(const DrawOrders& orders, const DrawOrder& order, Skin::Resources& skin) {
  if (order.segment_count == 0) return;
  const std::size_t first = skin.pieces.size();
  std::uint32_t first_index = orders.segments[order.first_segment].first_index;
  for (const MeshId mesh : std::span(orders.order_meshes).subspan(order.first_mesh, order.mesh_count)) {
    const std::uint32_t count = orders.meshes[index(mesh)].index_count;
    if (const std::optional<DrawItem> item = apply_skin(skin.data, {mesh})) {
      const bool only_tints = same_look(*item, DrawItem{.tint = item->tint});
      const SkinPiece piece{*item, {texture_of(*skin.model, &skin, *item), first_index, count}, only_tints};
      if (skin.pieces.size() > first && continues(skin.pieces.back(), piece)) {
        skin.pieces.back().segment.index_count += count;
      } else {
        skin.pieces.push_back(piece);
      }
    }
    first_index += count;
  }
}

}  // namespace

Skin::Resources::~Resources() { gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data()); }

Skin::Skin(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

const std::string& Skin::name() const noexcept { return resources_->data.name; }
std::uint64_t Skin::gpu_bytes() const noexcept { return resources_->gpu_bytes; }

GLuint texture_of(const Model::Resources& model, const Skin::Resources* skin, const DrawItem& item) noexcept {
  const std::size_t image = index(item.image), own = model.textures.size();
  if (image < own) return model.textures[image];
  if (skin != nullptr && image - own < skin->textures.size()) return skin->textures[image - own];
  return model.orders.meshes[index(item.mesh)].image;
}

std::unique_ptr<Skin::Resources> make_skin(const Model::Resources& model, const SkinData& data) {
  std::unique_ptr<Skin::Resources> skin(new Skin::Resources{model.gl, &model, {data.name, {}, data.parts}});
  const Gl& gl = *skin->gl;
  skin->textures.resize(data.images.size());
  gl.GenTextures(static_cast<GLsizei>(data.images.size()), skin->textures.data());
  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  for (std::size_t i = 0; i < data.images.size(); ++i) {
    const Bitmap& bitmap = data.images[i];
    gl.BindTexture(GL_TEXTURE_2D, skin->textures[i]);
    define_texture(gl, bitmap, model.space);
    write_rows(gl, bitmap, 0, bitmap.height, model.space);
    if (writes_mipmaps(gl, model.space)) {
      for (MipmapWriter mipmaps(bitmap); !mipmaps.done();) mipmaps.write(gl, mipmaps.rows_left());
    } else {
      gl.GenerateMipmap(GL_TEXTURE_2D);
    }
    skin->gpu_bytes += bytes_with_mipmaps(bitmap);
  }
  for (const DrawOrder& order : model.orders.orders) {
    skin->first_piece.push_back(static_cast<std::uint32_t>(skin->pieces.size()));
    add_pieces(model.orders, order, *skin);
  }
  skin->first_piece.push_back(static_cast<std::uint32_t>(skin->pieces.size()));
  return skin;
}

namespace {

void describe_vertices(const Gl& gl) {
  constexpr GLsizei kStride = sizeof(Vertex);
  for (const GLuint attribute :
       {kPositionUv, kBones, kWeights, kPlacementColumns, kPlacementTranslation, kStraightTint, kRow}) {
    gl.EnableVertexAttribArray(attribute);
    if (attribute >= kPlacementColumns) gl.VertexAttribDivisor(attribute, 1);
  }
  gl.VertexAttribDivisor(kLook, 1);  // Enabled only where needed.
  gl.VertexAttribPointer(kPositionUv, 4, GL_FLOAT, GL_FALSE, kStride, buffer_offset(offsetof(Vertex, x)));
  gl.VertexAttribIPointer(kBones, 4, GL_UNSIGNED_SHORT, kStride, buffer_offset(offsetof(Vertex, bones)));
  gl.VertexAttribPointer(kWeights, 4, GL_FLOAT, GL_FALSE, kStride, buffer_offset(offsetof(Vertex, weights)));
}

GLuint make_buffer(const Gl& gl, GLenum target, std::size_t bytes, GLenum usage) {
  GLuint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(target, buffer);
  gl.BufferData(target, static_cast<GLsizeiptr>(bytes), nullptr, usage);
  return buffer;
}

template <typename T, typename Write>
void map_and_write(const Gl& gl, GLenum target, std::size_t count, const Write& write) {
  void* memory = gl.MapBufferRange(target, 0, static_cast<GLsizeiptr>(count * sizeof(T)),
                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (memory == nullptr) return;
  write(std::span<T>(static_cast<T*>(memory), count));
  gl.UnmapBuffer(target);
}

/// Calls `write` to fill `count` of the bound buffer's `all` elements, starting at `first`.
template <typename T, typename Write>
void fill_buffer(const Gl& gl, GLenum target, std::size_t all, std::size_t first, std::size_t count,
                 const Write& write) {
  if (gl.is_es) {
    std::vector<T> part(count);
    write(std::span(part));
    gl.BufferSubData(target, static_cast<GLintptr>(first * sizeof(T)), static_cast<GLsizeiptr>(count * sizeof(T)),
                     part.data());
    return;
  }
  if (count == all) return map_and_write<T>(gl, target, count, write);
  // Drivers move a buffer that is rewritten often to memory that the GPU reads slowly, so parts go through another
  // buffer.
  const auto bytes = static_cast<GLsizeiptr>(count * sizeof(T));
  const GLuint part = make_buffer(gl, GL_TEXTURE_BUFFER, count * sizeof(T), GL_STREAM_COPY);
  map_and_write<T>(gl, GL_TEXTURE_BUFFER, count, write);
  gl.CopyBufferSubData(GL_TEXTURE_BUFFER, target, 0, static_cast<GLintptr>(first * sizeof(T)), bytes);
  gl.DeleteBuffers(1, &part);
}

template <typename Index>
void fill_indices(const Gl& gl, std::span<const std::uint32_t> indices, std::size_t first, std::size_t count) {
  fill_buffer<Index>(gl, GL_ELEMENT_ARRAY_BUFFER, indices.size(), first, count, [&](std::span<Index> out) {
    std::ranges::transform(indices.subspan(first, count), out.begin(),
                           [](std::uint32_t index) { return static_cast<Index>(index); });
  });
}

/// Returns a generous upper bound on |z| in any pose. Depth has bits to spare.
float reach_of(const Character& character) {
  float largest = 0;
  for (const Vertex& vertex : character.vertices()) {
    largest = std::max({largest, std::abs(vertex.x), std::abs(vertex.y)});
  }
  for (const Vertex3D& vertex : character.vertices_3d()) largest = std::max(largest, std::abs(vertex.z));
  return largest * 16;
}

std::size_t index_bytes(const Model::Resources& model) { return model.index_type == GL_UNSIGNED_SHORT ? 2 : 4; }

}  // namespace

Expected<std::unique_ptr<Upload::Resources>, RenderError> begin_upload(std::shared_ptr<const Gl> functions,
                                                                       std::shared_ptr<PaletteStore> palettes,
                                                                       BlendSpace space, const Character& character,
                                                                       std::span<const Bitmap> bitmaps) {
  const Gl& gl = *functions;
  const auto images = character.images();
  if (bitmaps.size() != images.size()) {
    return fail(
        format_text("expected {} bitmaps, one per image of the character, but got {}", images.size(), bitmaps.size()));
  }
  for (std::size_t i = 0; i < bitmaps.size(); ++i) {
    if (const auto problem = validate_bitmap(gl, bitmaps[i])) {
      return fail(format_text("images[{}] \"{}\" {}", i, images[i].name, *problem));
    }
  }
  PaletteLayout layout = make_palette_layout(character);
  const std::uint64_t max_bones = max_palette_bones(gl);
  if (layout.row_bones() > max_bones) {
    const std::uint64_t holds = layout.is_3d ? max_bones / 3 * 2 : max_bones;
    return fail(format_text("the character's vertices use {} bones, but this context's palettes hold {}",
                            layout.entries.size(), holds));
  }

  std::unique_ptr<Model::Resources> model(new Model::Resources{std::move(functions), std::move(palettes), character,
                                                               std::move(layout), find_draw_orders(character)});
  model->space = space;
  if (character.data().pixel_art) model->filter = Filter::nearest;
  model->one_influence = std::ranges::all_of(character.vertices(), has_one_influence);
  for (const DrawOrder& order : model->orders.orders) {
    model->max_segments = std::max(model->max_segments, order.segment_count);
  }
  model->clips.resize(character.clips().size() + 1);
  for (const ClipId clip : character.clips().ids()) model->clip(clip).timing = ClipTiming(character.clips()[clip]);
  std::vector<std::uint32_t> indices = std::exchange(model->orders.indices, {});

  const std::size_t vertex_count = character.vertices().size();
  // With OpenGL 4.3, index 0xFFFF can mean primitive restart.
  model->index_type = vertex_count <= 65535 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
  model->gpu_bytes =
      vertex_count * sizeof(Vertex) + character.vertices_3d().size_bytes() + indices.size() * index_bytes(*model);
  for (const Bitmap& bitmap : bitmaps) model->gpu_bytes += bytes_with_mipmaps(bitmap);

  gl.GenVertexArrays(1, &model->vertex_array);
  gl.BindVertexArray(model->vertex_array);
  // OpenGL ES fills them in parts, which drivers warn about if they are static.
  const GLenum usage = gl.is_es ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW;
  model->vertices = make_buffer(gl, GL_ARRAY_BUFFER, vertex_count * sizeof(Vertex), usage);
  describe_vertices(gl);
  if (character.is_3d()) {
    model->depths = make_buffer(gl, GL_ARRAY_BUFFER, vertex_count * sizeof(Vertex3D), usage);
    gl.EnableVertexAttribArray(kDepthNormal);
    gl.VertexAttribPointer(kDepthNormal, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex3D), buffer_offset(0));
    model->reach = reach_of(character);
  }
  model->indices = make_buffer(gl, GL_ELEMENT_ARRAY_BUFFER, indices.size() * index_bytes(*model), usage);
  model->textures.resize(bitmaps.size());
  gl.GenTextures(static_cast<GLsizei>(bitmaps.size()), model->textures.data());
  for (auto* segments : {&model->orders.meshes, &model->orders.segments}) {
    for (DrawSegment& segment : *segments) segment.image = model->textures[segment.image];
  }

  std::unique_ptr<Upload::Resources> upload(new Upload::Resources{std::move(model), std::move(indices)});
  upload->bitmaps = bitmaps;
  return upload;
}

bool Upload::Resources::step(std::uint64_t budget_bytes) {
  const Gl& gl = *model->gl;
  gl.BindVertexArray(model->vertex_array);
  gl.BindBuffer(GL_ARRAY_BUFFER, model->vertices);
  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  std::uint64_t spent = 0;
  // Returns how many elements the budget allows, but at least one per step.
  const auto take = [&](std::size_t left, std::size_t element_bytes) {
    std::uint64_t count = (budget_bytes - std::min(spent, budget_bytes)) / element_bytes;
    if (spent == 0) count = std::max<std::uint64_t>(count, 1);
    count = std::min<std::uint64_t>(count, left);
    spent += count * element_bytes;
    return static_cast<std::size_t>(count);
  };

  // Calls `fill` to write more elements. Returns whether all are written.
  const auto advance = [&](std::size_t& done, std::size_t all, std::size_t element_bytes, const auto& fill) {
    if (const std::size_t count = take(all - done, element_bytes); count > 0) {
      fill(count);
      done += count;
    }
    return done == all;
  };

  const Character& character = model->character;
  const std::size_t vertex_count = character.vertices().size();
  const auto fill_vertices = [&](std::size_t count) {
    fill_buffer<Vertex>(gl, GL_ARRAY_BUFFER, vertex_count, vertices_done, count, [&](std::span<Vertex> out) {
      write_gpu_vertices(character, model->layout, vertices_done, out);
    });
  };
  const std::span<const Vertex3D> depths = character.vertices_3d();
  const auto fill_depths = [&](std::size_t count) {
    gl.BindBuffer(GL_ARRAY_BUFFER, model->depths);
    fill_buffer<Vertex3D>(gl, GL_ARRAY_BUFFER, depths.size(), depths_done, count, [&](std::span<Vertex3D> out) {
      std::ranges::copy(depths.subspan(depths_done, count), out.begin());
    });
  };
  const auto fill_some_indices = [&](std::size_t count) {
    model->index_type == GL_UNSIGNED_SHORT ? fill_indices<std::uint16_t>(gl, indices, indices_done, count)
                                           : fill_indices<std::uint32_t>(gl, indices, indices_done, count);
  };
  if (!advance(vertices_done, vertex_count, sizeof(Vertex), fill_vertices) ||
      !advance(depths_done, depths.size(), sizeof(Vertex3D), fill_depths) ||
      !advance(indices_done, indices.size(), index_bytes(*model), fill_some_indices)) {
    return false;
  }
  for (; images_done < bitmaps.size(); ++images_done, rows_done = 0) {
    const Bitmap& bitmap = bitmaps[images_done];
    gl.BindTexture(GL_TEXTURE_2D, model->textures[images_done]);
    if (rows_done < bitmap.height) {
      const auto count = static_cast<std::uint32_t>(take(bitmap.height - rows_done, std::size_t{4} * bitmap.width));
      if (count == 0) return false;
      if (rows_done == 0) define_texture(gl, bitmap, model->space);
      write_rows(gl, bitmap, rows_done, count, model->space);
      rows_done += count;
      if (rows_done < bitmap.height) return false;
    }
    if (writes_mipmaps(gl, model->space)) {
      if (!mipmaps) mipmaps.emplace(bitmap);
      while (!mipmaps->done()) {
        const auto count = static_cast<std::uint32_t>(take(mipmaps->rows_left(), mipmaps->row_bytes()));
        if (count == 0) return false;
        mipmaps->write(gl, count);
      }
      mipmaps.reset();
      continue;
    }
    // These mipmaps are not uploaded, but making them takes time as well.
    const std::uint64_t mipmap_bytes = bytes_with_mipmaps(bitmap) - bitmap.rgba.size();
    if (spent > 0 && spent + mipmap_bytes > budget_bytes) return false;
    gl.GenerateMipmap(GL_TEXTURE_2D);
    spent += mipmap_bytes;
  }
  return true;
}

std::uint64_t Upload::Resources::bytes_left() const noexcept {
  std::uint64_t bytes = (model->character.vertices().size() - vertices_done) * sizeof(Vertex) +
                        (model->character.vertices_3d().size() - depths_done) * sizeof(Vertex3D) +
                        (indices.size() - indices_done) * index_bytes(*model);
  const bool with_mipmaps = writes_mipmaps(*model->gl, model->space);
  for (std::size_t i = images_done; i < bitmaps.size(); ++i) {
    bytes += with_mipmaps ? bytes_with_mipmaps(bitmaps[i]) : bitmaps[i].rgba.size();
  }
  if (rows_done > 0) bytes -= std::uint64_t{4} * bitmaps[images_done].width * rows_done;
  if (mipmaps) bytes -= mipmaps->bytes_done();
  return bytes;
}

Upload::Upload(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

bool Upload::step(std::uint64_t budget_bytes) {
  const Gl& gl = *resources_->model->gl;
  const SavedBindings saved_bindings(gl);
  const SavedPixelTransfer saved_unpacking(gl, kUnpack);
  return resources_->step(budget_bytes);
}

bool Upload::step_for(double seconds) {
  constexpr std::uint64_t kStepBytes = std::uint64_t{256} << 10;  // Copying this much takes about 0.1 ms.
  const Gl& gl = *resources_->model->gl;
  const SavedBindings saved_bindings(gl);
  const SavedPixelTransfer saved_unpacking(gl, kUnpack);
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    if (resources_->step(kStepBytes)) return true;
    if (std::chrono::steady_clock::now() - start >= std::chrono::duration<double>(seconds)) return false;
  }
}

std::uint64_t Upload::bytes_left() const noexcept { return resources_->bytes_left(); }

Model Upload::finish() && {
  step(std::numeric_limits<std::uint64_t>::max());
  return Model(std::move(resources_->model));
}

}  // namespace pchr

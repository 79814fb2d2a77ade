// SPDX-License-Identifier: MIT
// The C interface: draw streams, and buffers for renderers that skin on the GPU.
#include "c/c.hpp"

#include <pchr/gpu.hpp>

struct pchr_stream : pchr::DrawStream {};

struct pchr_gpu_geometry {
  pchr::Character character;
  pchr::GpuGeometry geometry;
};

struct pchr_gpu_palettes {
  pchr::Character character;
  std::uint32_t clip;
  pchr::BakedPalettes palettes;
};

namespace pchr::c {
namespace {

static_assert(sizeof(pchr_stream_vertex) == sizeof(StreamVertex) &&
              offsetof(pchr_stream_vertex, color) == offsetof(StreamVertex, color));
static_assert(sizeof(pchr_stream_command) == sizeof(StreamCommand) &&
              offsetof(pchr_stream_command, image) == offsetof(StreamCommand, image) &&
              offsetof(pchr_stream_command, first_index) == offsetof(StreamCommand, first_index) &&
              offsetof(pchr_stream_command, blend) == offsetof(StreamCommand, blend));
static_assert(sizeof(pchr_stream_look) == sizeof(StreamLook) &&
              offsetof(pchr_stream_look, additive) == offsetof(StreamLook, additive));

/// Returns nothing if the options are not valid for a pose of `character`.
std::optional<StreamOptions> options_of(const pchr_stream_options* options, const Character& character,
                                        const DrawList& list) noexcept {
  const std::optional<pchr_stream_options> given = read(options);
  const std::optional<Appearance> appearance = given ? appearance_of(given->appearance) : std::nullopt;
  if (!appearance || given->first_item > list.size()) return std::nullopt;
  if (given->skin != nullptr && !is_same(character, given->skin->character)) return std::nullopt;
  StreamOptions result;
  result.appearance = *appearance;
  if (given->skin != nullptr) result.skin = &given->skin->data;
  result.source = given->source;
  if (given->camera != nullptr) {
    result.camera = camera_of(given->camera);
    if (!result.camera) return std::nullopt;
  }
  const std::size_t left = list.size() - given->first_item;
  const std::size_t count = given->item_count == 0 ? left : std::min<std::size_t>(left, given->item_count);
  result.items = std::span(list).subspan(given->first_item, count);
  result.linear_light = given->linear_light;
  if (given->max_vertices != 0) result.max_vertices = given->max_vertices;
  if (given->max_indices != 0) result.max_indices = given->max_indices;
  return result;
}

static_assert(sizeof(pchr_gpu_range) == sizeof(IndexRange) &&
              offsetof(pchr_gpu_range, first_index) == offsetof(IndexRange, first_index));
static_assert(sizeof(pchr_rect) == sizeof(Rect) && offsetof(pchr_rect, max_x) == offsetof(Rect, max));
static_assert(sizeof(BoneTexels) == 8 * sizeof(float));

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

pchr_stream* pchr_stream_create(uint32_t data) {
  return call(true, [&] {
    auto* const stream = new pchr_stream;
    stream->with_3d = (data & PCHR_STREAM_3D) != 0;
    stream->with_looks = (data & PCHR_STREAM_LOOKS) != 0;
    return stream;
  });
}

void pchr_stream_free(pchr_stream* stream) { delete stream; }

bool pchr_stream_copy(pchr_stream* stream, const pchr_stream* from) {
  return call(exist(stream, from), [&] { *stream = *from; });
}

void pchr_stream_clear(pchr_stream* stream) {
  if (stream != nullptr) stream->clear();
}

bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_stream_options* options) {
  return call(exist(stream, pose), [&] {
    const std::optional<pchr::StreamOptions> given = options_of(options, pose->character, pose->posed.draw_list);
    return given && append_draw_stream(pose->character, pose->posed, *given, *stream);
  });
}

const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_vertex>(count);
  return array_of<pchr_stream_vertex>(stream->vertices, count);
}

const pchr_vertex_3d* pchr_stream_vertices_3d(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_vertex_3d>(count);
  return array_of<pchr_vertex_3d>(stream->vertices_3d, count);
}

const pchr_stream_look* pchr_stream_looks(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_look>(count);
  return array_of<pchr_stream_look>(stream->looks, count);
}

const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<uint32_t>(count);
  return array_of<uint32_t>(stream->indices, count);
}

const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_command>(count);
  return array_of<pchr_stream_command>(stream->commands, count);
}

pchr_gpu_geometry* pchr_gpu_geometry_create(const pchr_character* handle) {
  return call(exist(handle),
              [&] { return new pchr_gpu_geometry{handle->character, make_gpu_geometry(handle->character)}; });
}

void pchr_gpu_geometry_free(pchr_gpu_geometry* geometry) { delete geometry; }

const pchr_vertex* pchr_gpu_vertices(const pchr_gpu_geometry* geometry, uint32_t* count) {
  if (geometry == nullptr) return no_array<pchr_vertex>(count);
  return array_of<pchr_vertex>(geometry->geometry.vertices, count);
}

const uint32_t* pchr_gpu_indices(const pchr_gpu_geometry* geometry, uint32_t* count) {
  if (geometry == nullptr) return no_array<uint32_t>(count);
  return array_of<uint32_t>(geometry->geometry.indices, count);
}

const pchr_gpu_range* pchr_gpu_mesh_ranges(const pchr_gpu_geometry* geometry, uint32_t* count) {
  if (geometry == nullptr) return no_array<pchr_gpu_range>(count);
  return array_of<pchr_gpu_range>(geometry->geometry.meshes, count);
}

const pchr_gpu_range* pchr_gpu_draw_order(const pchr_gpu_geometry* geometry, uint32_t draw_order, uint32_t* count) {
  if (geometry == nullptr || draw_order >= geometry->geometry.draw_orders.size()) {
    return no_array<pchr_gpu_range>(count);
  }
  return array_of<pchr_gpu_range>(geometry->geometry.draw_orders[draw_order].ranges, count);
}

uint32_t pchr_gpu_row_bones(const pchr_gpu_geometry* geometry) {
  return geometry != nullptr ? static_cast<uint32_t>(geometry->geometry.layout.row_bones()) : 0;
}

bool pchr_gpu_write_row(const pchr_gpu_geometry* geometry, const pchr_pose* pose, float* out, uint32_t capacity) {
  if (geometry == nullptr || pose == nullptr || out == nullptr) return false;
  const std::size_t bones = geometry->geometry.layout.row_bones();
  if (capacity < bones * 8 || !is_same(geometry->character, pose->character)) return false;
  write_palette_row(geometry->geometry.layout, pose->posed, {reinterpret_cast<pchr::BoneTexels*>(out), bones});
  return true;
}

pchr_gpu_palettes* pchr_gpu_bake(const pchr_gpu_geometry* geometry, uint32_t clip, pchr_sampling sampling,
                                 uint64_t max_bytes, const pchr_executor* executor) {
  return call(exist(geometry), [&]() -> pchr_gpu_palettes* {
    const pchr::Character& character = geometry->character;
    if (clip != PCHR_NONE && clip >= character.clips().size()) return nullptr;
    const std::uint64_t limit = max_bytes != 0 ? max_bytes : std::uint64_t{64} << 20;
    auto baked = bake_palettes(character, geometry->geometry, pchr::ClipId{clip}, sampling_of(sampling), limit,
                               executor_of(executor));
    return baked ? new pchr_gpu_palettes{character, clip, std::move(*baked)} : nullptr;
  });
}

void pchr_gpu_palettes_free(pchr_gpu_palettes* palettes) { delete palettes; }

const float* pchr_gpu_texels(const pchr_gpu_palettes* palettes, uint32_t* count) {
  if (palettes == nullptr) return no_array<float>(count);
  const std::vector<pchr::BoneTexels>& texels = palettes->palettes.texels;
  if (count != nullptr) *count = count_of(texels) * 8;
  return texels.empty() ? nullptr : &texels[0].a;
}

const pchr_rect* pchr_gpu_row_bounds(const pchr_gpu_palettes* palettes, uint32_t* count) {
  if (palettes == nullptr) return no_array<pchr_rect>(count);
  return array_of<pchr_rect>(palettes->palettes.bounds, count);
}

bool pchr_gpu_find_row(const pchr_gpu_palettes* palettes, const pchr_clip_time* time, pchr_gpu_row* out) {
  if (palettes == nullptr || out == nullptr) return false;
  const pchr::Clip& clip = palettes->character.clips()[pchr::ClipId{palettes->clip}];
  const std::optional<pchr::PaletteRow> row = find_row(palettes->palettes, time_of(time, clip));
  if (row) *out = {row->row, row->factor, row->draw_order};
  return row.has_value();
}

uint32_t pchr_gpu_pack_row(const pchr_gpu_geometry* geometry, const pchr_gpu_row* row, uint32_t first_bone) {
  return geometry != nullptr && row != nullptr
             ? pack_row(geometry->geometry.layout, {row->row, factor_of(row->factor), row->draw_order}, first_bone)
             : 0;
}

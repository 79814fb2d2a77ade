// SPDX-License-Identifier: MIT
// The C interface: buffers for renderers that skin on the GPU.
#include "c/c.hpp"

#include <pchr/gpu.hpp>

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

static_assert(sizeof(pchr_gpu_range) == sizeof(IndexRange) &&
              offsetof(pchr_gpu_range, first_index) == offsetof(IndexRange, first_index));
static_assert(sizeof(pchr_rect) == sizeof(Rect) && offsetof(pchr_rect, max_x) == offsetof(Rect, max));
static_assert(sizeof(BoneTexels) == 8 * sizeof(float));

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

pchr_gpu_geometry* pchr_gpu_geometry_create(const pchr_character* handle) {
  return call([&] { return new pchr_gpu_geometry{handle->character, make_gpu_geometry(handle->character)}; }, handle);
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
  return call([&] { return static_cast<uint32_t>(geometry->geometry.layout.row_bones()); }, geometry);
}

bool pchr_gpu_write_row(const pchr_gpu_geometry* geometry, const pchr_pose* pose, float* out, uint32_t capacity) {
  return call(
      [&] {
        const std::size_t bones = geometry->geometry.layout.row_bones();
        if (capacity < bones * 8 || !is_same(geometry->character, pose->character)) return false;
        write_palette_row(geometry->geometry.layout, pose->posed, {reinterpret_cast<pchr::BoneTexels*>(out), bones});
        return true;
      },
      geometry, pose, out);
}

pchr_gpu_palettes* pchr_gpu_bake(const pchr_gpu_geometry* geometry, uint32_t clip, pchr_sampling sampling,
                                 uint64_t max_bytes, const pchr_executor* executor) {
  return call(
      [&]() -> pchr_gpu_palettes* {
        const pchr::Character& character = geometry->character;
        if (clip != PCHR_NONE && clip >= character.clips().size()) return nullptr;
        const std::uint64_t limit = max_bytes != 0 ? max_bytes : std::uint64_t{64} << 20;
        auto baked = bake_palettes(character, geometry->geometry, pchr::ClipId{clip}, sampling_of(sampling), limit,
                                   executor_of(executor));
        return baked ? new pchr_gpu_palettes{character, clip, std::move(*baked)} : nullptr;
      },
      geometry);
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
  return call(
      [&] {
        const pchr::Clip& clip = palettes->character.clips()[pchr::ClipId{palettes->clip}];
        const std::optional<pchr::PaletteRow> row = find_row(palettes->palettes, time_of(time, clip));
        if (row) *out = {row->row, row->factor, row->draw_order};
        return row.has_value();
      },
      palettes, out);
}

uint32_t pchr_gpu_pack_row(const pchr_gpu_geometry* geometry, const pchr_gpu_row* row, uint32_t first_bone) {
  return call([&] { return pack_row(geometry->geometry.layout, {row->row, row->factor, row->draw_order}, first_bone); },
              geometry, row);
}

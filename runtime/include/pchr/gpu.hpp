// SPDX-License-Identifier: MIT
// Characters as data for renderers that skin on the GPU with Vulkan, Metal, Direct3D or WebGPU: the geometry, palettes
// and draw orders that pchr::Renderer uploads, as plain data. Its shaders are installed in share/pchr/shaders, and
// docs/embedding.md ("Your own renderer") lists their inputs.
//
// Upload the geometry of a character and the palettes of its clips once. For each instance, find_row() gives the row of
// palettes to skin with and the draw order. A pose that is not a frame of a clip, such as an animator's, becomes a row
// of its own with write_palette_row(); draw its meshes in the order of its draw list.
//
//   const pchr::GpuGeometry geometry = pchr::make_gpu_geometry(hero);
//   const auto palettes = pchr::bake_palettes(hero, geometry, walk, pchr::Sampling::smooth);
//   if (!palettes) return;
//   const auto now = pchr::clip_time(hero.clips()[walk], seconds, pchr::Sampling::smooth);
//   const auto row = pchr::find_row(*palettes, now);
//   if (!row) return;
//   for (const pchr::IndexRange& range : geometry.draw_orders[row->draw_order].ranges) {
//     submit(range.image, std::span(geometry.indices).subspan(range.first_index, range.index_count));
//   }
#pragma once

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

/// Two texels of four floats, the unit of palettes. A 2D bone takes two texels: its matrix and its translation with the
/// opacity. A 3D bone takes three, the rows of its matrix, so two 3D bones take three of these.
struct BoneTexels {
  float a, b, c, d;
  float tx, ty, opacity, unused;
};
static_assert(sizeof(BoneTexels) == 32);

/// A bone that moves vertices, and the bone that gives them their opacity.
struct PaletteEntry {
  BoneId bone{};
  BoneId opacity_bone{};
  auto operator<=>(const PaletteEntry&) const = default;
};

/// The palette entries that a character's vertices use. Each used bone has one entry or, if any clip animates opacity,
/// one per governing bone of its meshes.
struct PaletteLayout {
  std::vector<PaletteEntry> entries;  ///< Ascending. Holds one unused entry if no vertex uses a bone.
  bool with_opacity = false;          ///< Whether any clip has opacity. Always false in 3D.
  bool is_3d = false;

  /// Returns the length of a row. This is `bones_per_row` of the installed shaders.
  [[nodiscard]] std::size_t row_bones() const noexcept { return is_3d ? (entries.size() * 3 + 1) / 2 : entries.size(); }

  /// Returns the entry of `bone` for the meshes of `governing_bone`, which must be in use.
  [[nodiscard]] std::uint32_t find(BoneId bone, BoneId governing_bone) const noexcept;
};

/// Triangles that are drawn with one image: a range of GpuGeometry::indices.
struct IndexRange {
  ImageId image{};
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;  ///< A multiple of 3.
  bool operator==(const IndexRange&) const = default;
};

/// An order in which meshes are drawn. A character has few, for all frames of all clips.
struct GpuDrawOrder {
  std::vector<IndexRange> ranges;  ///< Back to front. Neighbors with the same image share a range.
  std::vector<MeshId> meshes;      ///< Visible meshes with triangles, back to front.
  /// First index of the first mesh. The others follow without gaps, so the ranges can be divided by mesh, as skins
  /// require.
  std::uint32_t first_index = 0;
};

/// The geometry of a character, ready for GPU buffers. A 3D character also needs a buffer with
/// Character::vertices_3d().
struct GpuGeometry {
  static constexpr std::uint32_t kNoDrawOrder = 0xFFFFFFFF;

  PaletteLayout layout;  ///< Of every palette row of the character.
  /// The character's vertices, with entries of a palette row in place of bones. A slot of weight 0 repeats an entry
  /// that is in use. A vertex has 40 bytes: x, y, u, v as four floats at byte 0, the entries as four 16-bit unsigned
  /// integers at byte 16, the weights as four floats at byte 24.
  std::vector<Vertex> vertices;
  bool one_influence = false;  ///< Whether every vertex uses at most the first slot, for a simpler shader.
  /// Indices of `vertices`: all meshes in file order, then the draw orders that need an order of their own. They fit 16
  /// bits if there are at most 65,535 vertices.
  std::vector<std::uint32_t> indices;
  std::vector<IndexRange> meshes;  ///< One per mesh, to draw the meshes of a draw list one by one.
  std::vector<GpuDrawOrder> draw_orders;
  /// The draw order of each frame of each clip, then that of the bind pose. A clip whose frames all have the same draw
  /// order has one element. kNoDrawOrder stands for orders that would need more than 4 million indices.
  std::vector<std::vector<std::uint32_t>> clip_draw_orders;
};

/// Makes the geometry of a character. Takes time proportional to the frames of all clips.
[[nodiscard]] GpuGeometry make_gpu_geometry(const Character& character);

/// How densely a clip is baked. For smooth playback it has `steps` rows per frame; if it wraps, the last row repeats
/// the first frame.
struct BakeRate {
  std::uint32_t steps = 1;
  bool smooth = false;
  bool wraps = false;

  /// Returns the number of rows of `frames` frames.
  [[nodiscard]] std::uint64_t rows(std::uint32_t frames) const noexcept {
    if (!smooth) return frames;
    return std::uint64_t{wraps ? frames : frames - 1} * steps + 1;
  }
};

/// The skinning palettes of a clip.
struct BakedPalettes {
  std::vector<BoneTexels> texels;          ///< Row after row, each with PaletteLayout::row_bones() elements.
  std::vector<Rect> bounds;                ///< One per row, in character space. Between rows, unite those of both.
  std::vector<std::uint32_t> draw_orders;  ///< One per frame, or one for all; see GpuGeometry::clip_draw_orders.
  std::uint32_t frames = 1;                ///< Frames that differ: 1 for the bind pose.
  BakeRate rate{};
};

/// Bakes a clip, or the bind pose if `clip` is `none` or has no frames, on the executor's threads if the clip is long.
/// With Sampling::smooth, blending neighboring rows keeps every vertex within a quarter pixel of the smooth pose.
/// Returns nothing if that needs more than 16 rows per frame, or if the palettes would exceed `max_bytes`: pose such
/// clips with write_palette_row() instead.
[[nodiscard]] std::optional<BakedPalettes> bake_palettes(const Character& character, const GpuGeometry& geometry,
                                                         ClipId clip, Sampling sampling,
                                                         std::uint64_t max_bytes = std::uint64_t{64} << 20,
                                                         const Executor& executor = {});

/// A place in baked palettes.
struct PaletteRow {
  std::uint32_t row = 0;
  float factor = 0;              ///< Blend from `row` to the next one, in [0, 1), in steps of 1/2048.
  std::uint32_t draw_order = 0;  ///< An index of GpuGeometry::draw_orders.
  bool operator==(const PaletteRow&) const = default;
};

/// Finds a time of the baked clip. Returns nothing if the rows do not contain it: between frames that do not follow
/// each other, such as where a loop restarts in the middle of a clip, between frames of palettes that are not smooth,
/// and where the draw order is kNoDrawOrder.
[[nodiscard]] std::optional<PaletteRow> find_row(const BakedPalettes& palettes, ClipTime time) noexcept;

/// Returns the attribute `row` of the installed vertex shaders, for palettes that begin at element `first_bone` of the
/// palette buffer. The result must refer to one of the buffer's first 2^21 elements.
[[nodiscard]] std::uint32_t pack_row(const PaletteLayout& layout, const PaletteRow& row,
                                     std::uint32_t first_bone = 0) noexcept;

/// Writes the palette of any pose as one row of PaletteLayout::row_bones() elements. All opacities are 1, because the
/// items of `posed.draw_list` have those of their meshes.
void write_palette_row(const PaletteLayout& layout, const PoseBuffers& posed, std::span<BoneTexels> out) noexcept;

/// Samples and composes requests, and writes their palettes as rows, one after the other: what bake_palettes() would
/// write at these times, with the opacities of the layout. Eight or more requests cost about half as much as posing one
/// by one. `scratch` is memory to reuse between calls; its contents are unspecified. To use several threads, give each
/// its own scratch memory and a part of both spans.
void write_palette_rows(const Character& character, const PaletteLayout& layout, std::span<const PoseRequest> requests,
                        PoseBuffers& scratch, std::span<BoneTexels> out);

}  // namespace pchr

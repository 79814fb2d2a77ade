// SPDX-License-Identifier: MIT
// Clips as the GPU plays them: a skinning palette for every frame, and the few orders in which meshes are drawn.
// Everything here is plain data computed without OpenGL.
#pragma once

#include <pchr/draw_list.hpp>

#include <algorithm>

namespace PCHR_API pchr {

/// One bone of a palette as the vertex shader reads it: two texels of four floats. In 3D a bone takes three texels, the
/// rows of its matrix, and so one and a half of these.
struct BoneTexels {
  float a, b, c, d;
  float tx, ty, opacity, unused;
};
static_assert(sizeof(BoneTexels) == 32);

/// The bone that moves vertices, and the bone whose opacity they take.
struct PaletteEntry {
  BoneId bone{};
  BoneId opacity_bone{};
  auto operator<=>(const PaletteEntry&) const = default;
};

/// The palette entries that a character's vertices use. A bone has one, or where a clip changes opacity one per
/// governing bone of its meshes.
struct PaletteLayout {
  std::vector<PaletteEntry> entries;  ///< Ascending; one that is never read where no vertex uses any bone.
  bool with_opacity = false;          ///< Whether any clip has opacity. Never of a 3D character.
  bool is_3d = false;

  [[nodiscard]] std::size_t row_bones() const noexcept { return is_3d ? (entries.size() * 3 + 1) / 2 : entries.size(); }

  /// Returns the entry of `bone` for the meshes of `governing_bone`, which must be in use.
  [[nodiscard]] std::uint32_t find(BoneId bone, BoneId governing_bone) const noexcept;
};

[[nodiscard]] PaletteLayout make_palette_layout(const Character& character);

/// Fills the entries of a row from one matrix per bone. Opacities are 1 unless `opacity` has one per bone.
void gather_palette(const PaletteLayout& layout, std::span<const Affine> palette, std::span<const float> opacity,
                    std::span<BoneTexels> out) noexcept;

void gather_palette(const PaletteLayout& layout, std::span<const Affine3> palette, std::span<BoneTexels> out) noexcept;

/// A run of indices that one image is drawn with.
struct DrawSegment {
  std::uint32_t image = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  bool operator==(const DrawSegment&) const = default;
};

/// The segments of one frame, back to front. Their indices follow each other from those of the first segment on.
struct DrawOrder {
  std::uint32_t first_segment = 0;
  std::uint32_t segment_count = 0;
  std::uint32_t first_mesh = 0;  ///< Of the meshes with triangles.
  std::uint32_t mesh_count = 0;
};

/// The distinct draw orders of all frames, as index lists. A character has few.
struct DrawOrders {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::vector<std::uint32_t> indices;  ///< Of the character's vertices. It begins with every mesh in file order.
  std::vector<DrawSegment> meshes;     ///< Each mesh's own indices.
  std::vector<DrawSegment> segments;
  std::vector<MeshId> order_meshes;
  std::vector<DrawOrder> orders;
  /// The order of each frame of each clip, and last of the bind pose; kNone beyond a limit of memory. One element per
  /// clip where all frames share an order.
  std::vector<std::vector<std::uint32_t>> of_clip;

  [[nodiscard]] std::uint32_t of_frame(ClipId clip, std::uint32_t frame) const noexcept {
    const auto& frames = of_clip[std::min(index(clip), of_clip.size() - 1)];
    return frames[frame < frames.size() ? frame : frames.size() - 1];
  }
};

[[nodiscard]] DrawOrders find_draw_orders(const Character& character);

/// The rate of a baked clip. For smooth play it has `steps` rows per frame; where it wraps, the last row is the first
/// frame again.
struct BakeRate {
  std::uint32_t steps = 1;
  bool smooth = false;
  bool wraps = false;

  [[nodiscard]] std::uint64_t rows(std::uint32_t frames) const noexcept {
    if (!smooth) return frames;
    return std::uint64_t{wraps ? frames : frames - 1} * steps + 1;
  }
};

/// Returns how many frames of a clip are baked: one where all are alike, for want of frames or bones. A clip that the
/// character does not have means the bind pose, here and below.
[[nodiscard]] std::uint32_t baked_frames(const Character& character, ClipId clip) noexcept;

/// Returns the rate at which blending neighboring rows keeps every vertex within a quarter pixel of the smooth pose (in
/// 3D, of an image in which the character is a thousand high or wide); nothing where that takes more than 16 steps per
/// frame.
[[nodiscard]] std::optional<BakeRate> smooth_bake_rate(const Character& character, const PaletteLayout& layout,
                                                       ClipId clip);

/// Composes every row of a clip, on several threads where it is long. `palettes` has row_bones() elements per row;
/// `bounds` is empty or has one rectangle per row, of the vertices that its frame (for smooth play, any frame) shows.
void bake_clip(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
               std::span<BoneTexels> palettes, std::span<Rect> bounds);

}  // namespace pchr

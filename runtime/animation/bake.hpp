// SPDX-License-Identifier: MIT
// Clips in the layout that the GPU plays: a skinning palette for every frame, and the few orders in which meshes are
// drawn. Plain data, computed without OpenGL.
#pragma once

#include <pchr/draw_list.hpp>

#include <algorithm>

namespace PCHR_API pchr {

/// One bone of a palette as the vertex shader reads it: two texels of four floats. A 3D bone takes three texels, the
/// rows of its matrix, so one and a half of these.
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

  [[nodiscard]] std::size_t row_bones() const noexcept { return is_3d ? (entries.size() * 3 + 1) / 2 : entries.size(); }

  /// Returns the entry of `bone` for the meshes of `governing_bone`, which must be in use.
  [[nodiscard]] std::uint32_t find(BoneId bone, BoneId governing_bone) const noexcept;
};

[[nodiscard]] PaletteLayout make_palette_layout(const Character& character);

/// Fills one row of entries from one matrix per bone. Opacities are 1 unless `opacity` has one per bone.
void gather_palette(const PaletteLayout& layout, std::span<const Affine> palette, std::span<const float> opacity,
                    std::span<BoneTexels> out) noexcept;

void gather_palette(const PaletteLayout& layout, std::span<const Affine3> palette, std::span<BoneTexels> out) noexcept;

/// A range of indices drawn with one image.
struct DrawSegment {
  std::uint32_t image = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  bool operator==(const DrawSegment&) const = default;
};

/// The segments of one frame, back to front. Their indices are contiguous, starting at the first segment's.
struct DrawOrder {
  std::uint32_t first_segment = 0;
  std::uint32_t segment_count = 0;
  std::uint32_t first_mesh = 0;  ///< Into order_meshes. Only meshes with triangles.
  std::uint32_t mesh_count = 0;
};

/// The distinct draw orders of all frames, as index lists. A character has few.
struct DrawOrders {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::vector<std::uint32_t> indices;  ///< Into the character's vertices. Begins with every mesh in file order.
  std::vector<DrawSegment> meshes;     ///< The indices of each mesh.
  std::vector<DrawSegment> segments;
  std::vector<MeshId> order_meshes;
  std::vector<DrawOrder> orders;
  /// The draw order of each frame of each clip, then that of the bind pose. kNone if it would exceed the memory limit.
  /// A clip whose frames all share one order has a single element.
  std::vector<std::vector<std::uint32_t>> of_clip;

  [[nodiscard]] std::uint32_t of_frame(ClipId clip, std::uint32_t frame) const noexcept {
    const auto& frames = of_clip[std::min(index(clip), of_clip.size() - 1)];
    return frames[frame < frames.size() ? frame : frames.size() - 1];
  }
};

[[nodiscard]] DrawOrders find_draw_orders(const Character& character);

/// The sampling rate of a baked clip. For smooth playback it has `steps` rows per frame; if it wraps, the last row
/// repeats the first frame.
struct BakeRate {
  std::uint32_t steps = 1;
  bool smooth = false;
  bool wraps = false;

  [[nodiscard]] std::uint64_t rows(std::uint32_t frames) const noexcept {
    if (!smooth) return frames;
    return std::uint64_t{wraps ? frames : frames - 1} * steps + 1;
  }
};

/// Returns how many frames of a clip are baked: one if all are the same for lack of frames or bones. Here and below, a
/// clip that the character does not have stands for the bind pose.
[[nodiscard]] std::uint32_t baked_frames(const Character& character, ClipId clip) noexcept;

/// Returns a rate at which blending neighboring rows keeps every vertex within a quarter pixel of the smooth pose. (In
/// 3D, as if the character were a thousand pixels in size.) Returns nothing if that needs more than 16 steps per frame.
[[nodiscard]] std::optional<BakeRate> smooth_bake_rate(const Character& character, const PaletteLayout& layout,
                                                       ClipId clip);

/// Composes every row of a clip, on several threads if it is long. `palettes` has row_bones() elements per row.
/// `bounds` is empty or has one rectangle per row: the bounds of the meshes that its frame shows (for smooth playback,
/// that any frame shows).
void bake_clip(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
               std::span<BoneTexels> palettes, std::span<Rect> bounds);

}  // namespace pchr

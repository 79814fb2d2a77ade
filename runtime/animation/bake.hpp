// SPDX-License-Identifier: MIT
// Clips in the layout that the GPU plays: a skinning palette for every frame, and the few orders in which meshes are
// drawn. Plain data, computed without OpenGL.
#pragma once

#include <pchr/gpu.hpp>

#include <algorithm>

namespace PCHR_API pchr {

[[nodiscard]] PaletteLayout make_palette_layout(const Character& character);

/// Fills one row of entries from one matrix per bone. Opacities are 1 unless `opacity` has one per bone.
void gather_palette(const PaletteLayout& layout, std::span<const Affine> palette, std::span<const float> opacity,
                    std::span<BoneTexels> out) noexcept;

void gather_palette(const PaletteLayout& layout, std::span<const Affine3> palette, std::span<BoneTexels> out) noexcept;

[[nodiscard]] bool has_one_influence(const Vertex& vertex) noexcept;

/// Writes the character's vertices from index `first` on, as GpuGeometry::vertices describes them.
void write_gpu_vertices(const Character& character, const PaletteLayout& layout, std::size_t first,
                        std::span<Vertex> out) noexcept;

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

/// Returns how many frames of a clip are baked: one if all are the same for lack of frames or bones. Here and below, a
/// clip that the character does not have stands for the bind pose.
[[nodiscard]] std::uint32_t baked_frames(const Character& character, ClipId clip) noexcept;

/// Returns a rate at which blending neighboring rows keeps every vertex within a quarter pixel of the smooth pose. (In
/// 3D, as if the character were a thousand pixels in size.) Returns nothing if that needs more than 16 steps per frame.
[[nodiscard]] std::optional<BakeRate> smooth_bake_rate(const Character& character, const PaletteLayout& layout,
                                                       ClipId clip);

/// Steps of a blend factor that PaletteRow and the vertex shader's `row` have.
constexpr std::uint32_t kFactorSteps = 2048;

/// Returns a position between two frames in 1/2048 of a row, or nothing if the frames are not neighbors in the clip.
/// Inline, because drawing a crowd calls it for each instance.
[[nodiscard]] inline std::optional<std::uint32_t> find_between(BakeRate rate, std::uint32_t last_frame,
                                                               ClipTime position) noexcept {
  const auto follows = [&](std::uint32_t frame, std::uint32_t next) {
    return next == frame + 1 || (rate.wraps && frame == last_frame && next == 0);
  };
  std::uint32_t first = position.frame;
  float factor = position.factor;
  if (!follows(position.frame, position.next)) {
    if (!follows(position.next, position.frame)) return std::nullopt;
    first = position.next;
    factor = 1 - factor;
  }
  const std::uint32_t steps = rate.steps * kFactorSteps;
  // A float sum would be rounded, and std::lround is a function call.
  double along = factor * static_cast<float>(steps);
  along += 0.5;
  return first * steps + static_cast<std::uint32_t>(along);
}

/// Composes every row of a clip, on the executor's threads if it is long. `palettes` has row_bones() elements per row.
/// `bounds` is empty or has one rectangle per row: the bounds of the meshes that its frame shows (for smooth playback,
/// that any frame shows).
void bake_clip(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
               std::span<BoneTexels> palettes, std::span<Rect> bounds, const Executor& executor = {});

}  // namespace pchr

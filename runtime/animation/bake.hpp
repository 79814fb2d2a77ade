// SPDX-License-Identifier: MIT
// Clips as the GPU plays them: a skinning palette for every frame, and the few orders in which meshes are drawn.
// Everything here is plain data computed without OpenGL.
#pragma once

#include <pchr/draw_list.hpp>

#include <algorithm>

namespace PCHR_API pchr {

/// One bone of a palette as the vertex shader reads it: two texels of four floats. A bone of a 3D character takes
/// three texels, the rows of its matrix, and so one and a half of these.
struct BoneTexels {
  float a, b, c, d;
  float tx, ty, opacity, unused;
};
static_assert(sizeof(BoneTexels) == 32);

/// What one entry of a baked palette holds: the bone that moves the vertices, and the bone whose opacity they take.
struct PaletteEntry {
  BoneId bone{};
  BoneId opacity_bone{};
  auto operator<=>(const PaletteEntry&) const = default;
};

/// The entries that a character's vertices use, and which of them a bone of a mesh is. Bones that no vertex uses have
/// none. Where no clip changes opacity, each bone has one entry; else one per governing bone of its meshes.
struct PaletteLayout {
  std::vector<PaletteEntry> entries;  ///< Ascending; one that is never read where no vertex uses any bone.
  bool with_opacity = false;          ///< Whether any clip has opacity. Never of a 3D character.
  bool is_3d = false;

  /// How many elements all entries of a row take.
  [[nodiscard]] std::size_t row_bones() const noexcept { return is_3d ? (entries.size() * 3 + 1) / 2 : entries.size(); }

  /// The entry of `bone` for a mesh that `governing_bone` rules. It must be in use.
  [[nodiscard]] std::uint32_t find(BoneId bone, BoneId governing_bone) const noexcept;
};

[[nodiscard]] PaletteLayout make_palette_layout(const Character& character);

/// Fills the palette's entries from one matrix per bone. Opacities are 1 unless `opacity` has one per bone.
void gather_palette(const PaletteLayout& layout, std::span<const Affine> palette, std::span<const float> opacity,
                    std::span<BoneTexels> out) noexcept;

/// The same of a 3D character, whose bones have no opacity.
void gather_palette(const PaletteLayout& layout, std::span<const Affine3> palette, std::span<BoneTexels> out) noexcept;

/// A run of indices that one image is drawn with.
struct DrawSegment {
  std::uint32_t image = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  bool operator==(const DrawSegment&) const = default;
};

/// A run of segments, back to front: all that one frame draws. Their indices are those of the meshes one after another,
/// from the first segment's on.
struct DrawOrder {
  std::uint32_t first_segment = 0;
  std::uint32_t segment_count = 0;
  std::uint32_t first_mesh = 0;  ///< Of the meshes with triangles.
  std::uint32_t mesh_count = 0;
};

/// The distinct draw orders of all frames of all clips, as index lists. A character has few.
struct DrawOrders {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::vector<std::uint32_t> indices;  ///< Of the character's vertices. It begins with every mesh in file order.
  std::vector<DrawSegment> meshes;     ///< Each mesh's own indices.
  std::vector<DrawSegment> segments;
  std::vector<MeshId> order_meshes;
  std::vector<DrawOrder> orders;
  /// Per clip, and last for the bind pose, and per frame: the order, or kNone where the lists would have grown beyond
  /// reason. One element per clip where all of its frames share an order.
  std::vector<std::vector<std::uint32_t>> of_clip;

  [[nodiscard]] std::uint32_t of_frame(ClipId clip, std::uint32_t frame) const noexcept {
    const auto& frames = of_clip[std::min(index(clip), of_clip.size() - 1)];
    return frames[frame < frames.size() ? frame : frames.size() - 1];
  }
};

[[nodiscard]] DrawOrders find_draw_orders(const Character& character);

/// How finely a clip is baked. For smooth play there are `steps` rows per frame; where the clip wraps around, the last
/// row is the first frame again.
struct BakeRate {
  std::uint32_t steps = 1;
  bool smooth = false;
  bool wraps = false;

  [[nodiscard]] std::uint64_t rows(std::uint32_t frames) const noexcept {
    if (!smooth) return frames;
    return std::uint64_t{wraps ? frames : frames - 1} * steps + 1;
  }
};

/// How many frames of a clip are baked: one where all are alike, for want of frames or bones. A clip that the
/// character does not have means the bind pose, here and below.
[[nodiscard]] std::uint32_t baked_frames(const Character& character, ClipId clip) noexcept;

/// The rate at which blending neighboring rows' matrices keeps every vertex within a quarter pixel (of a 3D
/// character, of a picture in which it is a thousand high or wide) of the clip's smooth pose; nothing where more than
/// 16 steps per frame would be needed.
[[nodiscard]] std::optional<BakeRate> smooth_bake_rate(const Character& character, const PaletteLayout& layout,
                                                       ClipId clip);

/// Composes every row of a clip, on several threads where it is long. `palettes` has rows times entries elements, row
/// after row; `bounds` one rectangle per row, of the skinned vertices that its frame shows (for smooth play, that any
/// frame shows), or none at all where they are not wanted.
void bake_clip(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
               std::span<BoneTexels> palettes, std::span<Rect> bounds);

}  // namespace pchr

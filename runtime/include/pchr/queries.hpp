// SPDX-License-Identifier: MIT
// Queries: the bounds of a character, the mesh at a point, and the cost of its clips on the GPU.
//
// Bounds are those of visible, finite skinned vertices; smooth play may reach a little further between two frames. The
// first call of a `compute_` function poses each frame of a clip, on several threads where there are many, and keeps
// the result with the character. Any number of threads may call at once.
//
//   const pchr::Rect reach = pchr::compute_clip_bounds(hero, walk);
//   const auto masks = pchr::alpha_masks(hero);
//   const auto hit = pchr::hit_test(hero, posed, masks.value(), mouse);
//   if (hit) std::puts(hero.bones()[hit->bone].name.c_str());
#pragma once

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

/// Returns the bounds of what a posed character shows. Allocates nothing.
[[nodiscard]] Rect bounds(const Character& character, const PoseBuffers& posed) noexcept;
/// Returns the bounds of one mesh of a posed character, shown or not. Allocates nothing.
[[nodiscard]] Rect mesh_bounds(const Character& character, const PoseBuffers& posed, MeshId mesh) noexcept;

/// Returns the bounds of one frame, which the clip must have.
[[nodiscard]] Rect compute_frame_bounds(const Character& character, ClipId clip, std::uint32_t frame);
/// Returns the bounds of one mesh over the frames of a clip that show it.
[[nodiscard]] Rect compute_mesh_bounds(const Character& character, ClipId clip, MeshId mesh);
/// Returns the union of the bounds of every frame of a clip.
[[nodiscard]] Rect compute_clip_bounds(const Character& character, ClipId clip);
/// Returns the union over every frame of every clip, or of the bind pose where no frame shows anything.
[[nodiscard]] Rect compute_character_bounds(const Character& character);

/// The alpha of an image: a quarter of what its pixels take.
struct AlphaMask {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> alpha;  ///< width * height bytes, rows from top to bottom.
};

/// Keeps the alpha of a bitmap.
[[nodiscard]] AlphaMask alpha_mask(const Bitmap& bitmap);

/// Decodes a character's images and keeps their alpha alone, one mask per image. Fails as `decode_images` does.
[[nodiscard]] std::expected<std::vector<AlphaMask>, Diagnostic> alpha_masks(const Character& character,
                                                                            const Limits& limits = {});

/// The alpha for hit tests: one bitmap or mask per image of the character, then of the skin that was applied to the
/// draw list. They must outlive it. Images that are absent or without pixels count as opaque.
class HitImages {
 public:
  HitImages() noexcept = default;
  HitImages(std::span<const Bitmap> bitmaps) noexcept : bitmaps_(bitmaps) {}     ///< As given to the renderer.
  HitImages(std::span<const AlphaMask> masks) noexcept : masks_(masks) {}        ///< Of all images.
  HitImages(const std::vector<Bitmap>& bitmaps) noexcept : bitmaps_(bitmaps) {}  ///< As from decode_images().
  HitImages(const std::vector<AlphaMask>& masks) noexcept : masks_(masks) {}     ///< As from alpha_masks().

  /// Returns the alpha of the texel nearest to `uv`, clamped to the image; 255 where there is no such image.
  [[nodiscard]] std::uint8_t alpha(ImageId image, Vec2 uv) const noexcept;

 private:
  std::span<const Bitmap> bitmaps_;
  std::span<const AlphaMask> masks_;
};

/// What counts as hit.
struct HitTestOptions {
  std::uint8_t min_alpha = 128;  ///< Of a texel that counts.
};

/// A point of a mesh.
struct Hit {
  MeshId mesh{};
  BoneId bone{};               ///< With the largest weight there, the lower index among equals, else governing_bone.
  BoneId governing_bone{};     ///< Of the mesh.
  std::uint32_t triangle = 0;  ///< Of the mesh: its corners are the mesh's indices from 3 * triangle on.
  std::array<float, 3> barycentrics{};  ///< How near each corner is: 0..1, their sum is 1.
  Vec2 uv{0.0F};
  std::uint8_t alpha = 255;  ///< Of the image's texel there, straight.
};

/// Finds the topmost mesh at `point`, in the world of `posed` (for a placed instance, apply the inverse of its
/// placement), among those that `posed.draw_list` has with opacity and tint above 0; for an instance with a skin, call
/// apply_skin() on it. Within a mesh, later triangles lie on top; in 3D, seen from the front, nearer ones. Both sides
/// of a triangle count; a point on an edge that two triangles share belongs to one of them. What is not finite is never
/// hit. Allocates only for a mesh of more than 1,024 vertices or a 3D character.
[[nodiscard]] std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed, const HitImages& images,
                                          Vec2 point, const HitTestOptions& options = {});

/// Finds every mesh at `point`, front to back, each by its topmost triangle there, and overwrites `out` with them.
void hit_test_all(const Character& character, const PoseBuffers& posed, const HitImages& images, Vec2 point,
                  std::vector<Hit>& out, const HitTestOptions& options = {});

/// The cost of one clip on the GPU.
struct ClipBakeCost {
  std::uint64_t palette_bytes = 0;  ///< At the clip's own rate; smooth play may take several times as much.
  std::uint32_t draw_calls = 0;     ///< Max of an instance drawn alone: a run of meshes of one image is one.
};

/// The cost of a character on the GPU.
struct BakeCost {
  std::uint32_t bones = 0;        ///< That vertices use; a frame's palette has 32 bytes for each, 48 in 3D.
  std::uint32_t draw_orders = 0;  ///< Distinct ones over all frames of all clips.
  std::uint64_t index_bytes = 0;  ///< Index lists of all draw orders.
  std::vector<ClipBakeCost> clips;
};

/// Computes the GPU memory for drawing instances, beside vertices and images. A clip is baked when it is first drawn.
[[nodiscard]] BakeCost compute_bake_cost(const Character& character);

}  // namespace pchr

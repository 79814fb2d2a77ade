// SPDX-License-Identifier: MIT
// Questions about a character: how far it reaches, what is at a point, and what its clips cost on the GPU.
//
// Bounds are those of the skinned vertices that are shown, of every frame that the clip has, not of the bind pose.
// Smooth play may reach a little further between two frames. What is not finite is left out; what shows nothing is
// empty. A `compute_` function poses each frame of a clip when it is first asked, on several threads where there are
// many, and keeps the result with the character. Any number of threads may ask at once.
//
//   const pchr::Rect reach = pchr::compute_clip_bounds(hero, walk);
//   const auto masks = pchr::alpha_masks(hero);
//   const auto hit = pchr::hit_test(hero, posed, masks.value(), mouse);
//   if (hit) std::puts(hero.bones()[hit->bone].name.c_str());
#pragma once

#include <pchr/character.hpp>
#include <pchr/geometry.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Returns the bounds of what a posed character shows. Allocates nothing.
[[nodiscard]] Rect bounds(const Character& character, const PoseBuffers& posed) noexcept;
/// Returns the bounds of one mesh of a posed character, shown or not. Allocates nothing.
[[nodiscard]] Rect mesh_bounds(const Character& character, const PoseBuffers& posed, MeshId mesh) noexcept;

/// Returns the bounds of one frame, which the clip must have.
[[nodiscard]] Rect compute_frame_bounds(const Character& character, ClipId clip, std::uint32_t frame);
/// Returns the bounds of one mesh over the frames of a clip that show it. The first call poses the clip's frames once
/// for all meshes.
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

/// Where a hit test finds its alpha: one decoded image or mask per image of the character, or nothing at all. They must
/// outlive it. Where a skin is applied to the draw list, the skin's images follow the character's. An image without
/// pixels counts as opaque, and so does one that is not there.
class HitImages {
 public:
  HitImages() noexcept = default;  ///< No images: geometry alone, as if all were opaque.
  /// Decoded images, as the renderer is given.
  HitImages(std::span<const Bitmap> bitmaps) noexcept : bitmaps_(bitmaps) {}
  /// Masks of them.
  HitImages(std::span<const AlphaMask> masks) noexcept : masks_(masks) {}
  /// Decoded images, as from decode_images().
  HitImages(const std::vector<Bitmap>& bitmaps) noexcept : bitmaps_(bitmaps) {}
  /// Masks, as from alpha_masks().
  HitImages(const std::vector<AlphaMask>& masks) noexcept : masks_(masks) {}

  /// Returns the alpha of the texel at `uv`, nearest and clamped at the image's edges, as the renderer samples it; 255
  /// where there is no such image.
  [[nodiscard]] std::uint8_t alpha(ImageId image, Vec2 uv) const noexcept;

 private:
  std::span<const Bitmap> bitmaps_;
  std::span<const AlphaMask> masks_;
};

/// The definition of a hit.
struct HitTestOptions {
  /// A texel counts from this alpha on. The default is what is rather seen than not; 1 counts every texel that is not
  /// wholly transparent, 0 each one.
  std::uint8_t min_alpha = 128;
};

/// A point of a mesh.
struct Hit {
  MeshId mesh{};
  BoneId bone{};               ///< With the largest weight there, the lower index among equals; without any weight
                               ///< the governing bone.
  BoneId governing_bone{};     ///< Of the mesh.
  std::uint32_t triangle = 0;  ///< Of the mesh: its corners are the mesh's indices from 3 * triangle on.
  std::array<float, 3> barycentrics{};  ///< How near each corner is: 0..1, their sum is 1.
  Vec2 uv{0.0F};
  std::uint8_t alpha = 255;  ///< Of the image's texel there, straight.
};

/// Finds the topmost mesh at `point`, in the world of `posed` (for a placed instance, apply the inverse of its
/// placement). Meshes count that `posed.draw_list` has with an opacity above 0, tint included, and with the images it
/// draws them from: call apply_skin() on it to test an instance with a skin. Within a mesh, later triangles lie on top.
/// Both sides of a triangle count; a point on an edge that two triangles share belongs to one of them. Corners or a
/// point that are not finite are never hit. Of a 3D character, seen from the front, what is nearest is topmost.
/// Allocates only where a mesh has more than 1,024 vertices, or the character is 3D.
[[nodiscard]] std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed, const HitImages& images,
                                          Vec2 point, const HitTestOptions& options = {});

/// Finds every mesh at `point`, front to back, each by its topmost triangle there. `out` is overwritten and keeps its
/// memory.
void hit_test_all(const Character& character, const PoseBuffers& posed, const HitImages& images, Vec2 point,
                  std::vector<Hit>& out, const HitTestOptions& options = {});

/// The cost of one clip.
struct ClipBakeCost {
  std::uint64_t palette_bytes = 0;  ///< At the clip's own rate; smooth play may take several times as much.
  std::uint32_t draw_calls = 0;     ///< Of an instance drawn alone, at most: a run of meshes of one image is one.
};

/// The cost of a character.
struct BakeCost {
  std::uint32_t bones = 0;  ///< That vertices use; the palette of a frame has 32 bytes for each, 48 where it is 3D.
  std::uint32_t draw_orders = 0;  ///< Distinct ones over all frames of all clips.
  std::uint64_t index_bytes = 0;  ///< Index lists of all draw orders.
  std::vector<ClipBakeCost> clips;
};

/// Computes what drawing instances of `character` costs in GPU memory, beside its vertices and images. A clip's
/// palettes are made when the clip is first drawn.
[[nodiscard]] BakeCost compute_bake_cost(const Character& character);

}  // namespace pchr

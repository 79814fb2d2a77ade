// SPDX-License-Identifier: MIT
// What of a posed character is at a point, to the pixel: for clicks on limbs and for inspectors.
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

/// The alpha of an image: a quarter of what its pixels take.
struct AlphaMask {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> alpha;  ///< width * height bytes, rows from top to bottom.
};

/// The alpha of a bitmap.
[[nodiscard]] AlphaMask alpha_mask(const Bitmap& bitmap);

/// Decodes a character's images and keeps their alpha alone, one mask per image. Fails as `decode_images` does.
[[nodiscard]] std::expected<std::vector<AlphaMask>, Finding> alpha_masks(const Character& character,
                                                                         const Limits& limits = {});

/// Where a hit test finds its alpha: one decoded image or mask per image of the character, or nothing at all. They must
/// outlive it. Where the draw list is dressed in a skin, the skin's images follow the character's. An image without
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

  /// The alpha of the texel at `uv`, nearest and clamped at the image's edges, as the renderer samples it; 255 where
  /// there is no such image.
  [[nodiscard]] std::uint8_t alpha(std::uint32_t image, Vec2 uv) const noexcept;

 private:
  std::span<const Bitmap> bitmaps_;
  std::span<const AlphaMask> masks_;
};

/// What counts as a hit.
struct HitTestOptions {
  /// A texel counts from this alpha on. The default is what is rather seen than not; 1 counts every texel that is not
  /// wholly transparent, 0 each one.
  std::uint8_t least_alpha = 128;
};

/// A point of a mesh.
struct Hit {
  std::uint32_t mesh = 0;
  std::uint32_t bone = 0;  ///< With the largest weight there, the lower index among equals; without any weight
                           ///< the governing bone.
  std::uint32_t governing_bone = 0;     ///< Of the mesh.
  std::uint32_t triangle = 0;           ///< Of the mesh: its corners are the mesh's indices from 3 * triangle on.
  std::array<float, 3> barycentrics{};  ///< How near each corner is: 0..1, their sum is 1.
  Vec2 uv{0.0F};
  std::uint8_t alpha = 255;  ///< Of the image's texel there, straight.
};

/// The topmost mesh at `point`, in the world of `posed` (for a placed instance, apply the inverse of its placement).
/// Meshes count that `posed.draw_list` has with an opacity above 0, tint included, and with the images it draws them
/// from: put a skin on it with dress() to test what an instance wears. Within a mesh, later triangles lie on top. Both
/// sides of a triangle count; a point on an edge that two triangles share belongs to one of them. Corners or a point
/// that are not finite are never hit. Of a spatial character, seen from the front, what is nearest is topmost.
/// Allocates only where a mesh has more than 1,024 vertices, or the character is spatial.
[[nodiscard]] std::optional<Hit> hit_test(const Character& character, const PosedCharacter& posed,
                                          const HitImages& images, Vec2 point, const HitTestOptions& options = {});

/// Every mesh at `point`, front to back, each by its topmost triangle there. `out` is overwritten and keeps its memory.
void hit_test_all(const Character& character, const PosedCharacter& posed, const HitImages& images, Vec2 point,
                  std::vector<Hit>& out, const HitTestOptions& options = {});

}  // namespace pchr

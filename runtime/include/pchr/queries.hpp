// SPDX-License-Identifier: MIT
// Answers questions about a character: its bounds, which mesh is at a point, and what its clips cost on the GPU.
//
// Bounds cover visible skinned vertices with finite positions. With smooth playback, vertices can move slightly outside
// them between frames. The first call of a `compute_` function poses every frame of a clip, on the executor's threads
// if there are many frames, and caches the result with the character. All functions are safe to call from any number of
// threads.
//
//   const pchr::Rect reach = pchr::compute_clip_bounds(hero, walk);
//   const auto masks = pchr::alpha_masks(hero);
//   const auto hit = pchr::hit_test(hero, posed, masks.value(), mouse);
//   if (hit) std::puts(hero.bones()[hit->bone].name.c_str());
#pragma once

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

/// Returns the bounds of a posed character's visible meshes. Does not allocate.
[[nodiscard]] Rect bounds(const Character& character, const PoseBuffers& posed) noexcept;
/// Returns the bounds of one mesh of a posed character, visible or not. Does not allocate.
[[nodiscard]] Rect mesh_bounds(const Character& character, const PoseBuffers& posed, MeshId mesh) noexcept;

/// Returns the bounds of one frame, which must exist.
[[nodiscard]] Rect compute_frame_bounds(const Character& character, ClipId clip, std::uint32_t frame,
                                        const Executor& executor = {});
/// Returns the bounds of one mesh over all frames in which it is visible.
[[nodiscard]] Rect compute_mesh_bounds(const Character& character, ClipId clip, MeshId mesh,
                                       const Executor& executor = {});
/// Returns the bounds of all frames of a clip.
[[nodiscard]] Rect compute_clip_bounds(const Character& character, ClipId clip, const Executor& executor = {});
/// Returns the bounds of all clips, or of the bind pose if no frame shows anything.
[[nodiscard]] Rect compute_character_bounds(const Character& character, const Executor& executor = {});

/// The alpha channel of an image, a quarter of the size of its pixels.
struct AlphaMask {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> alpha;  ///< width * height bytes, top row first.
};

/// Extracts the alpha channel of a bitmap.
[[nodiscard]] AlphaMask alpha_mask(const Bitmap& bitmap);

/// Decodes a character's images and keeps only their alpha, one mask per image. Fails like decode_images().
[[nodiscard]] Expected<std::vector<AlphaMask>, Diagnostic> alpha_masks(const Character& character,
                                                                       const Limits& limits = {},
                                                                       const Executor& executor = {});

/// Alpha for hit tests: one bitmap or mask per image of the character, followed by those of a skin if it is applied to
/// the draw list. They must outlive this object. Images that are missing or have no pixels count as opaque.
class HitImages {
 public:
  HitImages() noexcept = default;
  HitImages(std::span<const Bitmap> bitmaps) noexcept : bitmaps_(bitmaps) {}     ///< One per image.
  HitImages(std::span<const AlphaMask> masks) noexcept : masks_(masks) {}        ///< One per image.
  HitImages(const std::vector<Bitmap>& bitmaps) noexcept : bitmaps_(bitmaps) {}  ///< From decode_images().
  HitImages(const std::vector<AlphaMask>& masks) noexcept : masks_(masks) {}     ///< From alpha_masks().

  /// Returns the alpha of the texel nearest to `uv`, clamped to the image. 255 if there is no such image.
  [[nodiscard]] std::uint8_t alpha(ImageId image, Vec2 uv) const noexcept;

 private:
  std::span<const Bitmap> bitmaps_;
  std::span<const AlphaMask> masks_;
};

/// Options for hit tests.
struct HitTestOptions {
  std::uint8_t min_alpha = 128;  ///< Texels with less alpha are not hit.
};

/// A hit on a mesh.
struct Hit {
  MeshId mesh{};
  BoneId bone{};            ///< Largest weight at the point, the lower index in a tie. Without weights, governing_bone.
  BoneId governing_bone{};  ///< Governing bone of the mesh.
  std::uint32_t triangle = 0;           ///< Its corners are the mesh's indices from 3 * triangle on.
  std::array<float, 3> barycentrics{};  ///< Weight of each corner, 0..1, summing to 1.
  Vec2 uv{0.0F};
  std::uint8_t alpha = 255;  ///< Straight alpha of the texel.
};

/// Finds the topmost mesh at `point` among the meshes of `posed.draw_list` with opacity and tint above 0. `point` is in
/// the world space of `posed`. Within a mesh, later triangles are on top; in 3D, triangles nearer to a
/// viewer in front. Both sides of a triangle can be hit; a point on a shared edge belongs to one triangle. Vertices
/// that are not finite are never hit. Allocates only for meshes of more than 1,024 vertices and for 3D characters.
[[nodiscard]] std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed, const HitImages& images,
                                          Vec2 point, const HitTestOptions& options = {});

/// Finds the topmost mesh of a placed instance at `point`, in the world of its placement. Leaves out what `skin` (or
/// null) hides and uses the alpha of its images, or that of `images` past those of the character if the skin no longer
/// has their pixels. An instance whose placement is singular or whose tint has an alpha
/// of 0 is never hit.
[[nodiscard]] std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed,
                                          const Appearance& appearance, const SkinData* skin, const HitImages& images,
                                          Vec2 point, const HitTestOptions& options = {});

/// One of many placed instances to test.
struct HitInstance {
  ClipId clip{};
  ClipTime position{};
  Appearance appearance{};
  const SkinData* skin = nullptr;      ///< A skin that fits the character, or null.
  const PoseBuffers* posed = nullptr;  ///< Replaces `clip` and `position` with a custom pose.
};

/// A hit on one of many instances.
struct InstanceHit {
  std::size_t instance = 0;  ///< Index into the instances.
  Hit hit;
};

/// Finds the topmost mesh at `point` among instances of one character, listed back to front. Poses an instance into
/// `scratch` only if its bounds contain the point, for which it calls compute_frame_bounds(). Does not allocate more
/// than hit_test() does once `scratch` is large enough.
[[nodiscard]] std::optional<InstanceHit> hit_test(const Character& character, std::span<const HitInstance> instances,
                                                  const HitImages& images, Vec2 point, PoseBuffers& scratch,
                                                  const HitTestOptions& options = {});

/// Finds every mesh at `point`, front to back, with its topmost triangle there. Overwrites `out`.
void hit_test_all(const Character& character, const PoseBuffers& posed, const HitImages& images, Vec2 point,
                  std::vector<Hit>& out, const HitTestOptions& options = {});

/// GPU cost of one clip.
struct ClipBakeCost {
  std::uint64_t palette_bytes = 0;  ///< At the clip's own rate. Smooth playback can need several times as much.
  std::uint32_t draw_calls = 0;  ///< Maximum for an instance drawn alone, before OpenGL 4.3. One per run of an image.
};

/// GPU cost of a character.
struct BakeCost {
  std::uint32_t bones = 0;          ///< Bones that vertices use. Each takes 32 bytes per frame, 48 in 3D.
  std::uint32_t draw_orders = 0;    ///< Distinct draw orders over all frames of all clips.
  std::uint64_t index_bytes = 0;    ///< Size of the index lists of all draw orders.
  std::vector<ClipBakeCost> clips;  ///< One per clip.
};

/// Computes the GPU memory that drawing instances takes, in addition to vertices and images. Clips are baked on first
/// use.
[[nodiscard]] BakeCost compute_bake_cost(const Character& character);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Models, their uploads and their skins on the GPU.
#pragma once

#include "render/palette_store.hpp"

#include <algorithm>
#include <array>

namespace pchr {

/// A box as its middle and a little more than half its size: rounding must not hide anything. The size of an empty one
/// is so negative that it never reaches into view.
struct CullBox {
  float x, y, half_width, half_height;
};

/// A row of a baked clip, as drawing looks it up.
struct BakedRow {
  static constexpr std::uint32_t kNotOneSegment = 0xFFFFFFFF;  ///< Instead of an image.

  CullBox box;
  DrawSegment segment;       ///< The only one of its frame.
  std::uint32_t packed = 0;  ///< As in InstanceRecord, but counted from the clip's first bone.
};

/// A clip's rows in the palette store, if it has any there.
struct BakedClip {
  // Valid while in_use is the store's current use:
  std::uint64_t in_use = 0;
  std::uint32_t first_bone = 0;
  GLuint texture = 0;

  std::uint32_t last_frame = 0;
  BakeRate rate{};
  std::vector<BakedRow> rows{};
  std::vector<CullBox> boxes_between{};  ///< For smooth play: around each row and the next.

  PaletteStore::Handle handle{};
  std::uint64_t baked_in_use = 0;  ///< The use in which it was last baked; 0 if never.
  bool too_large = false;          ///< Even at its own rate.
  bool not_smooth = false;         ///< Smooth play needs too many rows.
};

struct Model::Resources {
  std::shared_ptr<const Gl> gl;
  std::shared_ptr<PaletteStore> palettes;
  Character character;
  PaletteLayout layout;
  DrawOrders orders;  ///< Without the index lists, which the GPU has. Its segments' images are names of textures.
  std::uint32_t max_segments = 1;
  std::uint32_t max_pieces = 1;  ///< In any draw order of any skin so far.
  bool one_influence = false;
  BlendSpace space = BlendSpace::gamma;
  Filter filter = Filter::trilinear;
  std::uint64_t gpu_bytes = 0;
  GLenum index_type = GL_UNSIGNED_SHORT;
  GLuint vertex_array = 0, vertices = 0, depths = 0, indices = 0;
  float reach = 0;                 ///< How far from z = 0 the vertices of a 3D model may get.
  std::vector<GLuint> textures{};  ///< One per image.
  std::vector<BakedClip> clips{};  ///< The bind pose is last.

  [[nodiscard]] BakedClip& clip(ClipId id) noexcept { return clips[std::min(index(id), clips.size() - 1)]; }

  ~Resources();
};

/// Returns a clip with rows in the store, finely enough for smooth play if asked; null without. Its first bone and
/// texture stay valid for the store's current use.
[[nodiscard]] const BakedClip* find_baked(Model::Resources& model, ClipId clip, bool smooth) noexcept;

/// Bakes the clip first, where needed; null where it has to be posed instead. Draw instances with the clip's old rows
/// before. Changes what PaletteStore::store changes.
[[nodiscard]] const BakedClip* bake(Model::Resources& model, ClipId clip, bool smooth);

struct Upload::Resources {
  std::unique_ptr<Model::Resources> model;
  std::vector<std::uint32_t> indices;
  std::vector<Bitmap> own_bitmaps{};  ///< Where they have to last.
  std::span<const Bitmap> bitmaps{};
  std::size_t vertices_done = 0, depths_done = 0, indices_done = 0, images_done = 0;
  std::uint32_t rows_done = 0;  ///< The next image's.

  /// As Upload::step, but leaves its bindings and expects unpacking to be as SavedPixelTransfer sets it.
  bool step(std::uint64_t budget_bytes);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;
};

/// Checks the character and makes its objects. Changes the array buffer and the vertex array. `bitmaps` must last as
/// long.
[[nodiscard]] std::expected<std::unique_ptr<Upload::Resources>, RenderError> begin_upload(
    std::shared_ptr<const Gl> gl, std::shared_ptr<PaletteStore> palettes, BlendSpace space, const Character& character,
    std::span<const Bitmap> bitmaps);

/// A run of meshes of one color and texture, in a list of the model's.
struct SkinPiece {
  std::array<float, 4> tint;
  DrawSegment segment;
};

struct Skin::Resources {
  std::shared_ptr<const Gl> gl;
  const Model::Resources* model;  ///< Only to tell models apart: it may be gone.
  SkinData data;                  ///< Without pixels.
  std::uint64_t gpu_bytes = 0;
  std::vector<GLuint> textures{};  ///< One per image of its own.
  std::vector<SkinPiece> pieces{};
  std::vector<std::uint32_t> first_piece{};  ///< One per draw order of the model, then the end.

  [[nodiscard]] std::span<const SkinPiece> pieces_of(std::uint32_t order) const noexcept {
    return std::span(pieces).subspan(first_piece[order], first_piece[order + 1] - first_piece[order]);
  }

  ~Resources();
};

/// Returns the texture of an item; the mesh's own where neither the model nor `skin` has such an image.
[[nodiscard]] GLuint texture_of(const Model::Resources& model, const Skin::Resources* skin,
                                const DrawItem& item) noexcept;

[[nodiscard]] inline std::array<float, 4> product(const std::array<float, 4>& a,
                                                  const std::array<float, 4>& b) noexcept {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
}

/// Uploads a skin that has been checked. Changes the image unit's texture; unpacking is as SavedPixelTransfer sets it.
[[nodiscard]] std::unique_ptr<Skin::Resources> make_skin(const Model::Resources& model, const SkinData& data);

}  // namespace pchr

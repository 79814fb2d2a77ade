// SPDX-License-Identifier: MIT
// Models, uploads and skins on the GPU.
#pragma once

#include "animation/clip_timing.hpp"
#include "render/palette_store.hpp"
#include "render/texture.hpp"

#include <algorithm>
#include <array>

namespace pchr {

/// A box as center and half size, enlarged slightly so that rounding never culls anything visible. An empty box has
/// such a negative size that it is never in view.
struct CullBox {
  float x, y, half_width, half_height;
};

/// A row of a baked clip, for drawing.
struct BakedRow {
  static constexpr std::uint32_t kNotOneSegment = 0xFFFFFFFF;  ///< Stands for an image.

  CullBox box;
  DrawSegment segment;       ///< The frame's only segment.
  std::uint32_t packed = 0;  ///< Like InstanceRecord::row, but relative to the clip's first bone.
};

/// The rows of a clip in the palette store, if it has any there.
struct BakedClip {
  // Valid while in_use equals the store's current use.
  std::uint64_t in_use = 0;
  std::uint32_t first_bone = 0;
  GLuint texture = 0;

  ClipTiming timing{};
  std::uint32_t last_frame = 0;
  BakeRate rate{};
  bool is_simple = false;  ///< All frames have one segment.
  std::vector<BakedRow> rows{};
  std::vector<CullBox> boxes_between{};  ///< Each surrounds a row and the next one, for smooth playback.

  PaletteStore::Handle handle{};
  std::uint64_t baked_in_use = 0;  ///< Use in which it was last baked, or 0.
  bool too_large = false;          ///< Does not fit even at its own rate.
  bool not_smooth = false;         ///< Smooth playback would take too many rows.
};

struct Model::Resources {
  std::shared_ptr<const Gl> gl;
  std::shared_ptr<PaletteStore> palettes;
  Character character;
  PaletteLayout layout;
  DrawOrders orders;  ///< Without the index lists, which are on the GPU. Images are texture names.
  std::uint32_t max_segments = 1;
  std::uint32_t max_pieces = 1;  ///< Over all draw orders of all skins so far.
  bool one_influence = false;
  BlendSpace space = BlendSpace::gamma;
  Filter filter = Filter::trilinear;
  std::uint64_t gpu_bytes = 0;
  GLenum index_type = GL_UNSIGNED_SHORT;
  GLuint vertex_array = 0, vertices = 0, depths = 0, indices = 0;
  float reach = 0;                 ///< Upper bound on |z| of a 3D model's vertices.
  std::vector<GLuint> textures{};  ///< One per image.
  std::vector<BakedClip> clips{};  ///< The last one is the bind pose.

  [[nodiscard]] BakedClip& clip(ClipId id) noexcept { return clips[std::min(index(id), clips.size() - 1)]; }

  ~Resources();
};

/// Returns a clip with rows in the store, fine enough for smooth playback if `smooth`, or null. Its first bone and
/// texture stay valid during the store's current use.
[[nodiscard]] const BakedClip* find_baked(Model::Resources& model, ClipId clip, bool smooth) noexcept;

/// Returns a clip, baking it if necessary, or null if it must be posed instead. Before the call, draw the instances
/// that use the clip's old rows. Changes the same state as PaletteStore::store().
[[nodiscard]] const BakedClip* bake(Model::Resources& model, ClipId clip, bool smooth, const Executor& executor);

struct Upload::Resources {
  std::unique_ptr<Model::Resources> model;
  std::vector<std::uint32_t> indices;
  std::vector<Bitmap> own_bitmaps{};  ///< Empty if the caller keeps the bitmaps alive.
  std::span<const Bitmap> bitmaps{};
  std::size_t vertices_done = 0, depths_done = 0, indices_done = 0, images_done = 0;
  std::uint32_t rows_done = 0;            ///< Rows of the current image.
  std::optional<MipmapWriter> mipmaps{};  ///< Makes those of the current image, unless the driver does.

  /// Does what Upload::step() does, but leaves its bindings and expects the unpack parameters of SavedPixelTransfer.
  bool step(std::uint64_t budget_bytes);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;
};

/// Validates the character and creates its GL objects. Changes the array buffer and vertex array bindings. `bitmaps`
/// must outlive the result.
[[nodiscard]] Expected<std::unique_ptr<Upload::Resources>, RenderError> begin_upload(
    std::shared_ptr<const Gl> gl, std::shared_ptr<PaletteStore> palettes, BlendSpace space, const Character& character,
    std::span<const Bitmap> bitmaps);

/// A run of meshes with one look and texture, within the model's index list.
struct SkinPiece {
  DrawItem look;  ///< Of every mesh in the run.
  DrawSegment segment;
  bool only_tints = true;  ///< The look has nothing but a tint.
};

/// Returns whether two items have the same colors and blend mode.
[[nodiscard]] inline bool same_look(const auto& a, const auto& b) noexcept {
  return a.tint == b.tint && a.dark_tint == b.dark_tint && a.additive == b.additive && a.blend == b.blend;
}

struct Skin::Resources {
  std::shared_ptr<const Gl> gl;
  const Model::Resources* model;  ///< Identifies the model. Can dangle.
  SkinData data;                  ///< Without pixels.
  std::uint64_t gpu_bytes = 0;
  std::vector<GLuint> textures{};  ///< One per image of the skin.
  std::vector<SkinPiece> pieces{};
  std::vector<std::uint32_t> first_piece{};  ///< One per draw order of the model, plus the end.

  [[nodiscard]] std::span<const SkinPiece> pieces_of(std::uint32_t order) const noexcept {
    return std::span(pieces).subspan(first_piece[order], first_piece[order + 1] - first_piece[order]);
  }

  ~Resources();
};

/// Returns the texture of an item, or the mesh's own if neither the model nor `skin` has that image.
[[nodiscard]] GLuint texture_of(const Model::Resources& model, const Skin::Resources* skin,
                                const DrawItem& item) noexcept;

/// Uploads a validated skin. Changes the image unit's texture. Expects the unpack parameters of SavedPixelTransfer.
[[nodiscard]] std::unique_ptr<Skin::Resources> make_skin(const Model::Resources& model, const SkinData& data);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// What a model holds on the GPU.
#pragma once

#include "animation/bake.hpp"
#include "render/gl.hpp"
#include "render/palette_store.hpp"

#include <pchr/renderer.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace pchr {

/// A box as its middle and half its size, which is what culling needs, and a little more, since rounding must not hide
/// what is seen. One that is empty has a size so negative that nothing which is placed anywhere reaches into view.
struct CullBox {
  float x, y, half_width, half_height;
};

/// What drawing an instance looks up about its row.
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
  std::uint64_t baked_in_use = 0;  ///< When it was last baked; 0 if never.
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
  std::uint32_t max_pieces = 1;  ///< Of any draw order in any skin so far.
  bool one_influence = false;
  BlendSpace space = BlendSpace::gamma;
  Filter filter = Filter::trilinear;
  std::uint64_t gpu_bytes = 0;
  GLenum index_type = GL_UNSIGNED_SHORT;
  GLuint vertex_array = 0, vertices = 0, depths = 0, indices = 0;
  float reach = 0;                 ///< Of a 3D model: how far from z = 0 its vertices may get.
  std::vector<GLuint> textures{};  ///< One per image.
  std::vector<BakedClip> clips{};  ///< And last the bind pose.

  [[nodiscard]] BakedClip& clip(ClipId id) noexcept { return clips[std::min(index(id), clips.size() - 1)]; }

  ~Resources();
};

/// The clip with its rows in the store, finely enough for smooth play if asked; null if it is not there. Its first bone
/// and texture stay valid for the store's current use.
[[nodiscard]] const BakedClip* find_baked(Model::Resources& model, ClipId clip, bool smooth) noexcept;

/// Makes that so, where it is not yet; null where the clip has to be posed instead. Instances that are to be drawn with
/// the clip's old rows must have been drawn before. Changes what PaletteStore::store changes.
[[nodiscard]] const BakedClip* bake(Model::Resources& model, ClipId clip, bool smooth);

}  // namespace pchr

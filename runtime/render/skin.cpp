// SPDX-License-Identifier: MIT
#include "render/model.hpp"

#include "render/mipmaps.hpp"
#include "render/program.hpp"
#include "render/texture.hpp"

namespace pchr {
namespace {

bool continues(const SkinPiece& piece, const SkinPiece& next) {
  return same_look(piece.look, next.look) && piece.segment.image == next.segment.image &&
         piece.segment.first_index + piece.segment.index_count == next.segment.first_index;
}

/// Adds the pieces of one draw order. Hidden meshes and changes of color split the order's index list, which stays the
/// model's, so one draw call can serve all skins without images of their own.
void add_pieces(const DrawOrders& orders, const DrawOrder& order, Skin::Resources& skin) {
  if (order.segment_count == 0) return;
  const std::size_t first = skin.pieces.size();
  std::uint32_t first_index = orders.segments[order.first_segment].first_index;
  for (const MeshId mesh : std::span(orders.order_meshes).subspan(order.first_mesh, order.mesh_count)) {
    const std::uint32_t count = orders.meshes[index(mesh)].index_count;
    if (const std::optional<DrawItem> item = apply_skin(skin.data, {mesh})) {
      const bool only_tints = same_look(*item, DrawItem{.tint = item->tint});
      const SkinPiece piece{*item, {texture_of(*skin.model, &skin, *item), first_index, count}, only_tints};
      if (skin.pieces.size() > first && continues(skin.pieces.back(), piece)) {
        skin.pieces.back().segment.index_count += count;
      } else {
        skin.pieces.push_back(piece);
      }
    }
    first_index += count;
  }
}

}  // namespace

Skin::Resources::~Resources() { gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data()); }

Skin::Skin(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

const std::string& Skin::name() const noexcept { return resources_->data.name; }
std::uint64_t Skin::gpu_bytes() const noexcept { return resources_->gpu_bytes; }

GLuint texture_of(const Model::Resources& model, const Skin::Resources* skin, const DrawItem& item) noexcept {
  const std::size_t image = index(item.image), own = model.textures.size();
  if (image < own) return model.textures[image];
  if (skin != nullptr && image - own < skin->textures.size()) return skin->textures[image - own];
  return model.orders.meshes[index(item.mesh)].image;
}

std::unique_ptr<Skin::Resources> make_skin(const Model::Resources& model, const SkinData& data) {
  std::unique_ptr<Skin::Resources> skin(new Skin::Resources{model.gl, &model, {data.name, {}, data.parts}});
  const Gl& gl = *skin->gl;
  skin->textures.resize(data.images.size());
  gl.GenTextures(static_cast<GLsizei>(data.images.size()), skin->textures.data());
  gl.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  for (std::size_t i = 0; i < data.images.size(); ++i) {
    const Bitmap& bitmap = data.images[i];
    gl.BindTexture(GL_TEXTURE_2D, skin->textures[i]);
    define_texture(gl, bitmap, model.space);
    write_rows(gl, bitmap, 0, bitmap.height, model.space);
    if (writes_mipmaps(gl, model.space)) {
      for (MipmapWriter mipmaps(bitmap); !mipmaps.done();) mipmaps.write(gl, mipmaps.rows_left());
    } else {
      gl.GenerateMipmap(GL_TEXTURE_2D);
    }
    skin->gpu_bytes += bytes_with_mipmaps(bitmap);
  }
  for (const DrawOrder& order : model.orders.orders) {
    skin->first_piece.push_back(static_cast<std::uint32_t>(skin->pieces.size()));
    add_pieces(model.orders, order, *skin);
  }
  skin->first_piece.push_back(static_cast<std::uint32_t>(skin->pieces.size()));
  return skin;
}

}  // namespace pchr

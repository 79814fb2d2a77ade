// SPDX-License-Identifier: MIT
// What a skin holds on the GPU, and what it draws in each draw order.
#pragma once

#include "render/model.hpp"

#include <pchr/renderer.hpp>
#include <pchr/draw_list.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr {

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
  std::vector<std::uint32_t> first_piece{};  ///< Per draw order of the model, and the end.

  [[nodiscard]] std::span<const SkinPiece> pieces_of(std::uint32_t order) const noexcept {
    return std::span(pieces).subspan(first_piece[order], first_piece[order + 1] - first_piece[order]);
  }

  ~Resources();
};

/// The texture that a mesh is drawn from; the mesh's own where neither the model nor `skin` has such an image.
[[nodiscard]] GLuint texture_of(const Model::Resources& model, const Skin::Resources* skin,
                                const DrawItem& item) noexcept;

/// `tint` and an item's own as one.
[[nodiscard]] inline std::array<float, 4> product(const std::array<float, 4>& a,
                                                  const std::array<float, 4>& b) noexcept {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
}

/// Uploads a skin that has been checked. Changes the image unit's texture; unpacking is as SavedPixelTransfer sets it.
[[nodiscard]] std::unique_ptr<Skin::Resources> make_skin(const Model::Resources& model, const SkinData& data);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Models onto the GPU, a part at a time.
#pragma once

#include "render/model.hpp"

#include <pchr/renderer.hpp>

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <vector>

namespace pchr {

struct Upload::Resources {
  std::unique_ptr<Model::Resources> model;
  std::vector<std::uint32_t> indices;
  std::vector<Bitmap> own_bitmaps{};  ///< Where they have to last.
  std::span<const Bitmap> bitmaps{};
  // What is there:
  std::size_t vertices_done = 0, depths_done = 0, indices_done = 0, images_done = 0;
  std::uint32_t rows_done = 0;  ///< Of the next image.

  /// As Upload::step, but leaves its bindings and expects unpacking to be as SavedPixelTransfer sets it.
  bool step(std::uint64_t budget_bytes);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;
};

/// Checks what is to be uploaded, and makes its objects. Changes the array buffer and the vertex array. `bitmaps` must
/// last as long.
[[nodiscard]] std::expected<std::unique_ptr<Upload::Resources>, RenderError> begin_upload(
    std::shared_ptr<const Gl> gl, std::shared_ptr<PaletteStore> palettes, BlendSpace space, const Character& character,
    std::span<const Bitmap> bitmaps);

}  // namespace pchr

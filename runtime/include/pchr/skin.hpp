// SPDX-License-Identifier: MIT
// Skins: what many instances wear over a character's own images. Plain data, without OpenGL.
#pragma once

#include <pchr/character.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/image.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// What a skin does to one mesh.
struct SkinPart {
  bool visible = true;                    ///< False hides the mesh; true leaves that to the clip.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, multiplied into every pixel of the mesh.
  /// Which image to draw it from, with its own texture coordinates. Numbers are those of the character's images and,
  /// from their count on, of the skin's: see add_image().
  std::uint32_t image = DrawItem::kOwnImage;
};

/// A named set of replacements for one character.
struct SkinData {
  std::string name;
  std::vector<Bitmap> images;   ///< Of any size: texture coordinates span the whole of it.
  std::vector<SkinPart> parts;  ///< By mesh. Meshes beyond the last are as they are.
};

/// The part of mesh `mesh`; makes room for it.
[[nodiscard]] SkinPart& part_of(SkinData& skin, std::uint32_t mesh);

/// Adds a replacement image and gives its number, for SkinPart::image.
[[nodiscard]] std::uint32_t add_image(SkinData& skin, const Character& character, Bitmap image);

/// Why `skin` cannot be worn by `character`, in a sentence; nothing where it can.
[[nodiscard]] std::optional<std::string> find_problem(const SkinData& skin, const Character& character);

/// `item` as it looks in `skin`, which must fit its character; nothing where the skin hides it.
[[nodiscard]] std::optional<DrawItem> dressed(const SkinData& skin, DrawItem item) noexcept;

/// Puts `skin` on: takes out the meshes that it hides, multiplies tints, sets images.
void dress(const SkinData& skin, DrawList& list);

}  // namespace pchr

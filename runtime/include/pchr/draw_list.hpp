// SPDX-License-Identifier: MIT
// What is drawn, in which order: plain data, computed without OpenGL.
#pragma once

#include <pchr/character.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// A mesh to be drawn.
struct DrawItem {
  static constexpr std::uint32_t kOwnImage = 0xFFFFFFFF;

  std::uint32_t mesh = 0;
  float opacity = 1;                      ///< Of the mesh's governing bone.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Of this mesh alone, straight RGBA.
  std::uint32_t image = kOwnImage;        ///< Instead of the mesh's own; numbers are those of SkinPart::image.
};

/// Visible meshes, back to front. Yours to edit before it is drawn: take meshes out, tint them; see also dress().
using DrawList = std::vector<DrawItem>;

/// Meshes whose governing bone is visible, in ascending order of its z_order, file order among equals, each in its own
/// colours. Quickest where `out` still holds the list of a moment with the same meshes in the same order; its contents
/// need not be valid.
void build_draw_list(const Character& character, const PoseView& pose, DrawList& out);

/// The draw list as text, one line per mesh, hidden meshes last; for logs and golden files.
[[nodiscard]] std::string describe(const Character& character, const PoseView& pose, const DrawList& list);

}  // namespace pchr

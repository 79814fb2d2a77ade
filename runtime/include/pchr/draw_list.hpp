// SPDX-License-Identifier: MIT
// What is drawn, in which order: plain data, computed without OpenGL.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pchr {

struct DrawItem {
  std::uint32_t mesh = 0;
  float opacity = 1;  ///< Of the mesh's governing bone.
};

/// Visible meshes, back to front.
using DrawList = std::vector<DrawItem>;

/// Meshes whose governing bone is visible, in ascending order of its z_order, file order among equals. Quickest
/// where `out` still holds the list of a moment with the same meshes in the same order; its contents need not be valid.
void build_draw_list(const Character& character, const PoseView& pose, DrawList& out);

/// The draw list as text, one line per mesh, hidden meshes last; for logs and golden files.
[[nodiscard]] std::string describe(const Character& character, const PoseView& pose, const DrawList& list);

}  // namespace pchr

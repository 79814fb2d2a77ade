// SPDX-License-Identifier: MIT
// The layers of an artwork as the tree in which they are drawn.
#pragma once

#include "import/px/file.hpp"

#include <pchr/import/import.hpp>

#include <cstdint>
#include <vector>

namespace pchr::px {

/// An item in a place where it is drawn. One that masks several others has a node for each.
struct Node {
  std::uint32_t item = 0;  ///< Of File::items.
  std::int32_t parent = -1;
  LayerUse use = LayerUse::drawn;
  bool drawn = true;
  std::vector<std::uint32_t> children{}, cropping{}, clipping{};  ///< From bottom to top.
};

struct Tree {
  std::vector<Node> nodes{};         ///< From top to bottom, parents before what belongs to them.
  std::vector<std::uint32_t> roots;  ///< From bottom to top.
};

/// Follows the entries of `file` to its items. Entries of what is not there, is there already, or would be inside
/// itself are left out with a warning, and so is what is nested deeper than 32 or beyond thousands of nodes.
[[nodiscard]] Tree make_tree(const File& file, Warnings& warnings);

/// Sets which nodes are drawn.
void choose_layers(Tree& tree, const File& file, const LayerChoice& choice, Warnings& warnings);

/// The tree as tools see it; layer i is node i.
[[nodiscard]] std::vector<ArtworkLayer> describe_layers(const Tree& tree, const File& file);

}  // namespace pchr::px

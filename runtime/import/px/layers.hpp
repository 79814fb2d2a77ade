// SPDX-License-Identifier: MIT
// The layers of an artwork as the tree in which they are drawn.
#pragma once

#include "import/px/file.hpp"

#include <vector>

namespace pchr::px {

/// An item in the place where it is drawn. One that masks several others has a node for each.
struct Node {
  std::uint32_t item = 0;  ///< Index into File::items.
  std::int32_t parent = -1;
  LayerUse use = LayerUse::drawn;
  bool drawn = true;
  std::vector<std::uint32_t> children{}, cropping{}, clipping{};  ///< From bottom to top.
};

struct Tree {
  std::vector<Node> nodes{};         ///< From top to bottom, parents before their children and masks.
  std::vector<std::uint32_t> roots;  ///< From bottom to top.
};

/// Follows the entries of `file` to its items. Leaves out, with a warning, entries of items that are missing, placed
/// already or would contain themselves, and all beyond a depth of 32 or thousands of nodes.
[[nodiscard]] Tree make_tree(const File& file, Warnings& warnings);

void choose_layers(Tree& tree, const File& file, const LayerChoice& choice, Warnings& warnings);

/// Returns the nodes that have pixels and are drawn together with all of their parents.
[[nodiscard]] std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree);

[[nodiscard]] std::vector<ArtworkLayer> describe_layers(const Tree& tree, const File& file);

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// The layer tree of an artwork.
#pragma once

#include "import/px/file.hpp"

#include <vector>

namespace pchr::px {

/// An item at its place in the tree. An item that masks several others has a node for each.
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

/// Builds the tree from the entries of `file`. Skips, with a warning, items that are missing, already placed or would
/// contain themselves, and entries beyond 32 levels or 16,384 nodes.
[[nodiscard]] Tree make_tree(const File& file, Warnings& warnings);

void choose_layers(Tree& tree, const File& file, const LayerChoice& choice, Warnings& warnings);

/// Returns the nodes with pixels that are drawn and whose parents are all drawn.
[[nodiscard]] std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree);

[[nodiscard]] std::vector<ArtworkLayer> describe_layers(const Tree& tree, const File& file);

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// Arranges the layers of an artwork in a tree.
#include "import/px/layers.hpp"

#include <array>
#include <ranges>
#include <unordered_map>

namespace pchr::px {
namespace {

constexpr std::size_t kMaxNodes = 1U << 14;
/// Maximum number of entries followed, whether they lead to a layer or not.
constexpr std::size_t kMaxVisits = 1U << 18;
constexpr int kMaxDepth = 32;

class TreeMaker {
 public:
  TreeMaker(const File& file, Warnings& warnings) : file_(file), warnings_(warnings), state_(file.items.size()) {
    for (std::uint32_t i = 0; i < file.items.size(); ++i) {
      const Item& item = file.items[i];
      if (numbers_[static_cast<std::size_t>(item.kind)].emplace(item.id, i).second) continue;
      warn(warnings, DiagnosticId::px_entry_ignored, place_of(item), "has the same identifier as an earlier layer");
    }
  }

  Tree make() {
    tree_.roots = place_all(file_.entries, -1, LayerUse::drawn);
    return std::move(tree_);
  }

 private:
  struct State {
    bool open = false;   ///< Its children or masks are being placed.
    bool drawn = false;  ///< It has its own place, other than as a mask or within one.
  };

  /// Places entries from top to bottom. Returns the nodes from bottom to top.
  std::vector<std::uint32_t> place_all(const std::vector<Entry>& entries, std::int32_t parent, LayerUse use) {
    std::vector<std::uint32_t> placed;
    for (const Entry& entry : std::views::reverse(entries)) {
      if (++visits_ > kMaxVisits || tree_.nodes.size() == kMaxNodes) {
        leave_out(entry, parent, "but there are too many layers and masks");
        break;
      }
      if (const auto node = place(entry, parent, use)) placed.push_back(*node);
    }
    std::ranges::reverse(placed);
    return placed;
  }

  std::optional<std::uint32_t> place(const Entry& entry, std::int32_t parent, LayerUse use) {
    const auto& numbers = numbers_[static_cast<std::size_t>(entry.kind)];
    const auto found = numbers.find(entry.id);
    if (found == numbers.end()) return leave_out(entry, parent, "which does not exist");
    State& state = state_[found->second];
    if (state.open) return leave_out(entry, parent, "which would contain itself");
    const bool is_mask = use != LayerUse::drawn;
    const bool has_own_place = !is_mask && masks_ == 0;
    if (has_own_place && state.drawn) return leave_out(entry, parent, "which is already in another place");
    if (depth_ == kMaxDepth) return leave_out(entry, parent, "which is nested deeper than 32 levels");
    state.drawn = state.drawn || has_own_place;
    state.open = true;
    ++depth_;
    masks_ += is_mask ? 1 : 0;
    const auto number = tree_.nodes.size();
    tree_.nodes.push_back({found->second, parent, use});
    const Item& item = file_.items[found->second];
    const auto place_inside = [&](const std::vector<Entry>& entries, LayerUse inner_use, auto member) {
      // Look the node up again: placing others can reallocate the nodes.
      auto placed = place_all(entries, static_cast<std::int32_t>(number), inner_use);
      tree_.nodes[number].*member = std::move(placed);
    };
    place_inside(item.clipping, LayerUse::clipping_mask, &Node::clipping);
    place_inside(item.cropping, LayerUse::cropping_mask, &Node::cropping);
    place_inside(item.children, LayerUse::drawn, &Node::children);
    masks_ -= is_mask ? 1 : 0;
    --depth_;
    state.open = false;
    return static_cast<std::uint32_t>(number);
  }

  std::nullopt_t leave_out(const Entry& entry, std::int32_t parent, std::string_view why) {
    const At at =
        parent >= 0 ? place_of(file_.items[tree_.nodes[static_cast<std::size_t>(parent)].item]) : At{"artwork"};
    warn(warnings_, DiagnosticId::px_entry_ignored, at, "lists {} \"{}\", {}", name_of(entry.kind), printable(entry.id),
         why);
    return std::nullopt;
  }

  const File& file_;
  Warnings& warnings_;
  std::array<std::unordered_map<std::string_view, std::uint32_t>, 4> numbers_;  ///< Items by kind and identifier.
  std::vector<State> state_;
  Tree tree_;
  std::size_t visits_ = 0;
  int depth_ = 0;
  int masks_ = 0;  ///< Number of masks around the current entry.
};

}  // namespace

Tree make_tree(const File& file, Warnings& warnings) { return TreeMaker(file, warnings).make(); }

void choose_layers(Tree& tree, const File& file, const LayerChoice& choice, Warnings& warnings) {
  using enum LayerChoice::Which;
  const bool by_name = choice.which == named;
  const auto parent_of = [&](const Node& node) -> Node* {
    return node.parent >= 0 ? &tree.nodes[static_cast<std::size_t>(node.parent)] : nullptr;
  };
  for (Node& node : tree.nodes) {
    const Item& item = file.items[node.item];
    const Node* const parent = parent_of(node);
    const bool is_named = by_name && std::ranges::find(choice.names, item.name) != choice.names.end();
    const bool is_within = !by_name || (parent != nullptr && parent->drawn);
    const bool is_shown = (item.visible || choice.which == all) && item.kind != LayerKind::reference;
    node.drawn = is_named || (is_within && is_shown);
  }
  if (by_name) {
    for (const Node& node : std::views::reverse(tree.nodes)) {
      if (Node* const parent = parent_of(node); node.drawn && parent != nullptr) parent->drawn = true;
    }
    for (const std::string& name : choice.names) {
      if (std::ranges::find(file.items, name, &Item::name) != file.items.end()) continue;
      warn(warnings, DiagnosticId::px_layer_not_found, {}, "no layer is named \"{}\"", name);
    }
  }
  for (const LayerOverride& chosen : choice.overrides) {
    if (chosen.layer < tree.nodes.size()) tree.nodes[chosen.layer].drawn = chosen.drawn;
  }
}

std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree) {
  std::vector<std::uint32_t> leaves;
  std::vector<bool> shown(tree.nodes.size());
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    shown[i] = node.drawn && (node.parent < 0 || shown[static_cast<std::size_t>(node.parent)]);
    if (shown[i] && file.items[node.item].kind != LayerKind::group) leaves.push_back(i);
  }
  return leaves;
}

std::vector<ArtworkLayer> describe_layers(const Tree& tree, const File& file) {
  std::vector<ArtworkLayer> layers;
  for (const Node& node : tree.nodes) {
    ArtworkLayer& layer = layers.emplace_back(file.items[node.item]);
    layer.parent = node.parent;
    layer.use = node.use;
    layer.drawn = node.drawn;
  }
  return layers;
}

}  // namespace pchr::px

// SPDX-License-Identifier: MIT
// The layers of an artwork as the tree in which they are drawn.
#include "import/px/layers.hpp"

#include "import/diagnose.hpp"
#include "import/px/file.hpp"

#include <pchr/import/artwork.hpp>

#include <fmt/format.h>

#include <array>
#include <ranges>
#include <unordered_map>

namespace pchr::px {
namespace {

constexpr std::size_t kMaxNodes = 1U << 14;
/// Entries that are followed, to a layer or not.
constexpr std::size_t kMaxVisits = 1U << 18;
constexpr int kDeepest = 32;

/// Finds items by their kind and identifier.
class Directory {
 public:
  Directory(const File& file, Warnings& warnings) {
    for (std::uint32_t i = 0; i < file.items.size(); ++i) {
      const Item& item = file.items[i];
      if (by_id_[static_cast<std::size_t>(item.kind)].emplace(item.id, i).second) continue;
      warn(warnings, DiagnosticId::px_entry_ignored,
           {.path = section_of(item.kind), .name = item.name, .offset = item.offset},
           "another has the same identifier");
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> find(const Entry& entry) const {
    const auto& ids = by_id_[static_cast<std::size_t>(entry.kind)];
    const auto found = ids.find(entry.id);
    return found == ids.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> by_id_[4];
};

class TreeMaker {
 public:
  TreeMaker(const File& file, Warnings& warnings)
      : file_(file), warnings_(warnings), directory_(file, warnings), state_(file.items.size()) {}

  Tree make() {
    tree_.roots = place_all(file_.entries, -1, LayerUse::drawn);
    return std::move(tree_);
  }

 private:
  struct State {
    bool open = false;   ///< Something in it is being placed.
    bool drawn = false;  ///< It has a place of its own, other than as a mask or in one.
  };

  /// From top to bottom; the nodes' numbers from bottom to top.
  std::vector<std::uint32_t> place_all(const std::vector<Entry>& entries, std::int32_t parent, LayerUse use) {
    std::vector<std::uint32_t> placed;
    for (const Entry& entry : std::views::reverse(entries)) {
      if (++visits_ > kMaxVisits || tree_.nodes.size() == kMaxNodes) {
        leave_out(entry, parent, "there are too many layers and masks");
        break;
      }
      if (const auto node = place(entry, parent, use)) placed.push_back(*node);
    }
    std::ranges::reverse(placed);
    return placed;
  }

  std::optional<std::uint32_t> place(const Entry& entry, std::int32_t parent, LayerUse use) {
    const auto item = directory_.find(entry);
    if (!item) return leave_out(entry, parent, "there is no such layer");
    State& state = state_[*item];
    if (state.open) return leave_out(entry, parent, "it would be inside itself");
    const bool is_mask = use != LayerUse::drawn;
    const bool has_own_place = !is_mask && masks_ == 0;
    if (has_own_place && state.drawn) return leave_out(entry, parent, "it has its place already");
    if (depth_ == kDeepest) return leave_out(entry, parent, "it is nested deeper than 32");
    state.drawn = state.drawn || has_own_place;
    state.open = true;
    ++depth_;
    masks_ += is_mask ? 1 : 0;
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back({*item, parent, use});
    // References into the nodes do not last while more are placed.
    const Item& placed = file_.items[*item];
    auto clipping = place_all(placed.clipping, static_cast<std::int32_t>(node), LayerUse::clipping_mask);
    auto cropping = place_all(placed.cropping, static_cast<std::int32_t>(node), LayerUse::cropping_mask);
    auto children = place_all(placed.children, static_cast<std::int32_t>(node), LayerUse::drawn);
    tree_.nodes[node].clipping = std::move(clipping);
    tree_.nodes[node].cropping = std::move(cropping);
    tree_.nodes[node].children = std::move(children);
    masks_ -= is_mask ? 1 : 0;
    --depth_;
    state_[*item].open = false;
    return node;
  }

  std::nullopt_t leave_out(const Entry& entry, std::int32_t parent, std::string_view why) {
    const Item* const within = parent >= 0 ? &file_.items[tree_.nodes[static_cast<std::size_t>(parent)].item] : nullptr;
    warn(warnings_, DiagnosticId::px_entry_ignored,
         within != nullptr ? At{section_of(within->kind), within->name, within->offset} : At{"entries"}, "{} {}: {}",
         name_of(entry.kind), printable(entry.id), why);
    return std::nullopt;
  }

  const File& file_;
  Warnings& warnings_;
  const Directory directory_;
  std::vector<State> state_;
  Tree tree_;
  std::size_t visits_ = 0;
  int depth_ = 0;
  int masks_ = 0;  ///< Within how many something is being placed.
};

/// Every node with one of the names, what is visible of its own but for reference layers, and all that it is in.
void choose_named(Tree& tree, const File& file, const std::vector<std::string>& names) {
  const auto is_named = [&](const Node& node) {
    return std::ranges::find(names, file.items[node.item].name) != names.end();
  };
  std::vector<bool> within(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    Node& node = tree.nodes[i];
    const Item& item = file.items[node.item];
    const bool inherits = node.parent >= 0 && within[static_cast<std::size_t>(node.parent)] && item.visible &&
                          item.kind != LayerKind::reference;
    within[i] = inherits || is_named(node);
    node.drawn = within[i];
  }
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const Node& node = tree.nodes[i];
    if (node.drawn && node.parent >= 0) tree.nodes[static_cast<std::size_t>(node.parent)].drawn = true;
  }
}

void warning_on_names(const File& file, const std::vector<std::string>& names, Warnings& warnings) {
  for (const std::string& name : names) {
    if (std::ranges::find(file.items, name, &Item::name) != file.items.end()) continue;
    warn(warnings, DiagnosticId::px_layer_not_found, {}, "there is none named \"{}\"", name);
  }
}

}  // namespace

Tree make_tree(const File& file, Warnings& warnings) { return TreeMaker(file, warnings).make(); }

void choose_layers(Tree& tree, const File& file, const LayerChoice& choice, Warnings& warnings) {
  const auto is_reference = [&](const Node& node) { return file.items[node.item].kind == LayerKind::reference; };
  switch (choice.which) {
    case LayerChoice::Which::visible:
      for (Node& node : tree.nodes) node.drawn = file.items[node.item].visible && !is_reference(node);
      break;
    case LayerChoice::Which::all:
      for (Node& node : tree.nodes) node.drawn = !is_reference(node);
      break;
    case LayerChoice::Which::named:
      choose_named(tree, file, choice.names);
      warning_on_names(file, choice.names, warnings);
      break;
  }
  for (const LayerOverride& chosen : choice.overrides) {
    if (chosen.layer < tree.nodes.size()) tree.nodes[chosen.layer].drawn = chosen.drawn;
  }
}

std::vector<ArtworkLayer> describe_layers(const Tree& tree, const File& file) {
  std::vector<ArtworkLayer> layers;
  layers.reserve(tree.nodes.size());
  for (const Node& node : tree.nodes) {
    const Item& item = file.items[node.item];
    layers.push_back({item.name,
                      node.parent,
                      item.kind,
                      node.use,
                      item.visible,
                      node.drawn,
                      item.opacity,
                      item.blend,
                      item.tag_color,
                      item.expanded,
                      {}});
    if (item.kind == LayerKind::reference) layers.back().reference = item.reference;
  }
  return layers;
}

}  // namespace pchr::px

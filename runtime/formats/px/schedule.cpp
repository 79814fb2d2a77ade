// SPDX-License-Identifier: MIT
// What is to be drawn in which frame.
#include "formats/px/schedule.hpp"

#include "formats/px/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace pchr::px {
namespace {

bool is_leaf(const File& file, const Node& node) noexcept {
  const LayerKind kind = file.items[node.item].kind;
  return kind != LayerKind::group;
}

std::vector<Look> looks_of(const Item& item, CelStore& cels, Remarks& remarks) {
  std::vector<Look> looks(item.frames.size());
  std::size_t missing = 0;
  for (std::size_t i = 0; i < item.frames.size(); ++i) {
    const Frame& frame = item.frames[i];
    const std::int32_t cel = frame.content.empty() ? kNoCel : cels.find(item, frame.content);
    missing += !frame.content.empty() && cel == kNoCel ? 1 : 0;
    looks[i] = {cel, frame.opacity == Frame::kInherited ? item.opacity : frame.opacity, frame.z_index};
  }
  if (missing > 0) {
    remarks.add(FindingId::px_pixels_unusable, [&] {
      return finding_in(
          FindingId::px_pixels_unusable, std::string(section_of(item.kind)), item.name, item.offset,
          fmt::format("{} of its {} frames name pixels or a tileset that are not there", missing, item.frames.size()));
    });
  }
  return looks;
}

bool look_alike(const std::vector<Leaf>& leaves, std::size_t a, std::size_t b) noexcept {
  return std::ranges::all_of(leaves, [&](const Leaf& leaf) { return leaf.look(a) == leaf.look(b); });
}

std::uint64_t hash_of(const std::vector<Leaf>& leaves, std::size_t frame) noexcept {
  std::uint64_t hash = 0;
  for (const Leaf& leaf : leaves) {
    const Look& look = leaf.look(frame);
    const auto low =
        std::uint64_t{static_cast<std::uint32_t>(look.cel)} << 16 | static_cast<std::uint16_t>(look.z_index);
    hash = (hash ^ low ^ std::uint64_t{std::bit_cast<std::uint32_t>(look.opacity)} << 32) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return hash;
}

void find_distinct(Schedule& schedule, std::size_t frame_count) {
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t frame = 0; frame < frame_count; ++frame) {
    const std::uint64_t hash = hash_of(schedule.leaves, frame);
    const auto [first, last] = known.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      return look_alike(schedule.leaves, frame, schedule.distinct[entry.second]);
    });
    if (same != last) {
      schedule.like.push_back(same->second);
      continue;
    }
    known.emplace(hash, static_cast<std::uint32_t>(schedule.distinct.size()));
    schedule.like.push_back(static_cast<std::uint32_t>(schedule.distinct.size()));
    schedule.distinct.push_back(frame);
  }
}

class DrawingMaker {
 public:
  DrawingMaker(const File& file, const Tree& tree, const Schedule& schedule, std::uint32_t frame,
               std::span<const std::shared_ptr<const Cel>> cels)
      : file_(file), tree_(tree), schedule_(schedule), frame_(frame), cels_(cels) {
    for (std::uint32_t i = 0; i < schedule.leaves.size(); ++i) leaf_of_[schedule.leaves[i].node] = i;
  }

  /// A frame's z-index moves a layer among those beside it.
  [[nodiscard]] std::vector<Drawing> make_sorted(std::span<const std::uint32_t> nodes) const {
    std::vector<std::pair<std::int16_t, std::size_t>> places;
    for (const std::uint32_t node : nodes) places.emplace_back(z_index_of(node), places.size());
    std::ranges::sort(places);
    std::vector<std::uint32_t> sorted;
    for (const auto& [z_index, place] : places) sorted.push_back(nodes[place]);
    return make_all(sorted);
  }

 private:
  [[nodiscard]] std::int16_t z_index_of(std::uint32_t node) const {
    const auto leaf = leaf_of_.find(node);
    return leaf == leaf_of_.end() ? std::int16_t{0} : schedule_.leaves[leaf->second].look(frame_).z_index;
  }

  [[nodiscard]] std::vector<Drawing> make_all(std::span<const std::uint32_t> nodes) const {
    std::vector<Drawing> drawings;
    for (const std::uint32_t node : nodes) {
      if (auto drawing = make(node)) drawings.push_back(*std::move(drawing));
    }
    return drawings;
  }

  /// Nothing where it would show nothing.
  [[nodiscard]] std::optional<Drawing> make(std::uint32_t number) const {
    const Node& node = tree_.nodes[number];
    if (!node.drawn) return std::nullopt;
    const Item& item = file_.items[node.item];
    Drawing drawing{.opacity = item.opacity, .blend = item.blend, .box = {}};
    if (const auto leaf = leaf_of_.find(number); leaf != leaf_of_.end()) {
      drawing.cel = cels_[leaf->second];
      drawing.opacity = schedule_.leaves[leaf->second].look(frame_).opacity;
      if (drawing.cel) drawing.box = drawing.cel->box;
    } else {
      drawing.parts = make_sorted(node.children);
      for (const Drawing& part : drawing.parts) drawing.box.include(part.box);
    }
    drawing.cropped = !node.cropping.empty();
    drawing.masks = make_all(drawing.cropped ? node.cropping : node.clipping);
    const bool hidden = drawing.cropped && drawing.masks.empty();
    if (drawing.box.empty() || hidden) return std::nullopt;
    return drawing;
  }

  const File& file_;
  const Tree& tree_;
  const Schedule& schedule_;
  const std::uint32_t frame_;
  const std::span<const std::shared_ptr<const Cel>> cels_;
  std::unordered_map<std::uint32_t, std::uint32_t> leaf_of_{};
};

}  // namespace

std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree) {
  std::vector<std::uint32_t> leaves;
  std::vector<bool> shown(tree.nodes.size());
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    shown[i] = node.drawn && (node.parent < 0 || shown[static_cast<std::size_t>(node.parent)]);
    if (shown[i] && is_leaf(file, node)) leaves.push_back(i);
  }
  return leaves;
}

Schedule make_schedule(const File& file, const Tree& tree, std::span<const std::shared_ptr<const Cel>> references,
                       std::size_t frame_count, CelStore& cels, Remarks& remarks) {
  Schedule schedule;
  std::unordered_map<std::uint32_t, Leaf> known;
  for (const std::uint32_t node : find_leaves(file, tree)) {
    const std::uint32_t number = tree.nodes[node].item;
    const auto [entry, is_new] = known.try_emplace(number);
    Leaf& leaf = entry->second;
    if (is_new) {
      const Item& item = file.items[number];
      leaf.looks = std::make_shared<const std::vector<Look>>(looks_of(item, cels, remarks));
      if (references[number]) leaf.rest = {cels.add(references[number]), item.opacity, 0};
    }
    leaf.node = node;
    schedule.leaves.push_back(leaf);
  }
  find_distinct(schedule, frame_count);
  for (const std::uint32_t frame : schedule.distinct) {
    for (const Leaf& leaf : schedule.leaves) {
      if (leaf.look(frame).cel != kNoCel) cels.announce(leaf.look(frame).cel);
    }
  }
  return schedule;
}

std::vector<Drawing> make_drawings(const File& file, const Tree& tree, const Schedule& schedule, std::uint32_t frame,
                                   std::span<const std::shared_ptr<const Cel>> cels) {
  return DrawingMaker(file, tree, schedule, frame, cels).make_sorted(tree.roots);
}

}  // namespace pchr::px

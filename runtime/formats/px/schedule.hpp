// SPDX-License-Identifier: MIT
// What is to be drawn in which frame.
#pragma once

#include "formats/px/cels.hpp"
#include "formats/px/compose.hpp"
#include "formats/px/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pchr::px {

/// What a layer shows in a frame.
struct Look {
  std::int32_t cel = kNoCel;
  float opacity = 1;
  std::int16_t z_index = 0;
  bool operator==(const Look&) const = default;
};

/// A layer that has pixels and is drawn, and all that it is in, too.
struct Leaf {
  std::uint32_t node = 0;
  std::shared_ptr<const std::vector<Look>> looks{};  ///< Of the first frames; shared by all leaves of an item.
  Look rest{};                                       ///< In all frames after those.

  [[nodiscard]] const Look& look(std::size_t frame) const noexcept {
    return frame < looks->size() ? (*looks)[frame] : rest;
  }
};

struct Schedule {
  std::vector<Leaf> leaves{};
  /// Frames of which no two look the same, and for each frame which of them it looks like.
  /// @{
  std::vector<std::uint32_t> distinct{};
  std::vector<std::uint32_t> like{};
  /// @}
};

/// Works out what each of `frame_count` frames shows, and announces to `cels` what drawing each distinct one takes.
/// `references` has the cels of reference layers, by their items. Contents that are not there are remarked upon.
[[nodiscard]] Schedule make_schedule(const File& file, const Tree& tree,
                                     std::span<const std::shared_ptr<const Cel>> references, std::size_t frame_count,
                                     CelStore& cels, Remarks& remarks);

/// The leaves that are drawn at all.
[[nodiscard]] std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree);

/// The drawings of a frame; `cels` are those of the leaves, absent where they show nothing.
[[nodiscard]] std::vector<Drawing> make_drawings(const File& file, const Tree& tree, const Schedule& schedule,
                                                 std::uint32_t frame, std::span<const std::shared_ptr<const Cel>> cels);

}  // namespace pchr::px

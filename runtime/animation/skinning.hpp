// SPDX-License-Identifier: MIT
// Palettes and skinning of either kind of character: a spatial one as it is seen from the front.
#pragma once

#include <pchr/pose.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// A skinning palette, of a planar or of a spatial character; the other is empty.
struct Palette {
  std::span<const Affine> planar;
  std::span<const Affine3> spatial;
};

[[nodiscard]] Palette palette_of(const Character& character, const PosedCharacter& posed) noexcept;

/// Where the vertices from number `first` on are; `out` has one element for each.
void skin_front(const Character& character, const Palette& palette, std::size_t first, std::span<Vec2> out) noexcept;

/// Memory for the transforms of one pose.
class ComposedPose {
 public:
  explicit ComposedPose(const Character& character);

  /// `pose` has one value per bone of the character.
  void compose(const Character& character, const PoseView& pose) noexcept;
  [[nodiscard]] Palette palette() const noexcept { return {palette_, spatial_palette_}; }

 private:
  std::vector<Affine> world_, palette_;
  std::vector<Affine3> spatial_world_, spatial_palette_;
};

}  // namespace pchr

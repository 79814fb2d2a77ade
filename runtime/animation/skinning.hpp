// SPDX-License-Identifier: MIT
// Palettes and skinning of either kind of character: a 3D one as it is seen from the front.
#pragma once

#include <pchr/pose.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// A skinning palette, of a 2D or of a 3D character; the other is empty.
struct Palette {
  std::span<const Affine> in_2d;
  std::span<const Affine3> in_3d;
};

[[nodiscard]] Palette palette_of(const Character& character, const PoseBuffers& posed) noexcept;

/// Where the vertices from number `first` on are; `out` has one element for each.
void skin_front(const Character& character, const Palette& palette, std::size_t first, std::span<Vec2> out) noexcept;

/// Makes `bounds` contain `count` vertices from number `first` on as `palette` skins them, seen from the front, but for
/// those that are not finite: nothing is drawn there. Allocates nothing.
void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept;

/// Memory for the transforms of one pose.
class ComposedPose {
 public:
  explicit ComposedPose(const Character& character);

  /// `pose` has one value per bone of the character.
  void compose(const Character& character, const PoseView& pose) noexcept;
  [[nodiscard]] Palette palette() const noexcept { return {palette_, palette_3d_}; }

 private:
  std::vector<Affine> world_, palette_;
  std::vector<Affine3> world_3d_, palette_3d_;
};

}  // namespace pchr

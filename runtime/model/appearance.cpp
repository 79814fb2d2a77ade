// SPDX-License-Identifier: MIT
// Placements from the numbers that games have.
#include <pchr/appearance.hpp>

#include "animation/sine_cosine.hpp"

namespace pchr {

Affine placement(Vec2 position, float rotation_degrees, float scale, bool flip_x) noexcept {
  const auto [sine, cosine] = sine_cosine_degrees(rotation_degrees);
  const float across = flip_x ? -scale : scale;
  return {cosine * across, sine * across, -sine * scale, cosine * scale, position.x, position.y};
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Opacity that changes over time as faded copies in the images, for forms that have none.
#pragma once

#include <pchr/character.hpp>
#include <pchr/load.hpp>

#include <cstdint>
#include <expected>

namespace pchr {

/// Whether a visible part is translucent in any frame.
[[nodiscard]] bool has_opacity(const Character& character) noexcept;

struct BakedOpacity {
  CharacterData data;
  /// How far apart, in 1/255, the opacities are that were baked; each is at most half of that off. 1: exact.
  std::uint32_t step = 1;
};

/// The same character without opacity: each mesh has a copy for each opacity that its governing bone gives it, drawn
/// from a copy of its part of the image with that alpha, below the original in the same image. A bone of its own, at
/// the same place, shows each copy when it is due.
///
/// Images grow to at most four times their size, or two megapixels; where all opacities take more, they are taken in
/// larger steps. Fails where that is not enough, an image cannot be decoded, or there would be too many bones or
/// samples.
[[nodiscard]] std::expected<BakedOpacity, Finding> with_baked_opacity(const Character& character, const Limits& limits);

}  // namespace pchr

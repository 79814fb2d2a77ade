// SPDX-License-Identifier: MIT
// Composes frames of an artwork's character.
#pragma once

#include "support/load.hpp"

#include <pchr/image.hpp>

#include <cstdint>

namespace pchr::test {

/// Returns the canvas in frame `frame` of the clip with all frames, composed from the quads of the visible meshes, with
/// straight alpha. Each quad must have the size of the part that it shows, and images must not be encoded.
[[nodiscard]] Bitmap image_of(const ImportedCharacter& character, std::uint32_t frame);
/// Returns the canvas in a frame of another clip.
[[nodiscard]] Bitmap image_of(const ImportedCharacter& character, ClipId clip, std::uint32_t frame);

}  // namespace pchr::test

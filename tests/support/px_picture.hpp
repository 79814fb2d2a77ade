// SPDX-License-Identifier: MIT
// What a frame of an artwork's character shows.
#pragma once

#include "support/load.hpp"

#include <pchr/image.hpp>

#include <cstdint>

namespace pchr::test {

/// The canvas in frame `frame` of the clip of all frames, put together from the quads of the visible meshes. Straight
/// alpha; each quad is as large as what it shows of its image, which is not encoded.
[[nodiscard]] Bitmap picture_of(const ImportedCharacter& character, std::uint32_t frame);
/// The same of another clip.
[[nodiscard]] Bitmap picture_of(const ImportedCharacter& character, ClipId clip, std::uint32_t frame);

}  // namespace pchr::test

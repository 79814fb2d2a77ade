// SPDX-License-Identifier: MIT
// A character for reading and writing text. Its numbers use all digits that a float can have.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>

namespace pchr::bench {

/// Returns 40 bones, clips of 500 frames with `frames` in total, and a tenth as many vertices as bones times frames,
/// similar to the samples. A transform takes about 150 bytes of JSON, a vertex about 170.
[[nodiscard]] Character puppet(std::uint32_t frames);

/// Returns a character of the size of Spine's sample Spineboy: 67 bones, 26 meshes with 276 vertices of one or two
/// influences, and a clip of 8 frames.
[[nodiscard]] Character small_puppet();

/// Returns the sample character, loaded once.
[[nodiscard]] const Character& kiri();

}  // namespace pchr::bench

// SPDX-License-Identifier: MIT
// A character for reading and writing text: its numbers have all the digits that floats can have.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>

namespace pchr::bench {

/// 40 bones and clips of 500 frames, in all `frames`, and a tenth as many vertices as bones times frames: about the
/// proportions of the samples. One transform takes some 150 bytes of JSON, one vertex some 170.
[[nodiscard]] Character puppet(std::uint32_t frames);

}  // namespace pchr::bench

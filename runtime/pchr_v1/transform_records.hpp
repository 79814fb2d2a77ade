// SPDX-License-Identifier: MIT
// The transforms of a PCHR v1 file into arrays.
#pragma once

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pchr::v1 {

/// What was seen on the way.
struct SplitTransforms {
  bool all_finite;
  std::uint8_t flags;  ///< Of all records, or-ed.
};

/// Replaces `samples` with the fields of `records`, any number of whole transforms.
SplitTransforms split_transforms(std::span<const std::byte> records, BoneSamples& samples);

}  // namespace pchr::v1

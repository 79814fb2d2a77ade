// SPDX-License-Identifier: MIT
// Where the records of a PCHR v1 file stand.
#pragma once

#include "model/location.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace pchr {

/// How many whole records a v1 file has, up to the first that is cut off.
struct V1Census {
  std::uint64_t images = 0, bones = 0, meshes = 0, clips = 0;
  std::uint64_t vertices = 0, indices = 0;  ///< Of the meshes.
};

/// Steps from record to record without looking at what they hold.
[[nodiscard]] V1Census count_records(std::span<const std::byte> file);

/// Offset of `location` in a v1 file that has it. Steps through the file, so it is asked only when something is found.
[[nodiscard]] std::optional<std::uint64_t> find_in_v1(std::span<const std::byte> file, const Location& location);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Pachario JSON, out.
#pragma once

#include <pchr/import/save.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace pchr {

/// The JSON of a character whose images are PNG files at `image_paths`, one per image. Once it is longer than
/// `max_bytes`, whatever else there are many of is left out.
[[nodiscard]] std::vector<std::byte> write_json(const CharacterData& data, JsonDialect spelling,
                                                std::span<const std::string> image_paths,
                                                std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace pchr

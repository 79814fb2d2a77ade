// SPDX-License-Identifier: MIT
// Pachario JSON, out.
#pragma once

#include <pchr/save.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pchr {

/// The JSON of a character whose images are PNG files at `image_paths`, one per image.
[[nodiscard]] std::vector<std::byte> write_json(const CharacterData& data, Spelling spelling,
                                                std::span<const std::string> image_paths);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Functions shared by the writers.
#pragma once

#include <pchr/import/save.hpp>

namespace pchr {

/// Returns all images encoded as PNG.
[[nodiscard]] Expected<std::vector<Image>, Diagnostic> png_images(const CharacterData& data, const Limits& limits,
                                                                  PngCompression compression);

/// Returns an error if an output of at least `bytes` bytes exceeds `max_bytes`.
[[nodiscard]] std::optional<Diagnostic> find_excess(std::uint64_t bytes, std::uint64_t max_bytes);

}  // namespace pchr

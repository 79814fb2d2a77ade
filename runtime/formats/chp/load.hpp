// SPDX-License-Identifier: MIT
// Pomyu characters: .chp files and the pictures they name.
#pragma once

#include <pchr/load.hpp>

namespace pchr {

/// Whether bytes that are of no other format are text with a command that only a .chp file has.
[[nodiscard]] bool looks_like_chp(std::span<const std::byte> bytes);

/// Reads a .chp file and its pictures. Only text that is none is refused: what cannot be followed is remarked upon.
[[nodiscard]] std::expected<Character, LoadError> read_chp(std::span<const std::byte> bytes,
                                                           const LoadOptions& options);

}  // namespace pchr

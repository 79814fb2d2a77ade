// SPDX-License-Identifier: MIT
// Pixquare artworks: .px files.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <span>

namespace pchr {

/// Whether bytes begin like a .px file. No other format's do.
[[nodiscard]] bool looks_like_px(std::span<const std::byte> bytes) noexcept;

/// Reads a .px file and puts the chosen layers of its frames together. Only what has no canvas, or asks for more than
/// the limits allow, is refused: what is damaged or not drawn is remarked upon.
[[nodiscard]] std::expected<Character, LoadError> read_px(std::span<const std::byte> bytes, const LoadOptions& options);

}  // namespace pchr

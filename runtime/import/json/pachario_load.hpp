// SPDX-License-Identifier: MIT
// Pachario characters whose structure is JSON: with images beside it, or packed with one PNG.
#pragma once

#include <pchr/import/import.hpp>

namespace pchr {

/// Bytes behind a JSON text that its parser may read.
inline constexpr std::size_t kJsonPadding = 64;

/// Whether an object begins after white space and a byte order mark.
[[nodiscard]] bool looks_like_json(std::span<const std::byte> bytes) noexcept;

/// Reads JSON and the images it names. `readable` bytes from the start of `bytes` may be read.
[[nodiscard]] std::expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                                            const ImportOptions& options);

/// Whether bytes that begin with PCHR are the older binary: two lengths that add up to the file, then JSON.
[[nodiscard]] bool is_packed(std::span<const std::byte> bytes) noexcept;

/// Whether bytes that are neither `is_packed` nor v1 are the older binary with a wrong size: the JSON begins with a
/// key.
[[nodiscard]] bool resembles_packed(std::span<const std::byte> bytes) noexcept;

/// Reads the older binary: a 16-byte header, JSON, a PNG for the first image. Image paths in it are only names. Bytes
/// that follow are a warning.
[[nodiscard]] std::expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                                              const ImportOptions& options);

}  // namespace pchr

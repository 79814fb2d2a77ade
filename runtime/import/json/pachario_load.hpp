// SPDX-License-Identifier: MIT
// Pachario characters whose structure is JSON: with images beside it, or packed with one PNG.
#pragma once

#include <pchr/import/import.hpp>

#include <cstddef>
#include <span>

namespace pchr {

/// How many bytes behind a JSON text its parser may read.
inline constexpr std::size_t kJsonPadding = 64;

/// Whether what follows white space and a byte order mark opens an object.
[[nodiscard]] bool looks_like_json(std::span<const std::byte> bytes) noexcept;

/// Reads JSON and the images it names. From the start of `bytes` on, `readable` bytes may be read.
[[nodiscard]] std::expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                                            const ImportOptions& options);

/// Whether bytes that begin with PCHR are the older binary: two lengths that add up to the file, then JSON.
[[nodiscard]] bool is_packed(std::span<const std::byte> bytes) noexcept;

/// Whether bytes that are not `is_packed` nor v1 must be the older binary all the same, cut or with more behind it: the
/// JSON begins with a key.
[[nodiscard]] bool resembles_packed(std::span<const std::byte> bytes) noexcept;

/// Reads the older binary: a 16-byte header, JSON, a PNG for the first image. Image paths in it are only names. Bytes
/// that follow are a warning.
[[nodiscard]] std::expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                                              const ImportOptions& options);

}  // namespace pchr

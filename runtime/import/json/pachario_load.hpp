// SPDX-License-Identifier: MIT
// Reads Pachario characters in JSON, with image files next to it or packed with one PNG.
#pragma once

#include "import/folders.hpp"

namespace pchr {

/// Number of bytes after a JSON text that the parser may read.
inline constexpr std::size_t kJsonPadding = 64;

/// Returns whether `bytes` start with a JSON object, after white space and a byte order mark.
[[nodiscard]] bool looks_like_json(std::span<const std::byte> bytes) noexcept;

/// Reads JSON and its image files. `readable` bytes from the start of `bytes` may be read.
[[nodiscard]] Expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                                       const ReaderOptions& options);

/// Returns whether `bytes`, which start with PCHR, are an older packed file: two lengths that add up to the file size,
/// then JSON.
[[nodiscard]] bool is_packed(std::span<const std::byte> bytes) noexcept;

/// Returns whether `bytes`, which are neither packed nor v1, are an older packed file of the wrong size: the JSON
/// starts with a key.
[[nodiscard]] bool resembles_packed(std::span<const std::byte> bytes) noexcept;

/// Reads an older packed file: a 16-byte header, JSON, and a PNG for the first image. Its image paths are only names.
/// Bytes after the PNG are a warning.
[[nodiscard]] Expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                                         const ReaderOptions& options);

}  // namespace pchr

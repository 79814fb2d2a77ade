// SPDX-License-Identifier: MIT
// Pachario characters whose structure is JSON: with images beside it, or packed with one PNG.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace pchr {

/// How many bytes behind a JSON text its parser may read.
inline constexpr std::size_t kJsonPadding = 64;

/// Whether what follows white space and a byte order mark opens an object.
[[nodiscard]] bool looks_like_json(std::span<const std::byte> bytes) noexcept;

/// Reads JSON and the images it names. From the start of `bytes` on, `readable` bytes may be read.
[[nodiscard]] std::expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                                            const LoadOptions& options);

/// Whether bytes that begin with PCHR are the older binary: two lengths that add up to the file, then JSON.
[[nodiscard]] bool is_packed(std::span<const std::byte> bytes) noexcept;

/// Reads the older binary: a 16-byte header, JSON, a PNG for the first image. Image paths in it are only names.
[[nodiscard]] std::expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                                              const LoadOptions& options);

/// For bytes that are neither packed nor v1: what is wrong with them as the older binary, if they resemble it.
[[nodiscard]] std::optional<Finding> broken_packed(std::span<const std::byte> bytes);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Reads and writes the binary PCHR format, version 1.
#pragma once

#include <pchr/load.hpp>

#include <optional>
#include <string_view>

namespace PCHR_API pchr {

inline constexpr std::size_t kMaxNameBytes = 65535;

/// Returns whether `bytes` start like a v1 file or an older packed file.
[[nodiscard]] bool has_v1_magic(std::span<const std::byte> bytes) noexcept;

/// Returns whether `bytes` are an older packed file: after the magic bytes and the version two lengths that add up to
/// the size of the file, then JSON.
[[nodiscard]] bool is_packed(std::span<const std::byte> bytes) noexcept;

/// Reads a v1 file. `bytes` start with the magic bytes.
[[nodiscard]] Expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes, const LoadOptions& options);

/// Writes a v1 file with `images`, none of them absent, instead of the images of `data`. Values must fit their fields,
/// but names are truncated, draw orders are clamped, and opacity and the frame rates of clips are dropped.
[[nodiscard]] std::vector<std::byte> write_pchr_v1(const CharacterData& data, std::span<const Image> images);

/// Returns the offset of `path` in a v1 file. Walks the whole file, so use it only for diagnostics.
[[nodiscard]] std::optional<std::uint64_t> find_offset(std::span<const std::byte> file, std::string_view path);

}  // namespace pchr

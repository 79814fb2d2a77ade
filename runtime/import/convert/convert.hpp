// SPDX-License-Identifier: MIT
// What the writers share.
#pragma once

#include <pchr/character.hpp>
#include <pchr/import/save.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

namespace pchr {

/// Everything that writing leaves out, in the order of the file: as errors, or with `lossy` as warnings. One
/// diagnostic stands for all such values of a clip.
[[nodiscard]] std::vector<Diagnostic> find_losses(const Imported& imported, Format form, JsonDialect spelling,
                                                  bool lossy);

/// The first thing that keeps the character from being written at all.
[[nodiscard]] std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format form);

/// The images as PNG files.
[[nodiscard]] std::expected<std::vector<std::vector<std::byte>>, Diagnostic> image_files(const CharacterData& data,
                                                                                         const Limits& limits);

/// The error of an output of at least `bytes`, where that is beyond `max_bytes`.
[[nodiscard]] std::optional<Diagnostic> find_excess(std::uint64_t bytes, std::uint64_t max_bytes);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Functions that the writers share.
#pragma once

#include <pchr/import/save.hpp>

namespace pchr {

/// Finds everything that writing leaves out, in the order of the file: as errors, or with `lossy` as warnings. One
/// diagnostic stands for all such values of a clip.
[[nodiscard]] std::vector<Diagnostic> find_losses(const Imported& imported, Format form, JsonDialect dialect,
                                                  bool lossy);

/// Finds the first reason why the character cannot be written at all.
[[nodiscard]] std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format form);

/// Returns the images encoded as PNG.
[[nodiscard]] std::expected<std::vector<Image>, Diagnostic> png_images(const CharacterData& data, const Limits& limits);

/// Returns the error of an output of at least `bytes`; absent where `max_bytes` allows it.
[[nodiscard]] std::optional<Diagnostic> find_excess(std::uint64_t bytes, std::uint64_t max_bytes);

}  // namespace pchr

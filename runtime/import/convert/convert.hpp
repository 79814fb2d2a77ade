// SPDX-License-Identifier: MIT
// Functions shared by the writers.
#pragma once

#include <pchr/import/save.hpp>

namespace pchr {

/// Finds everything that the output leaves out, in file order: as errors, or with `lossy` as warnings. Reports one
/// diagnostic for all values of a kind in a clip.
[[nodiscard]] std::vector<Diagnostic> find_losses(const Imported& imported, Format format, JsonDialect dialect,
                                                  bool lossy);

/// Returns the first reason why the character cannot be written at all, if any.
[[nodiscard]] std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format format);

/// Returns all images encoded as PNG.
[[nodiscard]] Expected<std::vector<Image>, Diagnostic> png_images(const CharacterData& data, const Limits& limits,
                                                                  PngCompression compression);

/// Returns an error if an output of at least `bytes` bytes exceeds `max_bytes`.
[[nodiscard]] std::optional<Diagnostic> find_excess(std::uint64_t bytes, std::uint64_t max_bytes);

}  // namespace pchr

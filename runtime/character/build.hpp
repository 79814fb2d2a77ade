// SPDX-License-Identifier: MIT
// Builds checked characters from the plain data of all formats.
#pragma once

#include "character/check.hpp"
#include "character/warnings.hpp"

#include <functional>

namespace PCHR_API pchr {

/// Sets the positions of diagnostics that have none. Called at most once per build.
using Locate = std::function<void(std::span<Diagnostic>)>;

struct CharacterBuilder {
  /// Checks all indices and numbers, then derives the rest. `warnings` are the warnings of the reader.
  [[nodiscard]] static Expected<Character, Diagnostic> build(CharacterData data, const BindPose& bind,
                                                             const Locate& locate, Warnings warnings);

  /// Derives without checking, for a reader that has already checked every part. `scans` has one element per mesh.
  [[nodiscard]] static Expected<Character, Diagnostic> complete(CharacterData data, std::span<const MeshScan> scans,
                                                                const BindPose& bind, const Locate& locate,
                                                                Warnings warnings);
};

}  // namespace pchr

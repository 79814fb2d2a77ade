// SPDX-License-Identifier: MIT
// Plain data into a checked character, for all formats.
#pragma once

#include "character/check.hpp"
#include "character/warnings.hpp"

#include <functional>

namespace PCHR_API pchr {

/// Fills in where the paths of diagnostics stand in the file. Called at most once per build, with those that have no
/// place yet among them.
using Locate = std::function<void(std::span<Diagnostic>)>;

struct CharacterBuilder {
  /// Checks everything an index or a number can break, then derives. `remarks` are the reader's own warnings.
  [[nodiscard]] static std::expected<Character, Diagnostic> build(CharacterData data, const BindPose& bind,
                                                                  const Locate& locate, Warnings remarks);

  /// For a reader that checked every part as it read it, by the functions of check.hpp: derives without checking
  /// again. `scans` are of the meshes, one each.
  [[nodiscard]] static std::expected<Character, Diagnostic> complete(CharacterData data,
                                                                     std::span<const MeshScan> scans,
                                                                     const BindPose& bind, const Locate& locate,
                                                                     Warnings remarks);
};

}  // namespace pchr

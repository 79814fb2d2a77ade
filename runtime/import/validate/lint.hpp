// SPDX-License-Identifier: MIT
// Parts of validate().
#pragma once

#include "character/path.hpp"

#include <pchr/import/import.hpp>

#include <algorithm>
#include <map>

namespace pchr {

/// First diagnostic of a kind in a mesh or clip, and the number of all.
struct Tally {
  std::uint64_t count = 0;
  std::string path;
  std::string detail;

  /// Counts one. Calls `path_to` and `describe` only for the first.
  template <class PathTo, class Describe>
  void add(const PathTo& path_to, const Describe& describe) {
    if (count++ > 0) return;
    path = path_to();
    detail = describe();
  }
};

/// Collects diagnostics about one character.
struct Lint {
  const Imported& imported;
  const ValidateOptions& options;
  const Character& character = imported.character;

  void add(DiagnosticId id, std::string path, std::string detail);
  /// Adds a tally unless it is empty. `unit` is a noun such as "such vertices in this mesh".
  void add(DiagnosticId id, const Tally& tally, std::string_view unit);

  /// Returns all diagnostics; call it last.
  [[nodiscard]] std::vector<Diagnostic> take();

  struct Kind {
    std::uint64_t count = 0;
    std::size_t last_listed = 0;
  };
  std::vector<Diagnostic> diagnostics{};
  std::map<DiagnosticId, Kind> kinds{};
};

/// Finds overlapping meshes with the same draw order, for which the order in the file decides which is on top.
void lint_draw_order(Lint& lint);

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Parts of validate().
#pragma once

#include "character/path.hpp"

#include <pchr/import/import.hpp>

#include <algorithm>
#include <map>

namespace pchr {

/// Diagnostics of one kind in one mesh or clip: the first, and how many.
struct Tally {
  std::uint64_t count = 0;
  std::string path;
  std::string detail;

  /// Counts one. `path_to` and `describe` make the path and the detail, for the first only.
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
  /// Adds a tally that counted anything, in a `unit` such as "vertices in this mesh".
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

/// Finds meshes that overlap at the same draw order, so that only the order in the file says which is on top.
void lint_draw_order(Lint& lint);

}  // namespace pchr

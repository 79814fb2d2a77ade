// SPDX-License-Identifier: MIT
// The parts of validate().
#pragma once

#include "character/path.hpp"

#include <pchr/import/import.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

/// Diagnostics of one kind in one mesh or clip: the first, and how many.
struct Tally {
  std::uint64_t count = 0;
  std::string path;
  std::string detail;

  /// `path_to` and `describe` make the path and the detail, and are asked for the first only.
  template <class PathTo, class Describe>
  void add(const PathTo& path_to, const Describe& describe) {
    if (count++ > 0) return;
    path = path_to();
    detail = describe();
  }
};

/// Collects diagnostics about one character.
class Lint {
 public:
  Lint(const Imported& imported, const ValidateOptions& options) : imported_(imported), options_(options) {}

  [[nodiscard]] const Imported& imported() const noexcept { return imported_; }
  [[nodiscard]] const Character& character() const noexcept { return imported_.character; }
  [[nodiscard]] const ValidateOptions& options() const noexcept { return options_; }

  void add(DiagnosticId id, std::string path, std::string detail);
  /// Nothing where nothing was counted. `unit` says what was, such as "vertices in this mesh".
  void add(DiagnosticId id, const Tally& tally, std::string_view unit);

  /// All diagnostics; call it last.
  [[nodiscard]] std::vector<Diagnostic> take();

 private:
  struct Kind {
    std::uint64_t count = 0;
    std::size_t last_listed = 0;
  };

  const Imported& imported_;
  const ValidateOptions& options_;
  std::vector<Diagnostic> diagnostics_;
  std::map<DiagnosticId, Kind> kinds_;
};

/// Meshes that overlap with nothing but the order in the file to say which is on top.
void lint_draw_order(Lint& lint);

}  // namespace pchr

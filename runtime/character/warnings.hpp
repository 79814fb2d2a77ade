// SPDX-License-Identifier: MIT
// Warnings about a file that loads.
#pragma once

#include "character/format.hpp"

#include <pchr/diagnostic.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace PCHR_API pchr {

/// Keeps the first 16 of each kind, since a small file may give cause for any number. The last says how many more.
class Warnings {
 public:
  /// Adds what `make` returns, which is called only if it is kept.
  template <typename Make>
  void add(DiagnosticId id, Make make) {
    auto kind = std::ranges::find(kinds_, id, &Kind::id);
    if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{id});
    if (kind->count++ >= kMax) return;
    kind->last = diagnostics_.size();
    diagnostics_.push_back(make());
  }
  void add(Diagnostic diagnostic) {
    add(diagnostic.id, [&] { return std::move(diagnostic); });
  }

  [[nodiscard]] std::vector<Diagnostic> take() && {
    for (const Kind& kind : kinds_) {
      if (kind.count <= kMax) continue;
      std::string& detail = diagnostics_[kind.last].detail;
      detail += format_text("{}({} more likewise)", detail.empty() ? "" : " ", kind.count - kMax);
    }
    return std::move(diagnostics_);
  }

 private:
  static constexpr std::size_t kMax = 16;
  struct Kind {
    DiagnosticId id;
    std::size_t count = 0;
    std::size_t last = 0;
  };
  std::vector<Kind> kinds_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace pchr

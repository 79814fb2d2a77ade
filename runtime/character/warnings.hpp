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

/// Collects warnings: the first 16 of each kind, because a small file can cause any number of them. The last one
/// reports how many more there are.
class Warnings {
 public:
  /// Adds the result of `make`, which is called only if the warning is kept.
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
      if (detail.empty()) detail = message(kind.id);
      detail += format_text(", and {} more like this", kind.count - kMax);
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

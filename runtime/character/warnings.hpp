// SPDX-License-Identifier: MIT
// Warnings about a file that loads.
#pragma once

#include "character/format.hpp"

#include <pchr/diagnostic.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace PCHR_API pchr {

/// Of each kind the first 16 are kept, and the last of those says how many more there are: a small file may give cause
/// for any number.
class Warnings {
 public:
  /// `make` gives the diagnostic, and is only called if it is kept.
  template <typename Make>
  void add(DiagnosticId id, Make make) {
    auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.id == id; });
    if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{id});
    if (kind->count++ >= kMax) return;
    kind->last = diagnostics_.size();
    diagnostics_.push_back(make());
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

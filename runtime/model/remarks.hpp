// SPDX-License-Identifier: MIT
// Remarks about a file that loads.
#pragma once

#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pchr {

/// Of each kind the first 16 are kept, and the last of those says how many more there are: a small file may give cause
/// for any number.
class Remarks {
 public:
  /// `make` gives the finding, and is only called if it is kept.
  template <typename Make>
  void add(FindingId id, Make make) {
    auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.id == id; });
    if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{id});
    if (kind->count++ >= kMost) return;
    kind->last = findings_.size();
    findings_.push_back(make());
  }

  [[nodiscard]] std::vector<Finding> take() && {
    for (const Kind& kind : kinds_) {
      if (kind.count <= kMost) continue;
      std::string& detail = findings_[kind.last].detail;
      detail += fmt::format("{}({} more likewise)", detail.empty() ? "" : " ", kind.count - kMost);
    }
    return std::move(findings_);
  }

 private:
  static constexpr std::size_t kMost = 16;
  struct Kind {
    FindingId id;
    std::size_t count = 0;
    std::size_t last = 0;
  };
  std::vector<Kind> kinds_;
  std::vector<Finding> findings_;
};

}  // namespace pchr

// SPDX-License-Identifier: MIT
// What a report says about one pair of characters.
#pragma once

#include "character_pairs.hpp"
#include "comparison.hpp"
#include "report_page.hpp"

namespace pchr::tools {

struct ReportOptions {
  InputOptions input;  ///< How to load characters; names none.
  std::string first, second, output;
  ComparisonOptions comparison;
  WorkerOptions workers;
  bool animate = false;
  bool fail_on_change = false;
};

/// The parts of a report about a pair.
struct PairReport {
  CharacterState state = CharacterState::broken;
  double score = 0;
  std::string html, json;
  std::vector<std::string> files;  ///< Names of images, each followed by its bytes.
};

/// Compares a pair. Returns bytes for unpack_report().
[[nodiscard]] std::string report_on(const CharacterPair& pair, const ReportOptions& options);
/// Returns nothing if the worker failed.
[[nodiscard]] std::optional<PairReport> unpack_report(const std::string& packed);
/// Returns a report about a pair whose worker failed.
[[nodiscard]] PairReport describe_failure(const Task& task, const CharacterPair& pair);

}  // namespace pchr::tools

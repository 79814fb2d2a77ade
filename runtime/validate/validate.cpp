// SPDX-License-Identifier: MIT
// All checks over a character.
#include <pchr/validate.hpp>

#include "model/build.hpp"
#include "validate/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pchr {

void Lint::add(FindingId id, const Location& location, std::string detail) {
  Kind& kind = kinds_[id];
  if (kind.count++ >= std::max(options_.most_of_a_kind, 1U)) return;
  kind.last_listed = findings_.size();
  findings_.push_back(finding_at(id, character_.data(), location, {}, std::move(detail)));
}

void Lint::add(FindingId id, const Tally& tally, std::string_view unit) {
  if (tally.count == 0) return;
  add(id, tally.first, tally.count == 1 ? tally.detail : fmt::format("{} ({} {})", tally.detail, tally.count, unit));
}

std::vector<Finding> Lint::take() {
  for (const auto& [id, kind] : kinds_) {
    const std::uint64_t listed = std::max(options_.most_of_a_kind, 1U);
    if (kind.count > listed) {
      findings_[kind.last_listed].detail += fmt::format(" (and {} more {})", kind.count - listed, code(id));
    }
  }
  return std::move(findings_);
}

std::vector<Finding> validate(const Character& character, const ValidateOptions& options) {
  Lint lint(character, options);
  lint_images(lint);
  lint_names(lint);
  lint_meshes(lint);
  lint_clips(lint);
  // Of a spatial one, depth says what is in front.
  if (!character.is_spatial()) lint_draw_order(lint);
  return lint.take();
}

}  // namespace pchr

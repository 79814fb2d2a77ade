// SPDX-License-Identifier: MIT
// What the JSON of all subcommands has in common.
#pragma once

#include "character/json.hpp"

namespace pchr::tools {

/// Version of the JSON that the tool prints. Keys can be added within a version, but none is renamed or removed.
inline constexpr int kJsonVersion = 1;

/// Returns nothing, which is null in JSON, for an empty text.
[[nodiscard]] inline std::optional<std::string_view> if_any(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

[[nodiscard]] inline std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

/// Appends a diagnostic as an object on one line. Positions that are unknown are null.
inline void append_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  const auto positive = [](std::uint32_t number) { return number > 0 ? std::optional(number) : std::nullopt; };
  json.object("id", code(diagnostic.id), "severity", severity_name(severity(diagnostic.id)), "message",
              message(diagnostic.id), "path", diagnostic.path, "name", diagnostic.name, "offset",
              diagnostic.byte_offset, "line", positive(diagnostic.line), "column", positive(diagnostic.column),
              "detail", diagnostic.detail);
}

}  // namespace pchr::tools

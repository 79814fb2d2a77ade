// SPDX-License-Identifier: MIT
// Diagnostics of importers.
#pragma once

#include "character/warnings.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

namespace pchr {

/// Location of a diagnostic in a file. Owns nothing, so use it only as an argument.
struct At {
  std::string_view path{}, name{};
  std::optional<std::uint64_t> offset{};
  std::uint32_t line = 0, column = 0;
};

/// Makes a diagnostic with a formatted detail.
template <typename... Args>
[[nodiscard]] Diagnostic diagnose(DiagnosticId id, const At& at, fmt::format_string<Args...> text, Args&&... args) {
  std::string detail = fmt::format(text, std::forward<Args>(args)...);
  return {id, std::string(at.path), std::string(at.name), at.offset, std::move(detail), at.line, at.column};
}

/// Adds a warning, formatted only if it is kept.
template <typename... Args>
void warn(Warnings& warnings, DiagnosticId id, const At& at, fmt::format_string<Args...> text, Args&&... args) {
  warnings.add(id, [&] { return diagnose(id, at, text, std::forward<Args>(args)...); });
}

}  // namespace pchr

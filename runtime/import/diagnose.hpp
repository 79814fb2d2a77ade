// SPDX-License-Identifier: MIT
// Diagnostics of importers.
#pragma once

#include "character/warnings.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pchr {

/// The place in a file that a diagnostic names, as far as the file has one. For use in calls: it owns nothing.
struct At {
  std::string_view path{}, name{};
  std::optional<std::uint64_t> offset{};
  std::uint32_t line = 0, column = 0;
};

/// Makes a diagnostic; `text` is its detail, as fmt::format takes it.
template <typename... Args>
[[nodiscard]] Diagnostic diagnose(DiagnosticId id, const At& at, fmt::format_string<Args...> text, Args&&... args) {
  return {id,
          std::string(at.path),
          std::string(at.name),
          at.offset,
          fmt::format(text, std::forward<Args>(args)...),
          at.line,
          at.column};
}

/// Adds a warning. Formats it only if it is kept.
template <typename... Args>
void warn(Warnings& warnings, DiagnosticId id, const At& at, fmt::format_string<Args...> text, Args&&... args) {
  warnings.add(id, [&] { return diagnose(id, at, text, std::forward<Args>(args)...); });
}

}  // namespace pchr

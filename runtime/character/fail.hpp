// SPDX-License-Identifier: MIT
// Shortcuts that return a diagnostic as an error.
#pragma once

#include <pchr/diagnostic.hpp>

#include <expected>
#include <utility>

namespace PCHR_API pchr {

[[nodiscard]] inline std::unexpected<Diagnostic> fail(DiagnosticId id, std::string detail = {}) {
  return std::unexpected(Diagnostic{id, {}, {}, {}, std::move(detail)});
}

[[nodiscard]] inline std::unexpected<Diagnostic> fail(DiagnosticId id, std::string path, std::string detail) {
  return std::unexpected(Diagnostic{id, std::move(path), {}, {}, std::move(detail)});
}

[[nodiscard]] inline std::unexpected<Diagnostic> fail(DiagnosticId id, std::uint64_t byte_offset, std::string detail) {
  return std::unexpected(Diagnostic{id, {}, {}, byte_offset, std::move(detail)});
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Shortcuts that return a diagnostic as an error.
#pragma once

#include <pchr/diagnostic.hpp>
#include <pchr/expected.hpp>

#include <utility>

namespace PCHR_API pchr {

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::string detail = {}) {
  return Unexpected(Diagnostic{id, {}, {}, {}, std::move(detail)});
}

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::string path, std::string detail) {
  return Unexpected(Diagnostic{id, std::move(path), {}, {}, std::move(detail)});
}

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::uint64_t byte_offset, std::string detail) {
  return Unexpected(Diagnostic{id, {}, {}, byte_offset, std::move(detail)});
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// The catalogue of diagnostics, and diagnostics as text.
#include <pchr/diagnostic.hpp>

#include "character/format.hpp"

#include <array>
#include <cstddef>

namespace pchr {
namespace {

struct Entry {
  std::string_view code;
  Severity severity;
  std::string_view message;
  std::string_view hint;
};

constexpr Entry kCatalogue[] = {
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) {#code, Severity::severity, message, hint},
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

constexpr DiagnosticId kIds[] = {
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) DiagnosticId::name,
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

const Entry& entry(DiagnosticId id) noexcept { return kCatalogue[static_cast<std::size_t>(id)]; }

std::string place(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.line > 0) {
    text = format_text("at line {}, column {}", diagnostic.line, diagnostic.column);
  } else if (diagnostic.byte_offset) {
    text = format_text("at byte {} (0x{:x})", *diagnostic.byte_offset, *diagnostic.byte_offset);
  }
  if (diagnostic.path.empty()) return text;
  if (!text.empty()) text += ", ";
  const std::size_t dot = diagnostic.path.find('.');
  if (diagnostic.name.empty()) return text + printable(diagnostic.path);
  text += format_text("{} \"{}\"", printable(diagnostic.path.substr(0, dot)), printable(diagnostic.name));
  if (dot != std::string::npos) text += ", " + printable(diagnostic.path.substr(dot + 1));
  return text;
}

}  // namespace

std::string_view code(DiagnosticId id) noexcept { return entry(id).code; }
Severity severity(DiagnosticId id) noexcept { return entry(id).severity; }
std::string_view message(DiagnosticId id) noexcept { return entry(id).message; }
std::string_view hint(DiagnosticId id) noexcept { return entry(id).hint; }
std::span<const DiagnosticId> all_diagnostics() noexcept { return kIds; }

std::string describe(const Diagnostic& diagnostic, std::string_view file_name) {
  std::string text = format_text("{}: {} {}: {}", printable(file_name),
                                 severity(diagnostic.id) == Severity::error ? "error" : "warning", code(diagnostic.id),
                                 message(diagnostic.id));
  if (const std::string where = place(diagnostic); !where.empty()) text += "\n  " + where;
  if (!diagnostic.detail.empty()) text += "\n  " + printable(diagnostic.detail);
  return text;
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// The catalog of diagnostics, and their text.
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

#ifdef PCHR_TEXTS_OF
// A module that a page loads has no texts of diagnostics that it never reports.
constexpr bool has_texts(std::string_view name) {
  constexpr std::string_view kNames = PCHR_TEXTS_OF;
  return kNames.find(name) != std::string_view::npos;
}
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) \
  {#code, Severity::severity, has_texts("," #name ",") ? message : "", has_texts("," #name ",") ? hint : ""},
#else
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) {#code, Severity::severity, message, hint},
#endif

constexpr Entry kCatalog[] = {
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

constexpr DiagnosticId kIds[] = {
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) DiagnosticId::name,
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

const Entry& entry(DiagnosticId id) noexcept { return kCatalog[static_cast<std::size_t>(id)]; }

/// Returns the path with the quoted name after its first part.
std::string place(const Diagnostic& diagnostic) {
  if (diagnostic.name.empty()) return printable(diagnostic.path);
  const std::size_t dot = diagnostic.path.find('.');
  std::string text = format_text("{} \"{}\"", printable(diagnostic.path.substr(0, dot)), printable(diagnostic.name));
  if (dot != std::string::npos) text += ", " + printable(diagnostic.path.substr(dot + 1));
  return text;
}

std::string position(const Diagnostic& diagnostic, bool hex) {
  if (diagnostic.line > 0) return format_text(" (line {}, column {})", diagnostic.line, diagnostic.column);
  if (!diagnostic.byte_offset) return {};
  return format_text(hex ? " (byte 0x{:x})" : " (byte {})", *diagnostic.byte_offset);
}

}  // namespace

std::string_view code(DiagnosticId id) noexcept { return entry(id).code; }
Severity severity(DiagnosticId id) noexcept { return entry(id).severity; }
std::string_view message(DiagnosticId id) noexcept { return entry(id).message; }
std::string_view hint(DiagnosticId id) noexcept { return entry(id).hint; }
std::span<const DiagnosticId> all_diagnostics() noexcept { return kIds; }

std::string describe(const Diagnostic& diagnostic) {
  const std::string detail = printable(diagnostic.detail);
  const std::string_view text = detail.empty() ? message(diagnostic.id) : detail;
  if (diagnostic.path.empty()) return std::string(text);
  return format_text(detail.empty() ? "{}: {}" : "{} {}", place(diagnostic), text);
}

std::string describe(const Diagnostic& diagnostic, std::string_view file_name, const DescribeOptions& options) {
  std::string text = format_text("{}: {} {}: {}{}", printable(file_name),
                                 severity(diagnostic.id) == Severity::error ? "error" : "warning", code(diagnostic.id),
                                 describe(diagnostic), position(diagnostic, options.hex));
  if (options.hint) text += format_text("\n  hint: {}", hint(diagnostic.id));
  return text;
}

}  // namespace pchr

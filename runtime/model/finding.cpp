// SPDX-License-Identifier: MIT
// The catalogue of findings, and findings as text.
#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace pchr {
namespace {

struct Entry {
  std::string_view code;
  Severity severity;
  std::string_view sentence;
  std::string_view advice;
};

constexpr Entry kCatalogue[] = {
#define PCHR_FINDING(code, name, severity, sentence, advice) {#code, Severity::severity, sentence, advice},
#include <pchr/findings.def>
#undef PCHR_FINDING
};

constexpr FindingId kIds[] = {
#define PCHR_FINDING(code, name, severity, sentence, advice) FindingId::name,
#include <pchr/findings.def>
#undef PCHR_FINDING
};

const Entry& entry(FindingId id) noexcept { return kCatalogue[static_cast<std::size_t>(id)]; }

std::string place(const Finding& finding) {
  std::string text;
  if (finding.line > 0) {
    text = fmt::format("at line {}, column {}", finding.line, finding.column);
  } else if (finding.byte_offset) {
    text = fmt::format("at byte {0} (0x{0:x})", *finding.byte_offset);
  }
  if (finding.path.empty()) return text;
  if (!text.empty()) text += ", ";
  const std::size_t dot = finding.path.find('.');
  if (finding.name.empty()) return text + printable(finding.path);
  text += fmt::format("{} \"{}\"", printable(finding.path.substr(0, dot)), printable(finding.name));
  if (dot != std::string::npos) text += ", " + printable(finding.path.substr(dot + 1));
  return text;
}

}  // namespace

std::string_view code(FindingId id) noexcept { return entry(id).code; }
Severity severity(FindingId id) noexcept { return entry(id).severity; }
std::string_view sentence(FindingId id) noexcept { return entry(id).sentence; }
std::string_view advice(FindingId id) noexcept { return entry(id).advice; }
std::span<const FindingId> all_findings() noexcept { return kIds; }

std::string describe(const Finding& finding, std::string_view file_name) {
  std::string text =
      fmt::format("{}: {} {}: {}", printable(file_name), severity(finding.id) == Severity::error ? "error" : "warning",
                  code(finding.id), sentence(finding.id));
  if (const std::string where = place(finding); !where.empty()) text += "\n  " + where;
  if (!finding.detail.empty()) text += "\n  " + printable(finding.detail);
  return text;
}

}  // namespace pchr

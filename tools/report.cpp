// SPDX-License-Identifier: MIT
// What was found in several files, as text and JSON.
#include "report.hpp"

#include "json.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace pchr::tools {
namespace {

std::string_view severity_name(FindingId id) { return severity(id) == Severity::error ? "error" : "warning"; }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void append_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object().key("id").value(code(finding.id)).key("severity").value(severity_name(finding.id));
  json.key("sentence").value(sentence(finding.id)).key("path").value(finding.path).key("name").value(finding.name);
  json.key("offset");
  if (finding.byte_offset) {
    json.value(*finding.byte_offset);
  } else {
    json.null();
  }
  const auto append_position = [&](std::string_view key, std::uint32_t number) {
    json.key(key);
    if (number > 0) {
      json.value(number);
    } else {
      json.null();
    }
  };
  append_position("line", finding.line);
  append_position("column", finding.column);
  json.key("detail").value(finding.detail).end_object();
}

}  // namespace

std::size_t count(const FileReport& report, Severity wanted) noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.findings, [&](const Finding& finding) { return severity(finding.id) == wanted; }));
}

std::size_t count(std::span<const FileReport> reports, Severity wanted) noexcept {
  std::size_t sum = 0;
  for (const FileReport& report : reports) sum += count(report, wanted);
  return sum;
}

fmt::memory_buffer report_text(std::span<const FileReport> reports, bool errors_only) {
  fmt::memory_buffer text;
  for (const FileReport& report : reports) {
    for (const Finding& finding : report.findings) {
      if (errors_only && severity(finding.id) != Severity::error) continue;
      fmt::format_to(std::back_inserter(text), "{}\n", describe(finding, report.file));
    }
  }
  if (errors_only) return text;
  fmt::format_to(std::back_inserter(text), "{}, {}, {}\n", counted(reports.size(), "file"),
                 counted(count(reports, Severity::error), "error"),
                 counted(count(reports, Severity::warning), "warning"));
  return text;
}

fmt::memory_buffer report_json(std::span<const FileReport> reports) {
  JsonWriter json;
  json.begin_object(Layout::lines).key("files").begin_array(Layout::lines);
  for (const FileReport& report : reports) {
    json.begin_object(Layout::lines).key("file").value(report.file);
    json.key("errors").value(count(report, Severity::error)).key("warnings").value(count(report, Severity::warning));
    json.key("findings").begin_array(Layout::lines);
    for (const Finding& finding : report.findings) append_finding(json, finding);
    json.end_array().end_object();
  }
  json.end_array();
  json.key("errors").value(count(reports, Severity::error));
  json.key("warnings").value(count(reports, Severity::warning)).end_object();
  return std::move(json.text);
}

fmt::memory_buffer catalogue() {
  struct Group {
    char digit;
    std::string_view title;
  };
  constexpr Group kGroups[] = {{'1', "The file does not load"},
                               {'2', "The file loads, with a remark"},
                               {'3', "The character cannot be written, or loses something"},
                               {'4', "What `pchr validate` advises against"}};
  fmt::memory_buffer text;
  text.append(std::string_view(R"(# Errors and warnings

All that can be said about a character file: `E` is an error, `W` a warning. Ids keep their meaning forever. This page is
what `pchr validate --list` prints.
)"));
  for (const Group& group : kGroups) {
    const auto belongs = [&](FindingId id) { return code(id)[1] == group.digit; };
    if (std::ranges::none_of(all_findings(), belongs)) continue;
    fmt::format_to(std::back_inserter(text), "\n## {}\n\n| id | severity | what | what to do |\n|---|---|---|---|\n",
                   group.title);
    for (const FindingId id : all_findings()) {
      if (!belongs(id)) continue;
      fmt::format_to(std::back_inserter(text), "| {} | {} | {} | {} |\n", code(id), severity_name(id), sentence(id),
                     advice(id));
    }
  }
  return text;
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// Findings as SARIF 2.1.0.
#include "report.hpp"

#include "json.hpp"

#include <string_view>

namespace pchr::tools {
namespace {

/// A URI reference: all but unreserved characters and slashes are percent-encoded; absolute paths become file URIs.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char character : path) {
    if (kPlain.find(character) != std::string_view::npos) {
      uri += character;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return uri;
}

std::string_view level_of(FindingId id) { return severity(id) == Severity::error ? "error" : "warning"; }

void append_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object().key("text").value(text).end_object();
}

void append_rule(JsonWriter& json, FindingId id) {
  json.begin_object().key("id").value(code(id));
  append_text(json, "shortDescription", sentence(id));
  append_text(json, "help", advice(id));
  json.key("defaultConfiguration").begin_object().key("level").value(level_of(id)).end_object().end_object();
}

void append_region(JsonWriter& json, const Finding& finding) {
  if (finding.line > 0) {
    json.key("region").begin_object().key("startLine").value(finding.line);
    json.key("startColumn").value(finding.column).end_object();
  } else if (finding.byte_offset) {
    json.key("region").begin_object().key("byteOffset").value(*finding.byte_offset).end_object();
  }
}

void append_result(JsonWriter& json, const Finding& finding, std::string_view file) {
  json.begin_object().key("ruleId").value(code(finding.id)).key("ruleIndex").value(static_cast<int>(finding.id));
  json.key("level").value(level_of(finding.id));
  std::string message(sentence(finding.id));
  if (!finding.detail.empty()) message += ": " + finding.detail;
  append_text(json, "message", message);
  json.key("locations").begin_array().begin_object().key("physicalLocation").begin_object();
  json.key("artifactLocation").begin_object().key("uri").value(uri_of(file)).end_object();
  append_region(json, finding);
  json.end_object();
  if (!finding.path.empty()) {
    json.key("logicalLocations").begin_array().begin_object();
    if (!finding.name.empty()) json.key("name").value(finding.name);
    json.key("fullyQualifiedName").value(finding.path).end_object().end_array();
  }
  json.end_object().end_array().end_object();
}

}  // namespace

fmt::memory_buffer report_sarif(std::span<const FileReport> reports) {
  JsonWriter json;
  json.begin_object(Layout::lines).key("$schema").value("https://json.schemastore.org/sarif-2.1.0.json");
  json.key("version").value("2.1.0").key("runs").begin_array(Layout::lines).begin_object(Layout::lines);
  json.key("tool").begin_object().key("driver").begin_object(Layout::lines).key("name").value("pchr");
  json.key("version").value(PCHR_VERSION).key("rules").begin_array(Layout::lines);
  for (const FindingId id : all_findings()) append_rule(json, id);
  json.end_array().end_object().end_object();
  json.key("results").begin_array(Layout::lines);
  for (const FileReport& report : reports) {
    for (const Finding& finding : report.findings) append_result(json, finding, report.file);
  }
  json.end_array().end_object().end_array().end_object();
  return std::move(json.text);
}

}  // namespace pchr::tools

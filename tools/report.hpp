// SPDX-License-Identifier: MIT
// What was found in several files, as text, JSON and SARIF; and the catalogue of all that can be.
#pragma once

#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pchr::tools {

struct FileReport {
  std::string file;
  std::vector<Finding> findings;
};

[[nodiscard]] std::size_t count(const FileReport& report, Severity severity) noexcept;
[[nodiscard]] std::size_t count(std::span<const FileReport> reports, Severity severity) noexcept;

/// Each finding as `describe` says it, then how many there are; with `errors_only`, neither warnings nor that.
[[nodiscard]] fmt::memory_buffer report_text(std::span<const FileReport> reports, bool errors_only);

/// One JSON document.
[[nodiscard]] fmt::memory_buffer report_json(std::span<const FileReport> reports);

/// The Static Analysis Results Interchange Format, version 2.1.0, which code hosts and editors show beside files.
[[nodiscard]] fmt::memory_buffer report_sarif(std::span<const FileReport> reports);

/// Every finding there is and what to do about it, as Markdown.
[[nodiscard]] fmt::memory_buffer catalogue();

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr validate: everything that is wrong with characters, or could be better.
#include "common.hpp"
#include "output.hpp"
#include "report.hpp"

#include <pchr/image.hpp>
#include <pchr/validate.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace pchr::tools {
namespace {

struct ValidateVerbOptions {
  std::vector<std::string> files;
  InputOptions input;
  bool json = false;
  bool sarif = false;
  bool strict = false;
  bool quiet = false;
  bool list = false;
};

/// Every image that cannot be decoded, not only the first.
void check_images(const Character& character, const Limits& limits, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < character.images().size(); ++i) {
    auto bitmap = decode(character.images()[i], limits);
    if (bitmap) continue;
    Finding& finding = findings.emplace_back(std::move(bitmap.error()));
    finding.path = fmt::format("images[{}].data", i);
    finding.name = character.images()[i].name;
    // It counts from the start of the image.
    finding.byte_offset.reset();
  }
}

/// Checks `file` and the markers beside it.
std::vector<FileReport> check(const std::string& file, const InputOptions& options) {
  const auto character = load_input(file, options.load);
  if (!character) return {{input_name(file), {character.error()}}};
  std::vector<Finding> findings(character->warnings().begin(), character->warnings().end());
  if (!options.no_images) check_images(*character, options.load.limits, findings);
  for (Finding& finding : validate(*character)) findings.push_back(std::move(finding));
  std::vector<FileReport> reports{{input_name(file), std::move(findings)}};
  if (file == "-") return reports;
  const std::filesystem::path markers = markers_path(file);
  std::error_code ignored;
  if (std::filesystem::exists(markers, ignored)) {
    const auto loaded = load_markers(markers, *character);
    if (!loaded) reports.push_back({markers.string(), {loaded.error()}});
  }
  return reports;
}

fmt::memory_buffer formatted(std::span<const FileReport> reports, const ValidateVerbOptions& options) {
  if (options.json) return report_json(reports);
  if (options.sarif) return report_sarif(reports);
  return report_text(reports, options.quiet);
}

Result<void> run(const ValidateVerbOptions& options) {
  if (options.list) {
    const fmt::memory_buffer text = catalogue();
    return write_stdout({text.data(), text.size()});
  }
  if (options.files.empty()) return fail(ExitCode::usage, "pchr: validate needs a FILE, or --list");
  if (std::ranges::count(options.files, "-") > 1) {
    return fail(ExitCode::usage, "pchr: standard input can be read only once");
  }
  if (auto checked = check_animations(options.input); !checked) return checked;
  std::vector<FileReport> reports;
  for (const std::string& file : options.files) {
    for (FileReport& report : check(file, options.input)) reports.push_back(std::move(report));
  }
  const fmt::memory_buffer text = formatted(reports, options);
  const auto write = options.json || options.sarif ? write_stdout : print_text;
  if (auto written = write({text.data(), text.size()}); !written) return written;
  const auto is_unreadable = [](const FileReport& report) {
    return std::ranges::count(report.findings, FindingId::unreadable_file, &Finding::id) > 0;
  };
  if (std::ranges::any_of(reports, is_unreadable)) return fail(ExitCode::unreadable, "");
  const bool bad = count(reports, Severity::error) > 0 || (options.strict && count(reports, Severity::warning) > 0);
  if (bad) return fail(ExitCode::bad_data, "");
  return {};
}

}  // namespace

Verb add_validate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("validate", "Say what is wrong with characters, or could be better");
  const auto options = std::make_shared<ValidateVerbOptions>();
  command->add_option("FILE", options->files, "The characters, or - for standard input")->option_text("...");
  add_load_options(*command, options->input);
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON, for programs");
  CLI::Option* sarif = command->add_flag("--sarif", options->sarif, "Print SARIF 2.1.0, for code hosts and editors");
  command->add_flag("--strict", options->strict, "Let warnings fail, too");
  CLI::Option* quiet = command->add_flag("--quiet", options->quiet, "Print errors only");
  CLI::Option* list = command->add_flag("--list", options->list, "Print the catalogue of all findings instead");
  json->excludes(sarif)->excludes(quiet)->excludes(list);
  sarif->excludes(quiet)->excludes(list);
  command->footer(
      std::string(
          R"(Checks what every reader checks and what makes a character look or play wrong all the same: weights,
triangles, texture coordinates, names, draw order, loops. Findings go to standard output; each has an id that
keeps its meaning, E for an error, W for a warning, and --list says what to do about each. Markers beside a file
(hero.markers.json) are checked, too, and reported under their own name if something is wrong with them.

--json prints one object; keys may be added, none is renamed or removed:
  files            [{file, errors, warnings, findings}]
    findings       [{id, severity: "error"|"warning", sentence, path, name, offset, line, column, detail}]
                   offset in bytes, line and column from 1; null where there is none
  errors, warnings

Examples:
  pchr validate hero.pchr
  pchr validate --strict --quiet assets/*.pchr
  pchr validate --sarif hero.pchr > hero.sarif
  pchr validate --list | grep W401

)") + kExitCodes +
      ".\nWith --strict, data with warnings is bad, too.");
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

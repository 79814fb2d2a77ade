// SPDX-License-Identifier: MIT
// pchr report: writes a page about the differences between two folders of characters.
#include "json.hpp"
#include "platform/file_path.hpp"
#include "report_folder.hpp"
#include "report_pair.hpp"

#include <array>

namespace pchr::tools {
namespace {

std::vector<CharacterPair> find_pairs(const ReportOptions& options) {
  if (are_folders(options.first, options.second)) {
    return pair_characters(options.first, options.second, options.output);
  }
  return {{1, std::string(file_name_of(options.second)), std::string(file_name_of(options.first)), options.first,
           options.second}};
}

/// Writes the images of a pair.
void write_images(const PairReport& report, const ReportFolder& folder) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < report.files.size(); i += 2) paths.push_back(folder.draft(report.files[i]));
  std::vector<OutputFile> files;
  for (std::size_t i = 0; i < paths.size(); ++i) files.push_back({paths[i], report.files[2 * i + 1]});
  write_files(files, Existing::keep, {});
}

/// Returns the sections of the page, in which the largest score comes first.
std::vector<ReportSection> sections_of(std::span<const PairReport> reports) {
  std::vector<const PairReport*> sorted;
  for (const PairReport& report : reports) sorted.push_back(&report);
  std::ranges::stable_sort(sorted, std::greater(), [](const PairReport* report) { return report->score; });
  std::vector<ReportSection> sections(kCharacterStates);
  for (const PairReport* report : sorted) {
    ReportSection& section = sections[static_cast<std::size_t>(report->state)];
    ++section.count;
    section.html += report->html;
  }
  return sections;
}

std::string data_json(const ReportOptions& options, const std::vector<ReportSection>& sections,
                      std::span<const PairReport> reports) {
  JsonWriter json;
  json.begin_object(JsonWriter::lines)
      .fields("version", kJsonVersion, "tool", "pchr " PCHR_VERSION, "old", options.first, "new", options.second);
  json.key("counts").begin_object();
  for (std::size_t i = 0; i < kCharacterStates; ++i) {
    json.fields(name_of(CharacterState{static_cast<std::uint8_t>(i)}), sections[i].count);
  }
  json.end_object();
  json.list("characters", reports, [&](const PairReport& report) { json.document(report.json); }).end_object();
  return std::move(json.text);
}

std::string summary(const std::vector<ReportSection>& sections) {
  std::size_t total = 0;
  std::string parts;
  for (std::size_t i = 0; i < kCharacterStates; ++i) {
    const CharacterState state{static_cast<std::uint8_t>(i)};
    if (state == CharacterState::skipped || sections[i].count == 0) continue;
    total += sections[i].count;
    parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", grouped(sections[i].count), name_of(state));
  }
  return counted(total, "character") + parts;
}

void write_report(const ReportOptions& options) {
  check_usage({{options.first == "-" || options.second == "-", "a report cannot read standard input"}});
  const std::vector<CharacterPair> pairs = find_pairs(options);
  ReportFolder folder(options.output);
  std::vector<PairReport> reports;
  bool failed = false;
  run_on_pairs(pairs, options.workers, [&](const CharacterPair& pair, const Task& task) {
    std::optional<PairReport> report = unpack_report(task.out);
    if (!report) {
      failed = true;
      report = describe_failure(task, pair);
      for (const Message& message : task.messages) print_message(message);
    }
    write_images(*report, folder);
    report->files.clear();
    reports.push_back(*std::move(report));
  });

  const std::vector<ReportSection> sections = sections_of(reports);
  const std::string page = page_html(options.first, options.second, sections);
  const std::string data = data_json(options, sections, reports);
  const std::string page_path = folder.draft(kReportPage), data_path = folder.draft(kReportData);
  write_files(std::array{OutputFile{data_path, data}, OutputFile{page_path, page}}, Existing::keep, {});
  folder.publish();
  if (!is_quiet()) {
    print_text(fmt::format("{}; see {}\n", summary(sections), path_in(options.output, kReportPage)));
  }
  if (failed) fail(ExitCode::environment);
  const auto count_of = [&](CharacterState state) { return sections[static_cast<std::size_t>(state)].count; };
  const std::size_t same = count_of(CharacterState::unchanged) + count_of(CharacterState::skipped);
  if (options.fail_on_change && same < reports.size()) fail(ExitCode::different);
}

void run_report(const ReportOptions& options) {
  if (!is_worker()) return write_report(options);
  serve_pairs([&](const CharacterPair& pair) { current_task().out = report_on(pair, options); });
}

constexpr char kReportDetails[] =
    R"(OLD and NEW are two folders or two characters. The report is a folder with a page, index.html, that needs neither a
server nor scripts, its images, and report.json with the same for programs. It shows each character that is
  broken     NEW cannot be read; with the error
  changed    with images before and after and their difference, for the four
             clips that changed most, everything that diff reports, and new
             warnings of validate; the largest score comes first
  added, removed
             with one image
Characters below the folders have the extensions .pchr, .json, .chp, .px, .psk and .pskx. Those with the same path are
compared, and so are two that differ only in their extension. Hidden files are left out, and so are JSON files that are
no characters in either folder.

The folder of the report must not exist, be empty or have nothing but an earlier report, which is replaced when the new
one is complete. The exit code is 0 if there is a report, whatever it shows, unless --fail-on-change is given; it is 3
if characters are missing in it because of OpenGL or memory.

)";

constexpr char kReportExamples[] = R"(  pchr report release/ work/ -o report
  git worktree add ../before main && pchr report ../before/cast cast -o report
  pchr report hero.pchr hero.new.pchr -o report --fail-on-change)";

}  // namespace

void add_report(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<ReportOptions>(app, "report", "Write a page with the differences between two folders", run_report);
  options.comparison.view.size = {256, 256};
  options.workers.keep_going = true;
  add_option(command, "OLD", options.first, "", "Folder with characters, or a character")->required();
  add_option(command, "NEW", options.second, "", "The same, newer")->required();
  begin_group(command, "Report");
  add_option(command, "-o,--output", options.output, "DIR", "Folder to write")->required();
  command.add_flag("--animate", options.animate, "Also show the clips that changed as animations");
  command.add_flag("--fail-on-change", options.fail_on_change, "Exit with 5 unless all characters are the same");
  add_comparison_options(command, options.comparison);
  const auto set_size = [&options](std::uint32_t size) { options.comparison.view.size = {size, size}; };
  command.add_option_function<std::uint32_t>("--size", set_size, "Width and height of images (default: 256)")
      ->option_text("N")
      ->check(check_range(16, 2048));
  add_gl_option(command, options.comparison.view);
  add_option(command, "-j,--jobs", options.workers.count, "N",
             "Number of characters to work on at the same time (default: the number of cores)", check_range(1, 1024));
  add_log_options(command);
  add_load_options(command, options.input);
  set_manual(command, std::string(kReportDetails) + kScoreMeaning, kReportExamples);
}

}  // namespace pchr::tools

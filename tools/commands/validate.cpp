// SPDX-License-Identifier: MIT
// pchr validate: reports errors and likely mistakes in characters.
#include "commands/commands.hpp"
#include "input.hpp"
#include "options.hpp"
#include "platform/utf8_path.hpp"

#include <set>

namespace pchr::tools {
namespace {

struct ValidateCommandOptions {
  InputOptions input;
  bool json = false;
  bool sarif = false;
  bool strict = false;
  bool list = false;
};

struct FileReport {
  std::string file;
  std::vector<Diagnostic> diagnostics;
};

using Reports = std::vector<FileReport>;

std::size_t count(std::span<const FileReport> reports, Severity wanted) noexcept {
  std::size_t sum = 0;
  for (const FileReport& report : reports) {
    for (const Diagnostic& diagnostic : report.diagnostics) sum += severity(diagnostic.id) == wanted ? 1 : 0;
  }
  return sum;
}

/// Adds a diagnostic for each image that cannot be decoded.
void check_images(const Character& character, const Limits& limits, std::vector<Diagnostic>& diagnostics) {
  for (std::size_t i = 0; i < character.images().size(); ++i) {
    auto bitmap = decode(character.images()[i], limits);
    if (bitmap) continue;
    Diagnostic& diagnostic = diagnostics.emplace_back(std::move(bitmap.error()));
    diagnostic.path = fmt::format("images[{}].data", i);
    diagnostic.name = character.images()[i].name;
    diagnostic.byte_offset.reset();  // It is relative to the start of the image.
  }
}

/// Says how the bind pose was guessed, unless a warning does.
void tell_guess(const std::string& file, const Character& character) {
  const auto& guess = character.bind_pose_guess();
  const bool is_warned = std::ranges::any_of(character.warnings(), [](const Diagnostic& warning) {
    return warning.id == DiagnosticId::uncertain_bind_pose || warning.id == DiagnosticId::stretching_bind_pose;
  });
  if (!guess || is_warned) return;
  write_stdout(fmt::format("{}: the bind pose was guessed: {}, with a score of {:.3f}; next is {} with {:.3f}\n",
                           printable(file), describe_pose(character, guess->chosen), guess->score,
                           describe_pose(character, guess->runner_up), guess->runner_up_score));
}

/// Adds what is wrong with the input to the current task: each diagnostic is a message about its file.
void check(const InputOptions& options, bool tells_guess) {
  Task& task = current_task();
  const auto add = [&](const std::string& file, const Diagnostic& diagnostic) {
    task.messages.push_back({severity(diagnostic.id), file, describe_in(file, diagnostic, Hint::shown), diagnostic});
  };
  const std::string name = input_name(options.file);
  ImportOptions load = options.load;
  load.rig = options.rig;
  const auto imported = load_input(options.file, load);
  if (!imported) return add(name, imported.error());
  const Character& character = imported->character;
  std::vector<Diagnostic> diagnostics(character.warnings().begin(), character.warnings().end());
  if (!options.no_images) check_images(character, options.load.limits, diagnostics);
  for (Diagnostic& diagnostic : validate(*imported)) diagnostics.push_back(std::move(diagnostic));
  for (const Diagnostic& diagnostic : diagnostics) add(name, diagnostic);
  if (tells_guess) tell_guess(name, character);
  const auto sidecar = sidecar_path(options);
  if (!sidecar) return;
  const auto loaded = load_sidecar_of(options, *sidecar, character);
  if (!loaded) return add(*sidecar, loaded.error());
  for (const Diagnostic& error : loaded->state_errors) add(*sidecar, error);
}

/// Appends the reports of an input: one about it, and one about each other file that has diagnostics.
void append_reports(Reports& reports, const Task& task) {
  std::string file = input_name(task.input);
  reports.push_back({file, {}});
  for (const Message& message : task.messages) {
    if (!message.diagnostic) {
      if (!task.is_printed) print_message(message);
      continue;
    }
    if (message.file != file) {
      file = message.file;
      reports.push_back({file, {}});
    }
    reports.back().diagnostics.push_back(*message.diagnostic);
  }
}

/// Describes each diagnostic, the first of each kind with its hint, then counts them. With `errors_only`, describes
/// only errors.
std::string report_text(const Reports& reports, bool errors_only) {
  std::string text;
  std::set<DiagnosticId> explained;
  for (const FileReport& report : reports) {
    for (const Diagnostic& diagnostic : report.diagnostics) {
      if (errors_only && severity(diagnostic.id) != Severity::error) continue;
      const Hint hint = explained.insert(diagnostic.id).second ? Hint::shown : Hint::none;
      text += describe_in(report.file, diagnostic, hint) + '\n';
    }
  }
  if (errors_only) return text;
  return text + fmt::format("{}, {}, {}\n", counted(reports.size(), "file"),
                            counted(count(reports, Severity::error), "error"),
                            counted(count(reports, Severity::warning), "warning"));
}

std::string report_json(const Reports& reports) {
  JsonWriter json;
  const auto append_file = [&](const FileReport& report) {
    json.begin_object(JsonWriter::lines)
        .fields("file", report.file, "errors", count({&report, 1}, Severity::error), "warnings",
                count({&report, 1}, Severity::warning));
    json.list("diagnostics", report.diagnostics, [&](const Diagnostic& each) { append_diagnostic(json, each); });
    json.end_object();
  };
  json.begin_object(JsonWriter::lines).fields("version", kJsonVersion).list("files", reports, append_file);
  json.fields("errors", count(reports, Severity::error), "warnings", count(reports, Severity::warning)).end_object();
  return std::move(json.text);
}

/// Returns a URI reference; an absolute path becomes a file URI.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  const std::filesystem::path file = path_from_utf8(path);
  const std::u8string slashes = file.generic_u8string();
  // file:///C:/folder/file or file://server/folder/file.
  std::string uri = !file.has_root_directory()   ? ""
                    : !file.has_root_name()      ? "file://"
                    : slashes.starts_with(u8'/') ? "file:"
                                                 : "file:///";
  for (const char8_t unit : slashes) {
    const auto character = static_cast<char>(unit);
    const bool is_plain = kPlain.find(character) != std::string_view::npos;
    uri += is_plain ? std::string(1, character) : fmt::format("%{:02X}", static_cast<unsigned char>(character));
  }
  return uri;
}

void append_sarif_result(JsonWriter& json, const Diagnostic& diagnostic, std::string_view file) {
  const auto text = [&](std::string value) { return [&json, value] { json.object("text", value); }; };
  const auto physical = [&] {
    json.begin_object().fields("artifactLocation", [&] { json.object("uri", uri_of(file)); });
    if (diagnostic.line > 0) {
      json.key("region").object("startLine", diagnostic.line, "startColumn", diagnostic.column);
    } else if (diagnostic.byte_offset) {
      json.key("region").object("byteOffset", *diagnostic.byte_offset);
    }
    json.end_object();
  };
  const auto locations = [&] {
    json.begin_array().begin_object().fields("physicalLocation", physical);
    if (!diagnostic.path.empty()) {
      json.key("logicalLocations").begin_array().begin_object();
      if (!diagnostic.name.empty()) json.fields("name", diagnostic.name);
      json.fields("fullyQualifiedName", diagnostic.path).end_object().end_array();
    }
    json.end_object().end_array();
  };
  json.object("ruleId", code(diagnostic.id), "ruleIndex", static_cast<int>(diagnostic.id), "level",
              severity_name(severity(diagnostic.id)), "message", text(describe(diagnostic)), "locations", locations);
}

/// Returns the report in the Static Analysis Results Interchange Format, version 2.1.0.
std::string report_sarif(const Reports& reports) {
  JsonWriter json;
  json.begin_object(JsonWriter::lines)
      .fields("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0");
  json.key("runs").begin_array(JsonWriter::lines).begin_object(JsonWriter::lines);
  json.key("tool").begin_object().key("driver").begin_object(JsonWriter::lines);
  json.fields("name", "pchr", "version", PCHR_VERSION).list("rules", all_diagnostics(), [&](DiagnosticId id) {
    json.object(
        "id", code(id), "shortDescription", [&] { json.object("text", message(id)); }, "help",
        [&] { json.object("text", hint(id)); }, "defaultConfiguration",
        [&] { json.object("level", severity_name(severity(id))); });
  });
  json.end_object().end_object().key("results").begin_array(JsonWriter::lines);
  for (const FileReport& report : reports) {
    for (const Diagnostic& diagnostic : report.diagnostics) append_sarif_result(json, diagnostic, report.file);
  }
  json.end_array().end_object().end_array().end_object();
  return std::move(json.text);
}

/// Returns all diagnostics with their hints, as Markdown.
std::string catalog() {
  constexpr std::pair<char, const char*> kGroups[] = {{'1', "The file does not load"},
                                                      {'2', "The file loads with a warning"},
                                                      {'3', "The character cannot be saved, or loses data"},
                                                      {'4', "Likely mistakes found by `pchr validate`"}};
  std::string text = R"(# Errors and warnings

Every diagnostic about a character file: `E` is an error, `W` a warning. Ids are permanent. This page is the output of
`pchr validate --list`.
)";
  for (const auto& [digit, title] : kGroups) {
    text += fmt::format("\n## {}\n\n| id | severity | message | hint |\n|---|---|---|---|\n", title);
    for (const DiagnosticId id : all_diagnostics()) {
      if (code(id)[1] != digit) continue;
      text += fmt::format("| {} | {} | {} | {} |\n", code(id), severity_name(severity(id)), message(id), hint(id));
    }
  }
  return text;
}

/// Returns the exit code for a file with these messages.
ExitCode exit_code_of(std::span<const Message> messages, bool strict) {
  const auto has = [&](DiagnosticId id) {
    return std::ranges::any_of(
        messages, [&](const Message& message) { return message.diagnostic && message.diagnostic->id == id; });
  };
  if (has(DiagnosticId::unreadable_file)) return ExitCode::unreadable;
  if (has(DiagnosticId::out_of_memory)) return ExitCode::environment;
  const bool is_bad =
      strict ? !messages.empty() : std::ranges::count(messages, Severity::error, &Message::severity) > 0;
  return is_bad ? ExitCode::bad_data : ExitCode::success;
}

void run_validate(ValidateCommandOptions options) {
  check(options.input, !options.json && !options.sarif && !is_quiet());
  const ExitCode ended = exit_code_of(current_task().messages, options.strict);
  if (ended != ExitCode::success) fail(ended);
}

void run_validates(ValidateCommandOptions options) {
  if (options.list) return write_stdout(catalog());
  check_animations(options.input);
  // The report is about all files.
  options.input.batch.keep_going = true;
  Reports reports;
  ExitCode ended = ExitCode::success;
  const auto collect = [&](const Task& task) {
    append_reports(reports, task);
    if (!task.is_printed) write_stdout(task.out);
    // Of several failures, an unreadable file counts most.
    ended = std::max(ended, task.exit_code);
  };
  (void)run_inputs(options, run_validate, "", collect);
  options.json    ? write_stdout(report_json(reports))
  : options.sarif ? write_stdout(report_sarif(reports))
                  : print_text(report_text(reports, is_quiet()));
  if (ended != ExitCode::success) fail(ended);
}

constexpr char kValidateDetails[] =
    R"(Runs the checks of every reader, and looks for mistakes that make a valid character look or play wrong: in weights,
triangles, texture coordinates, names, draw order and loops. Diagnostics go to standard output. Each has a permanent id,
E for errors and W for warnings; --list explains them all. The markers, the rig and the state machines next to a
character (hero.rig.json) are checked too, and reported under their own name. With --strict, warnings count as errors.
A line tells how a bind pose was guessed.

--json prints one object:
  version          1; keys can be added, but none is renamed or removed
  files            [{file, errors, warnings, diagnostics}]
    diagnostics    [{id, severity: "error"|"warning", message, path, name,
                   offset, line, column, detail}]; offset is in bytes, line and
                   column count from 1, and null means unknown
  errors, warnings)";

constexpr char kValidateExamples[] = R"(  pchr validate hero.pchr
  pchr validate --strict --quiet assets/*.pchr
  pchr validate --sarif hero.pchr > hero.sarif
  pchr validate --list | grep W401)";

}  // namespace

void add_validate(CLI::App& app) {
  const auto [command, options] = add_subcommand<ValidateCommandOptions>(
      app, "validate", "Check characters for errors and likely mistakes", run_validates);
  begin_group(command, "Report");
  CLI::Option* json = command.add_flag("--json", options.json, "Print JSON");
  CLI::Option* sarif = command.add_flag("--sarif", options.sarif, "Print SARIF 2.1.0, for code hosts and editors");
  command.add_flag("--strict", options.strict, "Treat warnings as errors");
  CLI::Option* list = command.add_flag("--list", options.list, "List all diagnostics with their hints, as Markdown");
  json->excludes(sarif)->excludes(list);
  sarif->excludes(list);
  add_inputs_options(command, options.input);
  add_rig_option(command, options.input);
  add_record_options(command, options.input.batch.record, true);
  options.input.batch.record.keeps_errors = true;
  options.input.batch.summary = false;
  for (CLI::Option* format : {json, sarif}) format->excludes("--quiet");
  set_manual(command, kValidateDetails, kValidateExamples);
}

}  // namespace pchr::tools

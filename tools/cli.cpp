// SPDX-License-Identifier: MIT
#include "cli.hpp"

#include "commands/commands.hpp"
#include "options.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"

#include <version.hpp>

#include <numeric>

namespace pchr::tools {
namespace {

// Returns the Levenshtein distance.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

std::string unknown_subcommand(const CLI::App& app, const std::string& name) {
  constexpr std::size_t kMaxEdits = 2, kMaxLetters = 32;
  std::string message = fmt::format("unknown subcommand \"{}\"", printable(name));
  if (name.size() > kMaxLetters) return message;
  std::string nearest;
  for (const CLI::App* known : app.get_subcommands({})) {
    if (edits(name, known->get_name()) <= (nearest.empty() ? kMaxEdits : edits(name, nearest) - 1)) {
      nearest = known->get_name();
    }
  }
  return nearest.empty() ? message : message + fmt::format("; did you mean \"{}\"?", nearest);
}

std::string unknown_option(const std::string& word) {
  const bool is_file = find_kind(word) != FileKind::none;
  return fmt::format("unknown option \"{}\"{}", printable(word), is_file ? "; to name the file, begin with ./" : "");
}

// Returns whether CLI11 would take a word for something else than it is: the name -hero.pchr for the flag -h, the file
// -old.pchr for the option -o with a value, and the name -1.pchr for an argument.
bool is_misread(const CLI::App& command, const std::string& word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return false;
  if (word.find_first_not_of("0123456789.,eE+-") == std::string::npos) return false;
  const CLI::Option* const option = command.get_option_no_throw(word.substr(0, 2));
  const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
  return !takes_value || find_kind(word) != FileKind::none;
}

// Returns the first word of a command line that is_misread(), or nothing, and sets `command` to its subcommand.
std::string find_misread(const CLI::App& app, std::span<const std::string> words, const CLI::App*& command) {
  command = &app;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (is_misread(*command, word)) return word;
    if (command != &app) continue;
    for (const CLI::App* subcommand : app.get_subcommands({})) {
      if (subcommand->get_name() == word) command = subcommand;
    }
  }
  return {};
}

// Rewords an error of CLI11, whose texts name its classes more than the user's mistake.
std::string usage_problem(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = command.remaining();
  if (!unknown.empty()) {
    const std::string& first = unknown.front();
    if (first.starts_with('-')) return unknown_option(first);
    if (&command == &app) return unknown_subcommand(app, first);
    return fmt::format("unexpected argument \"{}\"", printable(first));
  }
  const std::string text = printable(error.what());
  const auto parts = [&](std::string_view between) -> std::optional<std::pair<std::string, std::string>> {
    const std::size_t at = text.find(between);
    if (at == std::string::npos) return std::nullopt;
    return std::pair(text.substr(0, at), text.substr(at + between.size()));
  };
  if (error.get_name() == "ExcludesError") {
    if (const auto both = parts(" excludes ")) return both->first + " and " + both->second + " cannot be combined";
  }
  if (error.get_name() == "ConversionError") {
    constexpr std::string_view kStart = "Could not convert: ";
    if (const auto both = parts(" = "); both && text.starts_with(kStart)) {
      return fmt::format("{} is not valid for {}", both->second.empty() ? "an empty value" : '"' + both->second + '"',
                         both->first.substr(kStart.size()));
    }
  }
  if (error.get_name() == "ArgumentMismatch") {
    const auto both = parts(": ");
    const CLI::Option* option = both ? command.get_option_no_throw(both->first) : nullptr;
    if (option != nullptr && !option->get_option_text().empty()) {
      return fmt::format("{} needs a value: {}", both->first, option->get_option_text());
    }
  }
  // Hidden options have no name.
  if (text.starts_with(": ")) return text.substr(2);
  return text.starts_with("A ") ? 'a' + text.substr(1) : text;
}

std::string usage_error(const CLI::App& app, const CLI::App& command, const std::string& problem) {
  return fmt::format("pchr: {}\n  hint: see 'pchr {}--help'", problem,
                     &command == &app ? "" : command.get_name() + ' ');
}

constexpr char kDetails[] =
    R"(Results go to standard output or to the file named by -o; errors and warnings go to standard error. A FILE named
- is standard input.

Conventions: x points right and y points up. Positions are in world pixels, angles in degrees counterclockwise.
Frames count from 0.)";

constexpr char kExamples[] = R"(  pchr inspect hero.pchr
  pchr play hero.pchr
  pchr validate *.pchr
  pchr unpack hero.pchr -o hero
  pchr pack hero/hero.json -o hero2.pchr
  pchr render hero.pchr --clip walk --frame 3 -o walk3.png
  pchr render hero.pchr --all-clips -o '{file}_{clip}.gif'
  pchr sheet hero.pchr -o sheet.png
  pchr diff hero.pchr hero.new.pchr
  pchr pose hero.pchr --clip walk --time 0.5 > pose.json)";

void run_command_line(std::vector<std::string> arguments) {
  CLI::App app("Inspect, convert and render Pachario characters", reference::tool_name());
  // On Windows, a path that starts with a slash would be an option.
  app.allow_windows_style_options(false);
  app.set_help_flag("-h,--help", "Print help");
  app.set_version_flag("--version", std::string("pchr ") + reference::version_and_commit(),
                       "Print the version and the commit it was built from");
  app.require_subcommand(1);
  set_manual(app, kDetails, kExamples);
  for (const auto add : {add_inspect, add_play, add_validate, add_render, add_sheet, add_pose, add_diff, add_convert}) {
    add(app);
  }
  CLI::App& help = *app.add_subcommand("help", "Print the help of a subcommand or of a topic");
  std::string subject;
  add_option(help, "NAME", subject, "[NAME]", "Subcommand or topic");
  help.callback([&] {
    const auto text = help_text(app, subject);
    if (!text) fail(ExitCode::usage, "there is no help for \"{}\"\n  hint: see 'pchr --help'", printable(subject));
    print_text(*text);
  });
  set_manual(help, "", "  pchr help render\n  pchr help formats");
  const CLI::App* command = nullptr;
  const auto words = std::span<const std::string>(arguments).subspan(std::min<std::size_t>(arguments.size(), 1));
  if (const std::string word = find_misread(app, words, command); !word.empty()) {
    fail(ExitCode::usage, usage_error(app, *command, unknown_option(word)));
  }
  try {
    // CLI11 takes arguments from the end.
    std::ranges::reverse(arguments);
    if (!arguments.empty()) arguments.pop_back();
    app.parse(std::move(arguments));
    end_if_interrupted();
  } catch (const CLI::CallForHelp&) {
    const auto parsed = app.get_subcommands();
    print_text(help_text(app, parsed.empty() ? "" : parsed.front()->get_name()).value_or(""));
  } catch (const CLI::CallForVersion& version) {
    print_text(std::string(version.what()) + '\n');
  } catch (const CLI::Success&) {
    // A hidden option has printed what it is for.
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    const CLI::App& failed = parsed.empty() ? app : *parsed.front();
    fail(ExitCode::usage, usage_error(app, failed, usage_problem(app, failed, error)));
  }
}

}  // namespace

ExitCode run(std::vector<std::string> arguments) {
  current_task() = {};
  reset_log_options();
  return run_and_report([&] { run_command_line(std::move(arguments)); });
}

}  // namespace pchr::tools

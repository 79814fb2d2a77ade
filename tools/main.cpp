// SPDX-License-Identifier: MIT
// pchr: inspects, converts and renders Pachario characters, without a display.
#include "tool.hpp"

#include <numeric>
#include <sstream>

namespace {

using pchr::tools::ExitCode;
using pchr::tools::kExitCodes;
using pchr::tools::print_error;

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
  std::string message = fmt::format("pchr: unknown subcommand \"{}\"", pchr::printable(name));
  if (name.size() > kMaxLetters) return message;
  std::string nearest;
  for (const CLI::App* known : app.get_subcommands({})) {
    if (edits(name, known->get_name()) <= (nearest.empty() ? kMaxEdits : edits(name, nearest) - 1)) {
      nearest = known->get_name();
    }
  }
  return nearest.empty() ? message : message + fmt::format("; did you mean \"{}\"?", nearest);
}

// Describes wrong arguments. For an unknown subcommand CLI11 only says that one is required.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  std::string message = pchr::printable(error.what());
  if (app.get_subcommands().empty() && !unknown.empty()) {
    const std::string& first = unknown.front();
    message = first.starts_with('-') ? fmt::format("pchr: unknown option \"{}\"", pchr::printable(first))
                                     : unknown_subcommand(app, first);
  }
  return message + "\nRun with --help for more information.";
}

void run(int argc, char** argv) {
  CLI::App app("Inspect, convert and render Pachario characters, without a display.", "pchr");
  app.set_version_flag("--version", "pchr " PCHR_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(26);
  app.footer(std::string(R"(Examples:
  pchr inspect hero.pchr
  pchr render hero.pchr --clip walk --frame 3 -o walk3.png
  pchr pose hero.pchr --clip walk --time 0.5 > pose.json
  pchr unpack hero.pchr -o hero
  pchr pack hero/hero.json -o hero2.pchr
  pchr render hero.pchr --all-clips -o '{file}_{clip}.gif'
  pchr sheet hero.pchr -o sheet.png
  pchr diff hero.pchr hero.new.pchr
  pchr play hero.pchr
  pchr render --help

Conventions: x right, y up, world pixels; angles in degrees, counter-clockwise; frames count from 0.
Results go to standard output or to -o, errors and warnings to standard error. - as FILE is standard input.
)") + kExitCodes);
  using namespace pchr::tools;
  for (const auto add : {add_inspect, add_render, add_sheet, add_pose, add_validate, add_pack, add_unpack, add_convert,
                         add_diff, add_play}) {
    add(app);
  }
  try {
    app.parse(argc, argv);
    end_if_interrupted();
  } catch (const CLI::ParseError& error) {
    std::ostringstream text, ignored;
    if (app.exit(error, text, ignored) != 0) fail(ExitCode::usage, usage_error(app, error));
    // Help and the version end parsing, too.
    print_text(text.str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  pchr::tools::reserve_standard_streams();
  try {
    run(argc, argv);
    return static_cast<int>(ExitCode::fine);
  } catch (const pchr::tools::Failure& failure) {
    pchr::tools::end_if_interrupted();
    if (!failure.message.empty()) print_error(failure.message);
    return static_cast<int>(failure.exit_code);
  } catch (const std::exception& error) {
    print_error(fmt::format("pchr: {}", pchr::printable(error.what())));
    return static_cast<int>(ExitCode::environment);
  }
}

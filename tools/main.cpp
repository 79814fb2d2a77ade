// SPDX-License-Identifier: MIT
// pchr: looks into Pachario characters and draws them, without a display.
#include "common.hpp"
#include "interrupt.hpp"
#include "standard_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <iostream>
#include <string>

namespace {

using pchr::tools::ExitCode;
using pchr::tools::kExitCodes;
using pchr::tools::print_error;

int run(int argc, char** argv) {
  CLI::App app("Looks into Pachario characters and draws them, without a display.", "pchr");
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
Results go to standard output or to -o, errors and warnings to standard error.
)") + kExitCodes);
  const std::array verbs{pchr::tools::add_inspect(app), pchr::tools::add_render(app),   pchr::tools::add_sheet(app),
                         pchr::tools::add_pose(app),    pchr::tools::add_validate(app), pchr::tools::add_pack(app),
                         pchr::tools::add_unpack(app),  pchr::tools::add_convert(app),  pchr::tools::add_diff(app),
                         pchr::tools::add_play(app)};

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool fine = app.exit(error) == 0;  // Help and the version end parsing, too.
    if (fine && !std::cout.flush()) {
      print_error("pchr: cannot write to standard output");
      return static_cast<int>(ExitCode::environment);
    }
    return static_cast<int>(fine ? ExitCode::fine : ExitCode::usage);
  }
  for (const pchr::tools::Verb& verb : verbs) {
    if (!verb.command->parsed()) continue;
    const auto result = verb.run();
    pchr::tools::end_if_interrupted();
    if (!result) {
      if (!result.error().message.empty()) print_error(result.error().message);
      return static_cast<int>(result.error().exit_code);
    }
  }
  return static_cast<int>(ExitCode::fine);
}

}  // namespace

int main(int argc, char** argv) {
  pchr::tools::reserve_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    print_error(fmt::format("pchr: {}", error.what()));
    return static_cast<int>(ExitCode::environment);
  }
}

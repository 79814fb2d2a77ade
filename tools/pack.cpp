// SPDX-License-Identifier: MIT
// pchr pack: a character into one v1 file.
#include "saving.hpp"

namespace pchr::tools {
namespace {

void run_pack(const SavingOptions& options) { write_alone(read_and_save(options, Format::v1, "packed"), options); }

}  // namespace

Subcommand add_pack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pack", "Pack a JSON and its images into one .pchr file");
  const auto options = std::make_shared<SavingOptions>();
  add_saving_options(*command, *options, "FILE", "The .pchr file to write, or - for standard output");
  add_rgba_option(*command, *options);
  command->footer(
      std::string(
          R"(Writes PCHR version 1. PNG images are stored byte for byte. What version 1 cannot hold (draw orders beyond
-32768 to 32767, say) is an error, or left out with --lossy. Markers beside the input (hero.markers.json) are
written beside the output under its name. The file is written beside its target and then
renamed: a failure leaves what was there. A file that exists is wrong usage without --force.

Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --rgba --force

)") + kExitCodes);
  return {command, [options] { run_pack(*options); }};
}

}  // namespace pchr::tools

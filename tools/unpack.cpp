// SPDX-License-Identifier: MIT
// pchr unpack: a character into a folder, as JSON and PNG files.
#include "saving.hpp"

#include <filesystem>
#include <system_error>

namespace pchr::tools {
namespace {

void run_unpack(const SavingOptions& options) {
  const Saving saving = read_and_save(options, Format::json, input_stem(options.input.file));
  const std::filesystem::path folder = options.output;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    fail(ExitCode::environment, "cannot make the folder {}: {}", printable(options.output), error.message());
  }
  write_with_images(saving, folder / saving.saved.file.name, options);
}

}  // namespace

Subcommand add_unpack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("unpack", "Unpack a character into a JSON and PNG files");
  const auto options = std::make_shared<SavingOptions>();
  add_saving_options(*command, *options, "DIR", "The folder to write into; created where it is missing");
  add_spelling_option(*command, *options);
  command->footer(
      std::string(
          R"(Writes DIR/NAME.json, NAME being that of the input, one PNG for each image, named DIR/NAME.IMAGE.png but for
characters that have no place in a file name, and the markers beside the input (NAME.markers.json), if any. Packing
the v1 spelling again gives the same bytes. An image that another JSON in DIR uses is not replaced, even with --force.
All files are written under other names first and then renamed, the JSON last: a failure leaves what was there.
Files that exist are wrong usage without --force.

Examples:
  pchr unpack hero.pchr -o hero                  hero/hero.json, hero/hero.atlas.png
  pchr unpack hero.pchr -o hero --spelling pachario --force

)") + kExitCodes);
  return {command, [options] { run_unpack(*options); }};
}

}  // namespace pchr::tools

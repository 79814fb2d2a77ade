// SPDX-License-Identifier: MIT
// pchr unpack: a character into a folder, as JSON and PNG files.
#include "saving.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

namespace pchr::tools {
namespace {

Result<void> run(const SavingOptions& options) {
  const auto saved = read_and_save(options, Form::json);
  if (!saved) return std::unexpected(saved.error());
  const std::filesystem::path folder = options.output;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return fail(ExitCode::environment,
                fmt::format("pchr: cannot make the folder {}: {}", printable(options.output), error.message()));
  }
  return write_with_images(*saved, folder / saved->file.name, options);
}

}  // namespace

Verb add_unpack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("unpack", "Unpack a character into a JSON and PNG files");
  const auto options = std::make_shared<SavingOptions>();
  add_saving_options(*command, *options, "DIR", "The folder to write into; it is made where it is missing");
  add_spelling_option(*command, *options);
  command->footer(
      std::string(
          R"(Writes DIR/NAME.json, NAME being that of the input, and one PNG for each image, named as the image is but for
characters that have no place in a file name. Packing the v1 spelling again gives the same bytes.
All files are written under other names first and then renamed, the JSON last: a failure leaves what was there.
Files that are there already are wrong usage without --force.

Examples:
  pchr unpack hero.pchr -o hero
  pchr unpack hero.pchr -o hero --spelling pachario --force

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

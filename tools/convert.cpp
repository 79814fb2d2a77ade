// SPDX-License-Identifier: MIT
// pchr convert: a character from any form into any other.
#include "saving.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

namespace pchr::tools {
namespace {

struct ConvertOptions : SavingOptions {
  std::optional<Form> form;
  bool gltf = false;
};

Result<Form> form_of(const ConvertOptions& options) {
  if (options.form) return *options.form;
  const std::string extension = CLI::detail::to_lower(std::filesystem::path(options.output).extension().string());
  if (extension == ".pchr") return Form::v1;
  if (extension == ".json") return Form::json;
  return fail(ExitCode::usage,
              fmt::format("pchr: the name {} does not say which form is meant; --to does", printable(options.output)));
}

bool is_gltf(const ConvertOptions& options) {
  return options.gltf ||
         (!options.form && CLI::detail::to_lower(std::filesystem::path(options.output).extension().string()) == ".glb");
}

Result<void> convert_to_gltf(const ConvertOptions& options) {
  if (options.save.raw_pixels || options.save.spelling) {
    return fail(ExitCode::usage, "pchr: --rgba and --spelling are for Pachario's forms");
  }
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  auto markers = read_markers(input->character, options, false);
  if (!markers) return std::unexpected(markers.error());
  auto bytes = save_gltf(input->character, options.input.load.limits, options.save.max_output_bytes);
  if (!bytes) return not_saved(bytes.error(), input_name(options.input.file));
  return write_alone({{{{}, *std::move(bytes)}, {}, {}}, *std::move(markers)}, options);
}

Result<void> run(const ConvertOptions& options) {
  if (is_gltf(options)) return convert_to_gltf(options);
  const auto form = form_of(options);
  if (!form) return std::unexpected(form.error());
  if (options.save.raw_pixels && *form != Form::v1) {
    return fail(ExitCode::usage, "pchr: --rgba is for the v1 form; the others hold PNG files");
  }
  if (options.save.spelling && *form == Form::v1) {
    return fail(ExitCode::usage, "pchr: --spelling is for JSON; the v1 form has none");
  }
  if (options.output == "-" && *form == Form::json) {
    return fail(ExitCode::usage, "pchr: the images need a folder, so JSON cannot go to standard output");
  }
  const auto saving = read_and_save(options, *form, std::filesystem::path(options.output).stem().string());
  if (!saving) return std::unexpected(saving.error());
  return *form == Form::json ? write_with_images(*saving, options.output, options) : write_alone(*saving, options);
}

}  // namespace

Verb add_convert(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "Convert a character from any form into any other");
  const auto options = std::make_shared<ConvertOptions>();
  add_saving_options(*command, *options, "FILE",
                     "The file to write; the images of a JSON go beside it, as NAME.IMAGE.png");
  const std::map<std::string, Form> forms{{"v1", Form::v1}, {"json", Form::json}, {"packed", Form::packed}};
  command
      ->add_option_function<std::string>(
          "--to",
          [forms, options](const std::string& name) {
            options->gltf = name == "glb";
            if (!options->gltf) options->form = forms.at(name);
          },
          "The form to write; without it .pchr is v1, .json is JSON and .glb is glTF")
      ->check(CLI::IsMember({"v1", "json", "packed", "glb"}))
      ->option_text("v1|json|packed|glb");
  add_spelling_option(*command, *options);
  add_rgba_option(*command, *options);
  command->footer(
      std::string(
          R"(The forms: v1, the binary .pchr; json, with PNG files beside it; packed, the older .pchr that holds that JSON
(in the exporter's spelling unless --spelling says otherwise) and one PNG. A spatial character (.psk) becomes
glTF 2.0 (glb) with its skin, animations and materials, and none of the others. What a form cannot hold is an error,
or left out with --lossy: reserved flags, a second image in the packed form. Markers beside the input
(hero.markers.json) are written beside the output under its name. Images that another JSON in that folder uses are
not replaced, even with --force. --bake-opacity keeps fades, in larger
images. Files are written under other names
first and then renamed: a failure leaves what was there. Files that are there already are wrong usage without
--force.

Examples:
  pchr convert hero.json -o hero.pchr
  pchr convert hero.pchr -o old/hero.pchr --to packed
  pchr convert hero.pchr -o hero.json --spelling pachario
  pchr convert hero.psk --animation run.psa -o hero.glb

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

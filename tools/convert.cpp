// SPDX-License-Identifier: MIT
// pchr convert: a character from any format into any other.
#include "saving.hpp"

#include <algorithm>
#include <tuple>

namespace pchr::tools {
namespace {

struct ConvertOptions : SavingOptions {
  std::string to;
};

void convert_to_gltf(const ConvertOptions& options) {
  if (options.save.raw_pixels || options.save.spelling) {
    fail(ExitCode::usage, "pchr: --rgba and --spelling are for Pachario's formats");
  }
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  MarkersText markers = read_markers(input.character, options, false);
  auto bytes = save_gltf(input.character, options.input.load.limits, options.save.max_output_bytes);
  if (!bytes) fail_to_save(bytes.error(), input_name(options.input.file));
  write_alone({{{{}, *std::move(bytes)}, {}, {}}, std::move(markers)}, options);
}

void run_convert(ConvertOptions options) {
  const std::filesystem::path output = options.output;
  const std::string extension = CLI::detail::to_lower(output.extension().string());
  constexpr std::tuple<std::string_view, std::string_view, std::optional<Format>> kFormats[] = {
      {"v1", ".pchr", Format::v1},
      {"json", ".json", Format::json},
      {"packed", "", Format::packed},
      {"glb", ".glb", {}}};
  const auto* chosen = std::ranges::find_if(kFormats, [&](const auto& known) {
    return options.to.empty() ? !extension.empty() && std::get<1>(known) == extension
                              : std::get<0>(known) == options.to;
  });
  if (chosen == std::end(kFormats)) {
    fail(ExitCode::usage, "the name {} does not say which format is meant; --to does", printable(options.output));
  }
  const std::optional<Format> format = std::get<2>(*chosen);
  if (!format) return convert_to_gltf(options);
  if (options.save.raw_pixels && *format != Format::v1) {
    fail(ExitCode::usage, "pchr: --rgba is for the v1 format; the others hold PNG files");
  }
  if (options.save.spelling && *format == Format::v1) {
    fail(ExitCode::usage, "pchr: --spelling is for JSON; the v1 format has none");
  }
  if (options.output == "-" && *format == Format::json) {
    fail(ExitCode::usage, "pchr: the images need a folder, so JSON cannot go to standard output");
  }
  const Saving saving = read_and_save(options, *format, output.stem().string());
  *format == Format::json ? write_with_images(saving, output, options) : write_alone(saving, options);
}

constexpr char kConvertFooter[] =
    R"(The formats: v1, the binary .pchr; json, with PNG files beside it; packed, the older .pchr that holds that JSON
(in the exporter's spelling unless --spelling says otherwise) and one PNG. A 3D character (.psk) becomes
glTF 2.0 (glb) with its skin, animations and materials, and none of the others. What a format cannot hold is an error,
or left out with --lossy: reserved flags, a second image in the packed form. Markers beside the input
(hero.markers.json) are written beside the output under its name. Images that another JSON in that folder uses are
not replaced, even with --force. Files are written under other names first and then renamed: a failure leaves what
was there. Files that exist are wrong usage without --force.

Examples:
  pchr convert hero.json -o hero.pchr
  pchr convert hero.pchr -o old/hero.pchr --to packed
  pchr convert hero.pchr -o hero.json --spelling pachario
  pchr convert hero.psk --animation run.psa -o hero.glb

)";

}  // namespace

Subcommand add_convert(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "Convert a character from any format into any other");
  const auto options = std::make_shared<ConvertOptions>();
  add_saving_options(*command, *options, "FILE",
                     "The file to write; the images of a JSON go beside it, as NAME.IMAGE.png");
  add_option(*command, "--to", options->to, "v1|json|packed|glb",
             "The format to write; without it .pchr is v1, .json is JSON and .glb is glTF",
             CLI::IsMember({"v1", "json", "packed", "glb"}));
  add_spelling_option(*command, *options);
  add_rgba_option(*command, *options);
  command->footer(std::string(kConvertFooter) + kExitCodes);
  return {command, [options] { run_convert(*options); }};
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What the verbs that write characters share.
#include "saving.hpp"

#include "standard_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <vector>

namespace pchr::tools {
namespace {

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Existing existing(const SavingOptions& options) { return options.force ? Existing::replace : Existing::keep; }

std::unexpected<Failure> not_saved(const Finding& finding, const std::string& file) {
  std::string message = describe(finding, file);
  if (code(finding.id).starts_with("E30")) message += "\n  with --lossy it is written without";
  if (finding.id == FindingId::opacity_refused) message += "; --bake-opacity keeps it, as faded copies in the images";
  return fail(ExitCode::bad_data, message);
}

}  // namespace

void add_saving_options(CLI::App& command, SavingOptions& options, std::string_view output_name,
                        const std::string& output_help) {
  add_input_options(command, options.input);
  command.add_option("-o,--output", options.output, output_help + " (required)")
      ->required()
      ->option_text(std::string(output_name));
  command.add_flag("--lossy", options.save.lossy, "Leave out what the form cannot hold, and say what that was");
  command.add_flag("--bake-opacity", options.save.bake_opacity,
                   "Keep fading parts as faded copies in the images, which grow");
  const auto set_output_bytes = [&options](std::uint32_t megabytes) {
    options.save.max_output_bytes = std::uint64_t{megabytes} << 20;
  };
  command
      .add_option_function<std::uint32_t>("--max-output-mb", set_output_bytes,
                                          "Refuse to write more than this, all files together (256)")
      ->option_text("N");
  command.add_flag("--force", options.force, "Replace files that are there already");
}

void add_spelling_option(CLI::App& command, SavingOptions& options) {
  const std::map<std::string, Spelling> spellings{{"v1", Spelling::v1}, {"pachario", Spelling::pachario}};
  command
      .add_option_function<std::string>(
          "--spelling", [spellings, &options](const std::string& name) { options.save.spelling = spellings.at(name); },
          "How the JSON names its fields: v1 as the binary does, pachario as the exporter does")
      ->check(CLI::IsMember(spellings))
      ->option_text("v1|pachario");
}

void add_rgba_option(CLI::App& command, SavingOptions& options) {
  command.add_flag("--rgba", options.save.raw_pixels, "Store images as raw pixels instead of as PNG");
}

Result<Saved> read_and_save(const SavingOptions& options, Form form) {
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  SaveOptions save_options = options.save;
  save_options.limits = options.input.load.limits;
  auto saved = save(input->character, form, input_stem(options.input.file), save_options);
  if (!saved) return not_saved(saved.error(), input_name(options.input.file));
  for (const Finding& loss : saved->losses) print_error(describe(loss, input_name(options.input.file)));
  return *std::move(saved);
}

Result<void> write_alone(const Saved& saved, const SavingOptions& options) {
  const std::string_view bytes = text_of(saved.file.bytes);
  return options.output == "-" ? write_stdout(bytes) : write_file(options.output, bytes, existing(options));
}

Result<void> write_with_images(const Saved& saved, const std::filesystem::path& path, const SavingOptions& options) {
  std::vector<OutputFile> files;
  for (const SavedFile& image : saved.images) {
    files.push_back({path.parent_path() / image.name, text_of(image.bytes)});
  }
  files.push_back({path, text_of(saved.file.bytes)});
  return write_files(files, existing(options));
}

}  // namespace pchr::tools

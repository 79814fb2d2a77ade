// SPDX-License-Identifier: MIT
// pchr pack, unpack and convert: write a character in another format.
#include "json.hpp"
#include "tool.hpp"

#include <pchr/import/save.hpp>

#include <cmath>
#include <fstream>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

struct SavingOptions {
  InputOptions input;
  std::string output;
  std::string to;  ///< Of convert: the format; empty: as the output's extension says.
  SaveOptions save;
  bool force = false;
};

/// A character and the text of the markers file that goes beside it.
struct Saving {
  Saved saved;
  std::string markers;         ///< Empty where there are none.
  bool moved_markers = false;  ///< Clips were sampled at another rate, so the frames differ from the input's.
};

Existing existing(const SavingOptions& options) { return options.force ? Existing::replace : Existing::keep; }

template <class T>
T or_fail_to_save(std::expected<T, Diagnostic> saved, const SavingOptions& options) {
  if (saved) return *std::move(saved);
  const DiagnosticId id = saved.error().id;
  std::string message = describe(saved.error(), input_name(options.input.file));
  if (code(id).starts_with("E30") || id == DiagnosticId::influences_refused) {
    message += "\n  with --lossy it is written without";
  }
  if (id == DiagnosticId::output_too_large) message += "\n  --max-output-mb allows more";
  fail(ExitCode::bad_data, message);
}

/// Returns the frame at which `frame` of `clip` begins after save() sampled it at `rate`.
std::uint32_t frame_at_rate(const Clip& clip, std::uint32_t frame, double rate) {
  const bool is_even = clip.frames_per_second == rate && clip.frame_ends.empty();
  if (is_even || !(rate > 0) || !(clip.duration_seconds() > 0)) return frame;
  const double count = std::max(std::round(clip.duration_seconds() * rate), 1.0);
  // Half a microsecond is what save() takes for the same moment.
  const double begin = std::ceil((seconds_of_frame(clip, frame) - 0.5e-6) * rate);
  return static_cast<std::uint32_t>(std::clamp(begin, 0.0, count - 1));
}

/// Returns the markers at the frames of a character of one rate, where that moves any.
std::optional<std::string> moved_markers(const Character& character, const Markers& markers) {
  const double rate = character.data().frames_per_second;
  bool moved = false;
  JsonWriter json;
  json.begin_object(Layout::lines).list("markers", markers.all(), [&](const Marker& marker) {
    const Clip& clip = character.clips()[marker.clip];
    const std::uint32_t frame = frame_at_rate(clip, marker.frame, rate);
    moved = moved || frame != marker.frame;
    json.object("clip", clip.name, "frame", frame, "name", marker.name);
  });
  json.end_object();
  return moved ? std::optional(json.text) : std::nullopt;
}

/// Reads the markers of the input: as its file has them or, in a format of one rate, at the frames that save() makes.
void read_markers(const Character& character, const SavingOptions& options, bool one_rate, Saving& saving) {
  const fs::path path = markers_path(options.input.file);
  std::error_code ignored;
  if (options.input.file == "-" || !fs::exists(path, ignored)) return;
  const Markers markers = open_markers(character, options.input);
  if (const auto moved = one_rate ? moved_markers(character, markers) : std::nullopt) {
    saving.markers = *moved;
    saving.moved_markers = true;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  saving.markers.assign(std::istreambuf_iterator<char>(file), {});
}

/// Reads the input and saves it, as glTF without a format; image files are named after `stem`. Warnings and losses go
/// to standard error.
Saving read_and_save(const SavingOptions& options, std::optional<Format> format, const std::string& stem) {
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  Saving saving;
  read_markers(input.character, options, format.has_value(), saving);
  SaveOptions save_options = options.save;
  save_options.limits = options.input.load.limits;
  if (format) {
    saving.saved = or_fail_to_save(save(input, *format, stem, save_options), options);
  } else {
    saving.saved.file.bytes =
        or_fail_to_save(save_gltf(input.character, save_options.limits, save_options.max_output_bytes), options);
  }
  for (const Diagnostic& loss : saving.saved.losses) print_error(describe(loss, input_name(options.input.file)));
  return saving;
}

/// Refuses to replace an image that a JSON other than `own` in its folder draws from.
void spare_others(std::span<const OutputFile> images, const fs::path& own) {
  std::error_code error, unknown;
  if (std::ranges::none_of(images, [&](const OutputFile& image) { return fs::exists(image.path, unknown); })) return;
  const fs::path folder = own.has_parent_path() ? own.parent_path() : ".";
  std::uint64_t bytes_left = std::uint64_t{256} << 20;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& other = entry->path();
    if (CLI::detail::to_lower(other.extension().string()) != ".json" || !fs::is_regular_file(other, unknown)) continue;
    if (fs::equivalent(other, own, unknown)) continue;
    const std::uint64_t bytes = fs::file_size(other, unknown);
    if (unknown) continue;
    if (bytes > bytes_left) {
      fail(ExitCode::usage,
           "the JSON files in {} are too large to see whose images would be replaced; write into another folder",
           printable(folder.string()));
    }
    bytes_left -= bytes;
    InputFiles used;
    for (const fs::path& path : named_images(other, bytes)) used.add(path);
    for (const OutputFile& image : images) {
      if (!used.contains(image.path)) continue;
      fail(ExitCode::usage, "{} is an image of {}, too; write {} under another name or into another folder",
           printable(image.path.string()), printable(other.string()), printable(own.string()));
    }
  }
}

/// Writes `files`, the markers and the character as one. `path` is the character's name; where that is a link,
/// `character` may be its target. Markers that are there because the input has the same name stay.
void write_all(std::vector<OutputFile> files, const Saving& saving, const fs::path& path, const fs::path& character,
               const SavingOptions& options) {
  const fs::path target = markers_path(path);
  std::error_code ignored;
  const bool is_there = fs::exists(target, ignored);
  const bool is_source = is_there && fs::equivalent(markers_path(options.input.file), target, ignored);
  if (is_source && saving.moved_markers) {
    fail(ExitCode::usage, "{} says other frames than it would have to for {}; write that under another name",
         printable(target.string()), printable(path.string()));
  }
  if (!saving.markers.empty() && !is_source) files.push_back({target, saving.markers});
  files.push_back({character, text_of(saving.saved.file.bytes)});
  write_files(files, existing(options), *options.input.read);
  if (is_there && saving.markers.empty()) {
    print_error(fmt::format("pchr: {} was there already; its markers are now those of {}", printable(target.string()),
                            printable(path.string())));
  }
}

/// Writes a character without images beside it: a file and its markers, or standard output for "-".
void write_alone(const Saving& saving, const SavingOptions& options) {
  const std::string_view bytes = text_of(saving.saved.file.bytes);
  const fs::path path = options.output;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool is_file = !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
  if (options.output == "-" || !is_file) {
    if (!saving.markers.empty()) {
      print_error(fmt::format("pchr: {} is not written: the output is no file to put it beside",
                              printable(markers_path(options.input.file).string())));
    }
    return options.output == "-" ? write_stdout(bytes)
                                 : write_file(path, bytes, existing(options), *options.input.read);
  }
  const bool is_link = fs::is_symlink(path, ignored) && fs::exists(status);
  write_all({}, saving, path, is_link ? fs::canonical(path, ignored) : path, options);
}

/// Writes a character to `path`, its images and markers beside it, those first: a JSON file that is there finds them.
void write_with_images(const Saving& saving, const fs::path& path, const SavingOptions& options) {
  std::vector<OutputFile> files;
  for (const SavedFile& image : saving.saved.images) {
    files.push_back({path.parent_path() / image.name, text_of(image.bytes)});
  }
  spare_others(files, path);
  write_all(std::move(files), saving, path, path, options);
}

void run_pack(const SavingOptions& options) { write_alone(read_and_save(options, Format::v1, "packed"), options); }

void run_unpack(const SavingOptions& options) {
  const Saving saving = read_and_save(options, Format::json, input_stem(options.input.file));
  const fs::path folder = options.output;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    fail(ExitCode::environment, "cannot make the folder {}: {}", printable(options.output), error.message());
  }
  write_with_images(saving, folder / saving.saved.file.name, options);
}

void run_convert(const SavingOptions& options) {
  struct Target {
    std::string_view name, extension;
    std::optional<Format> format;  ///< Absent: glTF.
  };
  constexpr Target kTargets[] = {{"v1", ".pchr", Format::v1},
                                 {"json", ".json", Format::json},
                                 {"packed", "", Format::packed},
                                 {"glb", ".glb", {}}};
  const fs::path output = options.output;
  const std::string extension = CLI::detail::to_lower(output.extension().string());
  const auto* const chosen = std::ranges::find_if(kTargets, [&](const Target& target) {
    return options.to.empty() ? !extension.empty() && target.extension == extension : target.name == options.to;
  });
  if (chosen == std::end(kTargets)) {
    fail(ExitCode::usage, "the name {} does not say which format is meant; --to does", printable(options.output));
  }
  const std::optional<Format> format = chosen->format;
  check_usage(
      {{!format && (options.save.raw_pixels || options.save.spelling),
        "--rgba and --spelling are for Pachario's formats"},
       {options.save.raw_pixels && format != Format::v1, "--rgba is for the v1 format; the others hold PNG files"},
       {options.save.spelling && format == Format::v1, "--spelling is for JSON; the v1 format has none"},
       {options.output == "-" && format == Format::json,
        "the images need a folder, so JSON cannot go to standard output"}});
  const Saving saving = read_and_save(options, format, output.stem().string());
  format == Format::json ? write_with_images(saving, output, options) : write_alone(saving, options);
}

/// Adds the input, -o, --lossy, --max-output-mb and --force.
void add_saving_options(CLI::App& command, SavingOptions& options, const std::string& output_name,
                        const std::string& output_help) {
  add_input_options(command, options.input);
  add_option(command, "-o,--output", options.output, output_name, output_help + " (required)")->required();
  command.add_flag("--lossy", options.save.lossy, "Leave out what the format cannot hold, and say what that was");
  add_mega_option(command, "--max-output-mb", options.save.max_output_bytes,
                  "Refuse to write more than this, all files together (256)");
  command.add_flag("--force", options.force, "Replace files that exist, but none that was read");
}

void add_spelling_option(CLI::App& command, SavingOptions& options) {
  add_choice<JsonDialect>(command, "--spelling", options.save.spelling,
                          {{"v1", JsonDialect::v1}, {"pachario", JsonDialect::pachario}},
                          "How the JSON names its fields: v1 as the binary does, pachario as the exporter does");
}

void add_rgba_option(CLI::App& command, SavingOptions& options) {
  command.add_flag("--rgba", options.save.raw_pixels, "Store images as raw pixels instead of as PNG");
}

constexpr char kPackFooter[] =
    R"(Writes PCHR version 1. PNG images are stored byte for byte. What version 1 cannot hold (draw orders beyond
-32768 to 32767, say) is an error, or left out with --lossy. Markers beside the input (hero.markers.json) are
written beside the output under its name. The file is written beside its target and then
renamed: a failure leaves what was there. A file that exists is wrong usage without --force.

Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --rgba --force

)";

constexpr char kUnpackFooter[] =
    R"(Writes DIR/NAME.json, NAME being that of the input, one PNG for each image, named DIR/NAME.IMAGE.png but for
characters that have no place in a file name, and the markers beside the input (NAME.markers.json), if any. Packing
the v1 spelling again gives the same bytes. An image that another JSON in DIR uses is not replaced, even with --force.
All files are written under other names first and then renamed, the JSON last: a failure leaves what was there.
Files that exist are wrong usage without --force.

Examples:
  pchr unpack hero.pchr -o hero                  hero/hero.json, hero/hero.atlas.png
  pchr unpack hero.pchr -o hero --spelling pachario --force

)";

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

void add_pack(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<SavingOptions>(app, "pack", "Pack a JSON and its images into one .pchr file", run_pack);
  add_saving_options(command, options, "FILE", "The .pchr file to write, or - for standard output");
  add_rgba_option(command, options);
  command.footer(std::string(kPackFooter) + kExitCodes);
}

void add_unpack(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<SavingOptions>(app, "unpack", "Unpack a character into a JSON and PNG files", run_unpack);
  add_saving_options(command, options, "DIR", "The folder to write into; created where it is missing");
  add_spelling_option(command, options);
  command.footer(std::string(kUnpackFooter) + kExitCodes);
}

void add_convert(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<SavingOptions>(app, "convert", "Convert a character from any format into any other", run_convert);
  add_saving_options(command, options, "FILE",
                     "The file to write; the images of a JSON go beside it, as NAME.IMAGE.png");
  add_option(command, "--to", options.to, "v1|json|packed|glb",
             "The format to write; without it .pchr is v1, .json is JSON and .glb is glTF",
             CLI::IsMember({"v1", "json", "packed", "glb"}));
  add_spelling_option(command, options);
  add_rgba_option(command, options);
  command.footer(std::string(kConvertFooter) + kExitCodes);
}

}  // namespace pchr::tools

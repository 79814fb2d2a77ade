// SPDX-License-Identifier: MIT
// pchr convert, and its other names pack and unpack: writes a character in another format.
#include "commands/commands.hpp"
#include "input.hpp"
#include "options.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/import/save.hpp>

#include <cmath>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

struct SavingOptions {
  InputOptions input;
  std::string output;
  std::string to;        ///< The format; empty to infer it from the output's extension.
  bool unpacks = false;  ///< The output is a folder for JSON that is named after the input.
  SaveOptions save;
  bool force = false;
};

/// A saved character and the text of its sidecar file.
struct Saving {
  Saved saved;
  std::string sidecar;         ///< Empty if there is none.
  std::string sidecar_source;  ///< The input's file; empty if only the character has markers.
  bool moved_frames = false;   ///< Clips were resampled, so frame numbers differ from the input's.
  bool other_bind = false;     ///< The bind pose is not the one in the input's file.

  /// Returns the path of the sidecar of a character at `path`: of the same kind as the input's.
  [[nodiscard]] std::string sidecar_of(const std::string& path) const {
    return sidecar_source.empty() || sidecar_source.ends_with(".rig.json") ? rig_path(path) : markers_path(path);
  }
};

Existing existing(const SavingOptions& options) { return options.force ? Existing::replace : Existing::keep; }

template <class T>
T or_fail_to_save(Expected<T, Diagnostic> saved, const SavingOptions& options) {
  if (saved) return *std::move(saved);
  fail(saved.error(), options.input.file);
}

/// Returns whether `bind` is the bind pose that the character has.
bool is_bind_pose_of(const BindPose& bind, const Character& character) {
  const BindPoseSource source = character.bind_pose_source();
  const auto* const pose = std::get_if<ClipBindPose>(&bind);
  return pose == nullptr ? source.clip == ClipId::none
                         : source == BindPoseSource{character.find_clip(pose->clip), pose->frame};
}

/// Reads the sidecar of the input. With `one_rate`, moves markers to the frames that save() resamples to. Leaves out a
/// bind pose that the character now has as a clip.
void read_sidecar(const Imported& imported, const SavingOptions& options, bool one_rate, Saving& saving) {
  const Character& character = imported.character;
  const auto path = sidecar_path(options.input);
  if (!path && imported.markers.all().empty()) return;
  saving.sidecar_source = path.value_or("");
  Sidecar sidecar = open_sidecar(imported, options.input);
  const bool had_bind = sidecar.bind.has_value();
  saving.other_bind = had_bind && !is_bind_pose_of(*sidecar.bind, character);
  if (saving.saved.has_bind_clip || saving.other_bind) sidecar.bind.reset();
  saving.moved_frames = one_rate && move_to_saved_frames(sidecar, character);
  if (!path || saving.moved_frames || had_bind != sidecar.bind.has_value()) {
    saving.sidecar = save_rig(sidecar, character);
    if (saving.sidecar == save_rig({}, character)) saving.sidecar.clear();
    return;
  }
  const std::uint64_t max_bytes = options.input.load.limits.max_file_bytes;
  saving.sidecar = text_of(or_fail(read_file(*path, max_bytes), *path).bytes());
}

std::string describe_added_clip(const Character& character) {
  return fmt::format("the bind pose, {}, is written as a first clip named bind",
                     describe_pose(character, character.bind_pose_source()));
}

/// Reads the input and saves it in `format`, or as glTF if there is none. Image files are named after `stem`. Warnings
/// and losses go to standard error.
Saving read_and_save(const SavingOptions& options, std::optional<Format> format, const std::string& stem) {
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  Saving saving;
  SaveOptions save_options = options.save;
  save_options.limits = options.input.load.limits;
  save_options.max_output_bytes = options.input.batch.max_output;
  if (format) {
    saving.saved = or_fail_to_save(save(input, *format, stem, save_options), options);
  } else {
    saving.saved.file.bytes = or_fail_to_save(
        save_gltf(input.character, save_options.limits, save_options.max_output_bytes, save_options.png_compression),
        options);
  }
  read_sidecar(input, options, format.has_value(), saving);
  for (const Diagnostic& loss : saving.saved.losses) report(loss, options.input.file);
  if (saving.saved.has_bind_clip) report_warning(options.input.file, describe_added_clip(input.character));
  return saving;
}

/// Fails rather than replace an image that a JSON file other than `own` in its folder uses.
void check_shared_images(std::span<const OutputFile> images, const std::string& own_path) {
  const auto exists = [](const OutputFile& image) { return find_kind(image.path) != FileKind::none; };
  if (std::ranges::none_of(images, exists)) return;
  const fs::path own = path_from_utf8(own_path);
  std::error_code error, unknown;
  const fs::path folder = own.has_parent_path() ? own.parent_path() : ".";
  std::uint64_t bytes_left = std::uint64_t{256} << 20;
  fs::directory_iterator entry(folder, error);
  if (error) {
    fail(ExitCode::environment,
         "cannot replace images in {}: its JSON files cannot be read to check whether they use them",
         printable(utf8_of(folder)));
  }
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    const fs::path& other = entry->path();
    if (CLI::detail::to_lower(utf8_of(other.extension())) != ".json" || !fs::is_regular_file(other, unknown)) continue;
    if (fs::equivalent(other, own, unknown)) continue;
    const std::uint64_t bytes = fs::file_size(other, unknown);
    if (unknown) continue;
    if (bytes > bytes_left) {
      fail(ExitCode::usage,
           "cannot replace images in {}: its JSON files are too large to check whether they use them\n"
           "  hint: write to another folder",
           printable(utf8_of(folder)));
    }
    bytes_left -= bytes;
    InputFiles used;
    for (const std::string& path : named_images(utf8_of(other), bytes)) used.add(path);
    for (const OutputFile& image : images) {
      if (!used.contains(image.path)) continue;
      fail(ExitCode::usage,
           "cannot replace {}: {} uses it too\n  hint: write {} under another name or to another folder",
           printable(image.path), printable(utf8_of(other)), printable(own_path));
    }
  }
}

/// Writes `files`, the sidecar and the character together. `path` is the character's name, `character` the file itself,
/// which differs if `path` is a link. A sidecar that the input shares because it has the same name is kept.
void write_all(std::vector<OutputFile> files, const Saving& saving, const std::string& path,
               const std::string& character, const SavingOptions& options) {
  const std::string target = saving.sidecar_of(path);
  const bool is_source = !saving.sidecar_source.empty() && is_same_file(saving.sidecar_source, target);
  if (is_source && saving.other_bind) {
    fail(ExitCode::usage, "{} would give {} another bind pose than --bind\n  hint: write it under another name",
         printable(target), printable(path));
  }
  if (is_source && saving.moved_frames) {
    fail(ExitCode::usage, "{} would not fit {}, whose clips are resampled\n  hint: write it under another name",
         printable(target), printable(path));
  }
  if (!saving.sidecar.empty() && !is_source) files.push_back({target, saving.sidecar});
  files.push_back({character, text_of(saving.saved.file.bytes)});
  write_files(files, existing(options), *options.input.read);
  const auto applies = find_sidecar(path);
  if (applies && !is_source && (saving.sidecar.empty() || *applies != target)) {
    report_warning(*applies,
                   fmt::format("{} already exists and now applies to {}", printable(*applies), printable(path)));
  }
}

/// Writes a character that is one file, and its sidecar; "-" is standard output.
void write_alone(const Saving& saving, const SavingOptions& options) {
  const std::string_view bytes = text_of(saving.saved.file.bytes);
  const std::string& path = options.output;
  if (options.output == "-" || find_kind(path) == FileKind::other) {
    if (!saving.sidecar.empty()) {
      const std::string& source = saving.sidecar_source.empty() ? options.input.file : saving.sidecar_source;
      report_warning(source, fmt::format("the markers and rig in {} are not written, because the output is not a "
                                         "regular file",
                                         printable(source)));
    }
    return options.output == "-" ? write_stdout(bytes)
                                 : write_file(path, bytes, existing(options), *options.input.read);
  }
  write_all({}, saving, path, follow_link(path), options);
}

/// Writes a character to `path`, with its images and sidecar next to it. They come first, so the JSON finds them.
void write_with_images(const Saving& saving, const std::string& path, const std::string& character,
                       const SavingOptions& options) {
  const std::string folder = utf8_of(path_from_utf8(path).parent_path());
  std::vector<OutputFile> files;
  for (const SavedFile& image : saving.saved.images) {
    files.push_back({path_in(folder, image.name), text_of(image.bytes)});
  }
  check_shared_images(files, path);
  write_all(std::move(files), saving, path, character, options);
}

void run_convert(SavingOptions options) {
  options.output = fill_name(options.output, parts_of_input(options.input.file));
  struct Target {
    std::string_view name, extension;
    std::optional<Format> format;  ///< Absent: glTF.
  };
  constexpr Target kTargets[] = {{"v1", ".pchr", Format::v1},
                                 {"json", ".json", Format::json},
                                 {"packed", "", Format::packed},
                                 {"glb", ".glb", {}}};
  const fs::path output = path_from_utf8(options.output);
  const std::string extension = CLI::detail::to_lower(utf8_of(output.extension()));
  const auto* const chosen = std::ranges::find_if(kTargets, [&](const Target& target) {
    return options.to.empty() ? !extension.empty() && target.extension == extension : target.name == options.to;
  });
  if (chosen == std::end(kTargets)) {
    fail(ExitCode::usage, "cannot infer a format from the name {}\n  hint: name the format with --to",
         printable(options.output));
  }
  const std::optional<Format> format = chosen->format;
  check_usage({{!format && (options.save.raw_pixels || options.save.json_dialect),
                "--rgba and --json-dialect do not apply to glTF"},
               {options.save.raw_pixels && format != Format::v1, "--rgba only applies to the v1 format"},
               {options.save.json_dialect && format == Format::v1, "--json-dialect does not apply to the v1 format"},
               {options.output == "-" && format == Format::json && !options.unpacks,
                "JSON cannot be written to standard output, because its images are separate files"}});
  const std::string stem = options.unpacks ? input_stem(options.input.file) : utf8_of(output.stem());
  const Saving saving = read_and_save(options, format, stem);
  if (format != Format::json) return write_alone(saving, options);
  const std::string path = options.unpacks ? path_in(options.output, saving.saved.file.name) : options.output;
  write_with_images(saving, path, options.unpacks ? path : follow_link(path), options);
}

constexpr char kSafety[] =
    R"(Files appear under their names only when all are complete; a failure leaves existing files unchanged. Existing files
are not replaced without --force.)";

constexpr char kSidecars[] =
    R"(Data that the format cannot store is an error; --lossy leaves it out. Markers and rig next to the input
(hero.rig.json, or the older hero.markers.json) are written next to the output, under its name. )";

constexpr char kBindClip[] = R"(A bind pose that the
rig or --bind chose, or that was guessed, becomes a first clip named bind; the rig's own "bind" is left out then.

)";

}  // namespace

void add_convert(CLI::App& app) {
  const auto add = [&app](const char* name, const char* summary, const std::string& to, const std::string& details,
                          const char* examples) {
    const bool unpacks = to == "json", any = to.empty();
    const auto [command, options] = add_subcommand<SavingOptions>(app, name, summary, [](const SavingOptions& all) {
      run_all(all, run_convert, all.unpacks ? path_in(all.output, "{file}.json") : all.output);
    });
    options.to = to;
    options.unpacks = unpacks;
    options.save.bind_clip = !unpacks;
    options.input.batch.max_output = options.save.max_output_bytes;
    begin_group(command, "Output");
    add_option(command, "-o,--output", options.output, unpacks ? "DIR" : "FILE",
               fmt::format("{} (required); {{folder}} and {{file}} are replaced",
                           unpacks ? "Folder to write to; created if missing"
                           : any   ? "File to write; - is standard output, except for JSON"
                                   : "The .pchr file to write; - is standard output"))
        ->required();
    if (any) {
      add_option(command, "--to", options.to, "v1|json|packed|glb",
                 "Output format (default: from the extension; .pchr is v1)",
                 check_choice({"v1", "json", "packed", "glb"}));
    }
    command.add_flag("--lossy", options.save.lossy,
                     "Leave out what the format cannot store, with a warning for each loss");
    command.add_flag("--force", options.force, "Replace existing files, except input files");
    add_effort_option(command, options.save.png_compression);
    if (any || unpacks) {
      add_choice<JsonDialect>(command, "--json-dialect,--spelling", options.save.json_dialect,
                              {{"v1", JsonDialect::v1}, {"pachario", JsonDialect::pachario}},
                              "Field names of the JSON: those of the v1 format or of the Pachario exporter");
    }
    if (!unpacks) {
      command.add_flag("--rgba", options.save.raw_pixels, "Store images as raw pixels instead of PNG");
      command.add_flag_callback(
          "--no-bind-clip", [&save = options.save] { save.bind_clip = false; },
          "Do not add a clip named bind when the bind pose was chosen or guessed");
    }
    add_output_limit(command, options.input.batch, "256");
    add_inputs_options(command, options.input);
    add_rig_option(command, options.input);
    begin_group(command, "Input");
    add_option(command, "--fps", options.input.load.frames_per_second, "N",
               "For DragonBones, Spine and glTF: frames to sample per second (default: the rate of the file, or 30)",
               check_range(1, 1000));
    if (any) {
      command.add_flag("--fit", options.input.load.vertex_sequence,
                       "Read sequences of vertices instead of characters, and fit bones to them");
    }
    begin_group(command, "Options");
    add_record_options(command, options.input.batch.record, false);
    set_manual(command, details + kSafety, examples);
  };
  add("convert", "Convert a character to another format", "", R"(Formats:
  v1      .pchr version 1, the binary format
  json    JSON with PNG files next to it, named NAME.IMAGE.png
  packed  the older .pchr, which contains JSON (in the Pachario dialect by
          default) and one PNG
  glb     glTF 2.0: meshes, skin, animations and materials

3D characters can be written only as glb. An image that another JSON file in the output folder uses is never replaced.
)" + std::string(kSidecars) + kBindClip,
      R"(  pchr convert hero.json -o hero.pchr
  pchr convert hero.pchr -o old/hero.pchr --to packed
  pchr convert hero.pchr -o hero.json --json-dialect pachario
  pchr convert hero.psk --animation run.psa -o hero.glb
  pchr convert --fit face.json -o face.pchr)");
  add("pack", "Pack JSON and its images into one .pchr file", "v1",
      "The same as convert --to v1. PNG images are stored byte for byte.\n" + std::string(kSidecars) + kBindClip,
      R"(  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --rgba --force)");
  add("unpack", "Unpack a character into JSON and PNG files", "json",
      R"(The same as convert --to json, with names of its own: DIR/NAME.json, where NAME is the input's name, and one PNG per
image (DIR/NAME.IMAGE.png, with characters that are unsafe in file names replaced). Packing the v1 dialect with
--no-bind-clip restores the original bytes. An image that another JSON file in DIR uses is never replaced.
)" + std::string(kSidecars) +
          "\n\n",
      R"(  pchr unpack hero.pchr -o hero          # hero/hero.json, hero/hero.atlas.png
  pchr unpack hero.pchr -o hero --json-dialect pachario --force)");
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What the verbs that write characters share.
#include "saving.hpp"

#include "json.hpp"
#include "standard_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pchr::tools {

namespace fs = std::filesystem;

namespace {

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Existing existing(const SavingOptions& options) { return options.force ? Existing::replace : Existing::keep; }

}  // namespace

std::unexpected<Failure> not_saved(const Finding& finding, const std::string& file) {
  std::string message = describe(finding, file);
  if (code(finding.id).starts_with("E30") || finding.id == FindingId::influences_refused)
    message += "\n  with --lossy it is written without";
  if (finding.id == FindingId::opacity_refused) message += "; --bake-opacity keeps it, as faded copies in the images";
  if (finding.id == FindingId::output_too_large) message += "\n  --max-output-mb allows more";
  return fail(ExitCode::bad_data, message);
}

namespace {

/// The frame at which `frame` of `clip` begins after save() sampled it at `rate`.
std::uint32_t frame_at_rate(const Clip& clip, std::uint32_t frame, double rate) {
  const bool is_even = clip.frames_per_second == rate && clip.frame_ends.empty();
  if (is_even || !(rate > 0) || !(clip.duration_seconds() > 0)) return frame;
  const double count = std::max(std::round(clip.duration_seconds() * rate), 1.0);
  const double start = frame == 0                ? 0.0
                       : clip.frame_ends.empty() ? frame / clip.frames_per_second
                                                 : clip.frame_ends[frame - 1];
  // Half a microsecond is what save() takes for the same moment.
  return static_cast<std::uint32_t>(std::clamp(std::ceil((start - 0.5e-6) * rate), 0.0, count - 1));
}

/// `markers` at the frames that a character of one rate has, where that moves any.
std::optional<std::string> moved_markers(const Character& character, const Markers& markers) {
  const double rate = character.data().frames_per_second;
  bool moved = false;
  JsonWriter json;
  json.begin_object(Layout::lines).key("markers").begin_array(Layout::lines);
  for (const Marker& marker : markers.all()) {
    const Clip& clip = character.clips()[marker.clip];
    const std::uint32_t frame = frame_at_rate(clip, marker.frame, rate);
    moved = moved || frame != marker.frame;
    json.begin_object().key("clip").value(clip.name).key("frame").value(frame).key("name").value(marker.name);
    json.end_object();
  }
  json.end_array().end_object();
  return moved ? std::optional(fmt::to_string(json.text)) : std::nullopt;
}

/// What tells a file from every other, however its path is spelled; nothing where there is none.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

/// Refuses to replace an image that a JSON other than `own` in its folder draws from.
Result<void> spare_others(std::span<const OutputFile> images, const fs::path& own) {
  std::map<std::pair<dev_t, ino_t>, const fs::path*> present;
  for (const OutputFile& image : images) {
    if (const auto known = identity(image.path)) present[*known] = &image.path;
  }
  if (present.empty()) return {};
  const fs::path folder = own.has_parent_path() ? own.parent_path() : ".";
  std::uint64_t bytes_left = std::uint64_t{256} << 20;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& other = entry->path();
    std::error_code unknown;
    if (CLI::detail::to_lower(other.extension().string()) != ".json" || !fs::is_regular_file(other, unknown)) continue;
    if (identity(other) == identity(own)) continue;
    const std::uint64_t bytes = fs::file_size(other, unknown);
    if (unknown) continue;
    if (bytes > bytes_left) {
      return fail(ExitCode::usage, fmt::format("pchr: the JSON files in {} are too large to see whose images would be "
                                               "replaced; write into another folder",
                                               printable(folder.string())));
    }
    bytes_left -= bytes;
    for (const fs::path& used : named_images(other, bytes)) {
      const auto known = identity(used);
      const auto image = known ? present.find(*known) : present.end();
      if (image == present.end()) continue;
      return fail(ExitCode::usage,
                  fmt::format("pchr: {} is an image of {}, too; write {} under another name or into another folder",
                              printable(image->second->string()), printable(other.string()), printable(own.string())));
    }
  }
  return {};
}

/// Writes `files`, the markers and the character as one. `path` is what the character is called; where that is a link,
/// `character` may be what it points at. Markers that are there already because the input has the same name stay.
Result<void> write_all(std::vector<OutputFile> files, const MarkersText& markers, const fs::path& path,
                       const OutputFile& character, const SavingOptions& options) {
  const fs::path target = markers_path(path);
  std::error_code ignored;
  const bool is_there = fs::exists(target, ignored);
  const bool is_source = is_there && fs::equivalent(markers_path(options.input.file), target, ignored);
  if (is_source && markers.moved) {
    return fail(ExitCode::usage, fmt::format("pchr: {} says other frames than it would have to for {}; write that "
                                             "under another name",
                                             printable(target.string()), printable(path.string())));
  }
  if (!markers.text.empty() && !is_source) files.push_back({target, markers.text});
  files.push_back(character);
  if (auto written = write_files(files, existing(options), *options.input.read); !written) return written;
  if (is_there && markers.text.empty()) {
    print_error(fmt::format("pchr: {} was there already; its markers are now those of {}", printable(target.string()),
                            printable(path.string())));
  }
  return {};
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
  command.add_flag("--force", options.force, "Replace files that are there already, but none that was read");
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

Result<MarkersText> read_markers(const Character& character, const SavingOptions& options, bool at_one_rate) {
  const fs::path path = markers_path(options.input.file);
  std::error_code ignored;
  if (options.input.file == "-" || !fs::exists(path, ignored)) return MarkersText{};
  const auto markers = open_markers(character, options.input);
  if (!markers) return std::unexpected(markers.error());
  if (at_one_rate) {
    if (auto moved = moved_markers(character, *markers)) return MarkersText{*std::move(moved), true};
  }
  std::ifstream file(path, std::ios::binary);
  return MarkersText{{std::istreambuf_iterator<char>(file), {}}, false};
}

Result<Saving> read_and_save(const SavingOptions& options, Form form, const std::string& stem) {
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  auto markers = read_markers(input->character, options, true);
  if (!markers) return std::unexpected(markers.error());
  SaveOptions save_options = options.save;
  save_options.limits = options.input.load.limits;
  auto saved = save(input->character, form, stem, save_options);
  if (!saved) return not_saved(saved.error(), input_name(options.input.file));
  for (const Finding& loss : saved->losses) print_error(describe(loss, input_name(options.input.file)));
  return Saving{*std::move(saved), *std::move(markers)};
}

Result<void> write_alone(const Saving& saving, const SavingOptions& options) {
  const std::string_view bytes = text_of(saving.saved.file.bytes);
  const fs::path path = options.output;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool is_file = !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
  if (options.output == "-" || !is_file) {
    if (!saving.markers.text.empty()) {
      print_error(fmt::format("pchr: {} is not written: the output is no file to put it beside",
                              printable(markers_path(options.input.file).string())));
    }
    return options.output == "-" ? write_stdout(bytes)
                                 : write_file(path, bytes, existing(options), *options.input.read);
  }
  const fs::path target = fs::is_symlink(path, ignored) && fs::exists(status) ? fs::canonical(path, ignored) : path;
  return write_all({}, saving.markers, path, {target, bytes}, options);
}

Result<void> write_with_images(const Saving& saving, const fs::path& path, const SavingOptions& options) {
  std::vector<OutputFile> files;
  for (const SavedFile& image : saving.saved.images) {
    files.push_back({path.parent_path() / image.name, text_of(image.bytes)});
  }
  if (auto spared = spare_others(files, path); !spared) return spared;
  return write_all(std::move(files), saving.markers, path, {path, text_of(saving.saved.file.bytes)}, options);
}

}  // namespace pchr::tools

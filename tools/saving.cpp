// SPDX-License-Identifier: MIT
// What the subcommands that write characters share.
#include "saving.hpp"

#include "json.hpp"

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

void fail_to_save(const Diagnostic& diagnostic, const std::string& file) {
  std::string message = describe(diagnostic, file);
  if (code(diagnostic.id).starts_with("E30") || diagnostic.id == DiagnosticId::influences_refused)
    message += "\n  with --lossy it is written without";
  if (diagnostic.id == DiagnosticId::output_too_large) message += "\n  --max-output-mb allows more";
  fail(ExitCode::bad_data, message);
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
  json.begin_object(Layout::lines).list("markers", markers.all(), [&](const Marker& marker) {
    const Clip& clip = character.clips()[marker.clip];
    const std::uint32_t frame = frame_at_rate(clip, marker.frame, rate);
    moved = moved || frame != marker.frame;
    json.object("clip", clip.name, "frame", frame, "name", marker.name);
  });
  json.end_object();
  return moved ? std::optional(fmt::to_string(json.text)) : std::nullopt;
}

/// What tells a file from every other, however its path is spelled; nothing where there is none.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

/// Refuses to replace an image that a JSON other than `own` in its folder draws from.
void spare_others(std::span<const OutputFile> images, const fs::path& own) {
  std::map<std::pair<dev_t, ino_t>, const fs::path*> present;
  for (const OutputFile& image : images) {
    if (const auto known = identity(image.path)) present[*known] = &image.path;
  }
  if (present.empty()) return;
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
      fail(ExitCode::usage,
           "the JSON files in {} are too large to see whose images would be replaced; write into another folder",
           printable(folder.string()));
    }
    bytes_left -= bytes;
    for (const fs::path& used : named_images(other, bytes)) {
      const auto known = identity(used);
      const auto image = known ? present.find(*known) : present.end();
      if (image == present.end()) continue;
      fail(ExitCode::usage, "{} is an image of {}, too; write {} under another name or into another folder",
           printable(image->second->string()), printable(other.string()), printable(own.string()));
    }
  }
}

/// Writes `files`, the markers and the character as one. `path` is what the character is called; where that is a link,
/// `character` may be what it points at. Markers that are there already because the input has the same name stay.
void write_all(std::vector<OutputFile> files, const MarkersText& markers, const fs::path& path,
               const OutputFile& character, const SavingOptions& options) {
  const fs::path target = markers_path(path);
  std::error_code ignored;
  const bool is_there = fs::exists(target, ignored);
  const bool is_source = is_there && fs::equivalent(markers_path(options.input.file), target, ignored);
  if (is_source && markers.moved) {
    fail(ExitCode::usage, "{} says other frames than it would have to for {}; write that under another name",
         printable(target.string()), printable(path.string()));
  }
  if (!markers.text.empty() && !is_source) files.push_back({target, markers.text});
  files.push_back(character);
  write_files(files, existing(options), *options.input.read);
  if (is_there && markers.text.empty()) {
    print_error(fmt::format("pchr: {} was there already; its markers are now those of {}", printable(target.string()),
                            printable(path.string())));
  }
}

}  // namespace

void add_saving_options(CLI::App& command, SavingOptions& options, std::string_view output_name,
                        const std::string& output_help) {
  add_input_options(command, options.input);
  add_option(command, "-o,--output", options.output, std::string(output_name), output_help + " (required)")->required();
  command.add_flag("--lossy", options.save.lossy, "Leave out what the format cannot hold, and say what that was");
  add_mega_option(command, "--max-output-mb", options.save.max_output_bytes,
                  "Refuse to write more than this, all files together (256)");
  command.add_flag("--force", options.force, "Replace files that exist, but none that was read");
}

void add_spelling_option(CLI::App& command, SavingOptions& options) {
  add_choice<std::optional<JsonDialect>, JsonDialect>(
      command, "--spelling", options.save.spelling, {{"v1", JsonDialect::v1}, {"pachario", JsonDialect::pachario}},
      "How the JSON names its fields: v1 as the binary does, pachario as the exporter does");
}

void add_rgba_option(CLI::App& command, SavingOptions& options) {
  command.add_flag("--rgba", options.save.raw_pixels, "Store images as raw pixels instead of as PNG");
}

MarkersText read_markers(const Character& character, const SavingOptions& options, bool at_one_rate) {
  const fs::path path = markers_path(options.input.file);
  std::error_code ignored;
  if (options.input.file == "-" || !fs::exists(path, ignored)) return {};
  const Markers markers = open_markers(character, options.input);
  if (at_one_rate) {
    if (auto moved = moved_markers(character, markers)) return {*std::move(moved), true};
  }
  std::ifstream file(path, std::ios::binary);
  return {{std::istreambuf_iterator<char>(file), {}}, false};
}

Saving read_and_save(const SavingOptions& options, Format format, const std::string& stem) {
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  MarkersText markers = read_markers(input.character, options, true);
  SaveOptions save_options = options.save;
  save_options.limits = options.input.load.limits;
  auto saved = save(input, format, stem, save_options);
  if (!saved) fail_to_save(saved.error(), input_name(options.input.file));
  for (const Diagnostic& loss : saved->losses) print_error(describe(loss, input_name(options.input.file)));
  return {*std::move(saved), std::move(markers)};
}

void write_alone(const Saving& saving, const SavingOptions& options) {
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
  write_all({}, saving.markers, path, {target, bytes}, options);
}

void write_with_images(const Saving& saving, const fs::path& path, const SavingOptions& options) {
  std::vector<OutputFile> files;
  for (const SavedFile& image : saving.saved.images) {
    files.push_back({path.parent_path() / image.name, text_of(image.bytes)});
  }
  spare_others(files, path);
  write_all(std::move(files), saving.markers, path, {path, text_of(saving.saved.file.bytes)}, options);
}

}  // namespace pchr::tools

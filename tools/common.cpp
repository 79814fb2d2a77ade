// SPDX-License-Identifier: MIT
// What the verbs share.
#include "common.hpp"

#include "read_bytes.hpp"
#include "standard_error.hpp"
#include "table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pchr::tools {
namespace {

// `CLIP[:FRAME]`, where only digits after the last colon are a frame: clip names may contain colons.
BindPose parse_bind_pose(const std::string& text) {
  if (text == "auto") return AutomaticBindPose{};
  if (text == "identity") return IdentityBindPose{};
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    std::uint32_t frame = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, frame);
    if (error == std::errc() && stopped == end) return ClipBindPose{text.substr(0, colon), frame};
  }
  return ClipBindPose{text};
}

// A name that is also a word goes together with another name.
LayerChoice parse_layers(const std::vector<std::string>& choice) {
  if (choice.size() == 1 && choice[0] == "visible") return {};
  if (choice.size() == 1 && choice[0] == "all") return {LayerChoice::Which::all, {}, {}};
  return {LayerChoice::Which::named, choice, {}};
}

}  // namespace

void add_input_options(CLI::App& command, InputOptions& options) {
  command.add_option("FILE", options.file, "The character, or - for standard input")->required()->option_text(" ");
  add_load_options(command, options);
}

void add_load_options(CLI::App& command, InputOptions& options) {
  command.add_flag("--no-images", options.no_images, "Do not decode the images, so that broken pixels are no error");
  const auto set_bind_pose = [&options](const std::string& text) { options.load.bind_pose = parse_bind_pose(text); };
  command
      .add_option_function<std::string>("--bind", set_bind_pose, "The bind pose: CLIP[:FRAME], identity or auto (auto)")
      ->option_text("POSE");
  const auto set_file_bytes = [&options](std::uint32_t megabytes) {
    options.load.limits.max_file_bytes = std::uint64_t{megabytes} << 20;
  };
  command.add_option_function<std::uint32_t>("--max-file-mb", set_file_bytes, "Refuse larger files (1024)")
      ->option_text("N");
  const auto set_image_pixels = [&options](std::uint32_t megapixels) {
    options.load.limits.max_image_pixels = std::uint64_t{megapixels} << 20;
  };
  command
      .add_option_function<std::uint32_t>("--max-megapixels", set_image_pixels,
                                          "Refuse more pixels than this, all images together (64)")
      ->option_text("N");
  const auto set_samples = [&options](std::uint32_t millions) {
    options.load.limits.max_bone_samples = std::uint64_t{millions} << 20;
  };
  command
      .add_option_function<std::uint32_t>("--max-samples", set_samples,
                                          "Refuse more bones times frames than this many million (16)")
      ->option_text("N");
  add_chp_options(command, options.load);
  const auto choose_layers = [&options](const std::vector<std::string>& choice) {
    options.load.layers = parse_layers(choice);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--layers", choose_layers,
          "The layers of a .px to draw: visible, all (but for reference layers), or a name; may be given again "
          "(visible)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  add_psk_options(command, options.load);
}

void add_chp_options(CLI::App& command, LoadOptions& options) {
  command.add_option("--encoding", options.text_encoding, "The text encoding of a .chp, as iconv names it (found out)")
      ->option_text("NAME");
  command.add_flag("--second-player", options.second_player, "Dress a .chp for the second player");
  command.add_flag("--black-key", options.black_color_key,
                   "Make black transparent in a legacy .chp without #AutoColorSet (default: the corner pixel's color)");
}

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

std::string input_stem(const std::string& file) {
  return file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
}

Failure data_failure(const Finding& finding, const std::string& file) {
  ExitCode code = ExitCode::bad_data;
  if (finding.id == FindingId::unreadable_file) code = ExitCode::unreadable;
  // A bind pose that does not exist was asked for on the command line; the file is fine.
  if (finding.id == FindingId::unknown_bind_clip) code = ExitCode::usage;
  return {code, describe(finding, input_name(file))};
}

Result<void> check_animations(const InputOptions& options) {
  for (const std::filesystem::path& path : options.load.animations) {
    const bool is_readable = access(path.c_str(), R_OK) == 0;
    const int error = is_readable ? EISDIR : errno;
    std::error_code ignored;
    if (is_readable && !std::filesystem::is_directory(path, ignored)) continue;
    return std::unexpected(data_failure({FindingId::unreadable_file, {}, {}, {}, std::strerror(error)}, path.string()));
  }
  return {};
}

std::expected<Character, LoadError> load_input(const std::string& file, const LoadOptions& options) {
  if (file != "-") return load(file, options);
  const auto bytes = read_bytes(file, options.limits.max_file_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  return load(*bytes, options);
}

Result<Input> open_input(const InputOptions& options) {
  if (const auto checked = check_animations(options); !checked) return std::unexpected(checked.error());
  LoadOptions load_options = options.load;
  load_options.before_reading = [&](const std::filesystem::path& path) {
    options.read->add(path);
    if (options.load.before_reading) options.load.before_reading(path);
  };
  auto character = load_input(options.file, load_options);
  if (!character) return std::unexpected(data_failure(character.error(), options.file));
  Input input{*std::move(character), {}};
  if (options.no_images) return input;
  auto bitmaps = decode_images(input.character, options.load.limits);
  if (!bitmaps) return std::unexpected(data_failure(bitmaps.error(), options.file));
  input.bitmaps = *std::move(bitmaps);
  return input;
}

Result<Markers> open_markers(const Character& character, const InputOptions& options) {
  if (options.file == "-") return Markers();
  const std::filesystem::path path = markers_path(options.file);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Markers();
  if (options.load.before_reading) options.load.before_reading(path);
  options.read->add(path);
  auto markers = load_markers(path, character);
  if (!markers) return std::unexpected(data_failure(markers.error(), path.string()));
  return *std::move(markers);
}

void print_warnings(const Input& input, const InputOptions& options) {
  for (const Finding& warning : input.character.warnings()) print_error(describe(warning, input_name(options.file)));
}

void add_moment_options(CLI::App& command, MomentOptions& options) {
  command.add_option("--clip", options.clip, "The clip, by name")->option_text("NAME");
  add_time_options(command, options);
}

void add_time_options(CLI::App& command, MomentOptions& options) {
  CLI::Option* frame =
      command.add_option("--frame", options.frame, "A frame of the clip, from 0 (0)")->option_text("N");
  command.add_option("--time", options.seconds, "A time in seconds; a looping clip wraps, another holds its ends")
      ->option_text("S")
      ->excludes(frame)
      ->check(check_finite);
  command.add_flag("--smooth", options.smooth, "With --time: interpolate between frames instead of holding each");
}

std::string check_finite(const std::string& text) {
  return std::isfinite(std::strtof(text.c_str(), nullptr)) ? "" : text + " is not a finite number";
}

Result<std::uint32_t> find_clip(const Character& character, const std::string& name) {
  if (const auto clip = character.find_clip(name)) return *clip;
  std::string message = fmt::format("pchr: there is no clip named \"{}\"; ", shown(name));
  if (character.clips().empty()) return fail(ExitCode::usage, message + "the character has no clips");
  message += "the clips are:";
  for (const Clip& clip : character.clips()) message += "\n  " + shown(clip.name);
  return fail(ExitCode::usage, message);
}

Result<FramePosition> find_position(const Clip& clip, const MomentOptions& options) {
  if (options.seconds)
    return frame_position(clip, *options.seconds, options.smooth ? Sampling::smooth : Sampling::step);
  const std::uint32_t frame = options.frame.value_or(0);
  if (options.frame && frame >= clip.frame_count) {
    const std::string allowed =
        clip.frame_count == 0 ? "has no frames" : fmt::format("has the frames 0 to {}", clip.frame_count - 1);
    return fail(ExitCode::usage,
                fmt::format("pchr: there is no frame {}; the clip \"{}\" {}", frame, shown(clip.name), allowed));
  }
  return FramePosition{frame, frame, 0.0F};
}

}  // namespace pchr::tools

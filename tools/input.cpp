// SPDX-License-Identifier: MIT
#include "input.hpp"

#include "options.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"
#include "platform/utf8_path.hpp"

#include <future>

namespace pchr::tools {
namespace {

// A keyword next to other names is the name of a layer.
LayerChoice parse_layers(const std::vector<std::string>& choice) {
  if (choice.size() == 1 && choice[0] == "visible") return {};
  if (choice.size() == 1 && choice[0] == "all") return {LayerChoice::Which::all, {}, {}};
  return {LayerChoice::Which::named, choice, {}};
}

}  // namespace

void add_inputs_options(CLI::App& command, InputOptions& options) {
  add_batch_options(command, options.batch);
  add_load_options(command, options);
}

void add_load_options(CLI::App& command, InputOptions& options) {
  ImportOptions& load = options.load;
  begin_group(command, "Input");
  command.add_flag("--no-images", options.no_images, "Do not decode images, so broken pixels are not an error");
  const auto set_bind_pose = [&load](const std::string& text) { load.bind_pose = parse_bind_pose(text); };
  add_option(command, "--bind", set_bind_pose, "POSE", "Bind pose: CLIP[:FRAME], identity or auto (default: auto)");
  add_chp_options(command, load);
  using Strings = std::vector<std::string>;
  const auto add_repeatable = [&command](const char* name, const char* argument, const auto& use, const char* text) {
    return command.add_option_function<Strings>(name, use, text)
        ->option_text(argument)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add_repeatable(
      "--layers", "NAME", [&load](const Strings& choice) { load.layers = parse_layers(choice); },
      "For pixel art: layers to draw: visible, all (without reference layers) or a name (repeatable; default: "
      "visible)");
  command.add_flag("--flat", load.flat, "For glTF: open a flat scene as a 2D character");
  add_option(command, "--armature", load.armature, "NAME", "For DragonBones: armature to read (default: the first)");
  add_option(command, "--skin", load.skin, "NAME",
             "For DragonBones and Spine: skin to read (default: the default skin)");
  add_option(command, "--deform-tolerance", load.deform_tolerance, "PX",
             "For deform keys and morph targets: distance from their vertices that is accepted (default: 0.5)",
             check_range(0.001, 1000));
  const auto set_animations = [&load](Strings paths) {
    load.also_find_animations = std::erase(paths, "auto") > 0;
    load.animations.assign(paths.begin(), paths.end());
  };
  add_repeatable("--animation", "FILE", set_animations,
                 "For a .psk: play this .psa file instead of those found next to it (repeatable; auto keeps those "
                 "found)");
  const auto set_folders = [&load](const Strings& folders) {
    load.texture_folders.assign(folders.begin(), folders.end());
  };
  const auto is_folder = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path_from_utf8(path), ignored) ? std::string()
                                                                        : '"' + path + "\" is not a folder";
  };
  add_repeatable("--textures", "DIR", set_folders,
                 "For a .psk: search this folder first for textures and .mat files (repeatable)")
      ->check(is_folder);
  add_repeatable(
      "--texture", "FILE", [&load](const Strings& files) { load.images = files; },
      "For JSON, .chp and .psk: use this file for images with its name (repeatable)");
  command.add_flag("--follow-links", load.follow_links,
                   "Also read images and other files that belong to a character through links out of its folder");
  begin_group(command, kLimitsGroup);
  add_mega_option(command, "--max-file-mb", load.limits.max_file_bytes, "Max size of a file, in MiB (default: 1024)");
  add_mega_option(command, "--max-megapixels", load.limits.max_image_pixels,
                  "Max size of all decoded images, in megapixels (default: 64)");
  add_mega_option(command, "--max-samples", load.limits.max_bone_samples,
                  "Max number of bones times frames, in millions (default: 16)");
  begin_group(command, "Options");
}

void add_rig_option(CLI::App& command, InputOptions& options) {
  begin_group(command, "Input");
  add_option(command, "--rig", options.rig, "FILE",
             "Read the markers and the rig from this file instead of the one next to the character");
  begin_group(command, "Options");
}

void add_drawn_rig_options(CLI::App& command, InputOptions& options) {
  add_rig_option(command, options);
  begin_group(command, "Input");
  command.add_flag("--no-rig", options.no_rig, "Draw the clips without springs and other constraints of the rig");
  begin_group(command, "Options");
}

void add_chp_options(CLI::App& command, ImportOptions& options) {
  begin_group(command, kFormatsGroup);
  add_option(command, "--encoding", options.text_encoding, "NAME",
             "For a .chp or .psk: text encoding, as named by iconv (default: detected)");
  command.add_flag("--second-player", options.second_player, "For a .chp: use the second player's images");
  command.add_flag("--black-key", options.black_color_key,
                   "For a legacy .chp without #AutoColorSet: make black transparent (default: the color of the corner "
                   "pixel)");
}

void check_animations(const InputOptions& options) {
  for (const std::string& path : options.load.animations) {
    // With this limit, it is opened but not read.
    const auto file = read_file(path, 0);
    if (!file && file.error().id != DiagnosticId::limit_exceeded) fail(file.error(), path);
  }
}

Expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options) {
  ImportOptions noting = options;
  Task& task = current_task();
  const auto note = [&](const std::string& path) {
    note_read(task, path);
    if (options.before_reading) options.before_reading(path);
  };
  noting.before_reading = note;
  noting.before_listing = {[](void* to, const std::string& folder) { note_listing(*static_cast<Task*>(to), folder); },
                           &task};
  ProgressBar bar;
  const auto show = [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); };
  noting.fitting = show;
  if (file != "-") return import_character(file, noting);
  note_read(task, file);
  const auto bytes = read_standard_input(options.limits.max_file_bytes);
  if (!bytes) return Unexpected(bytes.error());
  return import_character(*bytes, noting);
}

Input open_input(const InputOptions& options, const std::function<void()>& meanwhile,
                 const std::function<void(const Character&)>& check) {
  check_animations(options);
  ImportOptions load_options = options.load;
  const auto note = [&](const std::string& path) {
    options.read->add(path);
    if (options.load.before_reading) options.load.before_reading(path);
  };
  load_options.before_reading = note;
  load_options.executor = executor();
  load_options.rig = options.rig;
  Input input{or_fail(load_input(options.file, load_options), options.file), {}};
  if (input.rig_error) fail(*input.rig_error, input.rig_file);
  if (check) check(input.character);
  std::future<Expected<std::vector<Bitmap>, Diagnostic>> decoded;
  if (!options.no_images) {
    decoded = std::async(meanwhile ? std::launch::async | std::launch::deferred : std::launch::deferred,
                         [&] { return decode_images(input.character, options.load.limits, load_options.executor); });
  }
  if (meanwhile) meanwhile();
  if (decoded.valid()) input.bitmaps = or_fail(decoded.get(), options.file);
  return input;
}

std::optional<std::string> sidecar_path(const InputOptions& options) {
  if (!options.rig.empty()) {
    note_read(current_task(), options.rig);
    return options.rig;
  }
  if (options.file == "-") return std::nullopt;
  const auto path = find_sidecar(options.file);
  for (const std::string& candidate : {rig_path(options.file), markers_path(options.file)}) {
    note_read(current_task(), candidate);
    if (candidate == path) break;
  }
  return path;
}

Sidecar open_sidecar(const Imported& imported, const InputOptions& options) {
  const auto path = sidecar_path(options);
  if (!path) return {.markers = imported.markers, .rig = {}};
  if (options.load.before_reading) options.load.before_reading(*path);
  options.read->add(*path);
  return or_fail(load_sidecar_of(options, *path, imported.character), *path);
}

Expected<Sidecar, LoadError> load_sidecar_of(const InputOptions& options, const std::string& path,
                                             const Character& character) {
  return options.rig.empty() ? load_sidecar(options.file, character, options.load.follow_links)
                             : load_rig(path, character);
}

void print_warnings(const Input& input, const InputOptions& options) {
  for (const Diagnostic& warning : input.character.warnings()) report(warning, options.file);
}

void add_moment_options(CLI::App& command, MomentOptions& options) {
  CLI::Option* frame = add_option(command, "--frame", options.frame, "N", "Frame of the clip, from 0 (default: 0)");
  add_option(command, "--time", options.seconds, "S",
             "Time in seconds; looping clips wrap, others hold their first and last frames", check_finite)
      ->excludes(frame);
  command.add_flag("--smooth", options.smooth, "Interpolate between frames; needs --time");
}

ClipId find_clip(const Character& character, const std::string& name) {
  if (const ClipId clip = character.find_clip(name); clip != ClipId::none) return clip;
  std::string message = fmt::format("pchr: there is no clip named \"{}\"; ", shown(name));
  if (character.clips().empty()) fail(ExitCode::usage, message + "the character has no clips");
  message += "the clips are:";
  for (const Clip& clip : character.clips()) message += "\n  " + shown(clip.name);
  fail(ExitCode::usage, message);
}

std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names) {
  std::vector<ClipId> found;
  for (const std::string& name : names) found.push_back(find_clip(character, name));
  return found;
}

std::vector<ClipId> find_clips_or_all(const Character& character, const std::vector<std::string>& names,
                                      const std::string& file) {
  std::vector<ClipId> found = find_clips(character, names);
  if (!names.empty()) return found;
  for (const ClipId clip : character.clips().ids()) {
    if (!is_bind_pose_clip(character, clip)) {
      found.push_back(clip);
      continue;
    }
    report_note(file, fmt::format("{}: the clip {} is left out, because it holds the bind pose",
                                  printable(input_name(file)), shown(character.clips()[clip].name)));
  }
  return found;
}

std::string describe_pose(const Character& character, const BindPoseSource& source) {
  if (source.clip == ClipId::none) {
    return character.data().bind_pose.x.empty() ? "the identity" : "the one stored in the file";
  }
  return fmt::format("frame {} of clip {}", source.frame, shown(character.clips()[source.clip].name));
}

ClipTime find_time(const Clip& clip, const MomentOptions& options) {
  if (options.seconds) return clip_time(clip, *options.seconds, options.smooth ? Sampling::smooth : Sampling::step);
  const std::uint32_t frame = options.frame.value_or(0);
  if (options.frame && frame >= clip.frame_count) {
    fail(ExitCode::usage, "frame {} does not exist; the clip \"{}\" has {}", frame, shown(clip.name),
         clip.frame_count == 0 ? "no frames" : fmt::format("frames 0 to {}", clip.frame_count - 1));
  }
  return {frame, frame, 0.0F};
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr render: draws images and animations of a character without a display.
#include "commands/commands.hpp"
#include "drawing.hpp"
#include "options.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"
#include "platform/utf8_path.hpp"
#include "states.hpp"

#include <glm/common.hpp>

#include <cstring>
#include <set>

namespace pchr::tools {
namespace {

/// What the camera fits: all frames of the clip, all frames of all clips, or each frame.
enum class Fit : std::uint8_t { clip, file, frame };

struct RenderOptions {
  InputOptions input;
  std::vector<std::string> clips;
  bool all_clips = false;
  std::string states;  ///< Script for the state machines; empty to draw clips.
  MomentOptions moment;
  PlanOptions plan;
  PixelBudget budget;
  ViewOptions view;
  OrbitOptions orbit;
  Fit fit = Fit::clip;
  std::string output;
  std::optional<AnimationFormat> format;  ///< Inferred from the output's extension if absent.
  EncoderOptions encoder;
  const CLI::Option* effort = nullptr;  ///< To find out whether it was given.
  bool has_numeric_effort = false;
  std::optional<std::uint32_t> loops;
  std::optional<std::uint32_t> contact_sheet;
  std::string reference;  ///< Empty if there is none.
  double threshold = 0.02;
};

// What the camera shows

/// Includes some frames of a clip, or the bind pose if it has none.
void include_clip(Box& box, const Character& character, ClipId clip) {
  constexpr std::uint32_t kMaxFrames = 16;
  const std::uint32_t frames = clip != ClipId::none ? character.clips()[clip].frame_count : 0;
  const std::uint32_t step = std::max(frames / kMaxFrames, 1U);
  for (std::uint32_t frame = 0; frame < std::max(frames, 1U); frame += step) {
    const Box seen = box_of(character, pose_at(character, frames > 0 ? clip : ClipId::none, {frame, frame, 0}));
    if (seen.empty()) continue;
    box.include(seen.min);
    box.include(seen.max);
  }
}

Box box_to_fit(const Character& character, const RenderOptions& options, ClipId clip, ClipTime time) {
  if (options.fit == Fit::frame) return box_of(character, pose_at(character, clip, time));
  Box box;
  if (options.fit == Fit::clip) {
    include_clip(box, character, clip);
    return box;
  }
  for (const ClipId each : character.clips().ids()) include_clip(box, character, each);
  if (box.empty()) include_clip(box, character, ClipId::none);
  return box;
}

/// Returns the bounds of what the camera fits.
Rect bounds_to_fit(const Character& character, std::optional<Rigged>& rigged, const RenderOptions& options, ClipId clip,
                   ClipTime time) {
  if (rigged) {
    Rect all;
    if (options.fit == Fit::file) {
      for (const ClipId each : character.clips().ids()) all.include(rigged->bounds_of(each));
    } else if (clip != ClipId::none && options.fit == Fit::clip) {
      all = rigged->bounds_of(clip);
    }
    return all.empty() ? bounds(character, rigged->pose(clip, time)) : all;
  }
  if (options.fit == Fit::file) return compute_character_bounds(character, executor());
  if (clip != ClipId::none && options.fit == Fit::clip) return compute_clip_bounds(character, clip, executor());
  return bounds(character, pose_at(character, clip, time));
}

/// Returns the 3D view that the options ask for, if they do.
std::optional<SceneView> scene_to_fit(const Character& character, const RenderOptions& options, ClipId clip,
                                      ClipTime time, const Camera& camera) {
  if (!options.orbit.used()) return std::nullopt;
  const Box box = box_to_fit(character, options, clip, time);
  SceneView view;
  if (options.orbit.angles.empty()) {
    const Vec3 reach = box.empty() ? Vec3{1.0F} : glm::max(glm::abs(box.min), glm::abs(box.max));
    view = scene_view(camera, reach.z * 2);
  } else {
    OrbitCamera orbit;
    orbit.yaw_degrees = options.orbit.angles[0];
    orbit.pitch_degrees = options.orbit.angles[1];
    orbit.viewport = camera.viewport;
    view = scene_view(fit(orbit, box, options.view.margin));
  }
  view.cull_back_faces = options.orbit.cull;
  return view;
}

// The plan of the outputs

/// An animation or an image, with what it takes to pose its frames with a rig.
struct Shot : ExportedAnimation {
  Sequence sequence;
};

bool numbers_frames(const std::string& pattern) {
  NameParts parts{"", "", "", 0, 0};
  const std::string first = fill_name(pattern, parts);
  parts.frame = 1;
  return fill_name(pattern, parts) != first;
}

bool is_animated(const RenderOptions& options) {
  if (!options.states.empty()) return true;
  if (options.moment.frame || options.moment.seconds) return false;
  return options.encoder.format != AnimationFormat::png || numbers_frames(options.output) ||
         options.plan.frames.has_value() || options.plan.frames_per_second.has_value();
}

/// Returns the named clips, or all, or else the first; with `moving`, the first with several frames or, without one,
/// the first that is not just the bind pose. Returns `none`, the bind pose, if there are no clips.
std::vector<ClipId> clips_to_render(const Character& character, const RenderOptions& options, bool moving) {
  if (!options.clips.empty() || options.all_clips) {
    std::vector<ClipId> found = find_clips_or_all(character, options.clips, options.input.file);
    if (!found.empty()) return found;
  }
  if (character.clips().empty()) {
    check_usage({{options.moment.frame || options.moment.seconds || options.plan.frames,
                  "the character has no clips, so --frame, --frames and --time do not apply"}});
    return {ClipId::none};
  }
  if (!moving) return {ClipId{0}};
  const auto ids = character.clips().ids();
  auto found = std::ranges::find_if(ids, [&](ClipId clip) { return character.clips()[clip].frame_count > 1; });
  if (found == ids.end())
    found = std::ranges::find_if_not(ids, [&](ClipId clip) { return is_bind_pose_clip(character, clip); });
  return {*found};
}

ExportPlan plan_clip(const Character& character, std::optional<Rigged>& rigged, const RenderOptions& options,
                     const PixelBudget& budget, ClipId clip, bool moving) {
  PlanOptions frames = options.plan;
  frames.smooth = options.moment.smooth;
  const std::uint32_t cycles = cycles_of(options.encoder.format, options.loops.value_or(1));
  FramePlan plan;
  if (moving && clip != ClipId::none) {
    plan = or_fail(plan_animation(character, clip, frames, options.fit == Fit::frame ? cycles : 1));
    budget.check(plan.times.size(), options.view);
  }
  std::uint32_t next = 0;
  const auto bounds_at = [&](ClipId shown, ClipTime time) {
    const bool moves_rig = rigged && moving && shown != ClipId::none && options.fit != Fit::file;
    if (!moves_rig) return bounds_to_fit(character, rigged, options, shown, time);
    // The clip's own frames too, so that animations and stills line up.
    if (options.fit == Fit::clip) {
      Rect all = rigged->bounds_of(shown);
      if (frames.frames || frames.frames_per_second || frames.speed != 1)
        all.include(rigged->bounds_of(std::move(plan)));
      return all;
    }
    if (next == 0) rigged->begin(std::move(plan));
    return bounds(character, rigged->pose(next++));
  };
  ExportRequest request{.clips = {clip},
                        .frames = frames,
                        .cycles = cycles,
                        .plays = options.loops,
                        .framing = options.view,
                        .fit = options.fit == Fit::frame ? ExportRequest::Fit::frame : ExportRequest::Fit::clip,
                        .bounds = bounds_at};
  if (!moving && clip != ClipId::none) request.still = find_time(character.clips()[clip], options.moment);
  return std::move(or_fail(plan_export(character, request)).front());
}

ExportPlan plan_states(const Character& character, StateAnimation& sequence, const RenderOptions& options) {
  ExportPlan plan{{}, {1, 1}, {}, options.loops.value_or(1)};
  Rect all = options.fit == Fit::file ? compute_character_bounds(character, executor()) : Rect();
  std::vector<Rect> seen;
  for (std::uint32_t frame = 0; frame < sequence.frames(); ++frame) {
    plan.frames.times.push_back({frame, frame, 0});
    plan.frames.frame_ends.push_back((frame + 1) / sequence.frames_per_second());
    seen.push_back(bounds(character, sequence.pose(frame)));
    all.include(seen.back());
  }
  if (options.fit != Fit::frame) seen = {all};
  for (const Rect& each : seen) {
    const FrameSize size = or_fail(frame_size(options.view, each));
    plan.size = {std::max(plan.size.width, size.width), std::max(plan.size.height, size.height)};
  }
  for (const Rect& each : seen) plan.cameras.push_back(frame_camera(options.view, plan.size, each));
  return plan;
}

/// Fails as wrong usage if two outputs have the same name, or one would replace the input.
void check_paths(const std::vector<Shot>& animations, const RenderOptions& options) {
  std::set<std::string> seen;
  for (const ExportedAnimation& animation : animations) {
    for (const std::string& path : animation.paths) {
      or_fail(options.input.read->check_output(path));
      // Windows ignores case.
      const bool is_new = seen.insert(kPathStyle == PathStyle::windows ? CLI::detail::to_lower(path) : path).second;
      if (path == "-" || options.output.empty() || is_new) continue;
      fail(ExitCode::usage,
           "several images would be written to {}\n"
           "  hint: use {{clip}}, {{index}} or {{frame:04}} in the output name",
           printable(path));
    }
  }
  if (options.output == "-" && animations.size() > 1)
    fail(ExitCode::usage, "pchr: only one clip can be written to standard output");
}

/// Returns the animations and images to render, with their paths. Fails as wrong usage if that is not possible.
std::vector<Shot> plan_animations(const Character& character, std::optional<Rigged>& rigged,
                                  std::optional<StateAnimation>& states, const RenderOptions& options) {
  const bool moving = is_animated(options);
  check_usage({{!moving && options.plan.speed != 1, "--speed has no effect on a single frame"},
               {!moving && options.loops && options.encoder.format == AnimationFormat::png,
                "--loops has no effect on a single frame"}});
  // Clips can have equal names, or names that become equal once they are safe.
  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) names.push_back(safe_part(clip.name));
  names = unique_names(std::move(names), "_", "");
  PixelBudget budget = options.budget;
  std::vector<Shot> animations;
  for (const ClipId clip : states ? std::vector{ClipId::none} : clips_to_render(character, options, moving)) {
    const ExportPlan plan =
        states ? plan_states(character, *states, options) : plan_clip(character, rigged, options, budget, clip, moving);
    budget.take(plan.frames.times.size(), plan.size);
    Shot& animation = animations.emplace_back(make_animation(plan));
    if (rigged) {
      animation.sequence =
          moving ? Sequence{plan.frames, 0} : sequence_to(character, plan.frames.clip, plan.frames.times.front());
    }
    for (ExportFrame& frame : animation.frames) {
      frame.scene = &frame == &animation.frames.front() || options.fit == Fit::frame
                        ? scene_to_fit(character, options, frame.clip, frame.time, frame.camera)
                        : animation.frames.front().scene;
    }
    NameParts parts = parts_of_input(options.input.file);
    parts.clip = clip != ClipId::none ? names[index(clip)] : states ? "states" : "bind";
    parts.index = clip != ClipId::none ? index(clip) : 0;
    const std::size_t files = options.encoder.format == AnimationFormat::png ? animation.frames.size() : 1;
    for (std::size_t i = 0; i < files; ++i) {
      parts.frame = plan.frames.first_frame + i;
      animation.paths.push_back(fill_name(options.output, parts));
    }
  }
  check_paths(animations, options);
  return animations;
}

template <class T>
void keep_range(std::vector<T>& values, std::size_t first, std::size_t end) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(end), values.end());
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
}

/// Keeps the outputs of a shard.
void keep_shard(std::vector<Shot>& animations, const Shard& shard) {
  std::size_t total = 0, before = 0;
  for (const Shot& animation : animations) total += animation.paths.size();
  const auto [first, end] = output_range(shard, static_cast<std::uint32_t>(total));
  for (Shot& animation : animations) {
    const std::size_t count = animation.paths.size();
    const std::size_t from = std::clamp<std::size_t>(first, before, before + count) - before;
    const std::size_t to = std::clamp<std::size_t>(end, before, before + count) - before;
    before += count;
    // An animation in one file is kept or dropped as a whole.
    if (animation.frames.size() == count) {
      std::vector<double>& ends = animation.info.frame_ends;
      const double start = from > 0 ? ends[from - 1] : 0;
      for (double& each : ends) each -= start;
      keep_range(ends, from, to);
      keep_range(animation.frames, from, to);
      animation.sequence.first += static_cast<std::uint32_t>(from);
    }
    keep_range(animation.paths, from, to);
  }
  std::erase_if(animations, [](const Shot& animation) { return animation.paths.empty(); });
}

// Contact sheets

ExportFrame tile_of(const Character& character, std::optional<Rigged>& rigged, const RenderOptions& options,
                    ClipId clip, std::uint32_t frame) {
  const ClipTime time{frame, frame, 0};
  ExportFrame tile{
      clip, time, frame_camera(options.view, options.view.size, bounds_to_fit(character, rigged, options, clip, time))};
  tile.scene = scene_to_fit(character, options, clip, time, tile.camera);
  return tile;
}

// Returns evenly spaced frames of a clip, from its first to its last.
std::vector<ExportFrame> row_of_clip(const Character& character, std::optional<Rigged>& rigged, ClipId clip,
                                     const RenderOptions& options) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  if (frames == 0) return {tile_of(character, rigged, options, ClipId::none, 0)};
  const std::uint32_t count = std::min(*options.contact_sheet, frames);
  const std::uint64_t steps = std::max(count, 2U) - 1;
  std::vector<ExportFrame> row;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto frame = static_cast<std::uint32_t>((i * (frames - 1) + steps / 2) / steps);
    if (i == 0 || options.fit == Fit::frame) {
      row.push_back(tile_of(character, rigged, options, clip, frame));
    } else {
      row.push_back({clip, {frame, frame, 0}, row.front().camera, row.front().scene});
    }
  }
  return row;
}

/// Draws a row of frames for each clip.
Bitmap draw_contact_sheet(Stage& stage, const Input& input, std::optional<Rigged>& rigged,
                          const RenderOptions& options) {
  std::vector<std::vector<ExportFrame>> rows;  // One for each clip.
  std::size_t columns = 1;
  for (const ClipId clip : find_clips_or_all(input.character, options.clips, options.input.file)) {
    rows.push_back(row_of_clip(input.character, rigged, clip, options));
    columns = std::max(columns, rows.back().size());
  }
  if (rows.empty()) rows.push_back({tile_of(input.character, rigged, options, ClipId::none, 0)});

  const FrameSize tile = options.view.size;
  const std::uint64_t width = std::uint64_t{tile.width} * columns, height = std::uint64_t{tile.height} * rows.size();
  if (width * height > kMaxFramePixels) {
    fail(ExitCode::usage, "the contact sheet would be {} x {} pixels; the limit is {} megapixels", width, height,
         kMaxFramePixels >> 20);
  }
  // Rows can have fewer tiles than others: fill the rest with the background color.
  Bitmap sheet{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  sheet.rgba.resize(width * height * 4);
  for (std::size_t i = 0; i < sheet.rgba.size(); ++i) sheet.rgba[i] = options.view.background[i % 4];
  stage.add(input, options.input.no_images);
  ViewOptions view = options.view;
  view.checker = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const ExportFrame& shown = rows[row][column];
      const Bitmap drawn = stage.draw(shown, tile, view, 0, rigged ? &rigged->pose(shown.clip, shown.time) : nullptr);
      for (std::size_t y = 0; y < tile.height; ++y) {
        std::memcpy(&sheet.rgba[((row * tile.height + y) * width + column * tile.width) * 4],
                    &drawn.rgba[y * tile.width * 4], std::size_t{tile.width} * 4);
      }
    }
  }
  if (options.view.checker) put_on_checker(sheet);
  return sheet;
}

// The subcommand

AnimationFormat output_format(const RenderOptions& options) {
  if (options.format) return *options.format;
  const std::string extension = utf8_of(path_from_utf8(options.output).extension());
  if (options.output == "-" || extension.empty()) return AnimationFormat::png;
  if (const auto format = animation_format_of(extension)) return *format;
  fail(ExitCode::usage,
       "unknown output format {}; expected .png, .apng, .gif, .webp, .rgba or .y4m\n"
       "  hint: name the format with --format",
       printable(extension));
}

Bitmap load_reference(const RenderOptions& options) {
  const Limits& limits = options.input.load.limits;
  if (options.reference != "-") {
    return or_fail(load_png(options.reference, limits), options.reference);
  }
  auto bytes = or_fail(read_standard_input(limits.max_file_bytes), options.reference);
  const auto take = [&](const std::string&) -> Expected<std::vector<std::byte>, std::string> {
    return std::move(bytes);
  };
  return or_fail(load_png(options.reference, limits, take), options.reference);
}

void compare_with_reference(Stage& stage, const Input& input, std::optional<Rigged>& rigged,
                            const RenderOptions& options, const Shot& animation) {
  note_read(current_task(), options.reference);
  const std::string& output = animation.paths.front();
  options.input.read->add(options.reference);
  or_fail(options.input.read->check_output(output));
  const Bitmap reference = load_reference(options);
  const FrameSize size{animation.info.width, animation.info.height};
  if (reference.width != size.width || reference.height != size.height) {
    fail(ExitCode::different, "{} is {} x {} pixels, but the rendered image is {} x {}", printable(options.reference),
         reference.width, reference.height, size.width, size.height);
  }
  stage.add(input, options.input.no_images);
  if (rigged) rigged->begin(animation.sequence.plan);
  const PoseBuffers* posed = rigged ? &rigged->pose(animation.sequence.first) : nullptr;
  const Bitmap image = stage.draw(animation.frames.front(), size, options.view, 0, posed);
  const ImageDifference difference = compare_images(reference, image);
  if (!output.empty()) {
    write_png(image, output, *options.input.read, options.encoder.png_compression);
  }
  if (difference.score <= options.threshold) return;
  fail(ExitCode::different,
       "the image differs from {}: score {:.4f} at {},{}, above the threshold of {}; {} pixels differ, by up to {} of "
       "255",
       printable(options.reference), difference.score, difference.x, difference.y, options.threshold, difference.pixels,
       difference.max_channel);
}

std::vector<WrittenFile> files_of(const std::vector<Shot>& animations) {
  std::vector<WrittenFile> files;
  for (const Shot& animation : animations) {
    const AnimationInfo& info = animation.info;
    const std::size_t count = animation.paths.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (animation.paths[i] == "-") continue;
      const bool is_sequence = count > 1;
      const double begin = is_sequence && i > 0 ? info.frame_ends[i - 1] : 0;
      const double end = is_sequence ? info.frame_ends[i] : info.frame_ends.back();
      const std::size_t frames = is_sequence ? 1 : info.frame_ends.size();
      files.push_back({animation.paths[i], info.width, info.height, static_cast<std::uint32_t>(frames), end - begin});
    }
  }
  return files;
}

/// Fails if options have no effect together.
void check_options(const RenderOptions& options) {
  const AnimationFormat format = output_format(options);
  check_usage(
      {{options.output.empty() && options.reference.empty(), "--output is required\n  hint: see 'pchr render --help'"},
       {options.moment.smooth && !options.moment.seconds && !options.plan.frames_per_second && options.states.empty(),
        "--smooth has no effect without --time, --fps or --states"},
       {!options.states.empty() && cycles_of(format, options.loops.value_or(1)) > 1,
        "--loops has no effect on --states in a format that stores no number of plays"},
       {options.encoder.webp_quality && format != AnimationFormat::webp, "--quality only applies to WebP"},
       {options.effort->count() > 0 && format != AnimationFormat::png && format != AnimationFormat::apng &&
            format != AnimationFormat::webp,
        "--effort only applies to PNG, APNG and WebP"},
       {options.has_numeric_effort && format != AnimationFormat::webp,
        "a number for --effort only applies to WebP; use fast, default or best"},
       {options.encoder.gif_matte && format != AnimationFormat::gif, "--matte only applies to GIF"},
       {options.fit != Fit::clip && options.view.zoom && !options.view.center.empty(),
        "--fit has no effect with both --zoom and --center"},
       {options.contact_sheet && format != AnimationFormat::png, "a contact sheet can only be a PNG"}});
}

void run_render(RenderOptions options) {
  const AnimationFormat format = options.encoder.format = output_format(options);
  if (format != AnimationFormat::webp) options.encoder.webp_effort.reset();
  Stage* opened = nullptr;
  const Input input = open_input(
      options.input, [&] { opened = &open_stage(options.view); },
      [&](const Character& character) { (void)find_clips(character, options.clips); });
  Stage& stage = *opened;
  print_warnings(input, options.input);
  check_usage({{options.orbit.used() && !input.character.is_3d(),
                "--orbit and --cull only apply to 3D characters; this one is 2D"}});
  std::optional<Rigged> rigged;
  std::optional<StateAnimation> states;
  if (options.states.empty()) {
    rigged = open_rigged(input, options.input);
  } else {
    const double own = input.character.data().frames_per_second;
    states.emplace(input, options.input, options.states, options.plan.frames_per_second.value_or(own > 0 ? own : 30),
                   options.moment.smooth ? Sampling::smooth : Sampling::step,
                   [&](std::uint32_t frames) { options.budget.check(frames, options.view); });
  }
  if (options.contact_sheet) {
    const std::string output = fill_name(options.output, parts_of_input(options.input.file));
    or_fail(options.input.read->check_output(output));
    return write_png(draw_contact_sheet(stage, input, rigged, options), output, *options.input.read,
                     options.encoder.png_compression);
  }
  std::vector<Shot> animations = plan_animations(input.character, rigged, states, options);
  if (!options.reference.empty()) {
    check_usage(
        {{animations.size() > 1 || animations.front().frames.size() > 1, "--reference compares a single image"}});
    return compare_with_reference(stage, input, rigged, options, animations.front());
  }
  if (options.input.batch.shards_outputs) keep_shard(animations, options.input.batch.shard);
  if (animations.empty()) return;
  current_task().written = files_of(animations);
  for (const WrittenFile& file : current_task().written) create_folder_of(file.path);
  stage.add(input, options.input.no_images);
  const auto pose = [&](std::size_t number, std::uint32_t frame, PoseBuffers& posed) {
    const Sequence& sequence = animations[number].sequence;
    if (rigged && frame == 0) rigged->begin(sequence.plan);
    posed = states ? states->pose(sequence.first + frame) : rigged->pose(sequence.first + frame);
  };
  ExportJobOptions job{.encoder = options.encoder,
                       .background = clear_color(options.view),
                       .checker = options.view.checker,
                       .inputs = *options.input.read,
                       .existing = Existing::replace,
                       .threads = executor().threads};
  if (rigged || states) job.pose = pose;
  run_job(or_fail(ExportJob::create(stage.renderer(), stage.model(), {animations.begin(), animations.end()}, job)),
          options.input.batch.max_output);
  for (const Shot& animation : animations) {
    const std::string rounding = describe_rounding(animation.info, format);
    if (rounding.empty()) continue;
    const std::string& path = animation.paths.front();
    report_warning(path, fmt::format("{}: {}", printable(path), rounding));
  }
}

void run_all_renders(RenderOptions options) {
  check_options(options);
  BatchOptions& batch = options.input.batch;
  check_usage(
      {{options.reference == "-" && batch.is_batch(), "--reference can be standard input only for a single file"},
       {options.states == "-" && batch.is_batch(), "--states can be standard input only for a single file"},
       {(options.reference == "-" || options.states == "-") && std::ranges::count(batch.files, "-") > 0,
        "only one file can be standard input"}});
  batch.shards_outputs = batch.is_single() && !options.contact_sheet && options.reference.empty();
  run_all(options, run_render, options.output);
}

void add_output_options(CLI::App& command, RenderOptions& options) {
  begin_group(command, "Output");
  add_option(command, "-o,--output", options.output, "FILE",
             "File to write; - is standard output (required); {folder} and {file} (of the input), {clip}, {index} (of "
             "the clip) "
             "and {frame:04} are replaced");
  using enum AnimationFormat;
  add_choice<AnimationFormat>(
      command, "--format", options.format,
      {{"png", png}, {"apng", apng}, {"gif", gif}, {"webp", webp}, {"rgba", rgba}, {"y4m", y4m}},
      "Output format (default: from the file extension; png if there is none)");
  add_option(command, "--quality", options.encoder.webp_quality, "N",
             "Write lossy WebP of this quality, 0 to 100 (default: lossless)", check_range(0, 100));
  const auto set_effort = [&options](const std::string& text) {
    const bool is_digit = text.size() == 1 && text[0] >= '0' && text[0] <= '9';
    if (!is_digit && text != "fast" && text != "default" && text != "best") {
      throw CLI::ValidationError("--effort",
                                 fmt::format("\"{}\" is not fast, default, best or a number from 0 to 9", text));
    }
    EncoderOptions& encoder = options.encoder;
    options.has_numeric_effort = is_digit;
    encoder.png_compression = text == "fast"   ? PngCompression::fast
                              : text == "best" ? PngCompression::best
                                               : PngCompression::normal;
    encoder.webp_effort.reset();
    if (is_digit) encoder.webp_effort = text[0] - '0';
    if (text == "fast") encoder.webp_effort = 1;
    if (text == "best") encoder.webp_effort = 9;
  };
  options.effort = add_option(
      command, "--effort", set_effort, "EFFORT",
      "Write files fast or small: fast, default, best or, for WebP, a number from 0 to 9 (default: fast; for "
      "WebP default, which is 3, or 4 with --quality)");
  const auto set_matte = [&options](const std::string& text) {
    options.encoder.gif_matte = parse_color(text, "--matte", "a color such as #3a7bd5");
  };
  add_option(command, "--matte", set_matte, "#rrggbb",
             "Blend soft edges of a GIF with this color (default: hard edges)");
  add_option(command, "--loops", options.loops, "N",
             "Number of times an animation plays, 0 for forever (default: as the clip); for PNG, RGBA and Y4M, the "
             "number of times it is written (default: 1)",
             check_range(0, 65535));
  add_option(command, "--reference", options.reference, "FILE",
             "Compare the image with this PNG and exit with 5 if they differ");
  add_option(command, "--threshold", options.threshold, "T", "Max score that counts as equal (default: 0.02)",
             check_range(0, 1))
      ->needs("--reference");
}

void add_clip_options(CLI::App& command, RenderOptions& options) {
  begin_group(command, "Clips and frames");
  add_option(command, "--clip", options.clips, "NAME", "Name of the clip (repeatable)")->allow_extra_args(false);
  command.add_flag("--all-clips", options.all_clips, "Draw all clips, except one that only holds the bind pose")
      ->excludes("--clip");
  add_moment_options(command, options.moment);
  command.get_option("--smooth")->description("Interpolate between frames; needs --time, --fps or --states");
  add_plan_options(command, options.plan);
  for (const char* option : {"--frames", "--fps", "--speed"}) {
    command.get_option(option)->excludes("--frame")->excludes("--time");
  }
  CLI::Option* states =
      add_option(command, "--states", options.states, "SCRIPT",
                 "Draw the state machines of the character while they follow this script; - is standard input");
  for (const char* option : {"--clip", "--all-clips", "--frame", "--time", "--frames", "--speed"}) {
    states->excludes(option);
  }
  CLI::Option* sheet = add_option(command, "--contact-sheet", options.contact_sheet, "N",
                                  "Draw one row per clip, of N evenly spaced frames", check_range(1, 1000));
  for (const char* option :
       {"--frame", "--time", "--frames", "--fps", "--speed", "--loops", "--reference", "--states"}) {
    sheet->excludes(option);
  }
  states->excludes("--reference");
}

constexpr char kRenderDetails[] =
    R"(A .png is one image: the first frame of the first clip, or the one that --clip, --frame or --time selects. If the
character has no clips, it is the bind pose. With {frame} in the name, one image per frame is written. The animation
formats are .apng, .gif, .webp, .y4m and .rgba (raw pixels); the default clip is the first one that moves. Each frame of
the clip is one image, shown for as long as in the clip, as precisely as the format allows. Images have straight alpha. A
GIF has one palette of 255 colors for all its images. Y4M has no alpha; its background is black.

The camera fits the bounds of the whole clip, so frames line up; --fit changes that. Clips with the same name are
numbered: walk, walk_2. Files appear under their names only when all are complete; a failure or Ctrl+C leaves existing
files unchanged. Input files are never replaced. Rendering needs OpenGL 3.3 (on Linux, EGL), but no display.

A script for --states has a line for each change of a parameter of the state machines in hero.rig.json: its time in
seconds, the name of the parameter, and its value, which is a number, true or false. A trigger has none. Names with
spaces are in quotation marks, and # begins a comment. The animation ends at the time of a last line with the word end,
or else when each layer has played the state that the last change leads to once, at most a minute later:
  0    speed 0.6
  1.5  jump
  3    end

)";

constexpr char kRenderExamples[] = R"(  pchr render hero.pchr -o hero.png
  pchr render hero.pchr --clip walk --time 0.51 --smooth -o walk.png
  pchr render hero.pchr --background '#20242c' --size 256x256 -o hero.png
  pchr render hero.pchr --clip walk --scale 2 -o walk.gif
  pchr render hero.pchr --all-clips --size 320x320 -o '{file}_{clip}.webp'
  pchr render hero.pchr --clip walk --fps 60 --smooth -o 'walk/{frame:04}.png'
  pchr render hero.pchr --clip walk --loops 3 --format y4m -o - |
    ffmpeg -i - walk.mp4
  pchr render hero.pchr --states play.txt --fps 60 --smooth -o play.webp
  pchr render hero.pchr --contact-sheet 8 --size 128x128 -o sheet.png
  pchr render hero.psk --animation run.psa --orbit 30,15 -o run.png
  pchr render hero.pchr --clip walk --frame 3 --reference walk3.png)";

}  // namespace

void add_render(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<RenderOptions>(app, "render", "Render images, animations or contact sheets", run_all_renders);
  add_output_options(command, options);
  add_clip_options(command, options);
  add_view_options(command, options.view);
  command.get_option("--contact-sheet")->excludes("--scale");
  add_size_options(command, options.view);
  add_choice<Fit>(command, "--fit", options.fit, {{"clip", Fit::clip}, {"file", Fit::file}, {"frame", Fit::frame}},
                  "Fit the camera to the clip, to all clips of the file or to each frame (default: clip)");
  command.get_option("--zoom")->excludes("--margin");
  add_orbit_options(command, options.orbit);
  add_gl_option(command, options.view);
  options.budget.add_option(command);
  add_output_limit(command, options.input.batch, "no limit");
  add_inputs_options(command, options.input);
  add_drawn_rig_options(command, options.input);
  add_record_options(command, options.input.batch.record, false);
  command.get_option("--no-images")->description("Draw all images plain white, so broken pixels are not an error");
  set_manual(command, std::string(kRenderDetails) + kScoreMeaning, kRenderExamples);
}

}  // namespace pchr::tools

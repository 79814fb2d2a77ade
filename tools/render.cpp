// SPDX-License-Identifier: MIT
// pchr render: images and animations of a character, without a display.
#include "drawing.hpp"

#include <glm/common.hpp>

#include <charconv>
#include <cstring>
#include <set>

namespace pchr::tools {
namespace {

/// What the camera of each image fits: all frames of its clip, of all clips, or the image alone.
enum class Fit : std::uint8_t { clip, file, frame };

struct RenderOptions {
  InputOptions input;
  std::vector<std::string> clips;
  bool all_clips = false;
  MomentOptions moment;
  PlanOptions plan;
  PixelBudget budget;
  ViewOptions view;
  OrbitOptions orbit;
  Fit fit = Fit::clip;
  std::string output;
  std::optional<AnimationFormat> format;  ///< Absent: from the output's extension.
  EncoderOptions encoder;
  std::optional<std::uint32_t> loops;
  std::optional<std::uint32_t> contact_sheet;
  std::string reference;  ///< Empty: none.
  double threshold = 0.02;
};

/// Replaces everything that would lead to another folder, hide a file, mean standard output or steer a terminal. The
/// escapes of printable() begin with a backslash, which is replaced, too.
std::string safe_part(std::string_view name) {
  std::string result = printable(name);
  for (char& c : result) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  if (result.empty() || result.front() == '.' || result == "-") result.insert(result.begin(), '_');
  return result;
}

struct NameParts {
  std::string file, clip;
  std::uint64_t index = 0;  ///< The clip's.
  std::uint64_t frame = 0;
};

/// Returns what "{name}" stands for. Fails, as wrong usage, where that is nothing.
std::string fill_part(std::string_view name, const NameParts& parts) {
  if (name == "file") return parts.file;
  if (name == "clip") return parts.clip;
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string_view number = name.substr(0, colon);
  if (number == "index" || number == "frame") {
    constexpr std::size_t kMaxDigits = 9;
    std::size_t digits = 1;
    const char* const end = name.data() + name.size();
    const bool fits = colon == name.size() || (std::from_chars(name.data() + colon + 1, end, digits).ptr == end &&
                                               colon + 1 < name.size() && digits <= kMaxDigits);
    if (fits) return fmt::format("{:0{}}", number == "index" ? parts.index : parts.frame, digits);
  }
  fail(ExitCode::usage,
       "{{{}}} is no part of a name; {{file}}, {{clip}}, {{index}}, {{frame}} and, for numbers of four digits, "
       "{{index:04}} and {{frame:04}} are",
       printable(name));
}

/// Fills in a name such as "{file}_{clip}_{frame:04}.png".
std::string fill_name(std::string_view name, const NameParts& parts) {
  std::string filled;
  while (!name.empty()) {
    const std::size_t open = std::min(name.find('{'), name.size()), close = name.find('}', open);
    if (close == std::string_view::npos) return filled.append(name);
    filled.append(name.substr(0, open)).append(fill_part(name.substr(open + 1, close - open - 1), parts));
    name.remove_prefix(close + 1);
  }
  return filled;
}

bool numbers_frames(const std::string& name) {
  return fill_name(name, {"", "", 0, 0}) != fill_name(name, {"", "", 0, 1});
}

bool is_animated(const RenderOptions& options) {
  if (options.moment.frame || options.moment.seconds) return false;
  return options.encoder.format != AnimationFormat::png || numbers_frames(options.output) ||
         options.plan.frames.has_value() || options.plan.frames_per_second.has_value();
}

/// Returns the named clips, or all, else the first; of animations, the first that moves. Without clips: the bind pose.
std::vector<ClipId> clips_to_render(const Character& character, const RenderOptions& options, bool moving) {
  if (!options.clips.empty() || options.all_clips) {
    std::vector<ClipId> found = find_clips(character, options.clips);
    if (!found.empty()) return found;
  }
  const auto count = static_cast<std::uint32_t>(character.clips().size());
  if (count == 0) {
    check_usage({{options.moment.frame || options.moment.seconds || options.plan.frames,
                  "the character has no clips, so no frame or time"}});
    return {ClipId::none};
  }
  std::uint32_t first = 0;
  while (moving && first + 1 < count && is_bind_pose_clip(character, ClipId{first})) ++first;
  return {ClipId{first}};
}

FramePlan plan_of(const Character& character, const RenderOptions& options, ClipId clip, bool moving) {
  if (clip == ClipId::none) return plan_still(clip, {});
  if (moving) {
    PlanOptions plan = options.plan;
    plan.smooth = options.moment.smooth;
    return or_fail(plan_animation(character, clip, plan, cycles_of(options.encoder.format, options.loops.value_or(1))));
  }
  const ClipTime time = find_time(character.clips()[clip], options.moment);
  return character.clips()[clip].frame_count == 0 ? plan_still(ClipId::none, {}) : plan_still(clip, time);
}

Rect bounds_to_fit(const Character& character, const RenderOptions& options, ClipId clip, ClipTime time) {
  if (options.fit == Fit::file) return compute_character_bounds(character);
  if (clip != ClipId::none && options.fit == Fit::clip) return compute_clip_bounds(character, clip);
  return bounds(character, pose_at(character, clip, time));
}

/// Includes some frames of a clip, or the bind pose where it has none.
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

ExportedAnimation frame_plan(const Character& character, const RenderOptions& options, const FramePlan& plan,
                             PixelBudget& budget) {
  std::vector<Rect> bounds;
  FrameSize size{1, 1};
  for (const ClipTime time : plan.times) {
    if (!bounds.empty() && options.fit != Fit::frame) break;
    bounds.push_back(bounds_to_fit(character, options, plan.clip, time));
    const FrameSize needed = or_fail(frame_size(options.view, bounds.back()));
    size = {std::max(size.width, needed.width), std::max(size.height, needed.height)};
  }
  budget.take(plan.times.size(), size);
  ExportedAnimation animation = make_animation(plan, size, frame_camera(options.view, size, bounds.front()));
  for (std::size_t i = 0; i < animation.frames.size(); ++i) {
    ExportFrame& frame = animation.frames[i];
    if (bounds.size() > 1) frame.camera = frame_camera(options.view, size, bounds[i]);
    frame.scene = i == 0 || options.fit == Fit::frame
                      ? scene_to_fit(character, options, plan.clip, frame.time, frame.camera)
                      : animation.frames.front().scene;
  }
  const bool loops = plan.clip != ClipId::none && character.clips()[plan.clip].looping;
  animation.info.plays = options.loops.value_or(loops ? 0 : 1);
  return animation;
}

/// Fails, as wrong usage, where two outputs would be one file, or replace the character.
void check_paths(const std::vector<ExportedAnimation>& animations, const RenderOptions& options) {
  std::set<std::string> seen;
  for (const ExportedAnimation& animation : animations) {
    for (const std::string& path : animation.paths) {
      or_fail(options.input.read->check_output(path));
      if (path == "-" || options.output.empty() || seen.insert(path).second) continue;
      fail(ExitCode::usage,
           "more than one image would be {}; {{clip}}, {{index}} and {{frame:04}} in the name tell them apart",
           printable(path));
    }
  }
  if (options.output == "-" && animations.size() > 1) fail(ExitCode::usage, "pchr: standard output takes one clip");
}

std::vector<ExportedAnimation> plan_animations(const Character& character, const RenderOptions& options) {
  const bool moving = is_animated(options);
  check_usage({{!moving && options.plan.speed != 1, "--speed has no effect on a single frame"},
               {!moving && options.loops && options.encoder.format == AnimationFormat::png,
                "--loops has no effect on a single frame"}});
  // Several clips may have one name, or would once the names are safe.
  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) names.push_back(safe_part(clip.name));
  names = unique_names(std::move(names), "_", "");
  PixelBudget budget = options.budget;
  std::vector<ExportedAnimation> animations;
  for (const ClipId clip : clips_to_render(character, options, moving)) {
    const FramePlan plan = plan_of(character, options, clip, moving);
    ExportedAnimation& animation = animations.emplace_back(frame_plan(character, options, plan, budget));
    NameParts parts{safe_part(input_stem(options.input.file)), clip != ClipId::none ? names[index(clip)] : "bind",
                    clip != ClipId::none ? index(clip) : 0, plan.first_frame};
    const std::size_t files = options.encoder.format == AnimationFormat::png ? plan.times.size() : 1;
    for (std::size_t i = 0; i < files; ++i, ++parts.frame) {
      animation.paths.push_back(fill_name(options.output, parts));
    }
  }
  check_paths(animations, options);
  return animations;
}

ExportFrame tile_of(const Character& character, const RenderOptions& options, ClipId clip, std::uint32_t frame) {
  const ClipTime time{frame, frame, 0};
  ExportFrame tile{clip, time,
                   frame_camera(options.view, options.view.size, bounds_to_fit(character, options, clip, time))};
  tile.scene = scene_to_fit(character, options, clip, time, tile.camera);
  return tile;
}

// Returns evenly spaced frames of a clip, from its first to its last.
std::vector<ExportFrame> row_of_clip(const Character& character, ClipId clip, const RenderOptions& options) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  if (frames == 0) return {tile_of(character, options, ClipId::none, 0)};
  const std::uint32_t count = std::min(*options.contact_sheet, frames);
  const std::uint64_t steps = std::max(count, 2U) - 1;
  std::vector<ExportFrame> row;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto frame = static_cast<std::uint32_t>((i * (frames - 1) + steps / 2) / steps);
    if (i == 0 || options.fit == Fit::frame) {
      row.push_back(tile_of(character, options, clip, frame));
    } else {
      row.push_back({clip, {frame, frame, 0}, row.front().camera, row.front().scene});
    }
  }
  return row;
}

Bitmap draw_contact_sheet(const Input& input, const RenderOptions& options) {
  std::vector<std::vector<ExportFrame>> rows;  // One for each clip.
  std::size_t columns = 1;
  for (const ClipId clip : find_clips(input.character, options.clips)) {
    rows.push_back(row_of_clip(input.character, clip, options));
    columns = std::max(columns, rows.back().size());
  }
  if (rows.empty()) rows.push_back({tile_of(input.character, options, ClipId::none, 0)});

  const FrameSize tile = options.view.size;
  const std::uint64_t width = std::uint64_t{tile.width} * columns, height = std::uint64_t{tile.height} * rows.size();
  if (width * height > kMaxFramePixels) {
    fail(ExitCode::usage, "the image would have {} x {} pixels; the limit is {} megapixels", width, height,
         kMaxFramePixels >> 20);
  }
  // In the background color: rows may have fewer tiles than others.
  Bitmap sheet{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  sheet.rgba.resize(width * height * 4);
  for (std::size_t i = 0; i < sheet.rgba.size(); ++i) sheet.rgba[i] = options.view.background[i % 4];
  Stage stage(input, options.input.no_images);
  ViewOptions view = options.view;
  view.checker = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const Bitmap drawn = stage.draw(rows[row][column], tile, view);
      for (std::size_t y = 0; y < tile.height; ++y) {
        std::memcpy(&sheet.rgba[((row * tile.height + y) * width + column * tile.width) * 4],
                    &drawn.rgba[y * tile.width * 4], std::size_t{tile.width} * 4);
      }
    }
  }
  if (options.view.checker) put_on_checker(sheet);
  return sheet;
}

AnimationFormat output_format(const RenderOptions& options) {
  if (options.format) return *options.format;
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (options.output == "-" || extension.empty()) return AnimationFormat::png;
  if (const auto format = animation_format_of(extension)) return *format;
  fail(ExitCode::usage,
       "unknown output format {}; .png, .apng, .gif, .webp, .rgba and .y4m are known, and --format chooses one "
       "whatever the name",
       printable(extension));
}

void compare_with_reference(const Input& input, const RenderOptions& options, const ExportedAnimation& animation) {
  options.input.read->add(options.reference);
  or_fail(options.input.read->check_output(options.output));
  const Bitmap reference =
      or_fail(load_png(options.reference == "-" ? "/dev/stdin" : options.reference, options.input.load.limits),
              options.reference);
  const FrameSize size{animation.info.width, animation.info.height};
  if (reference.width != size.width || reference.height != size.height) {
    fail(ExitCode::different, "{} has {} x {} pixels, the image {} x {}", printable(options.reference), reference.width,
         reference.height, size.width, size.height);
  }
  const Bitmap image = Stage(input, options.input.no_images).draw(animation.frames.front(), size, options.view);
  const ImageDifference difference = compare_images(reference, image);
  if (!options.output.empty()) write_png(image, options.output, *options.input.read);
  if (difference.score <= options.threshold) return;
  fail(ExitCode::different,
       "the image differs from {}: score {:.4f}, more than {}; most at {},{}; {} pixels in all, by up to {} of 255",
       printable(options.reference), difference.score, options.threshold, difference.x, difference.y, difference.pixels,
       difference.max_channel);
}

void run_render(RenderOptions options) {
  const AnimationFormat format = options.encoder.format = output_format(options);
  check_usage({{options.output.empty() && options.reference.empty(),
                "--output is required\nRun with --help for more information."},
               {options.moment.smooth && !options.moment.seconds && !options.plan.frames_per_second,
                "--smooth has no effect without --time or --fps"},
               {options.encoder.webp_quality && format != AnimationFormat::webp, "--quality is only for WebP"},
               {options.encoder.gif_matte && format != AnimationFormat::gif, "--matte is only for GIF"},
               {options.fit != Fit::clip && options.view.zoom && !options.view.center.empty(),
                "--fit has no effect with both --zoom and --center"},
               {options.contact_sheet && format != AnimationFormat::png, "a contact sheet is a PNG"}});
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  check_usage(
      {{options.orbit.used() && !input.character.is_3d(), "--orbit and --cull are for 3D characters; this one is 2D"}});
  if (options.contact_sheet) {
    or_fail(options.input.read->check_output(options.output));
    return write_png(draw_contact_sheet(input, options), options.output, *options.input.read);
  }
  const std::vector<ExportedAnimation> animations = plan_animations(input.character, options);
  if (!options.reference.empty()) {
    check_usage({{animations.size() > 1 || animations.front().frames.size() > 1, "--reference is for one image"}});
    return compare_with_reference(input, options, animations.front());
  }
  Stage stage(input, options.input.no_images);
  run_job(or_fail(ExportJob::create(stage.renderer(), stage.model(), stage.get_proc_address(), animations,
                                    {.encoder = options.encoder,
                                     .background = clear_color(options.view),
                                     .checker = options.view.checker,
                                     .inputs = *options.input.read})));
  for (const ExportedAnimation& animation : animations) {
    const std::string rounding = describe_rounding(animation.info, format);
    if (!rounding.empty()) print_error(fmt::format("pchr: {}: {}", printable(animation.paths.front()), rounding));
  }
}

void add_clip_options(CLI::App& command, RenderOptions& options) {
  add_option(command, "--clip", options.clips, "NAME", "The clip, by name; may be repeated")->allow_extra_args(false);
  command.add_flag("--all-clips", options.all_clips, "All clips, but for one that only holds the bind pose")
      ->option_text(" ")
      ->excludes("--clip");
  add_moment_options(command, options.moment);
  command.get_option("--smooth")
      ->description("With --time or --fps: interpolate between frames instead of holding each");
  add_plan_options(command, options.plan);
  options.budget.add_option(command);
  for (const char* option : {"--frames", "--fps", "--speed"}) {
    command.get_option(option)->excludes("--frame")->excludes("--time");
  }
  add_option(command, "--loops", options.loops, "N",
             "How often it plays, 0 forever (default: as the clip does); for PNG, RGBA and Y4M how often it is written "
             "(1)",
             CLI::Range(0, 65535));
}

void add_output_options(CLI::App& command, RenderOptions& options) {
  add_option(
      command, "-o,--output", options.output, "FILE",
      "The file to write, or - for standard output (required); {file}, {clip}, {index} (of the clip in the file) "
      "and {frame:04} are filled in");
  using enum AnimationFormat;
  add_choice<AnimationFormat>(
      command, "--format", options.format,
      {{"png", png}, {"apng", apng}, {"gif", gif}, {"webp", webp}, {"rgba", rgba}, {"y4m", y4m}},
      "Output format (default: from the file extension; PNG where there is none)");
  add_option(command, "--quality", options.encoder.webp_quality, "N", "Make a lossy WebP, 0 to 100 (lossless)",
             check_finite, CLI::Range(0.0, 100.0));
  const auto set_matte = [&options](const std::string& text) {
    options.encoder.gif_matte = parse_color(text, "--matte", "no");
  };
  add_option(command, "--matte", set_matte, "#rrggbb", "What soft edges of a GIF are blended with (none: hard edges)");
  add_option(command, "--reference", options.reference, "FILE",
             "Compare the image with a PNG; exit 5 where they differ");
  add_option(command, "--threshold", options.threshold, "T", "The largest score that is no difference (0.02)",
             check_finite, CLI::Range(0.0, 1.0))
      ->needs("--reference");
}

constexpr char kRenderFooter[] =
    R"(A .png is one moment: the first frame of the first clip, or what --clip, --frame and --time say; the bind pose where
there are no clips. With {frame} in its name it is an image for each frame of the clip. .apng, .gif, .webp and .y4m
are animations, .rgba the bare pixels; of all these the clip, unless named, is the first that moves. A looping clip of N
frames is N images, each for as long as the clip shows it, as exactly as the format can say. Images have straight
alpha; GIF has one palette of 255 colors for all of them; Y4M has no alpha and shows black behind.

The camera fits the bounds of the whole clip, so that frames line up, or as --fit says of all clips or of each frame.
Clips of one name are numbered: walk, walk_2. Files are written beside their targets and renamed when all are complete:
a failure, or Ctrl-C, leaves what was there. A file that was read is never replaced. A display is not needed; OpenGL 3.3
through EGL is.

)";

constexpr char kRenderExamples[] = R"(

Examples:
  pchr render hero.pchr -o hero.png
  pchr render hero.pchr --clip walk --time 0.51 --smooth --size 256x256 --background '#20242c' -o walk.png
  pchr render hero.pchr --clip walk --scale 2 -o walk.gif
  pchr render hero.pchr --all-clips --size 320x320 -o '{file}_{clip}.webp'
  pchr render hero.pchr --clip walk --fps 60 --smooth -o 'walk/{frame:04}.png'
  pchr render hero.pchr --clip walk --loops 3 --format y4m -o - | ffmpeg -i - walk.mp4
  pchr render hero.pchr --contact-sheet 8 --size 128x128 -o sheet.png
  pchr render hero.psk --animation run.psa --orbit 30,15 -o run.png
  pchr render hero.pchr --clip walk --frame 3 --reference walk3.png --threshold 0.01

)";

}  // namespace

void add_render(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<RenderOptions>(app, "render", "Draw images, animations or a contact sheet into files", run_render);
  add_input_options(command, options.input);
  add_output_options(command, options);
  add_clip_options(command, options);
  add_view_options(command, options.view);
  add_size_options(command, options.view);
  add_orbit_options(command, options.orbit);
  add_choice<Fit>(command, "--fit", options.fit, {{"clip", Fit::clip}, {"file", Fit::file}, {"frame", Fit::frame}},
                  "What the camera fits: the clip, all clips of the file, or each frame (clip)");
  command.get_option("--zoom")->excludes("--margin");
  CLI::Option* sheet =
      add_option(command, "--contact-sheet", options.contact_sheet, "N",
                 "One row per clip: N frames, evenly spaced from first to last; a one-frame bind clip is left out",
                 CLI::Range(1, 1000));
  for (const char* option :
       {"--frame", "--time", "--frames", "--fps", "--speed", "--loops", "--scale", "--reference"}) {
    sheet->excludes(option);
  }
  command.get_option("--no-images")->description("Draw all images plain white, so that broken pixels are no error");
  command.footer(std::string(kRenderFooter) + kScoreMeaning + kRenderExamples + kExitCodes + kExitCodeDifferent);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr render: draws images and animations of a character without a display.
#include "render.hpp"

#include "name_pattern.hpp"
#include "platform/standard_streams.hpp"
#include "platform/utf8_path.hpp"

namespace pchr::tools {
namespace {

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

void compare_with_reference(Stage& stage, const Input& input, const RenderOptions& options,
                            const ExportedAnimation& animation) {
  note_read(options.reference);
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
  const Bitmap image = stage.draw(animation.frames.front(), size, options.view);
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

std::vector<WrittenFile> files_of(const std::vector<ExportedAnimation>& animations) {
  std::vector<WrittenFile> files;
  for (const ExportedAnimation& animation : animations) {
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
       {options.moment.smooth && !options.moment.seconds && !options.plan.frames_per_second,
        "--smooth has no effect without --time or --fps"},
       {options.encoder.webp_quality && format != AnimationFormat::webp, "--quality only applies to WebP"},
       {options.encoder.webp_effort && format != AnimationFormat::webp, "--effort only applies to WebP"},
       {options.compression->count() > 0 && format != AnimationFormat::png && format != AnimationFormat::apng,
        "--compression only applies to PNG and APNG"},
       {options.encoder.gif_matte && format != AnimationFormat::gif, "--matte only applies to GIF"},
       {options.fit != Fit::clip && options.view.zoom && !options.view.center.empty(),
        "--fit has no effect with both --zoom and --center"},
       {options.contact_sheet && format != AnimationFormat::png, "a contact sheet can only be a PNG"}});
}

void run_render(RenderOptions options) {
  const AnimationFormat format = options.encoder.format = output_format(options);
  check_usage({{options.reference == "-" && is_worker(), "--reference can be standard input only for a single file"}});
  const Input input = open_input(
      options.input, [&] { (void)open_stage(options.view); },
      [&](const Character& character) { (void)find_clips(character, options.clips); });
  Stage& stage = **options.view.stage;
  print_warnings(input, options.input);
  check_usage({{options.orbit.used() && !input.character.is_3d(),
                "--orbit and --cull only apply to 3D characters; this one is 2D"}});
  if (options.contact_sheet) {
    const std::string output = fill_name(options.output, parts_of_input(options.input.file));
    or_fail(options.input.read->check_output(output));
    current_task().written = {{.path = output}};
    if (options.input.batch.record.no_overwrite && skip_if_written()) return;
    return write_png(draw_contact_sheet(stage, input, options), output, *options.input.read,
                     options.encoder.png_compression);
  }
  std::vector<ExportedAnimation> animations = plan_animations(input.character, options);
  if (!options.reference.empty()) {
    check_usage(
        {{animations.size() > 1 || animations.front().frames.size() > 1, "--reference compares a single image"}});
    return compare_with_reference(stage, input, options, animations.front());
  }
  if (options.input.batch.shards_outputs) keep_shard(animations, options.input.batch.shard);
  if (animations.empty()) return;
  current_task().written = files_of(animations);
  const bool keeps = options.input.batch.record.no_overwrite;
  if (keeps && skip_if_written()) return;
  for (const WrittenFile& file : current_task().written) create_folder_of(file.path);
  stage.add(input, options.input.no_images);
  run_job(or_fail(ExportJob::create(stage.renderer(), stage.model(), stage.get_proc_address(), animations,
                                    {.encoder = options.encoder,
                                     .background = clear_color(options.view),
                                     .checker = options.view.checker,
                                     .inputs = *options.input.read,
                                     .existing = keeps ? Existing::skip : Existing::replace,
                                     .threads = executor().threads})),
          options.input.batch.workers.max_output);
  for (const ExportedAnimation& animation : animations) {
    const std::string rounding = describe_rounding(animation.info, format);
    if (rounding.empty()) continue;
    const std::string& path = animation.paths.front();
    report_warning(path, fmt::format("{}: {}", printable(path), rounding));
  }
}

void run_all_renders(RenderOptions options) {
  check_options(options);
  BatchOptions& batch = options.input.batch;
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
  add_option(command, "--effort", options.encoder.webp_effort, "N",
             "Write WebP files fast, 0, to small, 9 (default: 3, or 4 with --quality)", check_range(0, 9));
  options.compression = add_compression_option(command, options.encoder.png_compression);
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
  command.get_option("--smooth")->description("Interpolate between frames; needs --time or --fps");
  add_plan_options(command, options.plan);
  for (const char* option : {"--frames", "--fps", "--speed"}) {
    command.get_option(option)->excludes("--frame")->excludes("--time");
  }
  CLI::Option* sheet = add_option(command, "--contact-sheet", options.contact_sheet, "N",
                                  "Draw one row per clip, of N evenly spaced frames", check_range(1, 1000));
  for (const char* option : {"--frame", "--time", "--frames", "--fps", "--speed", "--loops", "--reference"}) {
    sheet->excludes(option);
  }
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

)";

constexpr char kRenderExamples[] = R"(  pchr render hero.pchr -o hero.png
  pchr render hero.pchr --clip walk --time 0.51 --smooth -o walk.png
  pchr render hero.pchr --background '#20242c' --size 256x256 -o hero.png
  pchr render hero.pchr --clip walk --scale 2 -o walk.gif
  pchr render hero.pchr --all-clips --size 320x320 -o '{file}_{clip}.webp'
  pchr render hero.pchr --clip walk --fps 60 --smooth -o 'walk/{frame:04}.png'
  pchr render hero.pchr --clip walk --loops 3 --format y4m -o - |
    ffmpeg -i - walk.mp4
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
  add_inputs_options(command, options.input);
  add_record_options(command, options.input.batch.record);
  command.get_option("--reference")->excludes("--no-overwrite");
  options.budget.add_option(command);
  add_output_limit(command, options.input.batch.workers.max_output, "no limit");
  command.get_option("--no-images")->description("Draw all images plain white, so broken pixels are not an error");
  set_manual(command, std::string(kRenderDetails) + kScoreMeaning, kRenderExamples);
}

}  // namespace pchr::tools

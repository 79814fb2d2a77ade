// SPDX-License-Identifier: MIT
// pchr render: pictures and films of a character, without a display.
#include "render.hpp"

#include "compare_pictures.hpp"
#include "output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>

namespace pchr::tools {
namespace {

Result<void> write_picture(Bitmap picture, const std::string& path, const InputFiles& inputs) {
  unpremultiply(picture);
  const std::vector<std::byte> bytes = encode_png(picture);
  const std::string_view png(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return path == "-" ? write_stdout(png) : write_file(path, png, Existing::replace, inputs);
}

Result<void> compare_with_reference(const Input& input, const RenderOptions& options, const RenderJob& job) {
  options.input.read->add(options.reference);
  if (auto checked = check_output(options.output, *options.input.read); !checked) return checked;
  const auto reference = read_png(options.reference, options.input.load.limits);
  if (!reference) return std::unexpected(reference.error());
  if (reference->width != job.film.width || reference->height != job.film.height) {
    return fail(ExitCode::different,
                fmt::format("pchr: {} has {} x {} pixels, the picture {} x {}", printable(options.reference),
                            reference->width, reference->height, job.film.width, job.film.height));
  }
  auto stage = Stage::open(input, options.input.no_images);
  if (!stage) return std::unexpected(stage.error());
  if (auto sized = stage->set_size({job.film.width, job.film.height}); !sized) return sized;
  Bitmap picture = stage->draw(job.shots.front(), options.view.background);
  const PictureDifference difference = compare_pictures(*reference, picture);
  if (!options.output.empty()) {
    if (auto written = write_picture(std::move(picture), options.output, *options.input.read); !written) return written;
  }
  if (difference.score <= options.threshold) return {};
  return fail(ExitCode::different,
              fmt::format("pchr: the picture differs from {}: score {:.4f}, more than {}; most at {},{}; {} pixels in "
                          "all, by up to {} of 255",
                          printable(options.reference), difference.score, options.threshold, difference.x, difference.y,
                          difference.pixels, difference.most));
}

// What the options say together.
Result<film::Format> output_format(const RenderOptions& options) {
  if (options.format) return *options.format;
  if (options.output.empty() || options.output == "-") return film::Format::png;
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (extension.empty()) return film::Format::png;
  if (const auto format = film::format_of(extension)) return *format;
  return fail(ExitCode::usage,
              fmt::format("pchr: {} is no format that is written; .png, .apng, .gif, .webp, .rgba and .y4m are, and "
                          "--format chooses one whatever the name",
                          printable(extension)));
}

Result<void> check_usage(const RenderOptions& options) {
  if (options.output.empty() && options.reference.empty()) {
    return fail(ExitCode::usage, "pchr: --output is required\nRun with --help for more information.");
  }
  const film::Format format = options.settings.format;
  const char* const ineffective =
      options.moment.smooth && !options.moment.seconds && !options.film.frames_per_second
          ? "--smooth has no effect without --time or --fps"
      : options.settings.webp_quality && format != film::Format::webp ? "--quality is only for WebP"
      : options.settings.gif_matte && format != film::Format::gif     ? "--matte is only for GIF"
      : options.fit != Fit::clip && options.view.zoom && !options.view.centre.empty()
          ? "--fit has no effect with both --zoom and --centre"
          : nullptr;
  if (ineffective != nullptr) return fail(ExitCode::usage, fmt::format("pchr: {}", ineffective));
  if (options.contact_sheet && format != film::Format::png) {
    return fail(ExitCode::usage, "pchr: a contact sheet is a PNG");
  }
  return {};
}

Result<void> run(const RenderOptions& asked) {
  RenderOptions options = asked;
  const auto format = output_format(options);
  if (!format) return std::unexpected(format.error());
  options.settings.format = *format;
  if (auto usage = check_usage(options); !usage) return usage;
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  if (auto checked = check_orbit(input->character, options.orbit); !checked) return checked;
  if (options.contact_sheet) {
    if (auto checked = check_output(options.output, *options.input.read); !checked) return checked;
    auto sheet = draw_contact_sheet(*input, options);
    if (!sheet) return std::unexpected(sheet.error());
    return write_picture(*std::move(sheet), options.output, *options.input.read);
  }
  const auto jobs = plan_jobs(input->character, options);
  if (!jobs) return std::unexpected(jobs.error());
  if (options.reference.empty()) return render_jobs(*input, options, *jobs);
  if (jobs->size() > 1 || jobs->front().shots.size() > 1) {
    return fail(ExitCode::usage, "pchr: --reference is for one picture");
  }
  return compare_with_reference(*input, options, jobs->front());
}

void add_clip_options(CLI::App& command, RenderOptions& options) {
  command.add_option("--clip", options.clips, "The clip, by name; may be given several times")
      ->option_text("NAME")
      ->allow_extra_args(false);
  command.add_flag("--all-clips", options.all_clips, "All clips, but for one that only holds the bind pose")
      ->option_text(" ")
      ->excludes("--clip");
  add_time_options(command, options.moment);
  command.get_option("--smooth")
      ->description("With --time or --fps: interpolate between frames instead of holding each");
  add_film_options(command, options.film);
  add_pixel_budget(command, options.budget);
  for (const char* option : {"--frames", "--fps", "--speed"}) {
    command.get_option(option)->excludes("--frame")->excludes("--time");
  }
  command
      .add_option(
          "--loops", options.loops,
          "How often it plays, 0 for ever (as the clip does); of PNG, RGBA and Y4M, how often it is written (1)")
      ->option_text("N")
      ->check(CLI::Range(0, 65535));
}

void add_output_options(CLI::App& command, RenderOptions& options) {
  command
      .add_option(
          "-o,--output", options.output,
          "The file to write, or - for standard output (required); {file}, {clip}, {index} (of the clip in the file) "
          "and {frame:04} are filled in")
      ->option_text("FILE");
  const auto set_format = [&options](const std::string& name) { options.format = film::format_named(name); };
  command
      .add_option_function<std::string>("--format", set_format,
                                        "Output format (default: from the file extension; PNG where there is none)")
      ->check(CLI::IsMember({"png", "apng", "gif", "webp", "rgba", "y4m"}))
      ->option_text("png|apng|gif|webp|rgba|y4m");
  command.add_option("--quality", options.settings.webp_quality, "Of a WebP, 0 to 100, with losses (lossless)")
      ->option_text("N")
      ->check(check_finite)
      ->check(CLI::Range(0.0, 100.0));
  const auto set_matte = [&options](const std::string& text) {
    options.settings.gif_matte = parse_colour(text, "--matte", "no");
  };
  command
      .add_option_function<std::string>("--matte", set_matte,
                                        "What soft edges of a GIF are blended with (none: hard edges)")
      ->option_text("#rrggbb");
  command.add_option("--reference", options.reference, "Compare the picture with a PNG; exit 5 where they differ")
      ->option_text("FILE");
  command.add_option("--threshold", options.threshold, "The largest score that is no difference (0.02)")
      ->option_text("T")
      ->check(check_finite)
      ->check(CLI::Range(0.0, 1.0))
      ->needs("--reference");
}

constexpr char kFooter[] =
    R"(A .png is one moment: the first frame of the first clip, or what --clip, --frame and --time say; the bind pose where
there are no clips. With {frame} in its name it is a picture for each frame of the clip. .apng, .gif, .webp and .y4m
are films, .rgba the bare pixels; of all these the clip, unless named, is the first that moves. A looping clip of N
frames is N pictures, each for as long as the clip shows it, as exactly as the format can say. Pictures have straight
alpha; GIF has one palette of 255 colours for all of them; Y4M has no alpha and shows black behind.

The camera fits the bounds of the whole clip, so that frames line up, or as --fit says of all clips or of each frame.
Clips of one name are numbered: walk, walk_2. Files are written beside their targets and renamed when all are whole: a
failure, or Ctrl-C, leaves what was there. A file that was read is never replaced. A display is not needed; OpenGL 3.3
through EGL is.

)";

constexpr char kExamples[] = R"(

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

Verb add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw pictures, films or a contact sheet into files");
  const auto options = std::make_shared<RenderOptions>();
  add_input_options(*command, options->input);
  add_output_options(*command, *options);
  add_clip_options(*command, *options);
  add_view_options(*command, options->view);
  add_size_options(*command, options->view);
  add_orbit_options(*command, options->orbit);
  const std::map<std::string, Fit> fits{{"clip", Fit::clip}, {"file", Fit::file}, {"frame", Fit::frame}};
  command
      ->add_option_function<std::string>(
          "--fit", [options, fits](const std::string& name) { options->fit = fits.at(name); },
          "What the camera fits: the clip, all clips of the file, or each frame (clip)")
      ->check(CLI::IsMember({"clip", "file", "frame"}))
      ->option_text("clip|file|frame");
  command->get_option("--zoom")->excludes("--margin");
  command
      ->add_option("--contact-sheet", options->contact_sheet,
                   "One row per clip: N frames, evenly spaced from first to last; a one-frame bind clip is left out")
      ->option_text("N")
      ->check(CLI::Range(1, 1000));
  for (const char* option :
       {"--frame", "--time", "--frames", "--fps", "--speed", "--loops", "--scale", "--reference"}) {
    command->get_option("--contact-sheet")->excludes(option);
  }
  command->get_option("--no-images")->description("Draw all images plain white, so that broken pixels are no error");
  command->footer(std::string(kFooter) + kScoreMeaning + kExamples + kExitCodes + kExitCodeDifferent);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

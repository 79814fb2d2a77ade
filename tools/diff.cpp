// SPDX-License-Identifier: MIT
// pchr diff: reports the differences between two characters.
#include "comparison.hpp"
#include "json.hpp"
#include "platform/terminal.hpp"

namespace pchr::tools {
namespace {

struct DiffOptions {
  InputOptions input;  ///< The first character, and how to load both.
  std::string second;
  std::string output;
  ComparisonOptions comparison;
  bool no_pixels = false;
  bool json = false;
};

// Draws a row for each clip that looks different, or else for the first clip: both images and their difference.
Bitmap draw_rows(const std::vector<ClipImage>& images, FrameSize size) {
  constexpr std::size_t kMaxRows = 24;
  std::vector<const ClipImage*> rows;
  for (const ClipImage& image : images) {
    if (image.difference.pixels > 0) rows.push_back(&image);
  }
  std::ranges::stable_sort(rows, std::greater(), [](const ClipImage* row) { return row->difference.score; });
  rows.resize(std::min(rows.size(), kMaxRows));
  if (rows.empty()) rows.push_back(&images.front());
  Bitmap all{size.width * 3, size.height * static_cast<std::uint32_t>(rows.size()), {}};
  const std::size_t row_bytes = std::size_t{size.width} * 4;
  for (const ClipImage* row : rows) {
    Bitmap first = row->first, second = row->second;
    put_on_checker(first);
    put_on_checker(second);
    const Bitmap difference = draw_difference(row->first, row->second);
    for (std::size_t y = 0; y < size.height; ++y) {
      for (const Bitmap* part : {&std::as_const(first), &std::as_const(second), &difference}) {
        const auto from = std::span(part->rgba).subspan(y * row_bytes, row_bytes);
        all.rgba.insert(all.rgba.end(), from.begin(), from.end());
      }
    }
  }
  return all;
}

std::string as_json(const Comparison& comparison, const Character& first) {
  JsonWriter json;
  json.begin_object(Layout::lines).fields("version", kJsonVersion);
  append_comparison(json, comparison, first);
  json.end_object();
  return std::move(json.text);
}

std::string as_text(const Comparison& comparison, const Character& first, const ComparisonOptions& options) {
  if (comparison.same) return "The characters are the same.\n";
  return fmt::format("{}\n", fmt::join(describe_comparison(comparison, first, options), "\n"));
}

void run_diff(const DiffOptions& options) {
  check_usage({{options.input.file == "-" && options.second == "-",
                "only one of the two characters can be read from standard input"},
               {!options.output.empty() && animation_format_of(options.output) != AnimationFormat::png,
                "the name of the image must end in .png"}});
  InputOptions second = options.input;
  second.file = options.second;
  const Input a = open_input(options.input), b = open_input(second);
  print_warnings(a, options.input);
  print_warnings(b, second);
  const Sidecar sidecar_of_a = open_sidecar(a.character, options.input);
  const Sidecar sidecar_of_b = open_sidecar(b.character, second);
  or_fail(options.input.read->check_output(options.output));

  std::optional<Stage> stage;
  if (!options.no_pixels) {
    stage.emplace(options.comparison.view.gl);
    for (const Input* each : {&a, &b}) stage->add(*each, options.input.no_images);
  }
  const Comparison comparison =
      compare_characters(a, sidecar_of_a, b, sidecar_of_b, stage ? &*stage : nullptr, options.comparison);
  if (!options.output.empty()) {
    if (comparison.images.empty())
      fail(ExitCode::usage, "pchr: the characters have no clip in common, so there is no image to write");
    const auto png = encode_png(draw_rows(comparison.images, options.comparison.view.size), PngCompression::fast);
    write_file(options.output, text_of(png), Existing::replace, *options.input.read);
  }
  options.json ? write_stdout(as_json(comparison, a.character))
               : print_text(as_text(comparison, a.character, options.comparison));
  if (!comparison.same) fail(ExitCode::different);
}

constexpr char kDiffDetails[] =
    R"(Parts are matched by name; parts with equal names are matched in order. The rest are matched by index and reported as
renamed. There are three kinds of differences:
  structure  contents of the files and their markers, except bone positions:
             names, parents, vertices, triangles, weights, durations, loops,
             draw order, visibility, opacity, images, title and flags. The
             format, the compression of images and the location of clips
             do not count
  poses      for the bind pose and each clip, the largest distance in world
             pixels between corresponding bones, measured at the origin and
             100 pixels along each axis, so that rotation counts too
  images     for each clip, the difference of both characters drawn by the
             same camera at 256x256 pixels

)";

constexpr char kDiffJson[] = R"(

--json prints one object:
  version    1; keys can be added, but none is renamed or removed
  same       whether the characters are the same
  structure  [{kind, name, index, change}]
  poses      [{clip, index, pixels, frame, bone, boneIndex}]; clip is null for
             the bind pose
  images     [{clip, index, score, frame, x, y, differingPixels,
             maxDifference}]; the last is of a channel, up to 255)";

constexpr char kDiffExamples[] = R"(  pchr diff hero.pchr hero.new.pchr
  pchr diff hero.pchr hero.new.pchr --json -o changed.png
  pchr diff hero.json hero.pchr --no-pixels --tolerance 0.1)";

}  // namespace

void add_diff(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<DiffOptions>(app, "diff", "Show the differences between two characters", run_diff);
  options.comparison.view.size = {256, 256};
  add_option(command, "FIRST", options.input.file, "", "First character; - is standard input")->required();
  add_option(command, "SECOND", options.second, "", "Second character; - is standard input")->required();
  begin_group(command, "Report");
  CLI::Option* output = add_option(command, "-o,--output", options.output, "FILE",
                                   "Write a PNG with the first image, the second image and their difference per row");
  command.add_flag("--json", options.json, "Print JSON");
  add_comparison_options(command, options.comparison);
  command.add_flag("--no-pixels", options.no_pixels, "Do not compare images, which needs OpenGL")->excludes(output);
  add_gl_option(command, options.comparison.view);
  add_load_options(command, options.input);
  set_manual(command, std::string(kDiffDetails) + kScoreMeaning + kDiffJson, kDiffExamples);
}

}  // namespace pchr::tools

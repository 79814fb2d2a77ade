// SPDX-License-Identifier: MIT
// pchr diff: reports the differences between two characters.
#include "differences.hpp"
#include "drawing.hpp"
#include "json.hpp"
#include "platform/terminal.hpp"

#include <pchr/queries.hpp>

#include <array>

namespace pchr::tools {
namespace {

struct DiffOptions {
  InputOptions input;  ///< The first character, and how to load both.
  std::string second;
  std::string output;
  ViewOptions view;
  double tolerance = 0.001;
  double threshold = 0.01;
  std::uint32_t frames = 16;
  bool no_pixels = false;
  bool json = false;
};

/// The frame in which a clip of both characters looks most different.
struct ClipImage {
  ClipId clip{};  ///< In the first character.
  std::uint32_t frame = 0;
  ImageDifference difference;
  Bitmap first, second;  ///< Premultiplied.
};

struct DiffReport {
  std::vector<StructureDifference> structure;
  std::vector<PoseDifference> poses;
  std::vector<ClipImage> images;
  bool same = true;
};

// Draws evenly spaced frames and the frame in which the poses differ most.
ClipImage compare_clip(Stage& stage, const Input& a, const Input& b, ClipId clip, ClipId other,
                       std::uint32_t frame_of_max_pose_difference, const DiffOptions& options) {
  const std::uint32_t common = std::min(a.character.clips()[clip].frame_count, b.character.clips()[other].frame_count);
  const std::uint32_t count = std::min(common, options.frames);
  std::vector<std::uint32_t> frames{frame_of_max_pose_difference};
  for (std::uint64_t i = 0; i < count; ++i) frames.push_back(static_cast<std::uint32_t>(i * common / count));
  Rect bounds = compute_clip_bounds(a.character, clip, thread_executor());
  bounds.include(compute_clip_bounds(b.character, other, thread_executor()));
  const Camera camera = frame_camera(options.view, options.view.size, bounds);
  ClipImage most{clip, 0, {}, {}, {}};
  for (const std::uint32_t frame : frames) {
    if (interrupted()) fail(ExitCode::environment);
    Bitmap in_a = stage.draw({clip, {frame, frame, 0}, camera}, options.view.size, options.view, 0);
    Bitmap in_b = stage.draw({other, {frame, frame, 0}, camera}, options.view.size, options.view, 1);
    const ImageDifference difference = compare_images(in_a, in_b);
    if (!most.first.rgba.empty() && difference.score <= most.difference.score) continue;
    most = {clip, frame, difference, std::move(in_a), std::move(in_b)};
  }
  return most;
}

std::vector<ClipImage> compare_looks(const Input& a, const Input& b, const Matches& matches,
                                     const std::vector<PoseDifference>& poses, const DiffOptions& options) {
  Stage stage(options.view.gl);
  stage.add(a, options.input.no_images);
  stage.add(b, options.input.no_images);
  catch_interrupts();
  std::vector<ClipImage> images;
  for (const PoseDifference& pose : poses) {
    if (!pose.clip) continue;
    const ClipId clip = *pose.clip, other{*matches.clips[index(clip)]};
    if (a.character.clips()[clip].frame_count == 0 || b.character.clips()[other].frame_count == 0) continue;
    images.push_back(compare_clip(stage, a, b, clip, other, pose.frame, options));
  }
  return images;
}

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

std::string as_json(const DiffReport& report, const Character& first) {
  const auto name_of = [&](ClipId clip) -> std::string_view { return first.clips()[clip].name; };
  JsonWriter json;
  json.begin_object(Layout::lines).fields("version", kJsonVersion, "same", report.same);
  json.list("structure", report.structure, [&](const StructureDifference& each) {
    json.object("kind", each.kind, "name", each.name, "index", each.index, "change", each.change);
  });
  json.list("poses", report.poses, [&](const PoseDifference& each) {
    const std::string_view bone = each.bone ? std::string_view(first.bones()[*each.bone].name) : "";
    const std::optional clip = each.clip ? std::optional(name_of(*each.clip)) : std::nullopt;
    json.object("clip", clip, "index", each.clip, "pixels", each.pixels, "frame", each.frame, "bone", bone, "boneIndex",
                each.bone);
  });
  json.list("images", report.images, [&](const ClipImage& each) {
    const ImageDifference& difference = each.difference;
    json.object("clip", name_of(each.clip), "index", each.clip, "score", difference.score, "frame", each.frame, "x",
                difference.x, "y", difference.y, "differingPixels", difference.pixels, "maxDifference",
                difference.max_channel);
  });
  json.end_object();
  return std::move(json.text);
}

std::string as_text(const DiffReport& report, const Character& first, const DiffOptions& options) {
  if (report.same) return "The characters are the same.\n";
  const auto clip_named = [&](ClipId clip) {
    return fmt::format("clip {} {}", index(clip), shown(first.clips()[clip].name));
  };
  std::string text;
  for (const StructureDifference& each : report.structure) {
    const std::string index = each.index ? fmt::format("{} ", *each.index) : "";
    text += fmt::format("{} {}{}: {}\n", each.kind, index, shown(each.name), printable(each.change));
  }
  for (const PoseDifference& each : report.poses) {
    if (each.pixels <= options.tolerance) continue;
    text += fmt::format("pose in {}: up to {:.3f} px apart, at frame {} in bone {} {}\n",
                        each.clip ? clip_named(*each.clip) : "the bind pose", each.pixels, each.frame,
                        index(*each.bone), shown(first.bones()[*each.bone].name));
  }
  for (const ClipImage& each : report.images) {
    if (each.difference.score <= options.threshold) continue;
    text += fmt::format("image of {}: score {:.4f} at frame {}; {} pixels differ, by up to {} of 255\n",
                        clip_named(each.clip), each.difference.score, each.frame, each.difference.pixels,
                        each.difference.max_channel);
  }
  return text;
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

  const Matches matches = match_parts(a, b);
  DiffReport report;
  report.structure = compare_structure({a, sidecar_of_a, a.bitmaps}, {b, sidecar_of_b, b.bitmaps}, matches);
  report.poses = compare_poses(a.character, b.character, matches);
  if (!options.no_pixels) report.images = compare_looks(a, b, matches, report.poses, options);
  report.same =
      report.structure.empty() &&
      std::ranges::none_of(report.poses, [&](const auto& each) { return each.pixels > options.tolerance; }) &&
      std::ranges::none_of(report.images, [&](const auto& each) { return each.difference.score > options.threshold; });
  if (!options.output.empty()) {
    if (report.images.empty())
      fail(ExitCode::usage, "pchr: the characters have no clip in common, so there is no image to write");
    const auto png = encode_png(draw_rows(report.images, options.view.size), PngCompression::fast);
    write_file(options.output, text_of(png), Existing::replace, *options.input.read);
  }
  options.json ? write_stdout(as_json(report, a.character)) : print_text(as_text(report, a.character, options));
  if (!report.same) fail(ExitCode::different);
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
  options.view.size = {256, 256};
  add_option(command, "FIRST", options.input.file, "", "First character; - is standard input")->required();
  add_option(command, "SECOND", options.second, "", "Second character; - is standard input")->required();
  begin_group(command, "Report");
  CLI::Option* output = add_option(command, "-o,--output", options.output, "FILE",
                                   "Write a PNG with the first image, the second image and their difference per row");
  command.add_flag("--json", options.json, "Print JSON");
  add_option(command, "--tolerance", options.tolerance, "PX",
             "Max distance of poses that counts as equal, in world pixels (default: 0.001)",
             check_range(0, std::numeric_limits<double>::infinity()));
  add_option(command, "--threshold", options.threshold, "T", "Max score of images that counts as equal (default: 0.01)",
             check_range(0, 1));
  add_option(command, "--frames", options.frames, "N",
             "Frames of each clip to draw, besides the one with the largest pose difference (default: 16)",
             check_range(1, 1'000'000));
  command.add_flag("--no-pixels", options.no_pixels, "Do not compare images, which needs OpenGL")->excludes(output);
  add_gl_option(command, options.view);
  add_load_options(command, options.input);
  set_manual(command, std::string(kDiffDetails) + kScoreMeaning + kDiffJson, kDiffExamples);
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr diff: what changed between two characters.
#include "compare_pictures.hpp"
#include "differences.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "stage.hpp"
#include "table.hpp"
#include "view.hpp"

#include <pchr/bounds.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

namespace pchr::tools {
namespace {

struct DiffOptions {
  InputOptions input;  ///< Of the first, and how to load both.
  std::string second;
  std::string output;
  ViewOptions view;
  double tolerance = 0.001;
  double threshold = 0.01;
  std::uint32_t frames = 16;
  bool no_pixels = false;
  bool json = false;
};

/// Where a clip that both have looks most different, and how it does.
struct ClipPicture {
  std::uint32_t clip = 0;  ///< Of the first character.
  std::uint32_t frame = 0;
  PictureDifference difference;
  Bitmap first, second;  ///< Premultiplied.
};

struct Report {
  std::vector<StructureDifference> structure;
  std::vector<PoseDifference> poses;
  std::vector<ClipPicture> pictures;
  bool same = true;
};

// The frames to look at: at most `count`, evenly spaced, and the one in which the poses differ most.
std::vector<std::uint32_t> frames_to_draw(std::uint32_t common, std::uint32_t count, std::uint32_t most_apart) {
  std::vector<std::uint32_t> frames{most_apart};
  count = std::min(common, count);
  for (std::uint64_t i = 0; i < count; ++i) frames.push_back(static_cast<std::uint32_t>(i * common / count));
  return frames;
}

// Draws frames of a clip of both through one camera.
ClipPicture compare_clip(Stage& stage, const Input& a, const Input& b, std::uint32_t clip, std::uint32_t other,
                         std::uint32_t most_apart, const DiffOptions& options) {
  const Clip& first = a.character.clips()[clip];
  const std::uint32_t common = std::min(first.frame_count, b.character.clips()[other].frame_count);
  Rect bounds = clip_bounds(a.character, clip);
  bounds.include(clip_bounds(b.character, other));
  const Camera camera = film::camera_of(options.view, options.view.size, bounds);
  ClipPicture most{clip, 0, {}, {}, {}};
  for (const std::uint32_t frame : frames_to_draw(common, options.frames, most_apart)) {
    if (interrupted()) break;
    stage.send({clip, {frame, frame, 0}, camera, 0, {}}, options.view.background);
    stage.send({other, {frame, frame, 0}, camera, 1, {}}, options.view.background);
    Bitmap in_a = stage.receive(), in_b = stage.receive();
    const PictureDifference difference = compare_pictures(in_a, in_b);
    if (!most.first.rgba.empty() && difference.score <= most.difference.score) continue;
    most = {clip, frame, difference, std::move(in_a), std::move(in_b)};
  }
  return most;
}

Result<std::vector<ClipPicture>> compare_looks(const Input& a, const Input& b, const Matches& matches,
                                               const std::vector<PoseDifference>& poses, const DiffOptions& options) {
  auto stage = Stage::open(a, options.input.no_images);
  if (!stage) return std::unexpected(stage.error());
  if (const auto added = stage->add(b, options.input.no_images); !added) return std::unexpected(added.error());
  if (const auto sized = stage->set_size(options.view.size); !sized) return std::unexpected(sized.error());
  catch_interrupts();
  std::vector<ClipPicture> pictures;
  for (const PoseDifference& pose : poses) {
    if (!pose.clip) continue;
    const std::uint32_t clip = *pose.clip, other = *matches.clips[clip];
    if (a.character.clips()[clip].frame_count == 0 || b.character.clips()[other].frame_count == 0) continue;
    pictures.push_back(compare_clip(*stage, a, b, clip, other, pose.frame, options));
    if (interrupted()) return fail(ExitCode::environment, "");
  }
  return pictures;
}

// A row for each clip that looks different, or else for the first: the one, the other, and where they differ.
Bitmap draw_rows(const std::vector<ClipPicture>& pictures, Size size) {
  constexpr std::size_t kMostRows = 24;
  std::vector<const ClipPicture*> rows;
  for (const ClipPicture& picture : pictures) {
    if (picture.difference.pixels > 0) rows.push_back(&picture);
  }
  std::ranges::stable_sort(rows, std::greater(), [](const ClipPicture* row) { return row->difference.score; });
  rows.resize(std::min(rows.size(), kMostRows));
  if (rows.empty()) rows.push_back(&pictures.front());
  Bitmap all{size.width * 3, size.height * static_cast<std::uint32_t>(rows.size()), {}};
  const std::size_t row_bytes = std::size_t{size.width} * 4;
  for (const ClipPicture* row : rows) {
    Bitmap first = row->first, second = row->second;
    put_on_checker(first);
    put_on_checker(second);
    const Bitmap difference = draw_difference(row->first, row->second);
    for (std::size_t y = 0; y < size.height; ++y) {
      for (const Bitmap* part : std::array<const Bitmap*, 3>{&first, &second, &difference}) {
        const auto from = part->rgba.begin() + static_cast<std::ptrdiff_t>(y * row_bytes);
        all.rgba.insert(all.rgba.end(), from, from + static_cast<std::ptrdiff_t>(row_bytes));
      }
    }
  }
  return all;
}

template <class Value>
JsonWriter& value_or_null(JsonWriter& json, const std::optional<Value>& value) {
  return value ? json.value(*value) : json.null();
}

std::string as_json(const Report& report, const Character& first) {
  const auto name_of = [&](std::uint32_t clip) -> std::string_view { return first.clips()[clip].name; };
  JsonWriter json;
  json.begin_object(Layout::lines).key("same").value(report.same);
  json.key("structure").begin_array(Layout::lines);
  for (const StructureDifference& each : report.structure) {
    json.begin_object().key("kind").value(each.kind).key("name").value(each.name).key("index");
    value_or_null(json, each.index).key("change").value(each.change).end_object();
  }
  json.end_array().key("poses").begin_array(Layout::lines);
  for (const PoseDifference& each : report.poses) {
    json.begin_object().key("clip");
    value_or_null(json, each.clip.transform(name_of)).key("index");
    value_or_null(json, each.clip).key("pixels").value(each.pixels).key("frame").value(each.frame);
    json.key("bone").value(each.bone ? first.bones()[*each.bone].name : "").key("boneIndex");
    value_or_null(json, each.bone).end_object();
  }
  json.end_array().key("pictures").begin_array(Layout::lines);
  for (const ClipPicture& each : report.pictures) {
    json.begin_object().key("clip").value(name_of(each.clip)).key("index").value(each.clip);
    json.key("score").value(each.difference.score).key("frame").value(each.frame);
    json.key("x").value(each.difference.x).key("y").value(each.difference.y);
    json.key("differingPixels").value(each.difference.pixels).key("most").value(each.difference.most).end_object();
  }
  json.end_array().end_object();
  return {json.text.data(), json.text.size()};
}

std::string as_text(const Report& report, const Character& first, const DiffOptions& options) {
  if (report.same) return "The characters are the same.\n";
  const auto clip_named = [&](std::uint32_t clip) {
    return fmt::format("clip {} {}", clip, shown(first.clips()[clip].name));
  };
  std::string text;
  for (const StructureDifference& each : report.structure) {
    const std::string index = each.index ? fmt::format("{} ", *each.index) : "";
    text += fmt::format("{} {}{}: {}\n", each.kind, index, shown(each.name), printable(each.change));
  }
  for (const PoseDifference& each : report.poses) {
    if (each.pixels <= options.tolerance) continue;
    text += fmt::format("pose in {}: {:.3f} px apart, most at frame {} in bone {} {}\n",
                        each.clip ? clip_named(*each.clip) : "the bind pose", each.pixels, each.frame, *each.bone,
                        shown(first.bones()[*each.bone].name));
  }
  for (const ClipPicture& each : report.pictures) {
    if (each.difference.score <= options.threshold) continue;
    text += fmt::format("picture of {}: score {:.4f}, most at frame {}; {} pixels differ, by up to {} of 255\n",
                        clip_named(each.clip), each.difference.score, each.frame, each.difference.pixels,
                        each.difference.most);
  }
  return text;
}

Result<void> run(const DiffOptions& options) {
  if (options.input.file == "-" && options.second == "-") {
    return fail(ExitCode::usage, "pchr: standard input can be only one of the two characters");
  }
  if (!options.output.empty() && film::format_of(options.output) != film::Format::png) {
    return fail(ExitCode::usage, "pchr: the picture of differences is a PNG: its name ends in .png");
  }
  const auto a = open_input(options.input);
  if (!a) return std::unexpected(a.error());
  InputOptions second = options.input;
  second.file = options.second;
  const auto b = open_input(second);
  if (!b) return std::unexpected(b.error());
  print_warnings(*a, options.input);
  print_warnings(*b, second);
  const auto markers_of_a = open_markers(a->character, options.input);
  if (!markers_of_a) return std::unexpected(markers_of_a.error());
  const auto markers_of_b = open_markers(b->character, second);
  if (!markers_of_b) return std::unexpected(markers_of_b.error());
  if (auto checked = check_output(options.output, *options.input.read); !checked) return checked;

  const Matches matches = match_parts(a->character, b->character);
  Report report{
      compare_structure({a->character, *markers_of_a, a->bitmaps}, {b->character, *markers_of_b, b->bitmaps}, matches),
      compare_poses(a->character, b->character, matches),
      {},
      true};
  if (!options.no_pixels) {
    auto pictures = compare_looks(*a, *b, matches, report.poses, options);
    if (!pictures) return std::unexpected(pictures.error());
    report.pictures = *std::move(pictures);
  }
  const auto posed_apart = [&](const PoseDifference& each) { return each.pixels > options.tolerance; };
  const auto looks_apart = [&](const ClipPicture& each) { return each.difference.score > options.threshold; };
  report.same = report.structure.empty() && std::ranges::none_of(report.poses, posed_apart) &&
                std::ranges::none_of(report.pictures, looks_apart);
  if (!options.output.empty()) {
    if (report.pictures.empty()) return fail(ExitCode::usage, "pchr: there is no clip that both have, so no picture");
    const auto png = encode_png(draw_rows(report.pictures, options.view.size));
    const std::string_view bytes(reinterpret_cast<const char*>(png.data()), png.size());
    if (auto written = write_file(options.output, bytes, Existing::replace, *options.input.read); !written)
      return written;
  }
  auto said =
      options.json ? write_stdout(as_json(report, a->character)) : print_text(as_text(report, a->character, options));
  if (!said) return said;
  return report.same ? Result<void>() : fail(ExitCode::different, "");
}

}  // namespace

Verb add_diff(CLI::App& app) {
  CLI::App* command = app.add_subcommand("diff", "Say what changed between two characters");
  const auto options = std::make_shared<DiffOptions>();
  options->view.size = {256, 256};
  command->add_option("FIRST", options->input.file, "The one character, or - for standard input")
      ->required()
      ->option_text(" ");
  command->add_option("SECOND", options->second, "The other, or - for standard input")->required()->option_text(" ");
  add_load_options(*command, options->input);
  command
      ->add_option("-o,--output", options->output,
                   "A PNG of the differences: the one, the other, and where they differ")
      ->option_text("FILE");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--tolerance", options->tolerance, "How far poses may be apart, in world pixels (0.001)")
      ->option_text("PX")
      ->check(check_finite)
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threshold", options->threshold, "The largest score of pictures that is no difference (0.01)")
      ->option_text("T")
      ->check(check_finite)
      ->check(CLI::Range(0.0, 1.0));
  command
      ->add_option("--frames", options->frames,
                   "Of how many frames of each clip pictures are compared, and of the one that moved most (16)")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--no-pixels", options->no_pixels, "Do not compare pictures, which needs OpenGL")
      ->excludes("--output");
  command->footer(
      std::string(
          R"(Parts of one name are matched in order, the second "hand" with the second; parts without one of their name
with the part of the same index, as renamed. Three kinds of differences:
  structure  everything in the files and in the markers beside them but the positions of bones: names, parents,
             vertices, triangles, weights, times, loops, draw order, visibility, opacity, images, title, flags. How a
             file stores it does not count: its form, the compression of images, where clips were found
  pose       for the bind pose and each clip, how many world pixels a bone is apart at most, and where: at its origin
             or 100 pixels along any of its axes, so that turned counts as well as moved
  pictures   for each clip, both drawn by the same camera in 256x256 pixels
)") + kScoreMeaning +
      R"(

Examples:
  pchr diff hero.pchr hero.new.pchr
  pchr diff hero.pchr hero.new.pchr --json -o changed.png
  pchr diff hero.json hero.pchr --no-pixels --tolerance 0.1

)" + kExitCodes +
      kExitCodeDifferent);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr diff: reports the differences between two characters.
#include "character_pairs.hpp"
#include "comparison.hpp"
#include "json.hpp"
#include "platform/file_system.hpp"

#include <array>
#include <numeric>

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

/// The first character, and how the second differs from it.
struct Compared {
  Input first;
  Comparison comparison;
};

Compared compare_files(const DiffOptions& options) {
  InputOptions second = options.input;
  second.file = options.second;
  Input a = open_input(options.input);
  const Input b = open_input(second);
  print_warnings(a, options.input);
  print_warnings(b, second);
  const Sidecar sidecar_of_a = open_sidecar(a.character, options.input);
  const Sidecar sidecar_of_b = open_sidecar(b.character, second);
  Stage* stage = nullptr;
  if (!options.no_pixels) {
    stage = &open_stage(options.comparison.view);
    for (const Input* each : {&std::as_const(a), &b}) stage->add(*each, options.input.no_images);
  }
  Comparison comparison = compare_characters(a, sidecar_of_a, b, sidecar_of_b, stage, options.comparison);
  return {std::move(a), std::move(comparison)};
}

std::string lines_of(const Compared& compared, const ComparisonOptions& options, std::string_view indent) {
  std::string text;
  for (const std::string& line : describe_comparison(compared.comparison, compared.first.character, options)) {
    text.append(indent).append(line).push_back('\n');
  }
  return text;
}

void diff_files(const DiffOptions& options) {
  const Compared compared = compare_files(options);
  const Comparison& comparison = compared.comparison;
  if (!options.output.empty()) {
    if (comparison.images.empty())
      fail(ExitCode::usage, "pchr: the characters have no clip in common, so there is no image to write");
    const auto png = encode_png(draw_rows(comparison.images, options.comparison.view.size), PngCompression::fast);
    write_file(options.output, text_of(png), Existing::replace, *options.input.read);
  }
  if (options.json) {
    JsonWriter json;
    json.begin_object(JsonWriter::lines).fields("version", kJsonVersion);
    append_comparison(json, comparison, compared.first.character);
    json.end_object();
    write_stdout(json.text);
  } else {
    print_text(comparison.same ? "The characters are the same.\n" : lines_of(compared, options.comparison, ""));
  }
  if (!comparison.same) fail(ExitCode::different);
}

// Folders

/// How a pair compares, in the order of the summary.
enum class PairResult : std::uint8_t { same, different, removed, added, failed, no_characters };
constexpr std::array kResults{"the same", "different", "only in the first", "only in the second", "failed"};

/// Answered for two JSON files that are no characters.
constexpr char kNoCharacters[] = "no characters";

bool are_other_json(const CharacterPair& pair, const DiffOptions& options) {
  const ImportOptions& load = options.input.load;
  return pair.first.ends_with(".json") && pair.second.ends_with(".json") && !load_input(pair.first, load) &&
         !load_input(pair.second, load);
}

/// Answers with the fields of the pair's JSON object, or with text.
void diff_pair(const CharacterPair& pair, DiffOptions options) {
  std::string& out = current_task().out;
  if (pair.first.empty() || pair.second.empty()) fail(ExitCode::different);
  options.input.file = pair.first;
  options.second = pair.second;
  if (are_other_json(pair, options)) {
    out = kNoCharacters;
    return;
  }
  const Compared compared = compare_files(options);
  if (options.json) {
    JsonWriter json;
    json.begin_object(JsonWriter::lines)
        .fields("path", pair.name, "firstPath", pair.first_name, "secondPath", pair.name, "error", nullptr);
    append_comparison(json, compared.comparison, compared.first.character);
    json.end_object();
    out = std::move(json.text);
  } else if (!compared.comparison.same) {
    out = fmt::format("{}:\n{}", printable(pair.name), lines_of(compared, options.comparison, "  "));
  }
  if (!compared.comparison.same) fail(ExitCode::different);
}

PairResult result_of(const CharacterPair& pair, const Task& task) {
  if (task.out == kNoCharacters) return PairResult::no_characters;
  if (pair.second.empty()) return PairResult::removed;
  if (pair.first.empty()) return PairResult::added;
  if (task.exit_code == ExitCode::success) return PairResult::same;
  return task.exit_code == ExitCode::different ? PairResult::different : PairResult::failed;
}

/// Returns the JSON object of a pair that was not compared.
std::string describe_alone(const CharacterPair& pair, const Task& task) {
  std::string error;
  for (const Message& message : task.messages) error += (error.empty() ? "" : "\n") + message.text;
  JsonWriter json;
  json.begin_object(JsonWriter::lines)
      .fields("path", pair.name, "firstPath", if_any(pair.first_name), "secondPath",
              if_any(pair.second.empty() ? "" : pair.name), "error", if_any(error));
  append_comparison(json, false);
  json.end_object();
  return std::move(json.text);
}

void diff_folders(const DiffOptions& options) {
  check_usage({{!options.output.empty(), "-o needs two characters; for folders, see 'pchr report --help'"}});
  std::array<std::size_t, kResults.size()> counts{};
  ExitCode failure = ExitCode::success;
  std::vector<std::string> entries;
  const auto finish = [&](const CharacterPair& pair, const Task& task) {
    for (const Message& message : task.messages) print_message(message);
    const PairResult result = result_of(pair, task);
    if (result == PairResult::no_characters) return;
    ++counts[static_cast<std::size_t>(result)];
    if (result == PairResult::failed && failure == ExitCode::success) failure = task.exit_code;
    if (options.json) {
      entries.push_back(task.out.empty() ? describe_alone(pair, task) : task.out);
    } else if (result == PairResult::removed || result == PairResult::added) {
      print_text(fmt::format("{}: {}\n", printable(pair.name), kResults[static_cast<std::size_t>(result)]));
    } else {
      print_text(task.out);
    }
  };
  run_on_pairs(pair_characters(options.input.file, options.second), options.input.batch.workers, finish);
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const bool all_same = counts.front() == total;
  if (options.json) {
    JsonWriter json;
    json.begin_object(JsonWriter::lines).fields("version", kJsonVersion, "same", all_same);
    json.list("files", entries, [&](const std::string& entry) { json.document(entry); }).end_object();
    write_stdout(json.text);
  } else {
    std::string summary = counted(total, "character");
    const char* separator = ": ";
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      summary += fmt::format("{}{} {}", std::exchange(separator, ", "), grouped(counts[i]), kResults[i]);
    }
    print_text(summary + '\n');
  }
  if (failure != ExitCode::success) fail(failure);
  if (!all_same) fail(ExitCode::different);
}

void run_diff(const DiffOptions& options) {
  const auto is_folder = [](const std::string& path) {
    const FileKind kind = find_kind(path);
    return kind == FileKind::folder || kind == FileKind::link_to_folder;
  };
  const bool any_folder = is_folder(options.input.file) || is_folder(options.second);
  if (is_worker()) return serve_pairs([&](const CharacterPair& pair) { diff_pair(pair, options); });
  check_usage({{options.input.file == "-" && options.second == "-",
                "only one of the two characters can be read from standard input"},
               {!options.output.empty() && animation_format_of(options.output) != AnimationFormat::png,
                "the name of the image must end in .png"}});
  if (any_folder && are_folders(options.input.file, options.second)) return diff_folders(options);
  diff_files(options);
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

In two folders, characters with the same path are compared, and so are two that differ only in their extension.

)";

constexpr char kDiffJson[] = R"(

--json prints one object:
  version    1; keys can be added, but none is renamed or removed
  same       whether the characters are the same
  structure  [{kind, name, index, change}]
  poses      [{clip, index, pixels, frame, bone, boneIndex}]; clip is null for
             the bind pose
  images     [{clip, index, score, frame, x, y, differingPixels,
             maxDifference}]; the last is of a channel, up to 255
  files      of two folders, instead of the last three: [{path, firstPath,
             secondPath, error, same, structure, poses, images}]; the paths are
             null where there is no file)";

constexpr char kDiffExamples[] = R"(  pchr diff hero.pchr hero.new.pchr
  pchr diff hero.pchr hero.new.pchr --json -o changed.png
  pchr diff hero.json hero.pchr --no-pixels --tolerance 0.1
  pchr diff release/ work/)";

}  // namespace

void add_diff(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<DiffOptions>(app, "diff", "Show the differences between two characters or folders", run_diff);
  options.input.batch.workers.keep_going = true;
  options.comparison.view.size = {256, 256};
  add_option(command, "FIRST", options.input.file, "", "First character or folder; - is standard input")->required();
  add_option(command, "SECOND", options.second, "", "Second character or folder; - is standard input")->required();
  begin_group(command, "Report");
  CLI::Option* output = add_option(command, "-o,--output", options.output, "FILE",
                                   "Write a PNG with the first image, the second image and their difference per row");
  command.add_flag("--json", options.json, "Print JSON");
  add_comparison_options(command, options.comparison);
  command.add_flag("--no-pixels", options.no_pixels, "Do not compare images, which needs OpenGL")->excludes(output);
  add_gl_option(command, options.comparison.view);
  add_option(command, "-j,--jobs", options.input.batch.workers.count, "N",
             "Number of characters to compare at the same time (default: the number of cores)", check_range(1, 1024));
  add_log_options(command);
  add_load_options(command, options.input);
  set_manual(command, std::string(kDiffDetails) + kScoreMeaning + kDiffJson, kDiffExamples);
}

}  // namespace pchr::tools

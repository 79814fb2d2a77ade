// SPDX-License-Identifier: MIT
// pchr diff: reports the differences between two characters or folders, as text, JSON or a page.
#include "commands/commands.hpp"
#include "comparison.hpp"
#include "options.hpp"
#include "page.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/queries.hpp>

#include <array>
#include <cstring>
#include <map>
#include <numeric>

namespace pchr::tools {
namespace {

struct DiffOptions {
  InputOptions input;  ///< How to load both characters.
  std::string first, second;
  std::string output;  ///< PNG to write; empty for none.
  std::string page;    ///< Folder of the page; empty for none.
  ComparisonOptions comparison;
  bool no_pixels = false;
  bool json = false;
  bool animate = false;
};

// Pairs of characters

/// A character in an old folder, in a new one or in both.
struct CharacterPair {
  std::size_t number = 0;  ///< Place in the list, from 1.
  std::string name;        ///< Path below the new folder or, if it is only in the old one, below that; with slashes.
  std::string first_name;  ///< Path below the old folder; empty if it is not there.
  std::string first;       ///< Path of the old file; empty if there is none.
  std::string second;      ///< Path of the new file; empty if there is none.
};

/// Maps names below a folder to paths.
std::map<std::string, std::string> find_characters(const std::string& folder, const std::string& except) {
  std::map<std::string, std::string> found;
  // Folders that are left to visit, below `folder`.
  std::vector<std::string> left{""};
  while (!left.empty()) {
    const std::string below = std::move(left.back());
    left.pop_back();
    const std::string here = path_in(folder, below);
    std::error_code error;
    const std::filesystem::directory_iterator opened(path_from_utf8(here), error);
    if (error) fail(ExitCode::unreadable, "cannot read the folder {}: {}", printable(here), error_text(error));
    const auto visit = [&](const std::string& name, FileKind kind) {
      if (name.starts_with('.')) return true;
      const std::string path = path_in(below, name), full = path_in(here, name);
      if (kind == FileKind::folder && !is_same_file(full, except)) left.push_back(path);
      if (kind == FileKind::file && has_character_name(name)) found.emplace(path, full);
      return true;
    };
    visit_system_folder(here, visit);
  }
  return found;
}

/// Returns whether both are folders. Fails if only one is, or if either does not exist.
bool are_folders(const std::string& first, const std::string& second) {
  std::size_t folders = 0;
  for (const std::string& path : {first, second}) {
    const FileKind kind = find_kind(path);
    if (kind == FileKind::none) {
      fail(ExitCode::unreadable, "cannot read {}: it does not exist", printable(path));
    }
    folders += kind == FileKind::folder || kind == FileKind::link_to_folder ? 1 : 0;
  }
  if (folders == 1) {
    fail(ExitCode::usage, "{} and {} must be two files or two folders", printable(first), printable(second));
  }
  return folders == 2;
}

/// Returns the characters below two folders, sorted by name. Files with the same path are a pair; so are two that
/// differ only in their extension, if neither has another counterpart. Leaves out hidden files and the folder `except`.
std::vector<CharacterPair> pair_characters(const std::string& first, const std::string& second,
                                           const std::string& except) {
  std::map<std::string, std::string> before = find_characters(first, except);
  const std::map<std::string, std::string> after = find_characters(second, except);
  std::vector<CharacterPair> pairs;
  const auto stem = [](std::string_view name) { return with_extension(name, ""); };
  // Those that are on one side only, by their names without extension.
  std::map<std::string, std::vector<std::string>> removed, added;
  for (const auto& [name, path] : before) {
    if (!after.contains(name)) removed[stem(name)].push_back(name);
  }
  for (const auto& [name, path] : after) {
    if (!before.contains(name)) added[stem(name)].push_back(name);
  }
  for (const auto& [name, path] : after) {
    auto found = before.find(name);
    if (found == before.end() && removed[stem(name)].size() == 1 && added[stem(name)].size() == 1) {
      found = before.find(removed[stem(name)].front());
    }
    if (found == before.end()) {
      pairs.push_back({0, name, "", "", path});
    } else {
      pairs.push_back({0, name, found->first, found->second, path});
      before.erase(found);
    }
  }
  for (const auto& [name, path] : before) pairs.push_back({0, name, name, path, ""});
  std::ranges::sort(pairs, {}, &CharacterPair::name);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].number = i + 1;
  return pairs;
}

/// Works on all pairs on threads, each in a task of its own. Calls `finish` with the number of a pair, in order.
void run_on_pairs(std::span<const CharacterPair> pairs, const DiffOptions& options,
                  const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t, const Task&)>& finish) {
  const auto work_on = [&](std::size_t number) {
    current_task().input = pairs[number].name;
    work(number);
  };
  std::size_t next = 0;
  run_tasks(pairs.size(), options.input.batch, work_on, [&](const Task& task) {
    finish(next, task);
    print_progress(task, next++, pairs.size());
  });
}

// One side of a pair

/// A diagnostic and the file that it is about.
struct FileDiagnostic {
  std::string file;
  Diagnostic diagnostic;
};

/// One side of a pair.
struct Version {
  std::optional<Input> input;  ///< Absent if there are errors or no file.
  Sidecar sidecar;
  std::vector<std::string> files;  ///< That were read.
  std::vector<FileDiagnostic> errors, warnings;
};

Version load_version(const std::string& path, const DiffOptions& options) {
  Version version;
  if (path.empty()) return version;
  const auto note = [&](const std::string& file) { version.files.push_back(file); };
  ImportOptions load = options.input.load;
  load.before_reading = note;
  load.executor = executor();
  auto imported = load_input(path, load);
  if (!imported) {
    version.errors.push_back({path, imported.error()});
    return version;
  }
  if (const auto sidecar = path != "-" ? find_sidecar(path) : std::nullopt) {
    version.files.push_back(*sidecar);
    auto loaded = load_sidecar(path, imported->character, load.follow_links);
    if (loaded) {
      version.sidecar = *std::move(loaded);
    } else {
      version.errors.push_back({*sidecar, loaded.error()});
      return version;
    }
  }
  version.input.emplace(Input{*std::move(imported), {}});
  return version;
}

void decode_version(Version& version, const std::string& path, const DiffOptions& options) {
  if (!version.input) return;
  const Character& character = version.input->character;
  if (!options.input.no_images) {
    auto bitmaps = decode_images(character, options.input.load.limits, executor());
    if (!bitmaps) {
      version.errors.push_back({path, bitmaps.error()});
      version.input.reset();
      return;
    }
    version.input->bitmaps = *std::move(bitmaps);
  }
  for (const Diagnostic& warning : character.warnings()) version.warnings.push_back({path, warning});
}

/// Loads a character for a comparison. Fails with its first error.
Version open_version(const std::string& path, const DiffOptions& options) {
  check_animations(options.input);
  Version version = load_version(path, options);
  decode_version(version, path, options);
  if (!version.errors.empty()) fail(version.errors.front().diagnostic, version.errors.front().file);
  return version;
}

struct ComparedPair {
  Version first{}, second{};
  std::optional<Comparison> comparison{};  ///< Absent if either character is.
};

void compare(ComparedPair& pair, Stage* stage, const DiffOptions& options) {
  if (stage != nullptr) {
    for (const Version* each : {&pair.first, &pair.second}) stage->add(*each->input, options.input.no_images);
  }
  pair.comparison = compare_characters(*pair.first.input, pair.first.sidecar, *pair.second.input, pair.second.sidecar,
                                       stage, options.comparison);
}

ComparedPair compare_files(const std::string& first, const std::string& second, const DiffOptions& options) {
  ComparedPair pair{.first = open_version(first, options), .second = open_version(second, options)};
  for (const Version* each : {&pair.first, &pair.second}) {
    for (const auto& [file, warning] : each->warnings) report(warning, file);
  }
  compare(pair, options.no_pixels ? nullptr : &open_stage(options.comparison.view), options);
  return pair;
}

// Two characters, as text or JSON

/// Draws a row for each clip that looks different, or else for the first clip: both images and their difference.
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

std::string lines_of(const ComparedPair& pair, const DiffOptions& options, std::string_view indent) {
  std::string text;
  for (const std::string& line :
       describe_comparison(*pair.comparison, pair.first.input->character, options.comparison)) {
    text.append(indent).append(line).push_back('\n');
  }
  return text;
}

void diff_files(const DiffOptions& options) {
  const ComparedPair pair = compare_files(options.first, options.second, options);
  const Comparison& comparison = *pair.comparison;
  if (!options.output.empty()) {
    if (comparison.images.empty())
      fail(ExitCode::usage, "pchr: the characters have no clip in common, so there is no image to write");
    InputFiles inputs;
    for (const Version* each : {&pair.first, &pair.second}) {
      for (const std::string& file : each->files) inputs.add(file);
    }
    const auto png = encode_png(draw_rows(comparison.images, options.comparison.view.size), PngCompression::fast);
    write_file(options.output, text_of(png), Existing::replace, inputs);
  }
  if (options.json) {
    JsonWriter json;
    json.begin_object(JsonWriter::lines).fields("version", kJsonVersion);
    append_comparison(json, comparison, pair.first.input->character);
    json.end_object();
    write_stdout(json.text);
  } else {
    print_text(comparison.same ? "The characters are the same.\n" : lines_of(pair, options, ""));
  }
  if (!comparison.same) fail(ExitCode::different);
}

// Folders, as text or JSON

/// How a pair compares, in the order of the summary. `no_characters` are two JSON files that are something else.
enum class PairResult : std::uint8_t { same, different, removed, added, failed, no_characters };
constexpr std::array kResults{"the same", "different", "only in the first", "only in the second", "failed"};

/// Puts the pair's JSON object, or its text, into the current task.
PairResult diff_pair(const CharacterPair& names, const DiffOptions& options) {
  if (names.first.empty()) return PairResult::added;
  if (names.second.empty()) return PairResult::removed;
  const ImportOptions& load = options.input.load;
  const bool are_json = names.first.ends_with(".json") && names.second.ends_with(".json");
  if (are_json && !load_input(names.first, load) && !load_input(names.second, load)) return PairResult::no_characters;
  const ComparedPair pair = compare_files(names.first, names.second, options);
  if (options.json) {
    JsonWriter json;
    json.begin_object(JsonWriter::lines)
        .fields("path", names.name, "firstPath", names.first_name, "secondPath", names.name, "error", nullptr);
    append_comparison(json, *pair.comparison, pair.first.input->character);
    json.end_object();
    current_task().out = std::move(json.text);
  } else if (!pair.comparison->same) {
    current_task().out = fmt::format("{}:\n{}", printable(names.name), lines_of(pair, options, "  "));
  }
  return pair.comparison->same ? PairResult::same : PairResult::different;
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
  check_usage({{!options.output.empty(), "-o needs two characters; for folders, see --html"}});
  const std::vector<CharacterPair> pairs = pair_characters(options.first, options.second, "");
  std::vector<PairResult> results(pairs.size(), PairResult::failed);
  std::array<std::size_t, kResults.size()> counts{};
  ExitCode failure = ExitCode::success;
  std::vector<std::string> entries;
  const auto work = [&](std::size_t number) {
    results[number] = diff_pair(pairs[number], options);
    if (results[number] != PairResult::same && results[number] != PairResult::no_characters) fail(ExitCode::different);
  };
  const auto finish = [&](std::size_t number, const Task& task) {
    for (const Message& message : task.messages) print_message(message);
    const PairResult result = results[number];
    if (result == PairResult::no_characters) return;
    ++counts[static_cast<std::size_t>(result)];
    if (result == PairResult::failed && failure == ExitCode::success) failure = task.exit_code;
    if (options.json) {
      entries.push_back(task.out.empty() ? describe_alone(pairs[number], task) : task.out);
    } else if (result == PairResult::removed || result == PairResult::added) {
      print_text(fmt::format("{}: {}\n", printable(pairs[number].name), kResults[static_cast<std::size_t>(result)]));
    } else {
      print_text(task.out);
    }
  };
  run_on_pairs(pairs, options, work, finish);
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

// A page

/// Whether both versions were read from the same bytes under the same names.
bool have_same_files(const Version& first, const Version& second, const CharacterPair& pair, const Limits& limits) {
  const auto name_of_file = [](const std::string& character, const std::string& file) {
    return path_from(normal_path(folder_of(character)), normal_path(file));
  };
  return std::ranges::equal(first.files, second.files, [&](const std::string& one, const std::string& other) {
    if (name_of_file(pair.first, one) != name_of_file(pair.second, other)) return false;
    const auto bytes = read_file(one, limits.max_file_bytes), others = read_file(other, limits.max_file_bytes);
    return bytes.has_value() == others.has_value() && (!bytes || std::ranges::equal(bytes->bytes(), others->bytes()));
  });
}

/// Removes the warnings that the first version has as well.
void remove_known(std::vector<FileDiagnostic>& warnings, const std::vector<FileDiagnostic>& known) {
  const auto is_known = [&](const FileDiagnostic& warning) {
    const Diagnostic& one = warning.diagnostic;
    return std::ranges::any_of(known, [&](const FileDiagnostic& other) {
      const Diagnostic& two = other.diagnostic;
      return one.id == two.id && one.path == two.path && one.detail == two.detail;
    });
  };
  std::erase_if(warnings, is_known);
}

/// A pair, as the page shows it.
struct ReportedPair : ComparedPair {
  ReportCard card{};
  std::string html{}, json{};
};

/// Writes an image of the page, and returns its name in it.
std::string add_file(ReportedPair& report, std::string_view bytes, std::string_view suffix, const PageFolder& folder) {
  std::string name =
      fmt::format("{}/{}_{}_{}", kPageImages, report.card.number, report.card.previews.size() + 1, suffix);
  const std::string path = folder.draft(name);
  write_files(std::array{OutputFile{path, bytes}}, Existing::keep, {});
  current_task().written.clear();
  return name;
}

std::string add_image(ReportedPair& report, Bitmap image, std::string_view what, const PageFolder& folder) {
  unpremultiply(image);
  return add_file(report, text_of(encode_png(image)), fmt::format("{}.png", what), folder);
}

/// Returns a WebP animation of a clip of both characters side by side, with the times of the second.
std::string animate_clip(const ClipImage& clip, const ReportedPair& report, Stage& stage, FrameSize size) {
  constexpr std::size_t kMaxFrames = 240;
  const Clip& first = report.first.input->character.clips()[clip.clip];
  FramePlan plan = or_fail(plan_animation(report.second.input->character, clip.other, {}, 1));
  if (plan.times.size() > kMaxFrames) {
    plan.times.resize(kMaxFrames);
    plan.frame_ends.resize(kMaxFrames);
  }
  std::array cameras{clip.camera, clip.camera};
  const float half = static_cast<float>(size.width) / 2 / clip.camera.zoom;
  cameras[0].center.x += half;
  cameras[1].center.x -= half;
  for (Camera& camera : cameras) camera.viewport.x *= 2;
  PoseBuffers posed;
  const auto draw = [&](std::size_t, std::uint32_t frame) {
    const ClipTime time = plan.times[frame];
    const std::uint32_t in_first = std::min(time.frame, first.frame_count - 1);
    draw_frame(stage.renderer(), stage.model(0), {clip.clip, {in_first, in_first, 0}, cameras[0]}, posed);
    draw_frame(stage.renderer(), stage.model(1), {clip.other, time, cameras[1]}, posed);
  };
  std::string bytes;
  const auto write = [&](const std::string&, std::span<const std::byte> part, bool) -> ExportResult<void> {
    bytes += text_of(part);
    return {};
  };
  ExportedAnimation animation = make_animation(plan, {size.width * 2, size.height}, clip.camera);
  animation.paths = {"clip.webp"};
  run_job(or_fail(ExportJob::create(
      stage.renderer(), stage.model(), {animation},
      {.encoder = {.format = AnimationFormat::webp}, .draw = draw, .write = write, .threads = executor().threads})));
  return bytes;
}

void add_comparison(ReportedPair& report, Stage& stage, const DiffOptions& options, const PageFolder& folder) {
  constexpr std::size_t kMaxPreviews = 4;
  const Comparison& comparison = *report.comparison;
  const Character& first = report.first.input->character;
  std::vector<const ClipImage*> shown_images;
  for (const ClipImage& image : comparison.images) {
    if (image.difference.score > options.comparison.threshold) shown_images.push_back(&image);
    report.card.score = std::max(report.card.score, image.difference.score);
  }
  std::ranges::stable_sort(shown_images, std::greater(), [](const ClipImage* each) { return each->difference.score; });
  shown_images.resize(std::min(shown_images.size(), kMaxPreviews));
  for (const ClipImage* each : shown_images) {
    const std::string& name = first.clips()[each->clip].name;
    Preview preview{.clip = name, .frame = each->frame};
    preview.before = add_image(report, each->first, "before", folder);
    preview.after = add_image(report, each->second, "after", folder);
    preview.difference = add_image(report, draw_difference(each->first, each->second), "difference", folder);
    preview.caption = fmt::format("clip {}, frame {}: score {:.4f}", shown(name), each->frame, each->difference.score);
    if (options.animate) {
      preview.animation =
          add_file(report, animate_clip(*each, report, stage, options.comparison.view.size), "clip.webp", folder);
    }
    report.card.previews.push_back(std::move(preview));
  }
  for (std::string& line : describe_comparison(comparison, first, options.comparison)) {
    for (const auto& [suffix, word] :
         {std::pair(": only in the first", "removed"), std::pair(": only in the second", "added")}) {
      if (line.ends_with(suffix)) line.replace(line.size() - std::strlen(suffix) + 2, std::string::npos, word);
    }
    report.card.changes.push_back(std::move(line));
  }
}

/// Draws the first frame of the first clip that moves.
void add_single_preview(ReportedPair& report, const Input& input, bool is_after, Stage& stage,
                        const DiffOptions& options, const PageFolder& folder) {
  const Character& character = input.character;
  ClipId shown_clip = ClipId::none;
  for (const ClipId clip : character.clips().ids()) {
    if (character.clips()[clip].frame_count == 0 || is_bind_pose_clip(character, clip)) continue;
    shown_clip = clip;
    break;
  }
  const Rect reach = shown_clip != ClipId::none ? compute_clip_bounds(character, shown_clip, executor())
                                                : bounds(character, pose_at(character, shown_clip, {}));
  const ViewOptions& view = options.comparison.view;
  Bitmap image = stage.draw({shown_clip, {}, frame_camera(view, view.size, reach)}, view.size, view);
  Preview preview;
  if (shown_clip != ClipId::none) preview.clip = character.clips()[shown_clip].name;
  preview.caption = shown_clip != ClipId::none ? fmt::format("clip {}, frame 0", shown(preview.clip)) : "bind pose";
  (is_after ? preview.after : preview.before) =
      add_image(report, std::move(image), is_after ? "after" : "before", folder);
  report.card.previews.push_back(std::move(preview));
}

CharacterState state_of(const CharacterPair& pair, const Version& first, const Version& second) {
  const bool is_json = extension_of(pair.name) == ".json";
  if (is_json && !first.input && !second.input) return CharacterState::skipped;
  if (pair.second.empty()) return CharacterState::removed;
  if (!second.input) return CharacterState::broken;
  return pair.first.empty() ? CharacterState::added : CharacterState::changed;
}

void add_errors(ReportCard& card, const std::vector<FileDiagnostic>& errors, std::string_view prefix) {
  for (const auto& [file, error] : errors) {
    card.errors.push_back(std::string(prefix) + describe_in(std::string(file_name_of(file)), error, Hint::shown));
  }
}

/// Compares a pair and writes its images.
void report_pair(const CharacterPair& pair, ReportedPair& report, const DiffOptions& options,
                 const PageFolder& folder) {
  ReportCard& card = report.card;
  Version &first = report.first, &second = report.second;
  first = load_version(pair.first, options);
  second = load_version(pair.second, options);
  if (first.input && second.input && have_same_files(first, second, pair, options.input.load.limits)) return;
  for (const auto& [version, path] : {std::pair(&first, &pair.first), std::pair(&second, &pair.second)}) {
    decode_version(*version, *path, options);
    if (!version->input) continue;
    for (const Diagnostic& warning : validate(*version->input)) version->warnings.push_back({*path, warning});
  }
  card.state = state_of(pair, first, second);
  remove_known(second.warnings, first.warnings);
  if (card.state == CharacterState::skipped) return;

  if (pair.first != "" && pair.second != "" && pair.first_name != pair.name) {
    card.changes.push_back("was " + printable(pair.first_name));
  }
  if (!pair.second.empty()) add_errors(card, first.errors, "before: ");
  add_errors(card, second.errors, "");
  for (const auto& [file, warning] : second.warnings) {
    card.warnings.push_back(fmt::format("{}: {}", code(warning.id), describe(warning)));
  }
  if (!first.input && !second.input) return;

  Stage& stage = open_stage(options.comparison.view);
  if (first.input && second.input) {
    compare(report, &stage, options);
    if (report.comparison->same && second.warnings.empty() && card.changes.empty())
      card.state = CharacterState::unchanged;
    add_comparison(report, stage, options, folder);
  } else {
    if (card.state == CharacterState::changed) card.score = 1;
    const Input& single = second.input ? *second.input : *first.input;
    stage.add(single, options.input.no_images);
    add_single_preview(report, single, second.input.has_value(), stage, options, folder);
  }
}

/// `failure` is what kept the tool from looking at the pair.
std::string json_of(const ReportedPair& report, const CharacterPair& pair, const std::string& failure = "") {
  JsonWriter json;
  json.begin_object(JsonWriter::lines)
      .fields("path", pair.name, "oldPath", if_any(pair.first_name), "state", name_of(report.card.state), "score",
              report.card.score, "failure", if_any(failure));
  if (report.comparison) {
    append_comparison(json, *report.comparison, report.first.input->character);
  } else {
    append_comparison(json, report.card.state == CharacterState::unchanged);
  }
  const auto list = [&](const char* name, const std::vector<FileDiagnostic>& diagnostics) {
    json.list(name, diagnostics, [&](const FileDiagnostic& each) {
      json.object("file", each.file, "diagnostic", [&] { append_diagnostic(json, each.diagnostic); });
    });
  };
  list("oldErrors", report.first.errors);
  list("newErrors", report.second.errors);
  list("newWarnings", report.second.warnings);
  json.list("previews", report.card.previews, [&](const Preview& preview) {
    json.object("clip", if_any(preview.clip), "frame", preview.frame, "before", if_any(preview.before), "after",
                if_any(preview.after), "difference", if_any(preview.difference), "animation",
                if_any(preview.animation));
  });
  json.end_object();
  return std::move(json.text);
}

/// Returns the sections of the page, in which the largest score comes first.
std::vector<ReportSection> sections_of(std::span<const ReportedPair> reports) {
  std::vector<const ReportedPair*> sorted;
  for (const ReportedPair& report : reports) sorted.push_back(&report);
  std::ranges::stable_sort(sorted, std::greater(), [](const ReportedPair* report) { return report->card.score; });
  std::vector<ReportSection> sections(kCharacterStates);
  for (const ReportedPair* report : sorted) {
    ReportSection& section = sections[static_cast<std::size_t>(report->card.state)];
    ++section.count;
    section.html += report->html;
  }
  return sections;
}

std::string data_json(const DiffOptions& options, const std::vector<ReportSection>& sections,
                      std::span<const ReportedPair> reports) {
  JsonWriter json;
  json.begin_object(JsonWriter::lines)
      .fields("version", kJsonVersion, "tool", "pchr " PCHR_VERSION, "old", options.first, "new", options.second);
  json.key("counts").begin_object();
  for (std::size_t i = 0; i < kCharacterStates; ++i) {
    json.fields(name_of(CharacterState{static_cast<std::uint8_t>(i)}), sections[i].count);
  }
  json.end_object();
  json.list("characters", reports, [&](const ReportedPair& report) { json.document(report.json); }).end_object();
  return std::move(json.text);
}

std::string summary(const std::vector<ReportSection>& sections) {
  std::size_t total = 0;
  std::string parts;
  for (std::size_t i = 0; i < kCharacterStates; ++i) {
    const CharacterState state{static_cast<std::uint8_t>(i)};
    if (state == CharacterState::skipped || sections[i].count == 0) continue;
    total += sections[i].count;
    parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", grouped(sections[i].count), name_of(state));
  }
  return counted(total, "character") + parts;
}

void write_page(const DiffOptions& options) {
  check_usage({{options.first == "-" || options.second == "-", "a page cannot be about standard input"}});
  std::vector<CharacterPair> pairs;
  if (are_folders(options.first, options.second)) {
    pairs = pair_characters(options.first, options.second, options.page);
  } else {
    pairs.push_back({1, std::string(file_name_of(options.second)), std::string(file_name_of(options.first)),
                     options.first, options.second});
  }
  PageFolder folder(options.page);
  std::vector<ReportedPair> reports(pairs.size());
  const auto work = [&](std::size_t number) {
    ReportedPair& report = reports[number];
    report.card = {.name = printable(pairs[number].name), .number = pairs[number].number};
    report_pair(pairs[number], report, options, folder);
    report.html = card_html(report.card);
    report.json = json_of(report, pairs[number]);
    // The characters take more memory than the page.
    static_cast<ComparedPair&>(report) = {};
  };
  const auto finish = [&](std::size_t number, const Task& task) {
    for (const Message& message : task.messages) print_message(message);
    if (task.exit_code == ExitCode::success) return;
    // The disk, memory or OpenGL: a page without the character would be wrong, and replace one that is not.
    if (task.exit_code == ExitCode::environment) fail(task.exit_code);
    ReportedPair& report = reports[number] = {};
    report.card = {
        .name = printable(pairs[number].name), .number = pairs[number].number, .state = CharacterState::broken};
    for (const Message& message : task.messages) report.card.errors.push_back(message.text);
    report.html = card_html(report.card);
    report.json = json_of(report, pairs[number], fmt::format("{}", fmt::join(report.card.errors, "\n")));
  };
  run_on_pairs(pairs, options, work, finish);

  const std::vector<ReportSection> sections = sections_of(reports);
  const std::string page = page_html(options.first, options.second, sections);
  const std::string data = data_json(options, sections, reports);
  const std::string page_path = folder.draft(kPageFile), data_path = folder.draft(kPageData);
  write_files(std::array{OutputFile{data_path, data}, OutputFile{page_path, page}}, Existing::keep, {});
  folder.publish();
  if (!is_quiet()) {
    print_text(fmt::format("{}; see {}\n", summary(sections), path_in(options.page, kPageFile)));
  }
  const auto count_of = [&](CharacterState state) { return sections[static_cast<std::size_t>(state)].count; };
  const std::size_t same = count_of(CharacterState::unchanged) + count_of(CharacterState::skipped);
  if (same < reports.size()) fail(ExitCode::different);
}

void run_diff(const DiffOptions& options) {
  if (!options.page.empty()) return write_page(options);
  const auto is_folder = [](const std::string& path) {
    const FileKind kind = find_kind(path);
    return kind == FileKind::folder || kind == FileKind::link_to_folder;
  };
  check_usage({{options.first == "-" && options.second == "-",
                "only one of the two characters can be read from standard input"},
               {!options.output.empty() && animation_format_of(options.output) != AnimationFormat::png,
                "the name of the image must end in .png"}});
  const bool any_folder = is_folder(options.first) || is_folder(options.second);
  any_folder&& are_folders(options.first, options.second) ? diff_folders(options) : diff_files(options);
}

constexpr char kDiffDetails[] =
    R"(Parts are matched by name; parts with equal names are matched in order. The rest are matched by index and reported as
renamed. There are three kinds of differences:
  structure  contents of the files, their markers, rigs and state machines,
             except bone positions: names, parents, vertices, triangles,
             weights, durations, loops, draw order, visibility, opacity,
             images, title and flags. The format, the compression of images
             and the location of clips do not count
  poses      for the bind pose and each clip, the largest distance in world
             pixels between corresponding bones, measured at the origin and
             100 pixels along each axis, so that rotation counts too
  images     for each clip, the difference of both characters drawn by the
             same camera at 256x256 pixels

In two folders, characters with the same path are compared, and so are two that differ only in their extension
(.pchr, .json, .skel, .chp, .px, .aseprite, .ase, .psk, .pskx). Hidden files are left out, and so are JSON files that are no characters in either
folder.

With --html, the result is a folder with a page, index.html, that needs neither a server nor scripts, its images, and
report.json with the same for programs. The page shows each character that is
  broken     the second cannot be read; with the error
  changed    with images before and after and their difference, for the four
             clips that changed most, all differences, and new warnings of
             validate; the largest score comes first
  added, removed
             with one image
The folder must not exist, be empty or have nothing but an earlier page, which is replaced when the new one is complete.
If OpenGL, memory or the disk fails, an earlier page stays as it was, and the exit code is 3.

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
  pchr diff release/ work/
  git worktree add ../before main && pchr diff ../before/cast cast --html report)";

}  // namespace

void add_diff(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<DiffOptions>(app, "diff", "Show the differences between two characters or folders", run_diff);
  BatchOptions& batch = options.input.batch;
  batch.keep_going = true;
  options.comparison.view.size = {256, 256};
  add_option(command, "FIRST", options.first, "", "First character or folder; - is standard input")->required();
  add_option(command, "SECOND", options.second, "", "Second character or folder; - is standard input")->required();
  begin_group(command, "Report");
  CLI::Option* output = add_option(command, "-o,--output", options.output, "FILE",
                                   "Write a PNG with the first image, the second image and their difference per row");
  CLI::Option* page = add_option(command, "--html", options.page, "DIR", "Write a page with images to this folder");
  command.add_flag("--animate", options.animate, "Also show clips that changed as animations on the page")->needs(page);
  CLI::Option* json = command.add_flag("--json", options.json, "Print JSON");
  add_comparison_options(command, options.comparison);
  const auto set_size = [&options](std::uint32_t size) { options.comparison.view.size = {size, size}; };
  command.add_option_function<std::uint32_t>("--size", set_size, "Width and height of images (default: 256)")
      ->option_text("N")
      ->check(check_range(16, 2048));
  CLI::Option* no_pixels =
      command.add_flag("--no-pixels", options.no_pixels, "Do not compare images, which needs OpenGL");
  no_pixels->excludes(output)->excludes(page);
  page->excludes(output)->excludes(json);
  add_gl_option(command, options.comparison.view);
  add_jobs_option(command, batch, "characters to compare");
  add_log_options(command);
  add_load_options(command, options.input);
  set_manual(command, std::string(kDiffDetails) + kScoreMeaning + kDiffJson, kDiffExamples);
}

}  // namespace pchr::tools

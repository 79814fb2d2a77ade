// SPDX-License-Identifier: MIT
#include "report_pair.hpp"

#include "json.hpp"
#include "packed_texts.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"
#include "report_folder.hpp"

#include <pchr/queries.hpp>

#include <array>
#include <cstring>

namespace pchr::tools {
namespace {

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

Version load_version(const std::string& path, const ReportOptions& options) {
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
  if (const auto sidecar = find_sidecar(path)) {
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

void decode_version(Version& version, const std::string& path, const ReportOptions& options) {
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
  for (const Diagnostic& warning : validate(*version.input)) version.warnings.push_back({path, warning});
}

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

/// A pair, how it differs, and the files about it.
struct ComparedPair {
  ReportCard card{};
  Version first{}, second{};
  std::optional<Comparison> comparison{};
  std::vector<std::string> files{};  ///< Names of images, each followed by its bytes.
};

/// Returns the name of the new file.
std::string add_file(ComparedPair& report, std::string bytes, std::string_view suffix) {
  std::string name =
      fmt::format("{}/{}_{}_{}", kReportImages, report.card.number, report.card.previews.size() + 1, suffix);
  report.files.push_back(name);
  report.files.push_back(std::move(bytes));
  return name;
}

std::string add_image(ComparedPair& report, Bitmap image, std::string_view what) {
  unpremultiply(image);
  return add_file(report, std::string(text_of(encode_png(image))), fmt::format("{}.png", what));
}

/// Returns a WebP animation of a clip of both characters side by side, with the times of the second.
std::string animate_clip(const ClipImage& clip, const ComparedPair& report, Stage& stage, FrameSize size) {
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
      stage.renderer(), stage.model(), stage.get_proc_address(), {animation},
      {.encoder = {.format = AnimationFormat::webp}, .draw = draw, .write = write, .threads = executor().threads})));
  return bytes;
}

void add_comparison(ComparedPair& report, Stage& stage, const ReportOptions& options) {
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
    preview.before = add_image(report, each->first, "before");
    preview.after = add_image(report, each->second, "after");
    preview.difference = add_image(report, draw_difference(each->first, each->second), "difference");
    preview.caption = fmt::format("clip {}, frame {}: score {:.4f}", shown(name), each->frame, each->difference.score);
    if (options.animate) {
      preview.animation =
          add_file(report, animate_clip(*each, report, stage, options.comparison.view.size), "clip.webp");
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
void add_single_preview(ComparedPair& report, const Input& input, bool is_after, Stage& stage,
                        const ReportOptions& options) {
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
  (is_after ? preview.after : preview.before) = add_image(report, std::move(image), is_after ? "after" : "before");
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

ComparedPair compare_pair(const CharacterPair& pair, const ReportOptions& options) {
  ComparedPair report{.card = {.name = printable(pair.name), .number = pair.number}};
  auto& [card, first, second, comparison, files] = report;
  first = load_version(pair.first, options);
  second = load_version(pair.second, options);
  if (first.input && second.input && have_same_files(first, second, pair, options.input.load.limits)) return report;
  decode_version(first, pair.first, options);
  decode_version(second, pair.second, options);
  card.state = state_of(pair, first, second);
  remove_known(second.warnings, first.warnings);
  if (card.state == CharacterState::skipped) return report;

  if (pair.first != "" && pair.second != "" && pair.first_name != pair.name) {
    card.changes.push_back("was " + printable(pair.first_name));
  }
  if (!pair.second.empty()) add_errors(card, first.errors, "before: ");
  add_errors(card, second.errors, "");
  for (const auto& [file, warning] : second.warnings) {
    card.warnings.push_back(fmt::format("{}: {}", code(warning.id), describe(warning)));
  }
  if (!first.input && !second.input) return report;

  Stage& stage = open_stage(options.comparison.view);
  for (const Version* each : {&first, &second}) {
    if (each->input) stage.add(*each->input, options.input.no_images);
  }
  if (first.input && second.input) {
    comparison =
        compare_characters(*first.input, first.sidecar, *second.input, second.sidecar, &stage, options.comparison);
    if (comparison->same && second.warnings.empty() && card.changes.empty()) card.state = CharacterState::unchanged;
    add_comparison(report, stage, options);
  } else {
    if (card.state == CharacterState::changed) card.score = 1;
    add_single_preview(report, second.input ? *second.input : *first.input, second.input.has_value(), stage, options);
  }
  return report;
}

/// `failure` is what kept the tool from looking at the pair.
std::string json_of(const ComparedPair& report, const CharacterPair& pair, const std::string& failure = "") {
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

}  // namespace

std::string report_on(const CharacterPair& pair, const ReportOptions& options) {
  const ComparedPair report = compare_pair(pair, options);
  std::vector<std::string> parts{std::string(name_of(report.card.state)), fmt::format("{}", report.card.score),
                                 card_html(report.card), json_of(report, pair)};
  parts.insert(parts.end(), report.files.begin(), report.files.end());
  return pack_texts(parts);
}

std::optional<PairReport> unpack_report(const std::string& packed) {
  std::vector<std::string> parts = unpack_texts(packed);
  constexpr std::size_t kFixed = 4;
  if (parts.size() < kFixed || parts.size() % 2 != 0) return std::nullopt;
  PairReport report;
  for (std::size_t i = 0; i < kCharacterStates; ++i) {
    if (name_of(CharacterState{static_cast<std::uint8_t>(i)}) == parts[0]) report.state = CharacterState(i);
  }
  report.score = std::strtod(parts[1].c_str(), nullptr);
  report.html = std::move(parts[2]);
  report.json = std::move(parts[3]);
  report.files.assign(std::make_move_iterator(parts.begin() + kFixed), std::make_move_iterator(parts.end()));
  return report;
}

PairReport describe_failure(const Task& task, const CharacterPair& pair) {
  ComparedPair report{.card = {.name = printable(pair.name), .number = pair.number, .state = CharacterState::broken}};
  for (const Message& message : task.messages) report.card.errors.push_back(message.text);
  const std::string failure = fmt::format("{}", fmt::join(report.card.errors, "\n"));
  return {report.card.state, 0, card_html(report.card), json_of(report, pair, failure), {}};
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// pchr sheet: packs the frames of clips into an image, for engines without this runtime.
#include "commands/commands.hpp"
#include "drawing.hpp"
#include "options.hpp"

#include <pchr/export/sheet.hpp>

namespace pchr::tools {
namespace {

struct SheetCommandOptions {
  InputOptions input;
  std::vector<std::string> clips;
  PlanOptions plan;
  PixelBudget budget;
  ViewOptions view;
  std::vector<float> pivot{0, 0};  ///< World pixels.
  std::string output;
  std::string name_format;  ///< Empty for the names that suit the engine.
  SheetOptions sheet;
};

/// A character on the sheet.
struct Actor {
  SheetCharacter character;
  std::vector<SheetSource> clips;
  std::vector<FramePlan> plans;  ///< One for each clip.
};

// Fails before anything is drawn if a frame does not fit on a page.
void check_plan(const Character& character, std::optional<Rigged>& rigged, const FramePlan& plan,
                const std::string& name, const Camera& camera, FrameSize canvas, const SheetOptions& sheet) {
  std::uint32_t next = 0;
  if (rigged) rigged->begin(plan);
  const auto bounds_at = [&](ClipTime time) {
    return bounds(character, rigged ? rigged->pose(next++) : pose_at(character, plan.clip, time));
  };
  auto checked = check_frames(plan, name, camera, canvas, sheet, bounds_at);
  if (checked) return;
  checked.error().message += "\n  hint: use a smaller --scale or a larger --max-size";
  fail(checked.error());
}

std::vector<std::string> name_frames(const std::string& format, NameParts parts, const FramePlan& plan) {
  std::vector<std::string> names;
  if (format.empty()) return names;
  for (std::size_t i = 0; i < plan.times.size(); ++i) {
    parts.frame = plan.first_frame + i;
    names.push_back(fill_name(format, parts, "--name-format"));
  }
  return names;
}

Actor plan_actor(const Imported& imported, std::optional<Rigged>& rigged, const std::string& file,
                 SheetCommandOptions& options) {
  const Character& character = imported.character;
  const std::optional<Artwork>& artwork = imported.artwork;
  // All frames share one canvas, so the pivot is the same point in each.
  const std::vector<ClipId> clips = find_clips_or_all(character, options.clips, file);
  if (clips.empty()) fail(Diagnostic{DiagnosticId::no_clips, {}, {}, {}, "the character has no clips"}, file);
  const auto bounds_of = [&](ClipId clip, ClipTime /*time*/) {
    // Like Aseprite's, the canvas is that of the artwork: trimmed frames take no more room, and slices are on it.
    Rect seen = artwork ? canvas_of(*artwork) : Rect();
    if (clip == ClipId::none) return seen;
    if (!rigged) {
      seen.include(compute_clip_bounds(character, clip, executor()));
      return seen;
    }
    FramePlan plan = or_fail(plan_animation(character, clip, options.plan, 1));
    options.budget.check(plan.times.size(), options.view);
    seen.include(rigged->bounds_of(std::move(plan)));
    return seen;
  };
  const std::vector<ExportPlan> plans = or_fail(plan_export(character, {.clips = clips,
                                                                        .frames = options.plan,
                                                                        .framing = options.view,
                                                                        .fit = ExportRequest::Fit::all,
                                                                        .bounds = bounds_of}));
  const FrameSize canvas = plans.front().size;
  const Camera& camera = plans.front().cameras.front();
  const Vec2 pivot = apply(world_to_viewport(camera), {options.pivot[0], options.pivot[1]});
  for (const ExportPlan& plan : plans) options.budget.take(plan.frames.times.size(), canvas);

  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) names.push_back(clip.name);
  const std::vector<std::string> distinct = unique_names(names, " (", ")");
  Actor actor{{input_stem(file), canvas, pivot.x, pivot.y}, {}, {}};
  if (artwork && options.sheet.format == SheetOptions::Format::aseprite) {
    keep_artwork(actor.character, *artwork, camera);
  } else if (artwork && !artwork->slices.empty()) {
    report_note(file, fmt::format("{}: {} of the artwork are left out; only --format aseprite keeps them",
                                  printable(input_name(file)), counted(artwork->slices.size(), "slice")));
  }
  for (const ExportPlan& plan : plans) {
    const ClipId clip = plan.frames.clip;
    const bool is_bind = clip == ClipId::none;
    const std::string name = is_bind ? "bind" : names[index(clip)];
    check_plan(character, rigged, plan.frames, name, camera, canvas, options.sheet);
    const NameParts parts{.file = actor.character.name,
                          .clip = is_bind ? name : distinct[index(clip)],
                          .index = is_bind ? 0 : index(clip)};
    actor.clips.push_back({name, !is_bind && character.clips()[clip].looping, make_animation(plan),
                           name_frames(options.name_format, parts, plan.frames),
                           artwork ? artwork_frames(*artwork, plan.frames) : std::vector<std::uint32_t>()});
    actor.plans.push_back(plan.frames);
  }
  return actor;
}

// Joins and splits the names of the characters on one sheet, which are one input.
constexpr char kBetweenNames = '\0';

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> files;
  for (std::size_t end = 0; (end = names.find(kBetweenNames)) != std::string_view::npos;) {
    files.emplace_back(names.substr(0, end));
    names.remove_prefix(end + 1);
  }
  files.emplace_back(names);
  return files;
}

void run_sheet(SheetCommandOptions options) {
  const std::vector<std::string> files = split_names(options.input.file);
  current_task().input = fmt::format("{}", fmt::join(files, ", "));
  SheetOptions& sheet = options.sheet;
  sheet.path = fill_name(options.output, parts_of_input(files.front()));
  SheetFrames frames;
  std::string summary;
  const auto add_files = [&](const SheetFiles& written) {
    for (const SheetPage& page : written.pages) {
      const auto count = static_cast<std::uint32_t>(page.frames);
      current_task().written.push_back({page.path, page.size.width, page.size.height, count});
      summary += fmt::format("{}: {} x {}, {} frames in {} places\n", printable(page.path), page.size.width,
                             page.size.height, page.frames, page.places);
    }
    for (const std::string& path : written.descriptions) current_task().written.push_back({.path = path});
  };
  for (const std::string& file : files) {
    options.input.file = file;
    const InputFiles& inputs = *options.input.read;
    Stage* stage = nullptr;
    const auto open = [&] {
      Input input = open_input(
          options.input, [&] { stage = &open_stage(options.view); },
          [&](const Character& character) { (void)find_clips(character, options.clips); });
      print_warnings(input, options.input);
      std::optional<Rigged> rigged = open_rigged(input, options.input);
      or_fail(inputs.check_output(sheet.path));
      or_fail(inputs.check_output(sheet_file_path(sheet)));
      Actor actor = plan_actor(input, rigged, file, options);
      return std::tuple(std::move(input), std::move(rigged), std::move(actor));
    };
    auto [input, rigged, actor] = files.size() > 1 ? run_on(file, open) : open();
    stage->add(input, options.input.no_images);
    const auto pose = [&, &plans = actor.plans](std::size_t clip, std::uint32_t frame, PoseBuffers& posed) {
      if (frame == 0) rigged->begin(plans[clip]);
      posed = rigged->pose(frame);
    };
    ExportJobOptions job{.inputs = inputs, .existing = Existing::replace, .threads = executor().threads};
    if (rigged) job.pose = pose;
    const bool is_last = &file == &files.back();
    if (is_last) create_folder_of(sheet.path);
    run_job(or_fail(is_last ? create_sheet_job(stage->renderer(), stage->model(), std::move(actor.character),
                                               std::move(actor.clips), sheet, job, add_files, frames)
                            : create_frames_job(stage->renderer(), stage->model(), std::move(actor.character),
                                                std::move(actor.clips), sheet, job, frames)),
            options.input.batch.max_output);
  }
  print_text(summary);
}

// Several characters go on one sheet, unless its name depends on them.
void run_sheets(SheetCommandOptions options) {
  const SheetOptions& sheet = options.sheet;
  check_usage({{animation_format_of(options.output) != AnimationFormat::png, "the name of the sheet must end in .png"},
               {sheet.layout == SheetOptions::Layout::array && sheet.format != SheetOptions::Format::aseprite,
                "--layout array needs --format aseprite"},
               {sheet.premultiply && sheet.format == SheetOptions::Format::phaser,
                "--premultiply cannot be used with --format phaser: Phaser multiplies colors by alpha itself"}});
  BatchOptions& batch = options.input.batch;
  if (!batch.is_single() && !fills_input_name(options.output)) {
    batch.files = list_inputs(batch);
    check_usage({{batch.files.empty() && !batch.files_from.empty(), "the list names no characters"}});
    batch.files_from.clear();
    const bool share = batch.files.size() > 1;
    check_usage({{share && std::ranges::count(batch.files, "-") > 0, "standard input can only be a single file"},
                 {share && batch.shard.count > 1,
                  "characters that share a sheet cannot be divided among shards\n"
                  "  hint: use {file} in the output name for a sheet of each"}});
    if (!batch.files.empty())
      batch.files = {fmt::format("{}", fmt::join(batch.files, std::string_view(&kBetweenNames, 1)))};
  }
  run_all(options, run_sheet, options.output);
}

void add_page_options(CLI::App& command, SheetOptions& options) {
  begin_group(command, "Pages");
  add_option(command, "--max-size", options.max_side, "N",
             "Max width and height of a page in pixels (default: 4096, which every engine supports)",
             check_range(1, kMaxFrameSide));
  command.add_flag("--power-of-two", options.power_of_two, "Round page sizes up to powers of two");
  add_option(command, "--padding", options.padding, "N", "Pixels between frames (default: 2)", check_range(0, 64));
  add_option(command, "--extrude", options.extrude, "N", "Repeat the edge pixels of each frame N times (default: 0)",
             check_range(0, 64));
  CLI::Option* bleed =
      add_option(command, "--bleed", options.bleed, "N",
                 "Extend colors N pixels below transparent ones, so that filtering draws no dark edges "
                 "(default: 2)",
                 check_range(0, 64));
  command.add_flag("--premultiply", options.premultiply, "Store colors premultiplied by alpha")->excludes(bleed);
  const auto clear = [](bool& option) { return [&option] { option = false; }; };
  command.add_flag_callback("--no-trim", clear(options.trim), "Keep the transparent border of frames");
  command.add_flag_callback("--no-share", clear(options.share), "Store identical frames separately");
  command.add_flag("--whole-clips", options.whole_clips,
                   "Keep the frames of a clip on one page, as is always done for Aseprite and PixiJS");
  using enum SheetOptions::Layout;
  add_choice<SheetOptions::Layout>(command, "--layout", options.layout, {{"hash", hash}, {"array", array}},
                                   "Store frames in Aseprite's JSON as an object or an array (default: hash)");
}

constexpr char kSheetDetails[] =
    R"(Draws all clips, except one that only holds the bind pose, on one canvas that fits them all, and trims the transparent
border of each frame. The canvas of an artwork is its own. The pivot is the same point in every frame.

The files next to the PNG have the positions, sizes, durations and pivots of the frames, and the clips:
  aseprite  .json of each page, in Aseprite's layout, which many engines import:
            durations in milliseconds, a tag for each clip, the layers and slices
            of an artwork, and the pivot as a slice and in each frame, in
            fractions of the canvas from the top left
  phaser    .json: a multi-atlas of Phaser, and its animations
  pixi      .json of each page, for PixiJS
  godot     .tres: a SpriteFrames resource of Godot 4
  unity     .png.meta of each page: import settings; .json with durations

Several characters go on one sheet, each with its own canvas and pivot, and with its name before those of its clips. If
the output's name has {file} or {folder}, each character gets a sheet of its own.

Frames that do not fit on a page continue on sheet-1.png, and so on. Aseprite and PixiJS need whole clips: there, a clip
is only divided if it is too large for one page. In Aseprite's layout, frames are named after their number on the page,
because Phaser looks them up that way; in the others, after the clip and their number in it.)";

constexpr char kSheetExamples[] = R"(  pchr sheet hero.pchr -o hero.png
  pchr sheet hero.pchr --clip walk --clip jump --scale 0.5 -o hero.png
  pchr sheet hero.pchr --format godot -o hero.png
  pchr sheet hero.pchr villain.pchr --format phaser -o cast.png
  pchr sheet hero.pchr --name-format '{clip}_{frame:03}' -o hero.png
  pchr sheet hero.pchr --fps 12 --layout array --extrude 1 -o hero.png)";

}  // namespace

void add_sheet(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<SheetCommandOptions>(app, "sheet", "Pack frames into a sprite sheet for game engines", run_sheets);
  options.view.scale = 1;
  options.view.margin = 0;
  begin_group(command, "Output");
  add_option(
      command, "-o,--output", options.output, "FILE",
      "PNG file to write; the files that describe it have the same name (required); {folder} and {file} are replaced")
      ->required();
  using enum SheetOptions::Format;
  add_choice<SheetOptions::Format>(
      command, "--format", options.sheet.format,
      {{"aseprite", aseprite}, {"phaser", phaser}, {"pixi", pixi}, {"godot", godot}, {"unity", unity}},
      "Write files that describe the sheet to this program or engine (default: aseprite)");
  add_option(command, "--name-format", options.name_format, "PATTERN",
             "Names of frames: {file}, {clip}, {index} (of the clip) and {frame:04} are replaced (default: names that "
             "suit the engine)");
  add_effort_option(command, options.sheet.compression);
  begin_group(command, "Clips and frames");
  add_option(command, "--clip", options.clips, "NAME", "Name of a clip (repeatable; default: all)")
      ->allow_extra_args(false);
  add_plan_options(command, options.plan);
  command.add_flag("--smooth", options.plan.smooth, "Interpolate between frames; needs --fps")->needs("--fps");
  begin_group(command, "View");
  add_option(command, "--scale", options.view.scale, "F", "Image pixels per world pixel (default: 1)", check_finite,
             check_range(1e-4, 1e4));
  add_pair_option(command, "--pivot", options.pivot, "X,Y", "Pivot of all frames, in world pixels (default: 0,0)");
  command.add_flag("--flip-y", options.view.flip_y, "Treat the file's y axis as pointing down");
  add_page_options(command, options.sheet);
  add_gl_option(command, options.view);
  options.budget.add_option(command);
  add_output_limit(command, options.input.batch, "no limit");
  add_inputs_options(command, options.input);
  add_drawn_rig_options(command, options.input);
  add_record_options(command, options.input.batch.record, false);
  command.get_option("--no-images")->description("Draw all images plain white, so broken pixels are not an error");
  set_manual(command, kSheetDetails, kSheetExamples);
}

}  // namespace pchr::tools

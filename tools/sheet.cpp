// SPDX-License-Identifier: MIT
// pchr sheet: the frames of clips on one image, for engines without this runtime.
#include "drawing.hpp"

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
  SheetOptions sheet;
};

// Fails where a frame does not fit on a page, before any is drawn.
void check_plan(const Character& character, const FramePlan& plan, const std::string& name, const Camera& camera,
                const SheetOptions& sheet) {
  const auto bounds_at = [&](ClipTime time) { return bounds(character, pose_at(character, plan.clip, time)); };
  auto checked = check_frames(plan, name, camera, sheet, bounds_at);
  if (checked) return;
  checked.error().message += "; --scale makes the frames smaller, --max-size the page larger";
  fail(checked.error());
}

void run_sheet(SheetCommandOptions options) {
  check_usage(
      {{animation_format_of(options.output) != AnimationFormat::png, "the sheet is a PNG: its name must end in .png"}});
  const Input input = open_input(options.input);
  const Character& character = input.character;
  print_warnings(input, options.input);
  const InputFiles& inputs = *options.input.read;
  or_fail(inputs.check_output(options.output));
  or_fail(inputs.check_output(sheet_page_path(options.output, 0, ".json")));

  // One canvas for all frames, so that the pivot is the same point of each.
  const std::vector<ClipId> clips = find_clips(character, options.clips);
  if (clips.empty()) fail(ExitCode::bad_data, "pchr: the character has no clips");
  std::vector<FramePlan> plans;
  Rect bounds;
  for (const ClipId clip : clips) {
    plans.push_back(or_fail(plan_animation(character, clip, options.plan, 1)));
    bounds.include(compute_clip_bounds(character, clip));
  }
  SheetOptions& sheet = options.sheet;
  sheet.canvas = or_fail(frame_size(options.view, bounds));
  const Camera camera = frame_camera(options.view, sheet.canvas, bounds);
  const Vec2 pivot = apply(world_to_viewport(camera), {options.pivot[0], options.pivot[1]});
  sheet.pivot_x = pivot.x;
  sheet.pivot_y = pivot.y;
  for (const FramePlan& plan : plans) options.budget.take(plan.times.size(), sheet.canvas);
  std::vector<SheetSource> sources;
  for (const FramePlan& plan : plans) {
    const Clip* clip = plan.clip != ClipId::none ? &character.clips()[plan.clip] : nullptr;
    const std::string name = clip != nullptr ? clip->name : "bind";
    check_plan(character, plan, name, camera, sheet);
    sources.push_back({name, clip != nullptr && clip->looping, make_animation(plan, sheet.canvas, camera)});
  }

  Stage stage(input, options.input.no_images);
  std::string summary;
  const auto add_page = [&](const SheetPage& page) {
    summary += fmt::format("{}: {} x {}, {} frames in {} places\n", printable(page.path), page.size.width,
                           page.size.height, page.frames, page.places);
  };
  run_job(or_fail(create_sheet_job(stage.renderer(), stage.model(), stage.get_proc_address(), std::move(sources), sheet,
                                   options.output, {.inputs = inputs}, add_page)));
  print_text(summary);
}

void add_page_options(CLI::App& command, SheetOptions& options) {
  add_option(command, "--max-size", options.max_side, "N",
             "The largest side of a page, in pixels (4096, which all engines take)", CLI::Range(1U, kMaxFrameSide));
  command.add_flag("--power-of-two", options.power_of_two, "Both sides of a page are powers of two");
  add_option(command, "--padding", options.padding, "N", "Free pixels between frames (2)", CLI::Range(0, 64));
  add_option(command, "--extrude", options.extrude, "N",
             "How often the pixels at a frame's edges are repeated around it (0)", CLI::Range(0, 64));
  const auto clear = [](bool& option) { return [&option] { option = false; }; };
  command.add_flag_callback("--no-trim", clear(options.trim), "Keep what is transparent around frames");
  command.add_flag_callback("--no-share", clear(options.share), "Give equal frames places of their own");
  using enum SheetOptions::Layout;
  add_choice<SheetOptions::Layout>(command, "--layout", options.layout, {{"hash", hash}, {"array", array}},
                                   "Whether the JSON's frames are an object or a list (hash)");
}

constexpr char kSheetFooter[] =
    R"(All clips are drawn, but for one that only holds the bind pose, on one canvas that fits them; what is transparent
around a frame is left out. sheet.json says where each frame is in the layout that Aseprite writes, which engines read:
places, sizes, durations in milliseconds, a tag for each clip. The pivot is the same point in all frames: a slice of the
JSON, and for each frame also "pivot", as a part of its canvas from the top left. Clips that do not fit on a page of
--max-size go on to sheet-1.png with sheet-1.json and so on. A page has all frames of its clips, but for a clip too large
for one, which goes on to the next page; the frames' names and numbers are those of the clip.

Examples:
  pchr sheet hero.pchr -o hero.png
  pchr sheet hero.pchr --clip walk --clip jump --scale 0.5 --power-of-two -o hero.png
  pchr sheet hero.pchr --fps 12 --layout array --extrude 1 -o hero.png

)";

}  // namespace

void add_sheet(CLI::App& app) {
  const auto [command, options] = add_subcommand<SheetCommandOptions>(
      app, "sheet", "Pack the frames of clips into one image, with JSON as Aseprite writes it", run_sheet);
  options.view.scale = 1;
  options.view.margin = 0;
  add_input_options(command, options.input);
  add_option(command, "-o,--output", options.output, "FILE", "The PNG file; the JSON has its name (required)")
      ->required();
  add_option(command, "--clip", options.clips, "NAME", "A clip, by name; may be repeated (all)")
      ->allow_extra_args(false);
  add_plan_options(command, options.plan);
  options.budget.add_option(command);
  command.add_flag("--smooth", options.plan.smooth, "With --fps: interpolate between frames instead of holding each")
      ->needs("--fps");
  add_option(command, "--scale", options.view.scale, "F", "Image pixels per world pixel (1)", check_finite,
             CLI::Range(1e-4, 1e4));
  add_pair_option(command, "--pivot", options.pivot, "X,Y", "World point that is the pivot of all frames (0,0)");
  command.add_flag("--flip-y", options.view.flip_y, "The file's y points down");
  add_page_options(command, options.sheet);
  command.get_option("--no-images")->description("Draw all images plain white, so that broken pixels are no error");
  command.footer(std::string(kSheetFooter) + kExitCodes);
}

}  // namespace pchr::tools

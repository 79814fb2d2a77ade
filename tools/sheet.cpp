// SPDX-License-Identifier: MIT
// pchr sheet: the frames of clips on one picture, for engines without this runtime.
#include "film/film.hpp"
#include "film/sheet.hpp"
#include "film/sheet_output.hpp"
#include "film/timing.hpp"
#include "film_plan.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "render.hpp"
#include "stage.hpp"
#include "view.hpp"

#include <pchr/bounds.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

struct Options {
  InputOptions input;
  std::vector<std::string> clips;
  film::PlanOptions film;
  PixelBudget budget;
  ViewOptions view;
  std::vector<float> pivot{0, 0};  ///< World pixels.
  std::string output;
  film::SheetOptions sheet;
};

Result<std::vector<std::uint32_t>> chosen_clips(const Character& character, const Options& options) {
  std::vector<std::uint32_t> chosen;
  for (const std::string& name : options.clips) {
    const auto clip = find_clip(character, name);
    if (!clip) return std::unexpected(clip.error());
    chosen.push_back(*clip);
  }
  if (!options.clips.empty()) return chosen;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
    if (!film::is_mere_bind_pose(character, clip)) chosen.push_back(clip);
  }
  if (chosen.empty()) return fail(ExitCode::bad_data, "pchr: the character has no clips");
  return chosen;
}

// One canvas for all frames, so that the pivot is the same point of each.
struct Canvas {
  Size size;
  Camera camera;
};

Result<Canvas> make_canvas(const Character& character, const Options& options, std::span<const std::uint32_t> clips) {
  Rect bounds;
  for (const std::uint32_t clip : clips) bounds.include(clip_bounds(character, clip));
  const auto size = or_fail(ExitCode::usage, film::size_of(options.view, bounds));
  if (!size) return std::unexpected(size.error());
  return Canvas{*size, film::camera_of(options.view, *size, bounds)};
}

// Whether each frame fits on a page, before any is drawn.
Result<void> check_frames(const Character& character, const std::vector<film::FilmPlan>& plans, const Canvas& canvas,
                          const film::SheetOptions& options) {
  PosedCharacter posed;
  for (const film::FilmPlan& plan : plans) {
    const auto shown = [&](FramePosition position) {
      plan.clip ? pose_clip(character, *plan.clip, position, posed) : pose_bind(character, posed);
      return bounds(character, posed);
    };
    const std::string_view clip = plan.clip ? std::string_view(character.clips()[*plan.clip].name) : "bind";
    const auto checked = film::check_frames(plan, clip, canvas.camera, options, shown);
    if (!checked) {
      return fail(ExitCode::usage,
                  "pchr: " + checked.error() + "; --scale makes the frames smaller, --max-size the page larger");
    }
  }
  return {};
}

// Draws a clip's frames, the next while the last is trimmed. False where the user wants no more.
bool draw_clip(Stage& stage, const film::FilmPlan& plan, const Canvas& canvas, film::SheetCells& cells,
               film::SheetClip& clip, Progress& progress) {
  const auto take = [&] {
    clip.frames.push_back(cells.add(stage.receive()));
    progress.step();
    return !interrupted();
  };
  for (const FramePosition position : plan.positions) {
    stage.send({plan.clip, position, canvas.camera, 0, {}}, {});
    if (stage.in_flight() > 1 && !take()) return false;
  }
  if (!take()) return false;
  const film::Timing timing = film::round_to_ticks(plan.frame_ends, 1000, 1);
  for (std::size_t i = 0; i < clip.frames.size(); ++i) clip.frames[i].milliseconds = timing.ticks[i];
  return true;
}

Result<std::vector<film::SheetClip>> draw_clips(const Input& input, const std::vector<film::FilmPlan>& plans,
                                                const Canvas& canvas, film::SheetCells& cells) {
  auto stage = Stage::open(input, input.bitmaps.empty());
  if (!stage) return std::unexpected(stage.error());
  if (const auto sized = stage->set_size(canvas.size); !sized) return std::unexpected(sized.error());
  catch_interrupts();
  std::uint64_t steps = 0;
  for (const film::FilmPlan& plan : plans) steps += plan.positions.size();
  Progress progress(steps);
  std::vector<film::SheetClip> clips;
  for (const film::FilmPlan& plan : plans) {
    const Clip* clip = plan.clip ? &input.character.clips()[*plan.clip] : nullptr;
    clips.push_back({clip != nullptr ? clip->name : "bind", clip != nullptr && clip->looping, {}});
    if (!draw_clip(*stage, plan, canvas, cells, clips.back(), progress)) return fail(ExitCode::environment, "");
  }
  return clips;
}

Result<void> check_page(const Options& options, std::size_t page) {
  for (const std::string& extension : {fs::path(options.output).extension().string(), std::string(".json")}) {
    auto checked = check_output(film::page_path(options.output, page, extension), *options.input.read);
    if (!checked) return checked;
  }
  return {};
}

Result<void> write_sheets(const std::vector<film::Sheet>& sheets, const film::SheetCells& cells,
                          const Options& options) {
  film::FilmOutput output(*options.input.read);
  for (std::size_t page = 0; page < sheets.size(); ++page) {
    if (auto checked = check_page(options, page); !checked) return checked;
  }
  for (std::size_t page = 0; page < sheets.size(); ++page) {
    auto written = or_fail(ExitCode::environment,
                           film::write_page(sheets[page], page, cells, options.sheet, options.output, output));
    if (!written) return written;
    if (interrupted()) return fail(ExitCode::environment, "");
  }
  return or_fail(ExitCode::environment, output.publish(film::Existing::replace));
}

Result<void> print_summary(const std::vector<film::Sheet>& sheets, const Options& options) {
  std::string text;
  for (std::size_t page = 0; page < sheets.size(); ++page) {
    std::size_t frames = 0;
    for (const film::SheetClip& clip : sheets[page].clips) frames += clip.frames.size();
    text += fmt::format("{}: {} x {}, {} frames in {} places\n",
                        printable(film::page_path(options.output, page, fs::path(options.output).extension().string())),
                        sheets[page].page.size.width, sheets[page].page.size.height, frames, sheets[page].cells.size());
  }
  return print_text(text);
}

Result<void> run(const Options& asked) {
  Options options = asked;
  if (film::format_of(options.output) != film::Format::png) {
    return fail(ExitCode::usage, "pchr: the sheet is a PNG: its name ends in .png");
  }
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  if (auto checked = check_page(options, 0); !checked) return checked;
  const auto chosen = chosen_clips(input->character, options);
  if (!chosen) return std::unexpected(chosen.error());
  std::vector<film::FilmPlan> plans;
  for (const std::uint32_t clip : *chosen) {
    auto plan = or_fail(ExitCode::usage, film::plan_film(input->character, clip, options.film, 1));
    if (!plan) return std::unexpected(plan.error());
    plans.push_back(*std::move(plan));
  }
  const auto canvas = make_canvas(input->character, options, *chosen);
  if (!canvas) return std::unexpected(canvas.error());
  for (const film::FilmPlan& plan : plans) {
    if (auto taken = options.budget.take(plan.positions.size(), canvas->size); !taken) return taken;
  }
  options.sheet.canvas = {canvas->size.width, canvas->size.height};
  const Vec2 pivot = apply(world_to_viewport(canvas->camera), {options.pivot[0], options.pivot[1]});
  options.sheet.pivot_x = pivot.x;
  options.sheet.pivot_y = pivot.y;
  if (auto checked = check_frames(input->character, plans, *canvas, options.sheet); !checked) return checked;
  film::SheetCells cells(options.sheet);
  auto clips = draw_clips(*input, plans, *canvas, cells);
  if (!clips) return std::unexpected(clips.error());
  const auto sheets = or_fail(ExitCode::usage, film::lay_out(*std::move(clips), cells, options.sheet));
  if (!sheets) return std::unexpected(sheets.error());
  if (auto written = write_sheets(*sheets, cells, options); !written) return written;
  return print_summary(*sheets, options);
}

void add_page_options(CLI::App& command, film::SheetOptions& options) {
  command
      .add_option("--max-size", options.page.most_side,
                  "The largest side of a page, in pixels (4096, which all engines take)")
      ->option_text("N")
      ->check(CLI::Range(1U, kMaxSide));
  command.add_flag("--power-of-two", options.page.power_of_two, "Both sides of a page are powers of two");
  command.add_option("--padding", options.padding, "Free pixels between frames (2)")
      ->option_text("N")
      ->check(CLI::Range(0, 64));
  command
      .add_option("--extrude", options.extrude, "How often the pixels of a frame's edges are repeated around it (0)")
      ->option_text("N")
      ->check(CLI::Range(0, 64));
  command.add_flag_callback(
      "--no-trim", [&options] { options.trim = false; }, "Keep what is transparent around frames");
  command.add_flag_callback(
      "--no-share", [&options] { options.share = false; }, "Frames that are equal have places of their own");
  const std::map<std::string, film::SheetLayout> layouts{{"hash", film::SheetLayout::hash},
                                                         {"array", film::SheetLayout::array}};
  command
      .add_option_function<std::string>(
          "--layout", [layouts, &options](const std::string& name) { options.layout = layouts.at(name); },
          "Whether the JSON's frames are an object or a list (hash)")
      ->check(CLI::IsMember({"hash", "array"}))
      ->option_text("hash|array");
}

}  // namespace

Verb add_sheet(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("sheet", "Put the frames of clips on one picture, with JSON as Aseprite writes");
  const auto options = std::make_shared<Options>();
  options->view.scale = 1;
  options->view.margin = 0;
  add_input_options(*command, options->input);
  command->add_option("-o,--output", options->output, "The PNG file; the JSON has its name (required)")
      ->required()
      ->option_text("FILE");
  command->add_option("--clip", options->clips, "A clip, by name; may be given several times (all)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  add_film_options(*command, options->film);
  add_pixel_budget(*command, options->budget);
  command->add_flag("--smooth", options->film.smooth, "With --fps: interpolate between frames instead of holding each")
      ->needs("--fps");
  command->add_option("--scale", options->view.scale, "Picture pixels per world pixel (1)")
      ->option_text("F")
      ->check(check_finite)
      ->check(CLI::Range(1e-4, 1e4));
  command->add_option("--pivot", options->pivot, "World point that is the pivot of all frames (0,0)")
      ->option_text("X,Y")
      ->delimiter(',')
      ->expected(2)
      ->check(check_finite);
  command->add_flag("--flip-y", options->view.flip_y, "The file's y points down");
  add_page_options(*command, options->sheet);
  command->get_option("--no-images")->description("Draw all images plain white, so that broken pixels are no error");
  command->footer(
      std::string(
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

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools

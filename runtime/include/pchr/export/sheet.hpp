// SPDX-License-Identifier: MIT
// Packs clips of one or several characters into sprite sheets, with files that describe them to engines without this
// runtime.
//
//   const pchr::SheetOptions options{.path = "hero.png"};
//   const pchr::FrameSize canvas{64, 64};
//   const pchr::FramePlan plan = pchr::plan_animation(hero, walk, {}, 1).value();
//   const pchr::ExportedAnimation frames = pchr::make_animation(plan, canvas, camera);
//   auto job = pchr::create_sheet_job(renderer, model, {"hero", canvas}, {{"walk", true, frames}},
//                                     options, {});
//   const auto written = job->run();
#pragma once

#include <pchr/export/animation.hpp>

namespace PCHR_API pchr {

/// Options for packing frames into pages.
struct SheetOptions {
  /// Files that describe the pages to an engine.
  enum class Format : std::uint8_t {
    aseprite,  ///< Aseprite's JSON for each page, which many engines import.
    phaser,    ///< A multi-atlas with its animations, in one JSON.
    pixi,      ///< A JSON for each page.
    godot,     ///< A SpriteFrames resource of Godot 4.
    unity      ///< Import settings of each page, and a JSON with durations.
  };
  /// Layout of the frames in Aseprite's JSON.
  enum class Layout : std::uint8_t {
    hash,  ///< "frames" is an object with a key per frame.
    array  ///< "frames" is an array.
  };

  std::string path;               ///< Path of the first page, a PNG.
  std::uint32_t max_side = 4096;  ///< Maximum side of a page, in pixels.
  bool power_of_two = false;      ///< Rounds both sides of a page up to powers of two.
  std::uint32_t padding = 2;      ///< Pixels between frames.
  std::uint32_t extrude = 0;      ///< Number of times that edge pixels are repeated around a frame.
  /// Distance in pixels over which colors extend below transparent pixels, so that filtering draws no dark edges.
  std::uint32_t bleed = 2;
  bool premultiply = false;  ///< Stores colors premultiplied by alpha; there is nothing to bleed then.
  bool trim = true;          ///< Removes transparent borders of frames.
  bool share = true;         ///< Stores equal frames once.
  /// Keeps the frames of a clip on one page, if they fit on one. Otherwise, each page has as many frames as fit.
  /// Aseprite and PixiJS always need whole clips.
  bool whole_clips = false;
  Format format = Format::aseprite;
  Layout layout = Layout::hash;
  PngCompression compression = PngCompression::normal;
};

/// Character whose frames are on a sheet.
struct SheetCharacter {
  std::string name;
  FrameSize canvas;                 ///< Size of each frame before trimming.
  double pivot_x = 0, pivot_y = 0;  ///< Pivot of all frames, in pixels from the canvas's top left corner.
};

/// Clip to draw.
struct SheetSource {
  std::string name;
  bool looping = false;
  ExportedAnimation animation;  ///< Its paths are ignored.
  /// One name for each frame, unique on the sheet. If empty, they get names that suit the format.
  std::vector<std::string> frame_names{};
};

/// Page that was written.
struct SheetPage {
  std::string path;  ///< Path of the image.
  FrameSize size;
  std::size_t frames = 0;  ///< Frames on the page.
  std::size_t places = 0;  ///< Distinct images on the page; equal frames share one.
};

/// Files of a sheet.
struct SheetFiles {
  std::vector<SheetPage> pages;
  std::vector<std::string> descriptions;  ///< Paths of the files that describe the pages.
};

namespace exporting {
struct SheetState;
}

/// Frames of characters that go on the same sheet, for jobs that run one after another. Copies refer to the same
/// frames. No other job can use them after a failure.
struct SheetFrames {
  SheetFrames();
  std::shared_ptr<exporting::SheetState> state;  ///< Only for the jobs.
};

/// Fails if a frame of `plan` cannot fit on a page even when trimmed to `bounds`, which returns the character's world
/// bounds at a time. Draws nothing.
[[nodiscard]] ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera,
                                              FrameSize canvas, const SheetOptions& options,
                                              const Callback<Rect(ClipTime time)>& bounds);

/// Returns the path of a page: hero.png, hero-1.png, hero-2.png and so on for "hero.png" and ".png".
[[nodiscard]] std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension);

/// Returns the path of the file, or the first one, that describes a sheet.
[[nodiscard]] std::string sheet_file_path(const SheetOptions& options);

/// Creates a job that draws clips of a character and adds their frames to `frames`. It writes no files. All characters
/// of a sheet need the same options.
[[nodiscard]] ExportResult<ExportJob> create_frames_job(Renderer& renderer, const Model& model,
                                                        SheetCharacter character, std::vector<SheetSource> clips,
                                                        const SheetOptions& sheet, ExportJobOptions options,
                                                        const SheetFrames& frames);

/// Creates a job that draws clips of a character and writes them, after `frames` of other characters, to as few pages
/// as their order allows. A clip too large for one page continues on the next. Calls `written` before the files appear,
/// on another thread if the options allow one.
[[nodiscard]] ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model, SheetCharacter character,
                                                       std::vector<SheetSource> clips, const SheetOptions& sheet,
                                                       ExportJobOptions options,
                                                       const Callback<void(const SheetFiles& files)>& written = {},
                                                       const SheetFrames& frames = {});

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Packs clips into sprite sheets, with JSON in the layouts of Aseprite, for engines without this runtime.
//
//   const pchr::SheetOptions options{.canvas = {64, 64}};
//   const pchr::FramePlan plan = pchr::plan_animation(hero, walk, {}, 1).value();
//   const pchr::ExportedAnimation frames = pchr::make_animation(plan, options.canvas, camera);
//   auto job = pchr::create_sheet_job(renderer, model, glfwGetProcAddress, {{"walk", true, frames}}, options,
//                                     "hero.png", {});
//   const auto written = job->run();
#pragma once

#include <pchr/export/animation.hpp>

namespace PCHR_API pchr {

/// Options for packing frames into pages.
struct SheetOptions {
  /// Layout of the frames in the JSON.
  enum class Layout : std::uint8_t {
    hash,  ///< "frames" is an object with a key per frame.
    array  ///< "frames" is an array.
  };

  std::uint32_t max_side = 4096;  ///< Maximum side of a page, in pixels.
  bool power_of_two = false;      ///< Rounds both sides of a page up to powers of two.
  std::uint32_t padding = 2;      ///< Pixels between frames.
  std::uint32_t extrude = 0;      ///< Number of times that edge pixels are repeated around a frame.
  bool trim = true;               ///< Removes transparent borders of frames.
  bool share = true;              ///< Stores equal frames once.
  Layout layout = Layout::hash;
  PngCompression compression = PngCompression::normal;
  FrameSize canvas;                 ///< Size of each frame before trimming.
  double pivot_x = 0, pivot_y = 0;  ///< Pivot, in pixels from the canvas's top left corner.
};

/// Clip to draw.
struct SheetSource {
  std::string name;
  bool looping = false;
  ExportedAnimation animation;  ///< Its paths are ignored.
};

/// Page that was written.
struct SheetPage {
  std::string path;  ///< Path of the image.
  FrameSize size;
  std::size_t frames = 0;  ///< Frames on the page.
  std::size_t places = 0;  ///< Distinct images on the page; equal frames share one.
};

/// Fails if a frame of `plan` cannot fit on a page even when trimmed to `bounds`, which returns the character's world
/// bounds at a time. Draws nothing.
[[nodiscard]] ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera,
                                              const SheetOptions& options, const Callback<Rect(ClipTime time)>& bounds);

/// Returns the path of a page: hero.png, hero-1.png, hero-2.png and so on for "hero.png" and ".png".
[[nodiscard]] std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension);

/// Creates a job that writes clips to as few pages as their order allows; the first page goes to `path`. A page has all
/// frames of its clips, except that a clip too large for one page starts on its own page and continues on the next.
/// Calls `written` for each page before the files appear, on another thread if the options allow one.
[[nodiscard]] ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model,
                                                       GetProcAddress get_proc_address, std::vector<SheetSource> clips,
                                                       const SheetOptions& sheet, const std::string& path,
                                                       ExportJobOptions options,
                                                       const Callback<void(const SheetPage& page)>& written = {});

}  // namespace pchr

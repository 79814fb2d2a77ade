// SPDX-License-Identifier: MIT
// Packs the frames of clips on pages, with JSON that says where each is, in the layouts of Aseprite. Engines without
// this runtime read those.
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

/// How frames are packed into pages.
struct SheetOptions {
  /// How the JSON lists frames.
  enum class Layout : std::uint8_t {
    hash,  ///< "frames" is an object with a key for each.
    array  ///< "frames" is a list.
  };

  std::uint32_t max_side = 4096;  ///< Of a page, in pixels.
  bool power_of_two = false;      ///< Both sides of a page.
  std::uint32_t padding = 2;      ///< Free pixels between frames.
  std::uint32_t extrude = 0;      ///< How often the pixels at a frame's edges are repeated around it.
  bool trim = true;               ///< Leave out what is transparent around a frame.
  bool share = true;              ///< Equal frames take one place.
  Layout layout = Layout::hash;
  FrameSize canvas;                 ///< The size of each frame before it is trimmed.
  double pivot_x = 0, pivot_y = 0;  ///< The point of the canvas that stands still: pixels from its top left.
};

/// One clip to draw.
struct SheetSource {
  std::string name;
  bool looping = false;
  ExportedAnimation animation;  ///< Without paths.
};

/// One page that was written.
struct SheetPage {
  std::string path;  ///< The image's.
  FrameSize size;
  std::size_t frames = 0, places = 0;
};

/// Fails where a frame of `plan` cannot fit on a page, even trimmed to `bounds`, the character's bounds in the world at
/// a time. Draws nothing.
[[nodiscard]] ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera,
                                              const SheetOptions& options, const std::function<Rect(ClipTime)>& bounds);

/// Returns the path of a page: hero.png, hero-1.png, hero-2.png ... for "hero.png" and ".png".
[[nodiscard]] std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension);

/// Makes a job that writes clips on as few pages as their order allows, to `path` and after it. A page has all frames
/// of its clips, but for a clip that is too large for one: that begins on a page of its own and goes on to the next.
/// `written` is called for each page, on another thread, before they are published.
[[nodiscard]] ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model,
                                                       GetProcAddress get_proc_address, std::vector<SheetSource> clips,
                                                       const SheetOptions& sheet, const std::string& path,
                                                       ExportJobOptions options,
                                                       std::function<void(const SheetPage&)> written = {});

}  // namespace pchr

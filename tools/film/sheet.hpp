// SPDX-License-Identifier: MIT
// Sheets: the frames of clips on one picture, and JSON that says where, in the layouts of Aseprite.
#pragma once

#include "film/area.hpp"
#include "film/film.hpp"
#include "film/pack.hpp"
#include "film/plan.hpp"

#include <pchr/camera.hpp>
#include <pchr/geometry.hpp>
#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pchr::film {

enum class SheetLayout : std::uint8_t {
  hash,  ///< "frames" is an object with a key for each.
  array  ///< "frames" is a list.
};

struct SheetOptions {
  PageOptions page;
  std::uint32_t padding = 2;  ///< Free pixels between frames.
  std::uint32_t extrude = 0;  ///< How often the pixels at a frame's edges are repeated around it.
  bool trim = true;           ///< Leave out what is transparent around a frame.
  bool share = true;          ///< Frames that are equal take one place.
  SheetLayout layout = SheetLayout::hash;
  Extent canvas;                    ///< Of each frame before it is trimmed.
  double pivot_x = 0, pivot_y = 0;  ///< The point of the canvas that stands still: pixels from its top left.
};

/// One frame of a clip: which of the cells it shows, and where on the canvas.
struct SheetFrame {
  std::uint32_t cell = 0;
  Area area;
  std::uint32_t milliseconds = 0;
};

/// A clip, or the part of it that is on one page.
struct SheetClip {
  std::string name;
  bool looping = false;
  std::vector<SheetFrame> frames;
  std::size_t first_frame = 0;  ///< The number of `frames.front()`, which counts on from page to page.
  std::string frame_name{};  ///< What its frames are called before their numbers; different for each clip of lay_out().
};

/// Frames as they are drawn, equal ones once.
class SheetCells {
 public:
  explicit SheetCells(const SheetOptions& options) : options_(options) {}
  /// Trims a premultiplied picture of the canvas and keeps it. Its duration is the caller's to set.
  [[nodiscard]] SheetFrame add(const Bitmap& premultiplied);
  [[nodiscard]] const std::vector<Bitmap>& pictures() const noexcept { return pictures_; }  ///< With straight alpha.

 private:
  const SheetOptions& options_;
  std::vector<Bitmap> pictures_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

/// One page: a picture and the clips whose frames are on it.
struct Sheet {
  Page page;                         ///< With a place for each cell that is used here.
  std::vector<std::uint32_t> cells;  ///< Which those are.
  std::vector<SheetClip> clips;
};

/// Fails where a frame of `plan` cannot fit on a page, even without what is around `shown`, which tells what the
/// character takes of the world at a moment. Draws nothing.
[[nodiscard]] Result<void> check_frames(const FilmPlan& plan, std::string_view clip, const Camera& camera,
                                        const SheetOptions& options, const std::function<Rect(FramePosition)>& shown);

/// Clips on as few pages as can be in their order. A page has all frames of its clips, but for a clip that is too large
/// for one: that begins on a page of its own and goes on to the next. Fails where a frame does not fit.
[[nodiscard]] Result<std::vector<Sheet>> lay_out(std::vector<SheetClip> clips, const SheetCells& cells,
                                                 const SheetOptions& options);

/// The picture of a page, with straight alpha.
[[nodiscard]] Bitmap draw_sheet(const Sheet& sheet, const SheetCells& cells, const SheetOptions& options);

/// What Aseprite would write of it: frames, tags, and the pivot as a slice; each frame also has it as a part of its
/// canvas, as other engines read it.
[[nodiscard]] std::string write_sheet_json(const Sheet& sheet, const SheetOptions& options,
                                           std::string_view image_name);

}  // namespace pchr::film

// SPDX-License-Identifier: MIT
// Lays frames out on the pages of a sheet.
#pragma once

#include "export/pixels.hpp"

#include <pchr/export/sheet.hpp>

#include <unordered_map>

namespace pchr::exporting {

struct Place {
  std::uint32_t x = 0, y = 0;
};

struct Packing {
  FrameSize size{0, 0};
  std::vector<Place> places;  ///< One for each rectangle.
};

/// Returns whether the largest page holds all rectangles. Much faster than pack().
[[nodiscard]] bool fits(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two);

/// Packs rectangles on a small page; nothing where no page that is allowed holds them.
[[nodiscard]] std::optional<Packing> pack(std::span<const FrameSize> rectangles, std::uint32_t max_side,
                                          bool power_of_two);

/// One frame of a clip: its cell, and the place of that on the canvas.
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
  std::string frame_name{};     ///< The name of its frames before their numbers; lay_out() makes it unique.
};

/// The bitmaps of frames; equal ones once.
class SheetCells {
 public:
  explicit SheetCells(const SheetOptions& options) : options_(options) {}
  /// Trims a premultiplied frame and keeps it. The caller sets its duration.
  [[nodiscard]] SheetFrame add(const Bitmap& premultiplied);
  [[nodiscard]] const std::vector<Bitmap>& bitmaps() const noexcept { return bitmaps_; }  ///< With straight alpha.

 private:
  const SheetOptions& options_;
  std::vector<Bitmap> bitmaps_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

/// One page and the clips whose frames are on it.
struct Sheet {
  Packing page;                      ///< With a place for each of `cells`.
  std::vector<std::uint32_t> cells;  ///< Ascending.
  std::vector<SheetClip> clips;
};

/// Fails where a frame of that size does not fit on a page.
[[nodiscard]] ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                                            const SheetOptions& options);

/// Lays clips out on as few pages as their order allows. Fails where a frame does not fit.
[[nodiscard]] ExportResult<std::vector<Sheet>> lay_out(std::vector<SheetClip> clips, const SheetCells& cells,
                                                       const SheetOptions& options);

/// Draws a page, with straight alpha.
[[nodiscard]] Bitmap draw_sheet(const Sheet& sheet, const SheetCells& cells, const SheetOptions& options);

/// Returns the JSON that Aseprite would write: frames, tags, and the pivot as a slice. Each frame also has the pivot as
/// a fraction of its canvas, for other engines.
[[nodiscard]] std::string sheet_json(const Sheet& sheet, const SheetOptions& options, std::string_view image_name);

}  // namespace pchr::exporting

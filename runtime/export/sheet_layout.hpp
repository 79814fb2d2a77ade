// SPDX-License-Identifier: MIT
// Layout of frames on the pages of a sprite sheet.
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
  std::vector<Place> places;  ///< One per rectangle.
};

/// Whether all rectangles fit on the largest page. Much faster than pack().
[[nodiscard]] bool fits(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two);

/// Packs rectangles onto a small page. Returns nothing if they do not fit on any allowed page.
[[nodiscard]] std::optional<Packing> pack(std::span<const FrameSize> rectangles, std::uint32_t max_side,
                                          bool power_of_two);

/// Frame of a clip: its cell, and the cell's place on the canvas.
struct SheetFrame {
  std::uint32_t cell = 0;
  Area area;
  std::uint32_t milliseconds = 0;
};

/// Clip, or the part of it on one page.
struct SheetClip {
  std::string name;
  bool looping = false;
  std::vector<SheetFrame> frames;
  std::size_t first_frame = 0;  ///< Number of `frames.front()` within the clip.
  std::string frame_name{};     ///< Prefix of its frames' names; lay_out() makes it unique.
};

/// Bitmaps of frames. Equal ones are stored once.
class SheetCells {
 public:
  explicit SheetCells(const SheetOptions& options) : options_(options) {}
  /// Trims and stores a premultiplied frame. The caller sets its duration.
  [[nodiscard]] SheetFrame add(const Bitmap& premultiplied);
  [[nodiscard]] const std::vector<Bitmap>& bitmaps() const noexcept { return bitmaps_; }  ///< Straight alpha.

 private:
  const SheetOptions& options_;
  std::vector<Bitmap> bitmaps_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

/// Page with the clips whose frames are on it.
struct Sheet {
  Packing page;                      ///< Has a place for each of `cells`.
  std::vector<std::uint32_t> cells;  ///< Ascending.
  std::vector<SheetClip> clips;
};

/// Fails if a frame of this size does not fit on a page.
[[nodiscard]] ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                                            const SheetOptions& options);

/// Lays out clips on as few pages as their order allows. Fails if a frame does not fit.
[[nodiscard]] ExportResult<std::vector<Sheet>> lay_out(std::vector<SheetClip> clips, const SheetCells& cells,
                                                       const SheetOptions& options);

/// Draws a page with straight alpha.
[[nodiscard]] Bitmap draw_sheet(const Sheet& sheet, const SheetCells& cells, const SheetOptions& options);

/// Returns JSON in Aseprite's layout: frames, tags, and the pivot as a slice. For other engines, each frame also has
/// the pivot as a fraction of its canvas.
[[nodiscard]] std::string sheet_json(const Sheet& sheet, const SheetOptions& options, std::string_view image_name);

}  // namespace pchr::exporting

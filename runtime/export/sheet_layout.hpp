// SPDX-License-Identifier: MIT
// Layout of frames on the pages of a sprite sheet.
#pragma once

#include "export/sheet_data.hpp"

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

/// Part of a frame that goes on a page, with straight or premultiplied alpha as on the page.
struct TrimmedFrame {
  Area area;  ///< On the canvas.
  Bitmap bitmap;
};

/// Trims a premultiplied frame, if the options say so.
[[nodiscard]] TrimmedFrame trim(const Bitmap& premultiplied, const SheetOptions& options);

/// Bitmaps of frames.
class SheetCells {
 public:
  /// Returns the number of the cell with this bitmap. With `share`, equal bitmaps are one cell.
  [[nodiscard]] std::uint32_t add(Bitmap bitmap, bool share);
  [[nodiscard]] const std::vector<Bitmap>& bitmaps() const noexcept { return bitmaps_; }

 private:
  std::vector<Bitmap> bitmaps_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

/// Fails if a frame of this size does not fit on a page.
[[nodiscard]] ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                                            const SheetOptions& options);

/// Places all frames on as few pages as their order allows. Fails if a frame does not fit.
[[nodiscard]] ExportResult<void> lay_out(Sheet& sheet, const SheetCells& cells, const SheetOptions& options);

/// Draws a page with straight alpha or, with `premultiply`, premultiplied.
[[nodiscard]] Bitmap draw_page(const Sheet& sheet, std::size_t page, const SheetCells& cells,
                               const SheetOptions& options);

}  // namespace pchr::exporting

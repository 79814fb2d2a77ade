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

/// Pixels that go on a page, with straight or premultiplied alpha as on the page. Compressed, because all frames wait
/// for their places together.
struct Cell {
  FrameSize size{0, 0};
  std::vector<std::byte> deflated{};
};

[[nodiscard]] Cell make_cell(const Bitmap& bitmap);

/// Part of a frame that goes on a page.
struct TrimmedFrame {
  Area area;  ///< On the canvas.
  Cell cell;
};

/// Trims a premultiplied frame, if the options say so.
[[nodiscard]] TrimmedFrame trim(const Bitmap& premultiplied, const SheetOptions& options);

/// Cells of frames.
class SheetCells {
 public:
  /// Returns the number of the cell with these pixels. With `share`, equal ones are one cell.
  [[nodiscard]] std::uint32_t add(Cell cell, bool share);
  [[nodiscard]] const Cell& operator[](std::uint32_t number) const noexcept { return cells_[number]; }
  [[nodiscard]] std::size_t count() const noexcept { return cells_.size(); }

 private:
  std::vector<Cell> cells_;
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

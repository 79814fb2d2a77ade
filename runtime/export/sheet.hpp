// SPDX-License-Identifier: MIT
// Sprite sheets: their frames, the layout of their pages, and the files that describe them to engines.
#pragma once

#include "export/pixels.hpp"

#include <pchr/export/sheet.hpp>

#include <memory>
#include <span>
#include <unordered_map>

namespace pchr::exporting {

/// Frame of a clip.
struct SheetFrame {
  std::string name{};  ///< Unique in its file; empty if the format chooses it.
  std::size_t clip = 0;
  std::uint32_t number = 0;         ///< Number within the clip.
  std::uint32_t artwork_frame = 0;  ///< See SheetSource::artwork_frames.
  std::uint32_t milliseconds = 0;
  std::uint32_t cell = 0;  ///< Its bitmap; equal frames share one.
  Area source{};           ///< Its place on the character's canvas; smaller than the canvas if it is trimmed.
  std::size_t page = 0;
  Area place{};  ///< Its place on the page, without repeated edges.
};

/// Clip of a character. Its frames follow one another in Sheet::frames.
struct SheetClip {
  std::string name;  ///< Unique on the sheet: "walk", or "hero/walk" if there are several characters.
  std::size_t character = 0;
  bool looping = false;
  std::size_t first_frame = 0, frame_count = 0;
};

/// Sheet with all its pages.
struct Sheet {
  std::vector<SheetCharacter> characters{};  ///< With unique names.
  std::vector<SheetClip> clips{};            ///< At least one.
  std::vector<SheetFrame> frames{};          ///< In the order of the clips and of the pages.
  std::vector<SheetPage> pages{};
  [[nodiscard]] const SheetCharacter& character_of(const SheetFrame& frame) const {
    return characters[clips[frame.clip].character];
  }
  [[nodiscard]] std::span<const SheetFrame> frames_of(const SheetClip& clip) const {
    return std::span(frames).subspan(clip.first_frame, clip.frame_count);
  }
};

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

/// Pixels that go on a page, with straight or premultiplied alpha as on the page. Zeros take no memory.
struct Cell {
  FrameSize size{0, 0};
  /// Row by row: the number of zeros, the number of pixels that follow them, and these pixels.
  std::vector<std::uint32_t> runs{};
  std::size_t hash = 0;
};

/// Copies a part of a bitmap, converted to straight alpha unless `premultiply`.
[[nodiscard]] Cell make_cell(const Bitmap& premultiplied, const Area& area, bool premultiply);

/// Part of a frame that goes on a page.
struct TrimmedFrame {
  Area area;  ///< On the canvas.
  Cell cell;
};

/// Trims a premultiplied frame, if the options say so.
[[nodiscard]] TrimmedFrame trim(const Bitmap& premultiplied, const SheetOptions& options);

/// Cells of frames that wait for their places.
class SheetCells {
 public:
  /// Returns the number of the cell with these pixels. If the options say so, equal ones are one cell.
  [[nodiscard]] std::uint32_t add(Cell cell, const SheetOptions& options);
  [[nodiscard]] const std::shared_ptr<const Cell>& operator[](std::uint32_t number) const { return cells_.at(number); }
  /// Forgets all but those of `frames`.
  void keep(std::span<const SheetFrame> frames, const SheetOptions& options);
  /// Area of all cells on a page, in pixels.
  [[nodiscard]] std::uint64_t area() const noexcept { return area_; }

 private:
  void insert(std::uint32_t number, std::shared_ptr<const Cell> cell, const SheetOptions& options);

  std::unordered_map<std::uint32_t, std::shared_ptr<const Cell>> cells_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
  std::uint32_t next_ = 0;
  std::uint64_t area_ = 0;
};

/// Fails if a frame of this size does not fit on a page.
[[nodiscard]] ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                                            const SheetOptions& options);

/// Cells and their places on a page.
struct PageCells {
  FrameSize size{0, 0};
  std::vector<std::pair<Place, std::shared_ptr<const Cell>>> cells{};
};

/// Places the frames of the next page: as many of sheet.frames as its order allows, from `first` to `last`. `cells` has
/// theirs, and forgets those of the page. Returns nothing if there are none, or if more might fit and not `has_all`.
/// Fails if a frame does not fit.
[[nodiscard]] ExportResult<std::optional<PageCells>> lay_out_page(Sheet& sheet, std::size_t first, std::size_t last,
                                                                  bool has_all, SheetCells& cells,
                                                                  const SheetOptions& options);

/// Draws a page with straight alpha or, with `premultiply`, premultiplied. Reuses the memory of `page`.
void draw_page(const PageCells& cells, const SheetOptions& options, Bitmap& page);

/// Names the frames that have no name yet, in the way that suits the format.
void name_frames(Sheet& sheet, const SheetOptions& options);

/// Text file next to the pages.
struct SheetFile {
  std::string path, text;
};

/// Returns the files that describe a sheet.
[[nodiscard]] std::vector<SheetFile> sheet_files(const Sheet& sheet, const SheetOptions& options);

}  // namespace pchr::exporting

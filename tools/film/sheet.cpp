// SPDX-License-Identifier: MIT
// Sheets: frames side by side on pages.
#include "film/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

namespace pchr::film {
namespace {

std::size_t hash_of(const Bitmap& picture) {
  const std::string_view bytes(reinterpret_cast<const char*>(picture.rgba.data()), picture.rgba.size());
  return std::hash<std::string_view>()(bytes) ^ picture.width;
}

// What a cell takes of a page, the padding to its right and below included.
Extent taken(const Bitmap& picture, const SheetOptions& options) {
  const std::uint32_t around = 2 * options.extrude + options.padding;
  return {picture.width + around, picture.height + around};
}

// The page of some clips, or nothing where they do not fit.
std::optional<Sheet> lay_out_page(std::span<const SheetClip> clips, const SheetCells& cells,
                                  const SheetOptions& options) {
  Sheet sheet;
  sheet.clips.assign(clips.begin(), clips.end());
  for (const SheetClip& clip : clips) {
    for (const SheetFrame& frame : clip.frames) sheet.cells.push_back(frame.cell);
  }
  std::ranges::sort(sheet.cells);
  sheet.cells.erase(std::ranges::unique(sheet.cells).begin(), sheet.cells.end());
  std::vector<Extent> extents;
  for (const std::uint32_t cell : sheet.cells) extents.push_back(taken(cells.pictures()[cell], options));
  // The last column and row need no padding.
  PageOptions page_options = options.page;
  if (!options.page.power_of_two) page_options.most_side += options.padding;
  auto page = pack(extents, page_options);
  if (!page) return std::nullopt;
  sheet.page = *std::move(page);
  if (!options.page.power_of_two) {
    sheet.page.size = {sheet.page.size.width - options.padding, sheet.page.size.height - options.padding};
  }
  return sheet;
}

// Copies a picture, and the pixels of its edges `extrude` times around it.
void put(Bitmap& page, const Bitmap& picture, Place place, std::uint32_t extrude) {
  for (std::uint32_t y = 0; y < picture.height + 2 * extrude; ++y) {
    const std::uint32_t from_y = std::min(y < extrude ? 0 : y - extrude, picture.height - 1);
    const std::uint8_t* row = &picture.rgba[std::size_t{from_y} * picture.width * 4];
    std::uint8_t* to = &page.rgba[((std::size_t{place.y} + y) * page.width + place.x) * 4];
    for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row, 4);
    std::memcpy(to, row, std::size_t{picture.width} * 4);
    to += std::size_t{picture.width} * 4;
    for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row + (picture.width - 1) * std::size_t{4}, 4);
  }
}

}  // namespace

SheetFrame SheetCells::add(const Bitmap& premultiplied) {
  Area area = options_.trim ? visible_area(premultiplied) : whole(premultiplied);
  // A frame that shows nothing still has a pixel.
  if (area.width == 0) area = {0, 0, 1, 1};
  Bitmap picture = straight_part(premultiplied, area);
  const std::size_t hash = hash_of(picture);
  if (options_.share) {
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
      const Bitmap& other = pictures_[known->second];
      if (other.width == picture.width && other.rgba == picture.rgba) return {known->second, area, 0};
    }
  }
  const auto cell = static_cast<std::uint32_t>(pictures_.size());
  by_hash_.emplace(hash, cell);
  pictures_.push_back(std::move(picture));
  return {cell, area, 0};
}

Result<std::vector<Sheet>> lay_out(const std::vector<SheetClip>& clips, const SheetCells& cells,
                                   const SheetOptions& options) {
  std::vector<Sheet> sheets;
  std::span<const SheetClip> rest = clips;
  while (!rest.empty()) {
    std::optional<Sheet> sheet = lay_out_page(rest, cells, options);
    std::size_t count = rest.size();
    if (!sheet) {
      // As many clips as fit, one more at a time: they keep their order.
      count = 0;
      while (auto more = lay_out_page(rest.first(count + 1), cells, options)) {
        sheet = std::move(more);
        ++count;
      }
    }
    if (!sheet) {
      return std::unexpected(fmt::format("the clip \"{}\" does not fit on a page of {} x {} pixels",
                                         printable(rest.front().name), options.page.most_side, options.page.most_side));
    }
    sheets.push_back(*std::move(sheet));
    rest = rest.subspan(count);
  }
  return sheets;
}

Bitmap draw_sheet(const Sheet& sheet, const SheetCells& cells, const SheetOptions& options) {
  const Extent size = sheet.page.size;
  Bitmap picture{size.width, size.height, std::vector<std::uint8_t>(std::size_t{4} * size.width * size.height)};
  for (std::size_t i = 0; i < sheet.cells.size(); ++i) {
    put(picture, cells.pictures()[sheet.cells[i]], sheet.page.places[i], options.extrude);
  }
  return picture;
}

}  // namespace pchr::film

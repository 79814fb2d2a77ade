// SPDX-License-Identifier: MIT
// Sheets: frames side by side on pages.
#include "film/sheet.hpp"

#include "film/unique_names.hpp"

#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
Extent taken(const Extent& picture, const SheetOptions& options) {
  const std::uint32_t around = 2 * options.extrude + options.padding;
  return {picture.width + around, picture.height + around};
}

// The last column and row need no padding.
PageOptions padded(const SheetOptions& options) {
  PageOptions page = options.page;
  if (!page.power_of_two) page.most_side += options.padding;
  return page;
}

// What a frame takes in world pixels, as pixels of the canvas.
Extent extent_on_canvas(const Rect& world, const Camera& camera, const Extent& canvas) {
  constexpr double kRounding = 1e-3;
  if (world.empty()) return {1, 1};
  const Affine to_canvas = world_to_viewport(camera);
  const Vec2 a = apply(to_canvas, world.min), b = apply(to_canvas, world.max);
  const auto pixels = [](double one, double other, std::uint32_t most) {
    const double from = std::clamp(std::floor(std::min(one, other) + kRounding), 0.0, static_cast<double>(most));
    const double to = std::clamp(std::ceil(std::max(one, other) - kRounding), 0.0, static_cast<double>(most));
    return static_cast<std::uint32_t>(std::max(to - from, 1.0));
  };
  return {pixels(a.x, b.x, canvas.width), pixels(a.y, b.y, canvas.height)};
}

std::string too_large(std::string_view clip, std::size_t frame, const Extent& extent, const SheetOptions& options) {
  return fmt::format("frame {} of the clip \"{}\" takes {} x {} pixels and does not fit on a page of {} x {}", frame,
                     printable(clip), extent.width, extent.height, options.page.most_side, options.page.most_side);
}

std::vector<std::uint32_t> cells_of(std::span<const SheetClip> clips) {
  std::vector<std::uint32_t> used;
  for (const SheetClip& clip : clips) {
    for (const SheetFrame& frame : clip.frames) used.push_back(frame.cell);
  }
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  return used;
}

std::vector<Extent> extents_of(std::span<const std::uint32_t> used, const SheetCells& cells,
                               const SheetOptions& options) {
  std::vector<Extent> extents;
  for (const std::uint32_t cell : used) {
    const Bitmap& picture = cells.pictures()[cell];
    extents.push_back(taken({picture.width, picture.height}, options));
  }
  return extents;
}

bool fit_on_page(std::span<const SheetClip> clips, const SheetCells& cells, const SheetOptions& options) {
  return fits(extents_of(cells_of(clips), cells, options), padded(options));
}

// The page of some clips, or nothing where they do not fit.
std::optional<Sheet> lay_out_page(std::span<const SheetClip> clips, const SheetCells& cells,
                                  const SheetOptions& options) {
  Sheet sheet;
  sheet.clips.assign(clips.begin(), clips.end());
  sheet.cells = cells_of(clips);
  auto page = pack(extents_of(sheet.cells, cells, options), padded(options));
  if (!page) return std::nullopt;
  sheet.page = *std::move(page);
  if (!options.page.power_of_two) {
    sheet.page.size = {sheet.page.size.width - options.padding, sheet.page.size.height - options.padding};
  }
  return sheet;
}

// The largest number below `count` for which `fits` holds, where it holds for all that are smaller, and for 0.
template <class Fits>
std::size_t most_below(std::size_t count, const Fits& fits) {
  std::size_t fitting = 0, step = 1;
  while (step < count && fits(step)) {
    fitting = step;
    step *= 2;
  }
  std::size_t too_many = std::min(step, count);
  while (too_many - fitting > 1) {
    const std::size_t middle = fitting + (too_many - fitting) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return fitting;
}

// Moves the first frames of a clip, as many as fit on a page, to a clip of their own.
SheetClip take_part(SheetClip& clip, const SheetCells& cells, const SheetOptions& options) {
  const auto first_frames = [&](std::size_t count) {
    const auto begin = clip.frames.begin();
    return SheetClip{clip.name,
                     clip.looping,
                     {begin, begin + static_cast<std::ptrdiff_t>(count)},
                     clip.first_frame,
                     clip.frame_name};
  };
  SheetClip part = first_frames(most_below(clip.frames.size(), [&](std::size_t count) {
    const SheetClip tried = first_frames(count);
    return fit_on_page(std::span(&tried, 1), cells, options);
  }));
  clip.frames.erase(clip.frames.begin(), clip.frames.begin() + static_cast<std::ptrdiff_t>(part.frames.size()));
  clip.first_frame += part.frames.size();
  return part;
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

Result<void> check_frames(const FilmPlan& plan, std::string_view clip, const Camera& camera,
                          const SheetOptions& options, const std::function<Rect(FramePosition)>& shown) {
  const auto fits_alone = [&](const Extent& extent) {
    const Extent cell = taken(extent, options);
    return fits(std::span(&cell, 1), padded(options));
  };
  if (fits_alone(options.canvas)) return {};
  for (std::size_t i = 0; i < plan.positions.size(); ++i) {
    const Extent extent =
        options.trim ? extent_on_canvas(shown(plan.positions[i]), camera, options.canvas) : options.canvas;
    if (!fits_alone(extent)) return std::unexpected(too_large(clip, plan.first_frame + i, extent, options));
  }
  return {};
}

Result<std::vector<Sheet>> lay_out(std::vector<SheetClip> clips, const SheetCells& cells, const SheetOptions& options) {
  UniqueNames names(" (", ")");
  for (SheetClip& clip : clips) clip.frame_name = names.take(clip.name);
  std::vector<Sheet> sheets;
  std::span<SheetClip> rest = clips;
  while (!rest.empty()) {
    std::optional<Sheet> sheet = lay_out_page(rest, cells, options);
    if (sheet) {
      sheets.push_back(*std::move(sheet));
      break;
    }
    const std::size_t whole =
        most_below(rest.size(), [&](std::size_t count) { return fit_on_page(rest.first(count), cells, options); });
    if (whole > 0) {
      sheets.push_back(lay_out_page(rest.first(whole), cells, options).value());
      rest = rest.subspan(whole);
      continue;
    }
    SheetClip& clip = rest.front();
    const SheetClip part = take_part(clip, cells, options);
    if (part.frames.empty()) {
      const Area& area = clip.frames.front().area;
      return std::unexpected(too_large(clip.name, clip.first_frame, {area.width, area.height}, options));
    }
    sheets.push_back(lay_out_page(std::span(&part, 1), cells, options).value());
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

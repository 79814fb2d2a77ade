// SPDX-License-Identifier: MIT
// Lays out frames on the pages of a sprite sheet.
#include "export/sheet.hpp"

#include "export/fail.hpp"
#include "image/image.hpp"
#include "platform/file_path.hpp"

#include <fmt/format.h>
#include <stb_rect_pack.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace {

// qsort orders equal rectangles differently on each system.
void sort_rectangles(stbrp_rect* rectangles, int count, std::size_t /*bytes*/,
                     int (*compare)(const void*, const void*)) {
  std::stable_sort(rectangles, rectangles + count,
                   [&](const stbrp_rect& a, const stbrp_rect& b) { return compare(&a, &b) < 0; });
}

}  // namespace

#define STBRP_STATIC
#define STBRP_SORT sort_rectangles
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb_rect_pack.h>

namespace pchr::exporting {
namespace {

// Packs a page of a fixed width. Returns nothing if it would be higher than `height`.
std::optional<Packing> pack_in(std::span<const FrameSize> rectangles, std::uint32_t width, std::uint32_t height) {
  std::vector<stbrp_rect> packed;
  for (const FrameSize& each : rectangles) {
    packed.push_back({0, static_cast<int>(each.width), static_cast<int>(each.height), 0, 0, 0});
  }
  std::vector<stbrp_node> nodes(width);
  stbrp_context context;
  stbrp_init_target(&context, static_cast<int>(width), static_cast<int>(height), nodes.data(), static_cast<int>(width));
  if (stbrp_pack_rects(&context, packed.data(), static_cast<int>(packed.size())) == 0) return std::nullopt;
  Packing page;
  for (const stbrp_rect& each : packed) {
    page.places.push_back({static_cast<std::uint32_t>(each.x), static_cast<std::uint32_t>(each.y)});
    page.size.width = std::max(page.size.width, static_cast<std::uint32_t>(each.x + each.w));
    page.size.height = std::max(page.size.height, static_cast<std::uint32_t>(each.y + each.h));
  }
  return page;
}

// Returns page widths to try: powers of two, or evenly spaced widths up to twice the side of a square.
std::vector<std::uint32_t> widths_to_try(std::span<const FrameSize> rectangles, std::uint32_t max_side,
                                         bool power_of_two) {
  std::uint32_t widest = 1;
  std::uint64_t area = 1;
  for (const FrameSize& each : rectangles) {
    widest = std::max(widest, each.width);
    area += std::uint64_t{each.width} * each.height;
  }
  std::vector<std::uint32_t> widths;
  if (power_of_two) {
    for (std::uint64_t width = std::bit_ceil(widest); width <= max_side; width *= 2) {
      widths.push_back(static_cast<std::uint32_t>(width));
    }
    return widths;
  }
  constexpr std::uint64_t kTries = 48;
  std::uint64_t side = 1;
  while (side * side < area) side += std::max<std::uint64_t>(1, side / 64);
  const std::uint64_t max = std::min<std::uint64_t>(max_side, std::max<std::uint64_t>(widest, 2 * side));
  for (std::uint64_t i = 0; i <= kTries && widest <= max; ++i) {
    widths.push_back(static_cast<std::uint32_t>(widest + (max - widest) * i / kTries));
  }
  if (widest <= max_side) widths.push_back(max_side);
  return widths;
}

std::uint32_t max_packed_side(std::uint32_t max_side, bool power_of_two) {
  return power_of_two ? std::bit_floor(max_side) : max_side;
}

bool may_fit(std::span<const FrameSize> rectangles, std::uint32_t side) {
  std::uint64_t area = 0;
  for (const FrameSize& each : rectangles) {
    area += std::uint64_t{each.width} * each.height;
    if (each.width > side || each.height > side || area > std::uint64_t{side} * side) return false;
  }
  return true;
}

// Returns the size of a cell, including extrusion and the padding to its right and below.
FrameSize padded_size(const FrameSize& size, const SheetOptions& options) {
  const std::uint32_t around = 2 * options.extrude + options.padding;
  return {size.width + around, size.height + around};
}

// The last column and row do not need padding.
std::uint32_t padded_side(const SheetOptions& options) {
  return options.power_of_two ? options.max_side : options.max_side + options.padding;
}

std::string too_large(std::string_view clip, std::size_t frame, const FrameSize& size, const SheetOptions& options) {
  return fmt::format("frame {} of the clip \"{}\" has {} x {} pixels and does not fit on a page of {} x {}", frame,
                     printable(clip), size.width, size.height, options.max_side, options.max_side);
}

// Returns the distinct cells of frames, ascending.
std::vector<std::uint32_t> cells_of(std::span<const SheetFrame> frames) {
  std::vector<std::uint32_t> used;
  for (const SheetFrame& frame : frames) used.push_back(frame.cell);
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  return used;
}

std::vector<FrameSize> padded_sizes(std::span<const std::uint32_t> used, const SheetCells& cells,
                                    const SheetOptions& options) {
  std::vector<FrameSize> sizes;
  for (const std::uint32_t cell : used) sizes.push_back(padded_size(cells[cell]->size, options));
  return sizes;
}

// Places frames that fit on one page.
PageCells place(Sheet& sheet, std::span<SheetFrame> frames, const SheetCells& cells, const SheetOptions& options) {
  const std::vector<std::uint32_t> used = cells_of(frames);
  Packing packing = pack(padded_sizes(used, cells, options), padded_side(options), options.power_of_two).value();
  if (!options.power_of_two) {
    packing.size = {packing.size.width - options.padding, packing.size.height - options.padding};
  }
  PageCells page{packing.size};
  for (std::size_t i = 0; i < used.size(); ++i) page.cells.emplace_back(packing.places[i], cells[used[i]]);
  for (SheetFrame& frame : frames) {
    const auto cell = std::ranges::lower_bound(used, frame.cell) - used.begin();
    const Place& place = packing.places[static_cast<std::size_t>(cell)];
    frame.page = sheet.pages.size();
    frame.place = {place.x + options.extrude, place.y + options.extrude, frame.source.width, frame.source.height};
  }
  const std::string path = sheet_page_path(options.path, sheet.pages.size(), std::string(extension_of(options.path)));
  sheet.pages.push_back({path, packing.size, frames.size(), used.size()});
  return page;
}

// Returns how many elements `fits` accepts, at most `count`. It must accept 0, and every number below one it accepts.
template <class Fits>
std::size_t count_fitting(std::size_t count, const Fits& fits) {
  if (fits(count)) return count;
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

// Returns how many of the frames from `first` to `last` go on the next page. Those after `last` do not fit there.
std::size_t frames_of_page(const Sheet& sheet, std::size_t first, std::size_t last, const SheetCells& cells,
                           const SheetOptions& options) {
  const auto fit = [&](std::size_t count) {
    if (count > last - first) return false;
    const std::vector<std::uint32_t> used = cells_of(std::span(sheet.frames).subspan(first, count));
    return fits(padded_sizes(used, cells, options), padded_side(options), options.power_of_two);
  };
  using enum SheetOptions::Format;
  const bool needs_whole_clips = options.whole_clips || options.format == aseprite || options.format == pixi;
  if (!needs_whole_clips) return count_fitting(sheet.frames.size() - first, fit);
  std::vector<std::size_t> whole{0};  // Frames of the next 0, 1, 2, ... clips.
  for (const SheetClip& clip : sheet.clips) {
    const std::size_t end = clip.first_frame + clip.frame_count;
    if (end > first) whole.push_back(end - first);
  }
  const std::size_t clips = count_fitting(whole.size() - 1, [&](std::size_t count) { return fit(whole[count]); });
  return clips > 0 ? whole[clips] : count_fitting(whole[1], fit);
}

}  // namespace

bool fits(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two) {
  const std::uint32_t side = max_packed_side(max_side, power_of_two);
  return may_fit(rectangles, side) && pack_in(rectangles, side, side);
}

std::optional<Packing> pack(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two) {
  const std::uint32_t side = max_packed_side(max_side, power_of_two);
  if (!may_fit(rectangles, side)) return std::nullopt;
  std::optional<Packing> best;
  const auto cost = [](const FrameSize& size) {
    // Prefer the squarest page of equal area.
    return std::pair(std::uint64_t{size.width} * size.height, std::max(size.width, size.height));
  };
  for (const std::uint32_t width : widths_to_try(rectangles, max_side, power_of_two)) {
    std::optional<Packing> page = pack_in(rectangles, width, side);
    if (!page) continue;
    if (power_of_two) page->size = {width, std::bit_ceil(page->size.height)};
    if (!best || cost(page->size) < cost(best->size)) best = std::move(page);
  }
  return best;
}

Cell make_cell(const Bitmap& premultiplied, const Area& area, bool premultiply) {
  const auto for_runs = [&](const auto& visit) {
    for (std::uint32_t y = 0; y < area.height; ++y) {
      const std::uint8_t* const row = &premultiplied.rgba[(std::size_t{area.y + y} * premultiplied.width + area.x) * 4];
      const auto is_zero = [row](std::uint32_t x) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, row + std::size_t{4} * x, 4);
        return pixel == 0;
      };
      for (std::uint32_t x = 0; x < area.width;) {
        const std::uint32_t zeros = x;
        while (x < area.width && is_zero(x)) ++x;
        const std::uint32_t first = x;
        while (x < area.width && !is_zero(x)) ++x;
        visit(first - zeros, x - first, row + std::size_t{4} * first);
      }
    }
  };
  std::size_t needed = 0;
  for_runs([&](std::uint32_t /*zeros*/, std::uint32_t count, const std::uint8_t* /*pixels*/) { needed += 2 + count; });
  Cell cell{{area.width, area.height}, std::vector<std::uint32_t>(needed)};
  std::uint32_t* out = cell.runs.data();
  for_runs([&](std::uint32_t zeros, std::uint32_t count, const std::uint8_t* pixels) {
    *out++ = zeros;
    *out++ = count;
    const std::span copied(reinterpret_cast<std::uint8_t*>(out), std::size_t{4} * count);
    std::copy_n(pixels, copied.size(), copied.data());
    if (!premultiply) unpremultiply(copied);
    out += count;
  });
  const std::string_view bytes(reinterpret_cast<const char*>(cell.runs.data()), 4 * needed);
  cell.hash = std::hash<std::string_view>()(bytes) ^ area.width;
  return cell;
}

TrimmedFrame trim(const Bitmap& premultiplied, const SheetOptions& options) {
  Area area = options.trim ? visible_area(premultiplied) : whole(premultiplied);
  // An empty frame still needs a pixel.
  if (area.width == 0) area = {0, 0, 1, 1};
  return {area, make_cell(premultiplied, area, options.premultiply)};
}

std::uint32_t SheetCells::add(Cell cell, const SheetOptions& options) {
  if (options.share) {
    const auto [first, last] = by_hash_.equal_range(cell.hash);
    for (auto known = first; known != last; ++known) {
      const Cell& other = *cells_.at(known->second);
      if (other.size == cell.size && other.runs == cell.runs) return known->second;
    }
  }
  insert(next_, std::make_shared<const Cell>(std::move(cell)), options);
  return next_++;
}

void SheetCells::insert(std::uint32_t number, std::shared_ptr<const Cell> cell, const SheetOptions& options) {
  const FrameSize size = padded_size(cell->size, options);
  area_ += std::uint64_t{size.width} * size.height;
  if (options.share) by_hash_.emplace(cell->hash, number);
  cells_.emplace(number, std::move(cell));
}

void SheetCells::keep(std::span<const SheetFrame> frames, const SheetOptions& options) {
  const auto before = std::exchange(cells_, {});
  by_hash_.clear();
  area_ = 0;
  for (const std::uint32_t number : cells_of(frames)) insert(number, before.at(number), options);
}

ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                              const SheetOptions& options) {
  const FrameSize cell = padded_size(size, options);
  if (fits({&cell, 1}, padded_side(options), options.power_of_two)) return {};
  return reject(too_large(clip, frame, size, options));
}

ExportResult<std::optional<PageCells>> lay_out_page(Sheet& sheet, std::size_t first, std::size_t last, bool has_all,
                                                    SheetCells& cells, const SheetOptions& options) {
  const std::uint64_t side = max_packed_side(padded_side(options), options.power_of_two);
  const bool is_full = cells.area() > side * side;
  if (first == last || (!has_all && !is_full)) return std::nullopt;
  const std::size_t count = frames_of_page(sheet, first, last, cells, options);
  if (count == 0) {
    const SheetFrame& frame = sheet.frames[first];
    const FrameSize size{frame.source.width, frame.source.height};
    return reject(too_large(sheet.clips[frame.clip].name, frame.number, size, options));
  }
  PageCells page = place(sheet, std::span(sheet.frames).subspan(first, count), cells, options);
  cells.keep(std::span(sheet.frames).subspan(first + count, last - first - count), options);
  return page;
}

void draw_page(const PageCells& cells, const SheetOptions& options, Bitmap& page) {
  page.width = cells.size.width;
  page.height = cells.size.height;
  const std::size_t bytes = std::size_t{4} * page.width * page.height;
  page.rgba.clear();
  page.rgba.reserve(bytes + page.height);  // For write_png_over().
  page.rgba.resize(bytes);
  std::vector<std::uint8_t> rgba;
  for (const auto& [place, cell] : cells.cells) {
    const auto [width, height] = cell->size;
    rgba.assign(std::size_t{4} * width * height, 0);
    std::uint8_t* out = rgba.data();
    for (auto run = cell->runs.begin(); run != cell->runs.end();) {
      out += std::size_t{4} * *run++;
      const std::uint32_t count = *run++;
      std::memcpy(out, std::to_address(run), std::size_t{4} * count);
      out += std::size_t{4} * count;
      run += count;
    }
    // Edge pixels are repeated around the cell.
    const std::uint32_t extrude = options.extrude;
    for (std::uint32_t y = 0; y < height + 2 * extrude; ++y) {
      const std::uint32_t from_y = std::min(y < extrude ? 0 : y - extrude, height - 1);
      const std::uint8_t* const row = &rgba[std::size_t{from_y} * width * 4];
      std::uint8_t* to = &page.rgba[((std::size_t{place.y} + y) * page.width + place.x) * 4];
      for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row, 4);
      std::memcpy(to, row, std::size_t{width} * 4);
      to += std::size_t{width} * 4;
      for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row + (width - 1) * std::size_t{4}, 4);
    }
  }
  if (!options.premultiply) bleed(page, options.bleed);
}

}  // namespace pchr::exporting

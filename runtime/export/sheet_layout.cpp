// SPDX-License-Identifier: MIT
#include "export/sheet_layout.hpp"

#include "export/fail.hpp"

#include <fmt/format.h>
#include <stb_rect_pack.h>

#include <algorithm>
#include <bit>
#include <cmath>
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

bool may_fit(std::span<const FrameSize> rectangles, std::uint32_t side) {
  std::uint64_t area = 0;
  for (const FrameSize& each : rectangles) {
    area += std::uint64_t{each.width} * each.height;
    if (each.width > side || each.height > side || area > std::uint64_t{side} * side) return false;
  }
  return true;
}

std::size_t hash_of(const Bitmap& bitmap) {
  const std::string_view bytes(reinterpret_cast<const char*>(bitmap.rgba.data()), bitmap.rgba.size());
  return std::hash<std::string_view>()(bytes) ^ bitmap.width;
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

std::vector<std::uint32_t> cells_of(std::span<const SheetClip> clips) {
  std::vector<std::uint32_t> used;
  for (const SheetClip& clip : clips) {
    for (const SheetFrame& frame : clip.frames) used.push_back(frame.cell);
  }
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  return used;
}

std::vector<FrameSize> extents_of(std::span<const std::uint32_t> used, const SheetCells& cells,
                                  const SheetOptions& options) {
  std::vector<FrameSize> extents;
  for (const std::uint32_t cell : used) {
    const Bitmap& bitmap = cells.bitmaps()[cell];
    extents.push_back(padded_size({bitmap.width, bitmap.height}, options));
  }
  return extents;
}

bool fit_on_page(std::span<const SheetClip> clips, const SheetCells& cells, const SheetOptions& options) {
  return fits(extents_of(cells_of(clips), cells, options), padded_side(options), options.power_of_two);
}

// Lays out the page for clips. Returns nothing if they do not fit.
std::optional<Sheet> lay_out_page(std::span<const SheetClip> clips, const SheetCells& cells,
                                  const SheetOptions& options) {
  Sheet sheet;
  sheet.clips.assign(clips.begin(), clips.end());
  sheet.cells = cells_of(clips);
  auto page = pack(extents_of(sheet.cells, cells, options), padded_side(options), options.power_of_two);
  if (!page) return std::nullopt;
  sheet.page = *std::move(page);
  if (!options.power_of_two) {
    sheet.page.size = {sheet.page.size.width - options.padding, sheet.page.size.height - options.padding};
  }
  return sheet;
}

// Returns the largest number below `count` for which `fits` is true. It must be true for 0 and monotonic.
template <class Fits>
std::size_t max_below(std::size_t count, const Fits& fits) {
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

// Moves as many of a clip's first frames as fit on a page to a new clip.
SheetClip take_part(SheetClip& clip, const SheetCells& cells, const SheetOptions& options) {
  const auto first_frames = [&](std::size_t count) {
    SheetClip first = clip;
    first.frames.resize(count);
    return first;
  };
  SheetClip part = first_frames(max_below(clip.frames.size(), [&](std::size_t count) {
    const SheetClip tried = first_frames(count);
    return fit_on_page(std::span(&tried, 1), cells, options);
  }));
  clip.frames.erase(clip.frames.begin(), clip.frames.begin() + static_cast<std::ptrdiff_t>(part.frames.size()));
  clip.first_frame += part.frames.size();
  return part;
}

// Copies a bitmap and repeats its edge pixels `extrude` times around it.
void put(Bitmap& page, const Bitmap& bitmap, Place place, std::uint32_t extrude) {
  for (std::uint32_t y = 0; y < bitmap.height + 2 * extrude; ++y) {
    const std::uint32_t from_y = std::min(y < extrude ? 0 : y - extrude, bitmap.height - 1);
    const std::uint8_t* row = &bitmap.rgba[std::size_t{from_y} * bitmap.width * 4];
    std::uint8_t* to = &page.rgba[((std::size_t{place.y} + y) * page.width + place.x) * 4];
    for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row, 4);
    std::memcpy(to, row, std::size_t{bitmap.width} * 4);
    to += std::size_t{bitmap.width} * 4;
    for (std::uint32_t x = 0; x < extrude; ++x, to += 4) std::memcpy(to, row + (bitmap.width - 1) * std::size_t{4}, 4);
  }
}

std::string in_quotes(std::string_view text) { return '"' + json_escaped(text) + '"'; }

std::string json_of(const Area& area) {
  return fmt::format(R"({{"x": {}, "y": {}, "w": {}, "h": {}}})", area.x, area.y, area.width, area.height);
}

std::string json_of(const FrameSize& size) { return fmt::format(R"({{"w": {}, "h": {}}})", size.width, size.height); }

std::string frame_json(const Sheet& sheet, const SheetFrame& frame, const SheetOptions& options) {
  const auto cell = std::ranges::lower_bound(sheet.cells, frame.cell) - sheet.cells.begin();
  const Place place = sheet.page.places[static_cast<std::size_t>(cell)];
  const Area shown{place.x + options.extrude, place.y + options.extrude, frame.area.width, frame.area.height};
  const bool trimmed = frame.area != Area{0, 0, options.canvas.width, options.canvas.height};
  return fmt::format(R"("frame": {}, "rotated": false, "trimmed": {}, "spriteSourceSize": {}, "sourceSize": {}, )"
                     R"("duration": {}, "pivot": {{"x": {}, "y": {}}}}})",
                     json_of(shown), trimmed, json_of(frame.area), json_of(options.canvas), frame.milliseconds,
                     options.pivot_x / options.canvas.width, options.pivot_y / options.canvas.height);
}

}  // namespace

bool fits(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two) {
  const std::uint32_t side = power_of_two ? std::bit_floor(max_side) : max_side;
  return may_fit(rectangles, side) && pack_in(rectangles, side, side);
}

std::optional<Packing> pack(std::span<const FrameSize> rectangles, std::uint32_t max_side, bool power_of_two) {
  const std::uint32_t side = power_of_two ? std::bit_floor(max_side) : max_side;
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

SheetFrame SheetCells::add(const Bitmap& premultiplied) {
  Area area = options_.trim ? visible_area(premultiplied) : whole(premultiplied);
  // An empty frame still needs a pixel.
  if (area.width == 0) area = {0, 0, 1, 1};
  Bitmap bitmap = straight_part(premultiplied, area);
  const std::size_t hash = hash_of(bitmap);
  if (options_.share) {
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
      const Bitmap& other = bitmaps_[known->second];
      if (other.width == bitmap.width && other.rgba == bitmap.rgba) return {known->second, area, 0};
    }
  }
  const auto cell = static_cast<std::uint32_t>(bitmaps_.size());
  by_hash_.emplace(hash, cell);
  bitmaps_.push_back(std::move(bitmap));
  return {cell, area, 0};
}

ExportResult<void> check_fits(std::string_view clip, std::size_t frame, const FrameSize& size,
                              const SheetOptions& options) {
  const FrameSize cell = padded_size(size, options);
  if (fits({&cell, 1}, padded_side(options), options.power_of_two)) return {};
  return reject(too_large(clip, frame, size, options));
}

ExportResult<std::vector<Sheet>> lay_out(std::vector<SheetClip> clips, const SheetCells& cells,
                                         const SheetOptions& options) {
  std::vector<std::string> names;
  for (const SheetClip& clip : clips) names.push_back(clip.name);
  names = unique_names(std::move(names), " (", ")");
  for (std::size_t i = 0; i < clips.size(); ++i) clips[i].frame_name = names[i];
  std::vector<Sheet> sheets;
  std::span<SheetClip> rest = clips;
  while (!rest.empty()) {
    std::optional<Sheet> sheet = lay_out_page(rest, cells, options);
    if (sheet) {
      sheets.push_back(*std::move(sheet));
      break;
    }
    const std::size_t whole =
        max_below(rest.size(), [&](std::size_t count) { return fit_on_page(rest.first(count), cells, options); });
    if (whole > 0) {
      sheets.push_back(lay_out_page(rest.first(whole), cells, options).value());
      rest = rest.subspan(whole);
      continue;
    }
    SheetClip& clip = rest.front();
    const SheetClip part = take_part(clip, cells, options);
    if (part.frames.empty()) {
      const Area& area = clip.frames.front().area;
      return reject(too_large(clip.name, clip.first_frame, {area.width, area.height}, options));
    }
    sheets.push_back(lay_out_page(std::span(&part, 1), cells, options).value());
  }
  return sheets;
}

Bitmap draw_sheet(const Sheet& sheet, const SheetCells& cells, const SheetOptions& options) {
  const FrameSize size = sheet.page.size;
  Bitmap page{size.width, size.height, std::vector<std::uint8_t>(std::size_t{4} * size.width * size.height)};
  for (std::size_t i = 0; i < sheet.cells.size(); ++i) {
    put(page, cells.bitmaps()[sheet.cells[i]], sheet.page.places[i], options.extrude);
  }
  return page;
}

std::string sheet_json(const Sheet& sheet, const SheetOptions& options, std::string_view image_name) {
  const bool is_hash = options.layout == SheetOptions::Layout::hash;
  std::string text = is_hash ? "{\n  \"frames\": {" : "{\n  \"frames\": [";
  std::string tags;
  std::size_t count = 0;
  for (const SheetClip& clip : sheet.clips) {
    tags += fmt::format(R"({}{}      {{"name": {}, "from": {}, "to": {}, "direction": "forward"{}}})",
                        tags.empty() ? "" : ",", "\n", in_quotes(clip.name), count, count + clip.frames.size() - 1,
                        clip.looping ? "" : R"(, "repeat": "1")");
    for (std::size_t i = 0; i < clip.frames.size(); ++i) {
      const std::string name = in_quotes(fmt::format("{} {}", clip.frame_name, clip.first_frame + i));
      text += count++ == 0 ? "\n    " : ",\n    ";
      text += is_hash ? name + ": {" : "{\"filename\": " + name + ", ";
      text += frame_json(sheet, clip.frames[i], options);
    }
  }
  // "scale" relates the canvas on the sheet to the original canvas.
  return text + fmt::format(R"(
  {},
  "meta": {{
    "app": "pchr",
    "version": "1.3",
    "image": {},
    "format": "RGBA8888",
    "size": {},
    "scale": "1",
    "frameTags": [{}
    ],
    "layers": [],
    "slices": [
      {{"name": "pivot", "color": "#0000ffff", "keys": [{{"frame": 0, "bounds": {}, "pivot": {{"x": {}, "y": {}}}}}]}}
    ]
  }}
}}
)",
                            is_hash ? '}' : ']', in_quotes(image_name), json_of(sheet.page.size), tags,
                            json_of(Area{0, 0, options.canvas.width, options.canvas.height}),
                            std::lround(options.pivot_x), std::lround(options.pivot_y));
}

}  // namespace pchr::exporting

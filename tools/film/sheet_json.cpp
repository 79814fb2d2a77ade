// SPDX-License-Identifier: MIT
// What is where on a sheet, in the JSON of Aseprite.
#include "film/sheet.hpp"
#include "json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::film {
namespace {

using tools::JsonWriter;
using tools::Layout;

JsonWriter& write_area(JsonWriter& json, const char* key, const Area& area) {
  json.key(key).begin_object().key("x").value(area.x).key("y").value(area.y);
  return json.key("w").value(area.width).key("h").value(area.height).end_object();
}

JsonWriter& write_extent(JsonWriter& json, const char* key, const Extent& extent) {
  return json.key(key).begin_object().key("w").value(extent.width).key("h").value(extent.height).end_object();
}

Area place_of(const Sheet& sheet, const SheetFrame& frame, const SheetOptions& options) {
  const auto found = std::ranges::lower_bound(sheet.cells, frame.cell);
  const Place place = sheet.page.places[static_cast<std::size_t>(found - sheet.cells.begin())];
  return {place.x + options.extrude, place.y + options.extrude, frame.area.width, frame.area.height};
}

void write_frame(JsonWriter& json, const Sheet& sheet, const SheetFrame& frame, const std::string& name,
                 const SheetOptions& options) {
  if (options.layout == SheetLayout::hash) {
    json.key(name).begin_object();
  } else {
    json.begin_object().key("filename").value(name);
  }
  const bool trimmed = frame.area != Area{0, 0, options.canvas.width, options.canvas.height};
  write_area(json, "frame", place_of(sheet, frame, options));
  json.key("rotated").value(false).key("trimmed").value(trimmed);
  write_area(json, "spriteSourceSize", frame.area);
  write_extent(json, "sourceSize", options.canvas);
  json.key("duration").value(frame.milliseconds);
  json.key("pivot").begin_object().key("x").value(options.pivot_x / options.canvas.width);
  json.key("y").value(options.pivot_y / options.canvas.height).end_object().end_object();
}

void write_tags(JsonWriter& json, const Sheet& sheet) {
  json.key("frameTags").begin_array(Layout::lines);
  std::size_t first = 0;
  for (const SheetClip& clip : sheet.clips) {
    json.begin_object().key("name").value(clip.name).key("from").value(first);
    first += clip.frames.size();
    json.key("to").value(first - 1).key("direction").value("forward");
    if (!clip.looping) json.key("repeat").value("1");
    json.end_object();
  }
  json.end_array();
}

void write_pivot(JsonWriter& json, const SheetOptions& options) {
  const auto pixel = [](double value) { return static_cast<std::int64_t>(std::lround(value)); };
  json.key("slices")
      .begin_array(Layout::lines)
      .begin_object()
      .key("name")
      .value("pivot")
      .key("color")
      .value("#0000ffff");
  json.key("keys").begin_array().begin_object().key("frame").value(0);
  write_area(json, "bounds", {0, 0, options.canvas.width, options.canvas.height});
  json.key("pivot").begin_object().key("x").value(pixel(options.pivot_x)).key("y").value(pixel(options.pivot_y));
  json.end_object().end_object().end_array().end_object().end_array();
}

}  // namespace

std::string write_sheet_json(const Sheet& sheet, const SheetOptions& options, std::string_view image_name) {
  JsonWriter json;
  json.begin_object(Layout::lines).key("frames");
  options.layout == SheetLayout::hash ? json.begin_object(Layout::lines) : json.begin_array(Layout::lines);
  for (const SheetClip& clip : sheet.clips) {
    for (std::size_t i = 0; i < clip.frames.size(); ++i) {
      write_frame(json, sheet, clip.frames[i], fmt::format("{} {}", clip.frame_name, clip.first_frame + i), options);
    }
  }
  options.layout == SheetLayout::hash ? json.end_object() : json.end_array();
  json.key("meta").begin_object(Layout::lines).key("app").value("pchr").key("version").value("1.3");
  json.key("image").value(image_name).key("format").value("RGBA8888");
  write_extent(json, "size", sheet.page.size);
  // Of the canvas on the sheet to the canvas: it is as large as it says.
  json.key("scale").value("1");
  write_tags(json, sheet);
  json.key("layers").begin_array().end_array();
  write_pivot(json, options);
  json.end_object().end_object();
  return {json.text.data(), json.text.size()};
}

}  // namespace pchr::film

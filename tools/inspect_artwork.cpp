// SPDX-License-Identifier: MIT
// The part of inspect's report that describes artworks.
#include "json.hpp"
#include "tool.hpp"

#include <numeric>

namespace pchr::tools {
namespace {

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// Returns a layer's kind, and its use unless it is simply drawn.
std::string kind_of(const ArtworkLayer& layer) {
  if (layer.use == LayerUse::drawn) return std::string(name_of(layer.kind));
  if (layer.kind == LayerKind::layer) return std::string(name_of(layer.use));
  return fmt::format("{}, {}", name_of(layer.kind), name_of(layer.use));
}

std::string repeats_of(const ArtworkTag& tag) {
  return tag.repeats == 0 ? "forever" : tag.repeats == 1 ? "once" : fmt::format("{} times", tag.repeats);
}

std::string code_of(const Rgba& color) {
  std::string code = fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
  if (color.alpha < 255) code += fmt::format("{:02x}", color.alpha);
  return code;
}

std::string flips_of(const ArtworkReference& reference) {
  if (reference.flipped_horizontally && reference.flipped_vertically) return "both";
  return reference.flipped_horizontally ? "horizontally" : reference.flipped_vertically ? "vertically" : "no";
}

void append_layers(std::string& out, const Artwork& artwork) {
  std::vector<std::size_t> depths;
  append_table(out, counted(artwork.layers.size(), "layer"),
               {">", "name", "kind", "blend", ">opacity", "visible", "drawn"}, artwork.layers,
               [&](const ArtworkLayer& layer) -> Cells {
                 depths.push_back(layer.parent < 0 ? 0 : depths[static_cast<std::size_t>(layer.parent)] + 1);
                 return {std::string(2 * depths.back(), ' ') + shown(layer.name),
                         kind_of(layer),
                         std::string(name_of(layer.blend)),
                         fmt::format("{:.0f} %", layer.opacity * 100),
                         yes_or_no(layer.visible),
                         yes_or_no(layer.drawn)};
               });
}

void append_tags(std::string& out, const Character& character, const Artwork& artwork) {
  if (artwork.tags.empty()) return;
  append_table(out, counted(artwork.tags.size(), "tag"),
               {">", "name", ">frames", "direction", "plays", "enabled", "clip"}, artwork.tags,
               [&](const ArtworkTag& tag) -> Cells {
                 return {shown(tag.name),
                         fmt::format("{} to {}", tag.first_frame, tag.last_frame),
                         std::string(name_of(tag.direction)),
                         repeats_of(tag),
                         yes_or_no(tag.enabled),
                         fmt::format("{} {}", tag.clip, shown(character.clips()[tag.clip].name))};
               });
}

void append_tilesets(std::string& out, const Artwork& artwork) {
  if (artwork.tilesets.empty()) return;
  append_table(out, counted(artwork.tilesets.size(), "tileset"), {">", "name", ">tile", ">tiles", "image"},
               artwork.tilesets, [](const ArtworkTileset& set) -> Cells {
                 return {shown(set.name), fmt::format("{} x {}", set.tile_width, set.tile_height),
                         grouped(set.tile_count), set.image ? std::to_string(*set.image) : "none"};
               });
}

void append_references(std::string& out, const Artwork& artwork) {
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    if (artwork.layers[i].reference) layers.push_back(i);
  }
  if (layers.empty()) return;
  append_table(out, counted(layers.size(), "reference layer") + ", drawn only if named by --layers",
               {">#", "name", ">image", ">size", ">at", ">angle", "flipped"}, layers, [&](std::size_t layer) -> Cells {
                 const ArtworkReference& reference = *artwork.layers[layer].reference;
                 return {std::to_string(layer),
                         shown(artwork.layers[layer].name),
                         reference.image_width == 0
                             ? "none"
                             : fmt::format("{} x {}", reference.image_width, reference.image_height),
                         fmt::format("{} x {}", reference.width, reference.height),
                         fmt::format("{}, {}", reference.left, reference.top),
                         fmt::format("{:.6g}", reference.rotation_degrees),
                         flips_of(reference)};
               });
}

void append_symmetry_lines(std::string& out, const Artwork& artwork) {
  if (artwork.symmetry_lines.empty()) return;
  append_table(out, counted(artwork.symmetry_lines.size(), "symmetry line"),
               {">", "kind", "enabled", ">at", ">angle", ">segments", "color"}, artwork.symmetry_lines,
               [](const ArtworkSymmetry& line) -> Cells {
                 return {std::string(name_of(line.kind)),
                         yes_or_no(line.enabled),
                         fmt::format("{:.6g}, {:.6g}", line.x, line.y),
                         fmt::format("{:.6g}", line.rotation_degrees),
                         std::to_string(line.segments),
                         code_of(line.color)};
               });
}

void append_guide(std::string& out, const ArtworkGuide& guide) {
  const std::string_view hidden = guide.visible ? "" : ", hidden";
  if (guide.kind != GuideKind::perspective) {
    out += fmt::format("\n{} guide: cells of {} x {} px, {}{}\n", name_of(guide.kind), guide.cell_width,
                       guide.cell_height, code_of(guide.color), hidden);
    return;
  }
  append_table(out, fmt::format("perspective guide: {}{}", counted(guide.points.size(), "vanishing point"), hidden),
               {">", ">at", ">lines", "color"}, guide.points, [](const ArtworkVanishingPoint& point) -> Cells {
                 return {fmt::format("{:.6g}, {:.6g}", point.x, point.y), std::to_string(point.lines),
                         code_of(point.color)};
               });
}

std::array<std::uint8_t, 4> channels(const Rgba& color) { return {color.red, color.green, color.blue, color.alpha}; }

}  // namespace

void append_artwork(std::string& out, const Imported& imported) {
  if (!imported.artwork) return;
  const Artwork& artwork = *imported.artwork;
  const auto total_ms = std::accumulate(artwork.frame_ms.begin(), artwork.frame_ms.end(), std::uint64_t{0});
  out += fmt::format("\nartwork of {} x {} px: {} in {} ms, {}{}{}\n", artwork.width, artwork.height,
                     counted(artwork.frame_ms.size(), "frame"), grouped(total_ms),
                     counted(artwork.palette.size(), "color"), artwork.indexed ? " (indexed)" : "",
                     artwork.speed == 1 ? "" : fmt::format(", played at {:.4g}x speed", artwork.speed));
  append_layers(out, artwork);
  append_tags(out, imported.character, artwork);
  append_tilesets(out, artwork);
  append_references(out, artwork);
  append_symmetry_lines(out, artwork);
  if (artwork.guide) append_guide(out, *artwork.guide);
  if (const auto& grid = artwork.canvas_grid) {
    out += fmt::format("\ncanvas grid: cells of {} x {} px, {} and {}\n", grid->cell_width, grid->cell_height,
                       code_of(grid->first_color), code_of(grid->second_color));
  }
}

void append_artwork(JsonWriter& json, const Artwork& artwork) {
  const auto append_reference = [&](const ArtworkReference& reference) {
    json.object("imageWidth", reference.image_width, "imageHeight", reference.image_height, "left", reference.left,
                "top", reference.top, "width", reference.width, "height", reference.height, "rotation",
                reference.rotation_degrees, "flippedHorizontally", reference.flipped_horizontally, "flippedVertically",
                reference.flipped_vertically);
  };
  json.begin_object(JsonWriter::lines)
      .fields("width", artwork.width, "height", artwork.height, "indexed", artwork.indexed, "speed", artwork.speed,
              "frameMs", artwork.frame_ms);
  json.list("layers", artwork.layers, [&](const ArtworkLayer& layer) {
    json.begin_object().fields("name", layer.name, "parent", layer.parent, "kind", name_of(layer.kind), "use",
                               name_of(layer.use), "visible", layer.visible, "drawn", layer.drawn, "opacity",
                               layer.opacity, "blend", name_of(layer.blend), "color", channels(layer.tag_color));
    json.field_if("reference", layer.reference, append_reference).end_object();
  });
  json.list("tags", artwork.tags, [&](const ArtworkTag& tag) {
    json.object("name", tag.name, "first", tag.first_frame, "last", tag.last_frame, "direction", name_of(tag.direction),
                "repeats", tag.repeats, "enabled", tag.enabled, "clip", tag.clip, "color", channels(tag.color));
  });
  json.list("tilesets", artwork.tilesets, [&](const ArtworkTileset& set) {
    json.object("name", set.name, "tileWidth", set.tile_width, "tileHeight", set.tile_height, "tiles", set.tile_count,
                "image", set.image);
  });
  json.fields("palette", std::views::transform(artwork.palette, channels));
  json.list("symmetryLines", artwork.symmetry_lines, [&](const ArtworkSymmetry& line) {
    json.object("kind", name_of(line.kind), "enabled", line.enabled, "x", line.x, "y", line.y, "rotation",
                line.rotation_degrees, "segments", line.segments, "color", channels(line.color));
  });
  json.field_if("guide", artwork.guide, [&](const ArtworkGuide& guide) {
    json.begin_object().fields("kind", name_of(guide.kind), "visible", guide.visible, "cellWidth", guide.cell_width,
                               "cellHeight", guide.cell_height, "color", channels(guide.color));
    json.key("vanishingPoints").begin_array();
    for (const ArtworkVanishingPoint& point : guide.points) {
      json.object("x", point.x, "y", point.y, "lines", point.lines, "color", channels(point.color));
    }
    json.end_array().end_object();
  });
  json.field_if("canvasGrid", artwork.canvas_grid, [&](const auto& grid) {
    json.object("cellWidth", grid.cell_width, "cellHeight", grid.cell_height, "colors",
                std::array{channels(grid.first_color), channels(grid.second_color)});
  });
  json.end_object();
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What inspect says about an artwork.
#include "inspect_artwork.hpp"

#include "tool.hpp"

#include <numeric>

namespace pchr::tools {
namespace {

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// A layer's kind, and what it is used as if it is not simply drawn.
std::string kind_of(const ArtworkLayer& layer) {
  if (layer.use == LayerUse::drawn) return std::string(name_of(layer.kind));
  if (layer.kind == LayerKind::layer) return std::string(name_of(layer.use));
  return fmt::format("{}, {}", name_of(layer.kind), name_of(layer.use));
}

std::vector<std::size_t> depths_of(const std::vector<ArtworkLayer>& layers) {
  std::vector<std::size_t> depths;
  for (const ArtworkLayer& layer : layers) {
    depths.push_back(layer.parent < 0 ? 0 : depths[static_cast<std::size_t>(layer.parent)] + 1);
  }
  return depths;
}

void append_layers(fmt::memory_buffer& out, const Artwork& artwork) {
  fmt::format_to(std::back_inserter(out), "\n{}\n", counted(artwork.layers.size(), "layer"));
  if (artwork.layers.empty()) return;
  Table table({">#", "name", "kind", "blend", ">opacity", "visible", "drawn"});
  const std::vector<std::size_t> depths = depths_of(artwork.layers);
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const ArtworkLayer& layer = artwork.layers[i];
    table.add({std::to_string(i), std::string(2 * depths[i], ' ') + shown(layer.name), kind_of(layer),
               std::string(name_of(layer.blend)), fmt::format("{:.0f} %", layer.opacity * 100),
               yes_or_no(layer.visible), yes_or_no(layer.drawn)});
  }
  table.append_to(out);
}

std::string repeats_of(const ArtworkTag& tag) {
  return tag.repeats == 0 ? "for ever" : tag.repeats == 1 ? "once" : fmt::format("{} times", tag.repeats);
}

void append_tags(fmt::memory_buffer& out, const Character& character, const Artwork& artwork) {
  if (artwork.tags.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", counted(artwork.tags.size(), "tag"));
  Table table({">#", "name", ">frames", "direction", "plays", "enabled", "clip"});
  for (std::size_t i = 0; i < artwork.tags.size(); ++i) {
    const ArtworkTag& tag = artwork.tags[i];
    table.add({std::to_string(i), shown(tag.name), fmt::format("{} to {}", tag.first_frame, tag.last_frame),
               std::string(name_of(tag.direction)), repeats_of(tag), yes_or_no(tag.enabled),
               fmt::format("{} {}", tag.clip, shown(character.clips()[tag.clip].name))});
  }
  table.append_to(out);
}

void append_tilesets(fmt::memory_buffer& out, const Artwork& artwork) {
  if (artwork.tilesets.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", counted(artwork.tilesets.size(), "tileset"));
  Table table({">#", "name", ">tile", ">tiles", "image"});
  for (std::size_t i = 0; i < artwork.tilesets.size(); ++i) {
    const ArtworkTileset& set = artwork.tilesets[i];
    table.add({std::to_string(i), shown(set.name), fmt::format("{} x {}", set.tile_width, set.tile_height),
               grouped(set.tile_count), set.image ? fmt::format("{}", *set.image) : "none"});
  }
  table.append_to(out);
}

std::string code_of(const Rgba& color) {
  std::string code = fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
  if (color.alpha < 255) code += fmt::format("{:02x}", color.alpha);
  return code;
}

std::string flips_of(const ArtworkReference& reference) {
  if (reference.flipped_horizontally && reference.flipped_vertically) return "both ways";
  return reference.flipped_horizontally ? "horizontally" : reference.flipped_vertically ? "vertically" : "no";
}

void append_references(fmt::memory_buffer& out, const Artwork& artwork) {
  Table table({">#", "name", ">picture", ">shown as", ">at", ">angle", "flipped"});
  std::size_t count = 0;
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const ArtworkLayer& layer = artwork.layers[i];
    if (!layer.reference) continue;
    ++count;
    const ArtworkReference& reference = *layer.reference;
    table.add(
        {std::to_string(i), shown(layer.name),
         reference.image_width == 0 ? "none" : fmt::format("{} x {}", reference.image_width, reference.image_height),
         fmt::format("{} x {}", reference.width, reference.height),
         fmt::format("{}, {}", reference.left, reference.top), fmt::format("{:.6g}", reference.rotation_degrees),
         flips_of(reference)});
  }
  if (count == 0) return;
  fmt::format_to(std::back_inserter(out), "\n{}, drawn where --layers names {}\n", counted(count, "reference layer"),
                 count == 1 ? "it" : "them");
  table.append_to(out);
}

void append_symmetry_lines(fmt::memory_buffer& out, const Artwork& artwork) {
  if (artwork.symmetry_lines.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", counted(artwork.symmetry_lines.size(), "symmetry line"));
  Table table({">#", "kind", "enabled", ">at", ">angle", ">segments", "color"});
  for (std::size_t i = 0; i < artwork.symmetry_lines.size(); ++i) {
    const ArtworkSymmetry& line = artwork.symmetry_lines[i];
    table.add({std::to_string(i), std::string(name_of(line.kind)), yes_or_no(line.enabled),
               fmt::format("{:.6g}, {:.6g}", line.x, line.y), fmt::format("{:.6g}", line.rotation_degrees),
               fmt::format("{}", line.segments), code_of(line.color)});
  }
  table.append_to(out);
}

void append_guide(fmt::memory_buffer& out, const ArtworkGuide& guide) {
  const std::string_view hidden = guide.visible ? "" : ", hidden";
  if (guide.kind != GuideKind::perspective) {
    fmt::format_to(std::back_inserter(out), "\n{} guide: cells of {} x {} px, {}{}\n", name_of(guide.kind),
                   guide.cell_width, guide.cell_height, code_of(guide.color), hidden);
    return;
  }
  fmt::format_to(std::back_inserter(out), "\nperspective guide: {}{}\n",
                 counted(guide.points.size(), "vanishing point"), hidden);
  if (guide.points.empty()) return;
  Table table({">#", ">at", ">lines", "color"});
  for (std::size_t i = 0; i < guide.points.size(); ++i) {
    const ArtworkVanishingPoint& point = guide.points[i];
    table.add({std::to_string(i), fmt::format("{:.6g}, {:.6g}", point.x, point.y), fmt::format("{}", point.lines),
               code_of(point.color)});
  }
  table.append_to(out);
}

std::array<std::uint8_t, 4> channels(const Rgba& color) { return {color.red, color.green, color.blue, color.alpha}; }

void append_layer(JsonWriter& json, const ArtworkLayer& layer) {
  const auto append_reference = [&] {
    if (!layer.reference) {
      json.value(nullptr);
      return;
    }
    const ArtworkReference& reference = *layer.reference;
    json.object("imageWidth", reference.image_width, "imageHeight", reference.image_height, "left", reference.left,
                "top", reference.top, "width", reference.width, "height", reference.height, "rotation",
                reference.rotation_degrees, "flippedHorizontally", reference.flipped_horizontally, "flippedVertically",
                reference.flipped_vertically);
  };
  json.object("name", layer.name, "parent", layer.parent, "kind", name_of(layer.kind), "use", name_of(layer.use),
              "visible", layer.visible, "drawn", layer.drawn, "opacity", layer.opacity, "blend", name_of(layer.blend),
              "color", channels(layer.tag_color), "reference", append_reference);
}

void append_guide(JsonWriter& json, const std::optional<ArtworkGuide>& guide) {
  if (!guide) {
    json.value(nullptr);
    return;
  }
  const auto append_points = [&] {
    json.begin_array();
    for (const ArtworkVanishingPoint& point : guide->points) {
      json.object("x", point.x, "y", point.y, "lines", point.lines, "color", channels(point.color));
    }
    json.end_array();
  };
  json.object("kind", name_of(guide->kind), "visible", guide->visible, "cellWidth", guide->cell_width, "cellHeight",
              guide->cell_height, "color", channels(guide->color), "vanishingPoints", append_points);
}

}  // namespace

void append_artwork(fmt::memory_buffer& out, const Imported& imported) {
  if (!imported.artwork) return;
  const Artwork& artwork = *imported.artwork;
  const auto total_ms = std::accumulate(artwork.frame_ms.begin(), artwork.frame_ms.end(), std::uint64_t{0});
  fmt::format_to(std::back_inserter(out), "\nartwork of {} x {} px: {} in {} ms, {}{}{}\n", artwork.width,
                 artwork.height, counted(artwork.frame_ms.size(), "frame"), grouped(total_ms),
                 counted(artwork.palette.size(), "color"), artwork.indexed ? " by index" : "",
                 artwork.speed == 1 ? "" : fmt::format(", played at {:.4g} times the speed", artwork.speed));
  append_layers(out, artwork);
  append_tags(out, imported.character, artwork);
  append_tilesets(out, artwork);
  append_references(out, artwork);
  append_symmetry_lines(out, artwork);
  if (artwork.guide) append_guide(out, *artwork.guide);
  if (const auto& grid = artwork.canvas_grid) {
    fmt::format_to(std::back_inserter(out), "\ncanvas grid: cells of {} x {} px, {} and {}\n", grid->cell_width,
                   grid->cell_height, code_of(grid->first_color), code_of(grid->second_color));
  }
}

void append_artwork(JsonWriter& json, const Imported& imported) {
  if (!imported.artwork) {
    json.value(nullptr);
    return;
  }
  const Artwork& artwork = *imported.artwork;
  json.begin_object(Layout::lines)
      .fields("width", artwork.width, "height", artwork.height, "indexed", artwork.indexed, "speed", artwork.speed,
              "frameMs", artwork.frame_ms);
  json.list("layers", artwork.layers, [&](const ArtworkLayer& layer) { append_layer(json, layer); });
  json.list("tags", artwork.tags, [&](const ArtworkTag& tag) {
    json.object("name", tag.name, "first", tag.first_frame, "last", tag.last_frame, "direction", name_of(tag.direction),
                "repeats", tag.repeats, "enabled", tag.enabled, "clip", tag.clip, "color", channels(tag.color));
  });
  json.list("tilesets", artwork.tilesets, [&](const ArtworkTileset& set) {
    json.object("name", set.name, "tileWidth", set.tile_width, "tileHeight", set.tile_height, "tiles", set.tile_count,
                "image", set.image);
  });
  json.key("palette").begin_array();
  for (const Rgba& color : artwork.palette) json.value(channels(color));
  json.end_array();
  json.list("symmetryLines", artwork.symmetry_lines, [&](const ArtworkSymmetry& line) {
    json.object("kind", name_of(line.kind), "enabled", line.enabled, "x", line.x, "y", line.y, "rotation",
                line.rotation_degrees, "segments", line.segments, "color", channels(line.color));
  });
  json.key("guide");
  append_guide(json, artwork.guide);
  json.key("canvasGrid");
  if (const auto& grid = artwork.canvas_grid) {
    json.object("cellWidth", grid->cell_width, "cellHeight", grid->cell_height, "colors", [&] {
      json.begin_array().value(channels(grid->first_color)).value(channels(grid->second_color)).end_array();
    });
  } else {
    json.value(nullptr);
  }
  json.end_object();
}

}  // namespace pchr::tools

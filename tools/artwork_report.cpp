// SPDX-License-Identifier: MIT
// What inspect says about an artwork.
#include "artwork_report.hpp"

#include "table.hpp"

#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace pchr::tools {
namespace {

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

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
  Table table({{"#", Align::right}, {"name"}, {"kind"}, {"blend"}, {"opacity", Align::right}, {"visible"}, {"drawn"}});
  const std::vector<std::size_t> depths = depths_of(artwork.layers);
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const ArtworkLayer& layer = artwork.layers[i];
    table.add({fmt::format("{}", i), std::string(2 * depths[i], ' ') + shown(layer.name), kind_of(layer),
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
  Table table(
      {{"#", Align::right}, {"name"}, {"frames", Align::right}, {"direction"}, {"plays"}, {"enabled"}, {"clip"}});
  for (std::size_t i = 0; i < artwork.tags.size(); ++i) {
    const ArtworkTag& tag = artwork.tags[i];
    table.add({fmt::format("{}", i), shown(tag.name), fmt::format("{} to {}", tag.first_frame, tag.last_frame),
               std::string(name_of(tag.direction)), repeats_of(tag), yes_or_no(tag.enabled),
               fmt::format("{} {}", tag.clip, shown(character.clips()[tag.clip].name))});
  }
  table.append_to(out);
}

void append_tilesets(fmt::memory_buffer& out, const Artwork& artwork) {
  if (artwork.tilesets.empty()) return;
  fmt::format_to(std::back_inserter(out), "\n{}\n", counted(artwork.tilesets.size(), "tileset"));
  Table table({{"#", Align::right}, {"name"}, {"tile", Align::right}, {"tiles", Align::right}, {"image"}});
  for (std::size_t i = 0; i < artwork.tilesets.size(); ++i) {
    const ArtworkTileset& set = artwork.tilesets[i];
    table.add({fmt::format("{}", i), shown(set.name), fmt::format("{} x {}", set.tile_width, set.tile_height),
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
  Table table({{"#", Align::right},
               {"name"},
               {"picture", Align::right},
               {"shown as", Align::right},
               {"at", Align::right},
               {"angle", Align::right},
               {"flipped"}});
  std::size_t count = 0;
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const ArtworkLayer& layer = artwork.layers[i];
    if (!layer.reference) continue;
    ++count;
    const ArtworkReference& reference = *layer.reference;
    table.add(
        {fmt::format("{}", i), shown(layer.name),
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
  Table table({{"#", Align::right},
               {"kind"},
               {"enabled"},
               {"at", Align::right},
               {"angle", Align::right},
               {"segments", Align::right},
               {"color"}});
  for (std::size_t i = 0; i < artwork.symmetry_lines.size(); ++i) {
    const ArtworkSymmetry& line = artwork.symmetry_lines[i];
    table.add({fmt::format("{}", i), std::string(name_of(line.kind)), yes_or_no(line.enabled),
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
  Table table({{"#", Align::right}, {"at", Align::right}, {"lines", Align::right}, {"color"}});
  for (std::size_t i = 0; i < guide.points.size(); ++i) {
    const ArtworkVanishingPoint& point = guide.points[i];
    table.add({fmt::format("{}", i), fmt::format("{:.6g}, {:.6g}", point.x, point.y), fmt::format("{}", point.lines),
               code_of(point.color)});
  }
  table.append_to(out);
}

void append_colour(JsonWriter& json, const Rgba& colour) {
  json.begin_array().value(colour.red).value(colour.green).value(colour.blue).value(colour.alpha).end_array();
}

void append_reference(JsonWriter& json, const std::optional<ArtworkReference>& reference) {
  if (!reference) {
    json.null();
    return;
  }
  json.begin_object().key("imageWidth").value(reference->image_width);
  json.key("imageHeight").value(reference->image_height).key("left").value(reference->left);
  json.key("top").value(reference->top).key("width").value(reference->width).key("height").value(reference->height);
  json.key("rotation").value(reference->rotation_degrees);
  json.key("flippedHorizontally").value(reference->flipped_horizontally);
  json.key("flippedVertically").value(reference->flipped_vertically).end_object();
}

void append_layer(JsonWriter& json, const ArtworkLayer& layer) {
  json.begin_object().key("name").value(layer.name).key("parent").value(layer.parent);
  json.key("kind").value(name_of(layer.kind)).key("use").value(name_of(layer.use));
  json.key("visible").value(layer.visible).key("drawn").value(layer.drawn).key("opacity").value(layer.opacity);
  json.key("blend").value(name_of(layer.blend)).key("colour");
  append_colour(json, layer.tag_colour);
  json.key("reference");
  append_reference(json, layer.reference);
  json.end_object();
}

void append_symmetry(JsonWriter& json, const ArtworkSymmetry& line) {
  json.begin_object().key("kind").value(name_of(line.kind)).key("enabled").value(line.enabled);
  json.key("x").value(line.x).key("y").value(line.y).key("rotation").value(line.rotation_degrees);
  json.key("segments").value(line.segments).key("color");
  append_colour(json, line.color);
  json.end_object();
}

void append_guide(JsonWriter& json, const std::optional<ArtworkGuide>& guide) {
  if (!guide) {
    json.null();
    return;
  }
  json.begin_object().key("kind").value(name_of(guide->kind)).key("visible").value(guide->visible);
  json.key("cellWidth").value(guide->cell_width).key("cellHeight").value(guide->cell_height).key("color");
  append_colour(json, guide->color);
  json.key("vanishingPoints").begin_array();
  for (const ArtworkVanishingPoint& point : guide->points) {
    json.begin_object().key("x").value(point.x).key("y").value(point.y).key("lines").value(point.lines).key("color");
    append_colour(json, point.color);
    json.end_object();
  }
  json.end_array().end_object();
}

void append_canvas_grid(JsonWriter& json, const std::optional<ArtworkCanvasGrid>& grid) {
  if (!grid) {
    json.null();
    return;
  }
  json.begin_object().key("cellWidth").value(grid->cell_width).key("cellHeight").value(grid->cell_height);
  json.key("colors").begin_array();
  append_colour(json, grid->first_color);
  append_colour(json, grid->second_color);
  json.end_array().end_object();
}

void append_tag(JsonWriter& json, const ArtworkTag& tag) {
  json.begin_object().key("name").value(tag.name).key("first").value(tag.first_frame).key("last").value(tag.last_frame);
  json.key("direction").value(name_of(tag.direction)).key("repeats").value(tag.repeats);
  json.key("enabled").value(tag.enabled).key("clip").value(tag.clip).key("colour");
  append_colour(json, tag.colour);
  json.end_object();
}

void append_tileset(JsonWriter& json, const ArtworkTileset& set) {
  json.begin_object().key("name").value(set.name).key("tileWidth").value(set.tile_width);
  json.key("tileHeight").value(set.tile_height).key("tiles").value(set.tile_count).key("image");
  if (set.image) {
    json.value(*set.image);
  } else {
    json.null();
  }
  json.end_object();
}

}  // namespace

void append_artwork(fmt::memory_buffer& out, const Character& character) {
  if (!character.data().artwork) return;
  const Artwork& artwork = *character.data().artwork;
  const auto total_ms = std::accumulate(artwork.frame_ms.begin(), artwork.frame_ms.end(), std::uint64_t{0});
  fmt::format_to(std::back_inserter(out), "\nartwork of {} x {} px: {} in {} ms, {}{}{}\n", artwork.width,
                 artwork.height, counted(artwork.frame_ms.size(), "frame"), grouped(total_ms),
                 counted(artwork.palette.size(), "colour"), artwork.indexed ? " by index" : "",
                 artwork.speed == 1 ? "" : fmt::format(", played at {:.4g} times the speed", artwork.speed));
  append_layers(out, artwork);
  append_tags(out, character, artwork);
  append_tilesets(out, artwork);
  append_references(out, artwork);
  append_symmetry_lines(out, artwork);
  if (artwork.guide) append_guide(out, *artwork.guide);
  if (const auto& grid = artwork.canvas_grid) {
    fmt::format_to(std::back_inserter(out), "\ncanvas grid: cells of {} x {} px, {} and {}\n", grid->cell_width,
                   grid->cell_height, code_of(grid->first_color), code_of(grid->second_color));
  }
}

void append_artwork(JsonWriter& json, const Character& character) {
  if (!character.data().artwork) {
    json.null();
    return;
  }
  const Artwork& artwork = *character.data().artwork;
  json.begin_object(Layout::lines).key("width").value(artwork.width).key("height").value(artwork.height);
  json.key("indexed").value(artwork.indexed).key("speed").value(artwork.speed).key("frameMs").begin_array();
  for (const std::uint32_t ms : artwork.frame_ms) json.value(ms);
  json.end_array().key("layers").begin_array(Layout::lines);
  for (const ArtworkLayer& layer : artwork.layers) append_layer(json, layer);
  json.end_array().key("tags").begin_array(Layout::lines);
  for (const ArtworkTag& tag : artwork.tags) append_tag(json, tag);
  json.end_array().key("tilesets").begin_array(Layout::lines);
  for (const ArtworkTileset& set : artwork.tilesets) append_tileset(json, set);
  json.end_array().key("palette").begin_array();
  for (const Rgba& colour : artwork.palette) append_colour(json, colour);
  json.end_array().key("symmetryLines").begin_array(Layout::lines);
  for (const ArtworkSymmetry& line : artwork.symmetry_lines) append_symmetry(json, line);
  json.end_array().key("guide");
  append_guide(json, artwork.guide);
  json.key("canvasGrid");
  append_canvas_grid(json, artwork.canvas_grid);
  json.end_object();
}

}  // namespace pchr::tools

// SPDX-License-Identifier: MIT
// What inspect says about an artwork.
#include "artwork_report.hpp"

#include "table.hpp"

#include <numeric>
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

void append_colour(JsonWriter& json, const Rgba& colour) {
  json.begin_array().value(colour.red).value(colour.green).value(colour.blue).value(colour.alpha).end_array();
}

void append_layer(JsonWriter& json, const ArtworkLayer& layer) {
  json.begin_object().key("name").value(layer.name).key("parent").value(layer.parent);
  json.key("kind").value(name_of(layer.kind)).key("use").value(name_of(layer.use));
  json.key("visible").value(layer.visible).key("drawn").value(layer.drawn).key("opacity").value(layer.opacity);
  json.key("blend").value(name_of(layer.blend)).key("colour");
  append_colour(json, layer.tag_colour);
  json.end_object();
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
  json.end_array().end_object();
}

}  // namespace pchr::tools

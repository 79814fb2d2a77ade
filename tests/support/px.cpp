// SPDX-License-Identifier: MIT
// Pixquare artworks composed field by field, valid or not.
#include "support/px.hpp"

#include "support/png.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

namespace pchr::test {
namespace {

/// Appends fields.
struct Writer {
  Bytes bytes;

  template <typename T>
  Writer& number(T value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
    return *this;
  }
  Writer& flag(bool value) { return number(static_cast<std::uint8_t>(value ? 1 : 0)); }
  Writer& raw(std::span<const std::byte> data) {
    bytes.insert(bytes.end(), data.begin(), data.end());
    return *this;
  }
  Writer& text(std::string_view string) { return raw(std::as_bytes(std::span(string))); }
  Writer& string(std::string_view value) { return number(static_cast<std::uint16_t>(value.size())).text(value); }
  Writer& color(const PxColor& value) { return raw(std::as_bytes(std::span(value))); }
  Writer& zeros(std::size_t count) {
    bytes.resize(bytes.size() + count);
    return *this;
  }

  /// Appends a half-precision float. `value` must be exactly representable.
  Writer& half(float value) {
    if (std::isnan(value)) return number(std::uint16_t{0x7E00});
    int exponent = 0;
    const float fraction = std::frexp(std::abs(value), &exponent);
    std::uint16_t bits = 0;
    if (value != 0) {
      bits =
          static_cast<std::uint16_t>((exponent + 14) << 10 | (static_cast<int>(std::lround(fraction * 2048)) & 0x3FF));
    }
    return number(static_cast<std::uint16_t>(bits | (value < 0 ? 0x8000 : 0)));
  }

  /// Appends a header of `header_bytes`, which starts with the size of `content` and then `more`, followed by the
  /// content.
  template <typename Size>
  Writer& model(std::size_t header_bytes, const Bytes& more, const Bytes& content) {
    return number(static_cast<Size>(content.size()))
        .raw(more)
        .zeros(header_bytes - sizeof(Size) - more.size())
        .raw(content);
  }

  template <typename Items, typename Write>
  Writer& array(const Items& items, Write write) {
    number(std::uint64_t{items.size()});
    for (const auto& item : items) write(*this, item);
    return *this;
  }
};

Bytes lengths(std::string_view id, std::string_view name) {
  return Writer{}.number(static_cast<std::uint8_t>(id.size())).number(static_cast<std::uint8_t>(name.size())).bytes;
}

void write_entry(Writer& out, const PxEntry& entry) {
  const Bytes content = Writer{}.number(static_cast<std::uint8_t>(entry.id.size())).text(entry.id).bytes;
  out.model<std::uint32_t>(16, Writer{}.number(entry.type).bytes, content);
}

void write_frame(Writer& out, const PxFrame& frame) {
  constexpr std::string_view kId = "frame";
  Writer content;
  content.text(kId).number(frame.ms).flag(false).text(frame.content).half(frame.opacity).number(frame.z_index);
  out.model<std::uint32_t>(32, lengths(kId, frame.content), content.bytes);
}

void write_effect(Writer& out, std::uint8_t type) {
  out.model<std::uint64_t>(16, Writer{}.number(type).bytes, Writer{}.flag(true).zeros(8).bytes);
}

/// Appends frames and the fields that layers and tilemaps store after them.
void write_state(Writer& out, const PxLayer& layer) {
  out.array(layer.frames, write_frame).half(layer.opacity).flag(layer.visible).zeros(3);
  out.number(layer.blend).flag(false);
}

void write_layer(Writer& out, const PxLayer& layer) {
  Writer content;
  content.text(layer.id).text(layer.name);
  write_state(content, layer);
  content.array(layer.cropping, write_entry).array(layer.clipping, write_entry).color(layer.tag_color);
  content.array(layer.effects, write_effect);
  out.model<std::uint32_t>(32, lengths(layer.id, layer.name), content.bytes);
}

void write_group(Writer& out, const PxLayer& group) {
  Writer content;
  content.text(group.id).text(group.name).array(group.children, write_entry);
  content.half(group.opacity).flag(group.visible).zeros(3).flag(true);
  content.array(group.cropping, write_entry).array(group.clipping, write_entry).color(group.tag_color);
  out.model<std::uint32_t>(32, lengths(group.id, group.name), content.bytes);
}

void write_tilemap(Writer& out, const PxLayer& layer, bool by_the_document) {
  Writer content;
  content.string(layer.id).string(layer.tileset).string(layer.name);
  write_state(content, layer);
  out.model<std::uint32_t>(by_the_document ? 4 : 32, {}, content.color(layer.tag_color).bytes);
}

void write_reference(Writer& out, const PxReference& layer) {
  Writer content;
  content.text(layer.id).raw(layer.png).text(layer.name).half(layer.opacity).flag(layer.visible).flag(false);
  content.number(layer.left).number(layer.top).number(layer.width).number(layer.height).number(layer.radians);
  content.color(layer.tag_color).number(layer.flips);
  Writer header;
  header.number(std::uint64_t{layer.png.size()}).raw(lengths(layer.id, layer.name));
  out.model<std::uint32_t>(32, header.bytes, content.bytes);
}

void write_symmetry_line(Writer& out, const PxSymmetryLine& line) {
  constexpr std::string_view kId = "line";
  Writer content;
  content.text(kId).color(line.color).flag(false).flag(line.enabled);
  content.number(line.x).number(line.y).number(line.radians).number(line.segments).number(line.type);
  out.model<std::uint32_t>(16, lengths(kId, {}), content.bytes);
}

void write_guide(Writer& out, const PxGuide& guide) {
  Writer content;
  if (guide.type == 2) {
    content.array(guide.xs, [](Writer& to, float x) { to.number(x); });
    content.array(guide.ys, [](Writer& to, float y) { to.number(y); });
    content.array(guide.lines, [](Writer& to, std::uint32_t lines) { to.number(lines); });
    content.array(guide.colors, [](Writer& to, const PxColor& color) { to.color(color); });
  } else {
    content.number(guide.width).number(guide.height).color(guide.color);
  }
  content.flag(guide.visible).flag(false);
  out.zeros(4).number(static_cast<std::uint16_t>(content.bytes.size())).number(guide.type).zeros(7);
  out.raw(content.bytes);
}

void write_content(Writer& out, const PxContent& content) {
  Writer header;
  header.number(static_cast<std::uint8_t>(content.id.size())).zeros(4);
  header.number(static_cast<std::uint32_t>(content.deflated.size()));
  out.model<std::uint64_t>(32, header.bytes, Writer{}.text(content.id).raw(content.deflated).bytes);
}

void write_tag(Writer& out, const PxTag& tag) {
  constexpr std::string_view kId = "tag";
  Writer content;
  content.text(kId).text(tag.name).number(tag.first).number(tag.last).flag(false).color({255, 0, 0, 255});
  content.number(tag.direction).number(tag.repeats).flag(tag.enabled);
  out.model<std::uint32_t>(16, lengths(kId, tag.name), content.bytes);
}

void write_tileset(Writer& out, const PxTileset& set) {
  Writer content;
  content.string(set.id).string(set.name).number(set.tile_width).number(set.tile_height);
  content.array(set.tiles, [](Writer& to, const Bytes& tile) { to.number(std::uint64_t{tile.size()}).raw(tile); });
  out.model<std::uint32_t>(32, {}, content.number(set.columns).bytes);
}

void write_tilemap_content(Writer& out, const PxTilemapContent& map, bool by_the_document) {
  Writer content;
  content.string(map.id).number(map.tile_width).number(map.tile_height);
  content.number(std::uint64_t{map.cells.size() * (by_the_document ? 1 : 2)}).raw(std::as_bytes(std::span(map.cells)));
  out.model<std::uint64_t>(32, {}, content.bytes);
}

void write_settings(Writer& out, const PxArtwork& artwork) {
  out.flag(artwork.indexed).model<std::uint16_t>(16, {}, Bytes(16)).zeros(1);
  const PxCanvasGrid& grid = artwork.canvas_grid;
  out.number(grid.width).number(grid.height).color(grid.first).color(grid.second);
  const PxGuide& guide = artwork.guide;
  if (artwork.by_the_document) {
    out.number(guide.width).number(guide.height).color(guide.color).flag(guide.type == 1).flag(guide.visible);
    return;
  }
  write_guide(out, guide);
  out.array(artwork.post_processors,
            [](Writer& to, std::uint8_t type) { to.model<std::uint16_t>(16, Writer{}.number(type).bytes, Bytes(4)); });
  out.model<std::uint16_t>(16, {}, {}).zeros(2);
  out.array(artwork.speeds, [](Writer& to, float speed) {
    to.model<std::uint64_t>(16, Bytes(1), Writer{}.string("speed").flag(true).number(speed).bytes);
  });
}

}  // namespace

PxLayer& PxArtwork::add_layer(const std::string& name, const std::vector<PxPixels>& images) {
  PxLayer layer{.id = "id of " + name, .name = name};
  for (const PxPixels& pixels : images) {
    contents.push_back({"content " + std::to_string(contents.size()), px_deflated(pixels)});
    layer.frames.push_back({contents.back().id});
  }
  entries.push_back({PxType::layer, layer.id});
  return layers.emplace_back(layer);
}

Bytes px_deflated(std::span<const std::byte> bytes) {
  constexpr std::size_t kChecksumBytes = 4;
  Bytes deflated = deflate(bytes);
  deflated.resize(deflated.size() - kChecksumBytes);
  return deflated;
}

Bytes px_deflated(const PxPixels& pixels) { return px_deflated(std::as_bytes(std::span(pixels))); }

Bytes write_px(const PxArtwork& artwork) {
  constexpr std::size_t kHeaderBytes = 64;
  Writer content;
  content.text(artwork.id).number(artwork.width).number(artwork.height).array(artwork.entries, write_entry);
  content.array(artwork.groups, write_group).array(artwork.layers, write_layer);
  content.array(artwork.contents, write_content);
  content.array(artwork.palette, [](Writer& out, const PxColor& color) { out.color(color); });
  content.array(artwork.references, write_reference);
  content.array(artwork.reference_pngs,
                [](Writer& out, const Bytes& png) { out.number(std::uint64_t{png.size()}).raw(png); });
  content.array(artwork.symmetry_lines, write_symmetry_line);
  content.array(artwork.tags, write_tag).array(artwork.tilesets, write_tileset);
  content.array(artwork.tilemaps,
                [&](Writer& out, const PxLayer& layer) { write_tilemap(out, layer, artwork.by_the_document); });
  content.array(artwork.tilemap_contents, [&](Writer& out, const PxTilemapContent& map) {
    write_tilemap_content(out, map, artwork.by_the_document);
  });
  write_settings(content, artwork);
  content.raw(artwork.after);
  Writer file;
  file.number(std::uint64_t{content.bytes.size() + (artwork.by_the_document ? kHeaderBytes : 0)});
  file.number(static_cast<std::uint8_t>(artwork.id.size())).number(std::uint16_t{2});
  return file.zeros(kHeaderBytes - file.bytes.size()).raw(content.bytes).bytes;
}

}  // namespace pchr::test

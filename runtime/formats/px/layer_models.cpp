// SPDX-License-Identifier: MIT
// The models of a .px file that are layers.
#include "formats/px/models.hpp"

#include "formats/px/model_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace pchr::px {
namespace {

std::optional<LayerKind> kind_of(std::uint8_t type) noexcept {
  constexpr std::array kKinds{LayerKind::layer, LayerKind::group, LayerKind::reference, LayerKind::tilemap};
  return type < kKinds.size() ? std::optional(kKinds[type]) : std::nullopt;
}

/// Whether a header has its size only, as the document says, and what follows is the layer's identifier. The program
/// writes zeros there.
bool has_bare_header(Fields ahead) {
  const auto size = ahead.read<std::uint32_t>();
  const auto id_bytes = ahead.read<std::uint16_t>();
  if (id_bytes == 0 || id_bytes + sizeof(id_bytes) > size || id_bytes > ahead.remaining()) return false;
  return std::ranges::all_of(ahead.read_id(id_bytes), [](char letter) { return letter > 0x20 && letter < 0x7F; });
}

constexpr std::array<std::string_view, 4> kEffects{"colour overlay", "outline", "anti-alias", "pattern"};

}  // namespace

std::string_view section_of(LayerKind kind) noexcept {
  switch (kind) {
    case LayerKind::layer:
      return "layers";
    case LayerKind::group:
      return "groups";
    case LayerKind::tilemap:
      return "tilemapLayers";
    case LayerKind::reference:
      break;
  }
  return "referenceLayers";
}

void ModelReader::check(const Fields& content, const Item& item) {
  if (!content.cut()) return;
  add(FindingId::px_damaged, content.offset(), std::string(section_of(item.kind)), item.name,
      "a layer ends before all that it announces");
}

float ModelReader::checked_opacity(float opacity, const Item& item) {
  if (opacity >= 0 && opacity <= 1) return opacity;
  add(FindingId::px_value_replaced, item.offset, std::string(section_of(item.kind)), item.name,
      fmt::format("found opacity {}; allowed are 0 to 1", opacity));
  return opacity > 1 ? 1.0F : opacity < 0 ? 0.0F : 1.0F;
}

float ModelReader::checked_angle(float radians, std::uint64_t offset, std::string_view section, std::string_view name) {
  // Also where only the degrees are too large for a float.
  const float degrees = radians * (180 / std::numbers::pi_v<float>);
  if (std::isfinite(degrees)) return degrees;
  add(FindingId::px_value_replaced, offset, std::string(section), name,
      fmt::format("found angle {}; it is taken for 0", radians));
  return 0;
}

std::vector<Entry> ModelReader::read_entries(Fields& fields) {
  std::vector<Entry> entries;
  fields.read_array(kShortHeader, [&](Fields& from) {
    const std::uint64_t offset = from.offset();
    Model model = read_model<std::uint32_t>(from, kShortHeader);
    const auto type = model.header.read<std::uint8_t>();
    const std::string_view id = model.content.read_id(model.content.read<std::uint8_t>());
    if (const auto kind = kind_of(type)) {
      entries.push_back({*kind, id});
    } else {
      add(FindingId::px_unknown, offset, "entries", {}, fmt::format("found an entry of type {}", type));
    }
  });
  return entries;
}

Frame ModelReader::read_frame(Fields& fields) {
  Model model = read_model<std::uint32_t>(fields, kLongHeader);
  const auto id_bytes = model.header.read<std::uint8_t>();
  const auto content_bytes = model.header.read<std::uint8_t>();
  Frame frame;
  Fields& content = model.content;
  content.take(id_bytes);
  frame.ms = content.read<std::uint32_t>();
  content.take(sizeof(std::uint8_t));  // selected
  frame.content = content.read_id(content_bytes);
  frame.opacity = content.read_half(Frame::kInherited);
  frame.z_index = content.read<std::int16_t>();
  return frame;
}

/// What layers and tilemaps have in common, from the frames on to whether they are linked.
void ModelReader::read_state(Fields& content, Item& item) {
  bool replaced = false;
  content.read_array(kLongHeader, [&](Fields& fields) {
    Frame& frame = item.frames.emplace_back(read_frame(fields));
    if (frame.opacity == Frame::kInherited || (frame.opacity >= 0 && frame.opacity <= 1)) return;
    frame.opacity = Frame::kInherited;
    replaced = true;
  });
  if (replaced) {
    add(FindingId::px_value_replaced, item.offset, std::string(section_of(item.kind)), item.name,
        "a frame's opacity is neither 0 to 1 nor 2; the layer's is used");
  }
  item.opacity = checked_opacity(content.read_half(1), item);
  item.visible = content.read<std::uint8_t>(1) != 0;
  content.take(3);  // locked, selected, alpha-locked
  const auto blend = content.read<std::uint16_t>();
  if (blend >= kBlendModes) {
    add(FindingId::px_unknown, item.offset, std::string(section_of(item.kind)), item.name,
        fmt::format("found blend mode {}; it is drawn as normal", blend));
  } else {
    item.blend = static_cast<BlendMode>(blend);
  }
  content.take(1);  // linked
}

void ModelReader::read_effects(Fields& content, const Item& item) {
  content.read_array(kShortHeader, [&](Fields& fields) {
    const std::uint64_t offset = fields.offset();
    Model model = read_model<std::uint64_t>(fields, kShortHeader);
    const auto type = model.header.read<std::uint8_t>();
    const bool enabled = type >= kEffects.size() || model.content.read<std::uint8_t>() != 0;
    if (enabled) add(remark_on(kEffects, type), offset, "layers", item.name, "effect: " + name_in(kEffects, type));
  });
}

Item ModelReader::read_layer(Fields& fields) {
  Item item{.kind = LayerKind::layer, .id = {}, .name = {}, .offset = fields.offset()};
  auto [header, content] = read_model<std::uint32_t>(fields, kLongHeader);
  const auto id_bytes = header.read<std::uint8_t>();
  const auto name_bytes = header.read<std::uint8_t>();
  item.id = content.read_id(id_bytes);
  item.name = content.read_name(name_bytes);
  read_state(content, item);
  item.cropping = read_entries(content);
  item.clipping = read_entries(content);
  item.tag_colour = content.read_colour();
  read_effects(content, item);
  check(content, item);
  return item;
}

Item ModelReader::read_group(Fields& fields) {
  Item item{.kind = LayerKind::group, .id = {}, .name = {}, .offset = fields.offset()};
  auto [header, content] = read_model<std::uint32_t>(fields, kLongHeader);
  const auto id_bytes = header.read<std::uint8_t>();
  const auto name_bytes = header.read<std::uint8_t>();
  item.id = content.read_id(id_bytes);
  item.name = content.read_name(name_bytes);
  item.children = read_entries(content);
  item.opacity = checked_opacity(content.read_half(1), item);
  item.visible = content.read<std::uint8_t>(1) != 0;
  content.take(3);  // locked, selected, alpha-locked
  item.expanded = content.read<std::uint8_t>(1) != 0;
  item.cropping = read_entries(content);
  item.clipping = read_entries(content);
  item.tag_colour = content.read_colour();
  check(content, item);
  return item;
}

Item ModelReader::read_tilemap(Fields& fields) {
  Item item{.kind = LayerKind::tilemap, .id = {}, .name = {}, .offset = fields.offset()};
  const std::uint64_t header_bytes = has_bare_header(fields) ? sizeof(std::uint32_t) : kLongHeader;
  Fields content = read_model<std::uint32_t>(fields, header_bytes).content;
  item.id = content.read_id();
  item.tileset = content.read_id();
  item.name = content.read_name();
  read_state(content, item);
  item.tag_colour = content.read_colour();
  check(content, item);
  return item;
}

Item ModelReader::read_reference(Fields& fields) {
  Item item{.kind = LayerKind::reference, .id = {}, .name = {}, .offset = fields.offset()};
  auto [header, content] = read_model<std::uint32_t>(fields, kLongHeader);
  const auto png_bytes = header.read<std::uint64_t>();
  const auto id_bytes = header.read<std::uint8_t>();
  const auto name_bytes = header.read<std::uint8_t>();
  item.id = content.read_id(id_bytes);
  item.png = content.take(png_bytes);
  item.name = content.read_name(name_bytes);
  item.opacity = checked_opacity(content.read_half(1), item);
  item.visible = content.read<std::uint8_t>(1) != 0;
  content.take(1);  // selected
  ArtworkReference& reference = item.reference;
  reference.left = content.read<std::int32_t>();
  reference.top = content.read<std::int32_t>();
  reference.width = content.read<std::uint32_t>();
  reference.height = content.read<std::uint32_t>();
  reference.rotation_degrees = checked_angle(content.read<float>(), item.offset, section_of(item.kind), item.name);
  item.tag_colour = content.read_colour();
  const auto flips = content.read<std::uint8_t>();
  reference.flipped_horizontally = (flips & 1U) != 0;
  reference.flipped_vertically = (flips & 2U) != 0;
  check(content, item);
  return item;
}

}  // namespace pchr::px

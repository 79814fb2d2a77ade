// SPDX-License-Identifier: MIT
// The models of a .px file that are not layers.
#include "formats/px/models.hpp"

#include "formats/px/model_types.hpp"

#include <fmt/format.h>

#include <utility>

namespace pchr::px {

void ModelReader::add(FindingId id, std::uint64_t offset, std::string path, std::string_view name, std::string detail) {
  remarks_->add(id, [&] { return finding_in(id, std::move(path), name, offset, std::move(detail)); });
}

Content ModelReader::read_content(Fields& fields) {
  const std::uint64_t offset = fields.offset();
  auto [header, content] = read_model<std::uint64_t>(fields, kLongHeader);
  const auto id_bytes = header.read<std::uint8_t>();
  const std::string_view id = content.read_id(id_bytes);
  return {id, content.take(content.remaining()), offset};
}

TilemapContent ModelReader::read_tilemap_content(Fields& fields) {
  TilemapContent result{.id = {}, .offset = fields.offset()};
  Fields content = read_model<std::uint64_t>(fields, kLongHeader).content;
  result.id = content.read_id();
  result.tile_width = content.read<std::uint32_t>();
  result.tile_height = content.read<std::uint32_t>();
  // Unlike of other arrays, this one's length is in bytes.
  result.cells = content.take(content.read<std::uint64_t>());
  return result;
}

Tileset ModelReader::read_tileset(Fields& fields) {
  Tileset result{.id = {}, .name = {}, .offset = fields.offset()};
  Fields content = read_model<std::uint32_t>(fields, kLongHeader).content;
  result.id = content.read_id();
  result.name = content.read_name();
  result.tile_width = content.read<std::uint32_t>();
  result.tile_height = content.read<std::uint32_t>();
  content.read_array(sizeof(std::uint64_t),
                     [&](Fields& from) { result.tiles.push_back(from.take(from.read<std::uint64_t>())); });
  result.columns = content.read<std::uint16_t>(6);
  if (content.cut()) {
    add(FindingId::px_damaged, content.offset(), "tilesets", result.name,
        "a tileset ends before all that it announces");
  }
  return result;
}

ArtworkTag ModelReader::read_tag(Fields& fields) {
  const std::uint64_t offset = fields.offset();
  auto [header, content] = read_model<std::uint32_t>(fields, kShortHeader);
  const auto id_bytes = header.read<std::uint8_t>();
  const auto name_bytes = header.read<std::uint8_t>();
  content.take(id_bytes);
  ArtworkTag tag;
  tag.name = content.read_name(name_bytes);
  tag.first_frame = content.read<std::uint16_t>();
  tag.last_frame = content.read<std::uint16_t>();
  content.take(1);  // selected
  tag.colour = content.read_colour();
  const auto direction = content.read<std::uint8_t>();
  if (direction <= static_cast<std::uint8_t>(TagDirection::ping_pong)) {
    tag.direction = static_cast<TagDirection>(direction);
  } else {
    add(FindingId::px_unknown, offset, "tags", tag.name,
        fmt::format("found direction {}; it plays forward", direction));
  }
  tag.repeats = content.read<std::uint16_t>();
  tag.enabled = content.read<std::uint8_t>(1) != 0;
  return tag;
}

void ModelReader::read_post_processor(Fields& fields) {
  static constexpr std::array<std::string_view, 4> kPostProcessors{"CRT", "vignette", "bloom", "round pixel"};
  const std::uint64_t offset = fields.offset();
  const auto type = read_model<std::uint16_t>(fields, kShortHeader).header.read<std::uint8_t>();
  add(remark_on(kPostProcessors, type), offset, "postProcessors", {},
      "post-processor: " + name_in(kPostProcessors, type));
}

double ModelReader::read_modifier(Fields& fields) {
  const std::uint64_t offset = fields.offset();
  auto [header, content] = read_model<std::uint64_t>(fields, kShortHeader);
  const auto type = header.read<std::uint8_t>();
  if (type != 0) {
    add(FindingId::px_unknown, offset, "modifiers", {}, fmt::format("found a modifier of type {}", type));
    return 1;
  }
  (void)content.read_id();
  const bool enabled = content.read<std::uint8_t>() != 0;
  const auto multiplier = content.read<float>(1);
  if (!enabled) return 1;
  constexpr float kMost = 1000;
  if (multiplier >= 1 / kMost && multiplier <= kMost) return multiplier;
  add(FindingId::px_value_replaced, offset, "modifiers", {},
      fmt::format("found speed {}; allowed are 1/1000 to 1000", multiplier));
  return 1;
}

}  // namespace pchr::px

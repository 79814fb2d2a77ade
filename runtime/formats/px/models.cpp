// SPDX-License-Identifier: MIT
// The models of a .px file that are not layers.
#include "formats/px/models.hpp"

#include "formats/px/model_types.hpp"

#include <fmt/format.h>

#include <utility>

namespace pchr::px {
namespace {

/// An array for each coordinate, for the numbers of lines and for the colors.
std::vector<ArtworkVanishingPoint> read_vanishing_points(Fields& content) {
  std::vector<ArtworkVanishingPoint> points;
  content.read_array(sizeof(float), [&](Fields& from) { points.push_back({.x = from.read<float>()}); });
  const auto fill = [&](std::uint64_t bytes, auto read_into) {
    std::size_t i = 0;
    content.read_array(bytes, [&](Fields& from) {
      ArtworkVanishingPoint ignored;
      read_into(from, i < points.size() ? points[i] : ignored);
      ++i;
    });
  };
  fill(sizeof(float), [](Fields& from, ArtworkVanishingPoint& point) { point.y = from.read<float>(); });
  fill(sizeof(std::uint32_t),
       [](Fields& from, ArtworkVanishingPoint& point) { point.lines = from.read<std::uint32_t>(); });
  fill(4, [](Fields& from, ArtworkVanishingPoint& point) { point.color = from.read_colour(); });
  return points;
}

}  // namespace

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
  // Unlike of other arrays, this one's length is in bytes; whoever follows the document counts cells, like elsewhere.
  const auto length = content.read<std::uint64_t>();
  const bool counts_cells = length > 0 && content.remaining() / 2 == length && content.remaining() % 2 == 0;
  result.cells = content.take(counts_cells ? content.remaining() : length);
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

ArtworkSymmetry ModelReader::read_symmetry_line(Fields& fields) {
  const std::uint64_t offset = fields.offset();
  auto [header, content] = read_model<std::uint32_t>(fields, kShortHeader);
  content.take(header.read<std::uint8_t>());  // identifier
  ArtworkSymmetry line;
  line.color = content.read_colour();
  content.take(1);  // selected
  line.enabled = content.read<std::uint8_t>() != 0;
  line.x = content.read<float>();
  line.y = content.read<float>();
  line.rotation_degrees = checked_angle(content.read<float>(), offset, "symmetryLines", {});
  line.segments = content.read<std::uint8_t>();
  line.kind = content.read<std::uint8_t>() == 1 ? SymmetryKind::rotate : SymmetryKind::mirror;
  return line;
}

std::optional<ArtworkGuide> ModelReader::read_guide(Fields& fields) {
  constexpr std::uint64_t kHeaderBytes = 14;
  const std::uint64_t offset = fields.offset();
  ArtworkGuide guide;
  const auto read_cells = [&](Fields& from) {
    guide.cell_width = from.read<std::uint32_t>();
    guide.cell_height = from.read<std::uint32_t>();
    guide.color = from.read_colour();
  };
  Fields ahead = fields;
  if (ahead.read<std::uint32_t>() != 0 || fields.remaining() <= kHeaderBytes) {
    // Older files, and the document, have no header here but the guide itself.
    read_cells(fields);
    if (fields.read<std::uint8_t>() != 0) guide.kind = GuideKind::isometric;
    guide.visible = fields.read<std::uint8_t>() != 0;
    return guide.cell_width > 0 && guide.cell_height > 0 ? std::optional(guide) : std::nullopt;
  }
  Fields header = fields.part(kHeaderBytes);
  header.take(sizeof(std::uint32_t));
  Fields content = fields.part(header.read<std::uint16_t>());
  const auto type = header.read<std::uint8_t>();
  if (content.remaining() == 0) return std::nullopt;
  if (type > static_cast<std::uint8_t>(GuideKind::perspective)) {
    add(FindingId::px_unknown, offset, "guideLine", {}, fmt::format("found a guide of type {}", type));
    return std::nullopt;
  }
  guide.kind = static_cast<GuideKind>(type);
  if (guide.kind == GuideKind::perspective) {
    guide.points = read_vanishing_points(content);
  } else {
    read_cells(content);
  }
  guide.visible = content.read<std::uint8_t>() != 0;
  if (guide.kind != GuideKind::perspective && (guide.cell_width == 0 || guide.cell_height == 0)) return std::nullopt;
  return guide;
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

// SPDX-License-Identifier: MIT
// Where the records of a PCHR v1 file stand.
#include "formats/pchr_v1_walk.hpp"

#include "formats/byte_reader.hpp"
#include "formats/transform_records.hpp"

namespace pchr {
namespace {

/// One whole record, by offsets into the file.
struct Record {
  Section section{};
  std::uint32_t number = 0;
  std::uint64_t start = 0;
  std::uint64_t body = 0;  ///< What its name and counts precede: pixels, the parent, vertices, frames.
  std::uint64_t vertex_count = 0, index_count = 0;
  std::uint64_t bone_count = 0;
};

/// Calls `visit` with each whole record.
template <typename Visit>
void walk(std::span<const std::byte> file, Visit visit) {
  constexpr std::uint64_t kHeaderBytes = 12;
  ByteReader reader(file);
  (void)reader.take(kHeaderBytes);
  const auto walk_section = [&](Section section, auto step_over) {
    const std::uint32_t count = reader.read<std::uint16_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
      Record record{section, i, reader.position()};
      (void)reader.read_string();
      step_over(record);
      if (reader.failed()) break;
      visit(record);
    }
    return count;
  };
  walk_section(Section::images, [&](Record& image) {
    (void)reader.take(2 + 2 + 1);
    const std::uint64_t length = reader.read<std::uint32_t>();
    image.body = reader.position();
    (void)reader.take(length);
  });
  const std::uint64_t bone_count = walk_section(Section::bones, [&](Record& bone) {
    bone.body = reader.position();
    (void)reader.take(2);
  });
  walk_section(Section::meshes, [&](Record& mesh) {
    (void)reader.take(2);
    mesh.vertex_count = reader.read<std::uint16_t>();
    mesh.index_count = reader.read<std::uint32_t>();
    mesh.body = reader.position();
    (void)reader.take(mesh.vertex_count * sizeof(Vertex));
    (void)reader.take(mesh.index_count * sizeof(std::uint16_t));
  });
  walk_section(Section::animations, [&](Record& clip) {
    clip.bone_count = bone_count;
    (void)reader.take(1);
    const std::uint64_t frame_count = reader.read<std::uint16_t>();
    clip.body = reader.position();
    (void)reader.take(frame_count * bone_count * kTransformBytes);
  });
}

std::uint64_t offset_in(const Record& record, const Location& location) {
  const std::uint64_t vertex = record.body + location.element * sizeof(Vertex);
  const std::uint64_t transform =
      record.body + (location.element * record.bone_count + location.slot) * kTransformBytes;
  const bool is_mesh = record.section == Section::meshes;
  const auto value = [&](std::size_t in_vertex, std::size_t in_transform) {
    return is_mesh ? vertex + in_vertex : transform + in_transform;
  };
  switch (location.field) {
    case Field::data:
    case Field::parent:
      return record.body;
    case Field::image:
      return record.body - 8;
    case Field::index_count:
      return record.body - 4;
    case Field::flags:
      return record.body - 3;
    case Field::x:
      return value(0, 0);
    case Field::y:
      return value(4, 4);
    case Field::u:
      return vertex + 8;
    case Field::v:
      return vertex + 12;
    case Field::bone_id:
      return vertex + 16 + std::uint64_t{location.slot} * 2;
    case Field::bone_weight:
      return vertex + 24 + std::uint64_t{location.slot} * 4;
    case Field::index:
      return record.body + record.vertex_count * sizeof(Vertex) + std::uint64_t{location.element} * 2;
    case Field::rotation:
      return transform + 8;
    case Field::scale_x:
      return transform + 12;
    case Field::scale_y:
      return transform + 16;
    case Field::transform_flags:
      return transform + 20;
    default:
      return record.start;
  }
}

}  // namespace

V1Census count_records(std::span<const std::byte> file) {
  V1Census census;
  walk(file, [&](const Record& record) {
    census.images += record.section == Section::images;
    census.bones += record.section == Section::bones;
    census.meshes += record.section == Section::meshes;
    census.clips += record.section == Section::animations;
    census.vertices += record.vertex_count;
    census.indices += record.index_count;
  });
  return census;
}

std::optional<std::uint64_t> find_in_v1(std::span<const std::byte> file, const Location& location) {
  if (location.section == Section::file) {
    return location.field == Field::frames_per_second ? 8 : location.field == Field::flags ? 10 : 0;
  }
  std::optional<std::uint64_t> offset;
  walk(file, [&](const Record& record) {
    if (record.section == location.section && record.number == location.item) offset = offset_in(record, location);
  });
  return offset;
}

}  // namespace pchr

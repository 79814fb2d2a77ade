// SPDX-License-Identifier: MIT
#include "pchr_v1/pchr_v1.hpp"

#include "character/byte_writer.hpp"
#include "pchr_v1/layout.hpp"

#include <algorithm>
#include <type_traits>

namespace pchr::v1 {
namespace {

/// Truncates `name` to its maximum length at a character boundary.
std::string_view truncated(std::string_view name) {
  if (name.size() <= kMaxNameBytes) return name;
  std::size_t length = kMaxNameBytes;
  while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80) --length;
  return name.substr(0, length);
}

ImageHeader header_of(const Image& image) {
  return {static_cast<std::uint16_t>(image.width), static_cast<std::uint16_t>(image.height),
          static_cast<std::uint8_t>(image.encoding == ImageEncoding::png ? 0 : 1),
          static_cast<std::uint32_t>(image.bytes.size())};
}
BoneHeader header_of(const Bone& bone) { return {static_cast<std::int16_t>(static_cast<std::int32_t>(bone.parent))}; }
MeshHeader header_of(const Mesh& mesh) {
  return {static_cast<std::uint16_t>(index(mesh.image)), static_cast<std::uint16_t>(mesh.vertex_count),
          mesh.index_count};
}
ClipHeader header_of(const Clip& clip) {
  return {static_cast<std::uint8_t>(clip.looping ? 1 : 0), static_cast<std::uint16_t>(clip.frame_count)};
}

template <typename Items>
std::uint64_t section_bytes(const Items& items, std::size_t bone_count) {
  std::uint64_t bytes = sizeof(std::uint16_t);
  for (const auto& item : items) {
    const auto header = header_of(item);
    bytes += sizeof(std::uint16_t) + truncated(item.name).size() + sizeof(header) + body_bytes(header, bone_count);
  }
  return bytes;
}

std::vector<FileSection> sections_of(const CharacterData& data, std::span<const Image> images) {
  std::vector<FileSection> sections = {{"header", 0, sizeof(FileHeader)}};
  const auto add = [&](const auto& items) {
    using Header = decltype(header_of(items[0]));
    const FileSection& last = sections.back();
    sections.push_back(
        {std::string(Header::kSection), last.offset + last.bytes, section_bytes(items, data.bones.size())});
  };
  add(images);
  add(data.bones);
  add(data.meshes);
  add(data.clips);
  return sections;
}

void write_body(ByteWriter& out, const CharacterData& /*data*/, const Image& image) { out.write_all(image.bytes); }
void write_body(ByteWriter& /*out*/, const CharacterData& /*data*/, const Bone& /*bone*/) {}
void write_body(ByteWriter& out, const CharacterData& data, const Mesh& mesh) {
  out.write_all(std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count));
  out.write_all(std::span(data.indices).subspan(mesh.first_index, mesh.index_count));
}
void write_body(ByteWriter& out, const CharacterData& /*data*/, const Clip& clip) {
  const BoneSamples& samples = clip.samples;
  std::byte* record = out.grow(samples.x.size() * sizeof(Transform));
  for (std::size_t i = 0; i < samples.x.size(); ++i, record += sizeof(Transform)) {
    const Transform transform{samples.x[i],
                              samples.y[i],
                              samples.rotation_degrees[i],
                              samples.scale_x[i],
                              samples.scale_y[i],
                              static_cast<std::uint8_t>(samples.visible[i] != 0),
                              static_cast<std::int16_t>(std::clamp(samples.z_order[i], INT16_MIN, INT16_MAX))};
    std::memcpy(record, &transform, sizeof(transform));
  }
}

template <typename Items>
void write_section(ByteWriter& out, const CharacterData& data, const Items& items) {
  out.write(static_cast<std::uint16_t>(items.size()));
  for (const auto& item : items) {
    out.write_string(truncated(item.name));
    out.write(header_of(item));
    write_body(out, data, item);
  }
}

}  // namespace
}  // namespace pchr::v1

namespace pchr {

std::vector<FileSection> sections_of_pchr_v1(const Character& character) {
  return v1::sections_of(character.data(), character.data().images);
}

std::vector<std::byte> write_pchr_v1(const CharacterData& data, std::span<const Image> images) {
  const FileSection last = v1::sections_of(data, images).back();
  ByteWriter out;
  out.reserve(last.offset + last.bytes);
  v1::FileHeader header;
  header.frames_per_second = static_cast<std::uint16_t>(data.frames_per_second);
  header.flags = data.reserved_flags;
  out.write(header);
  v1::write_section(out, data, images);
  v1::write_section(out, data, data.bones);
  v1::write_section(out, data, data.meshes);
  v1::write_section(out, data, data.clips);
  return out.take();
}

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Writes PCHR v1 in the order of its documentation: header, images, bones, meshes, animations.
#include "formats/pchr_v1_writer.hpp"

#include "formats/byte_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace pchr {
namespace {

constexpr std::size_t kTransformBytes = 23;

/// What fits of `name`, without half a character at its end.
std::string_view fitting(std::string_view name) {
  if (name.size() <= kMostNameBytes) return name;
  std::size_t length = kMostNameBytes;
  while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80) --length;
  return name.substr(0, length);
}

std::int16_t clamped(std::int32_t z_order) {
  return static_cast<std::int16_t>(std::clamp<std::int32_t>(z_order, INT16_MIN, INT16_MAX));
}

void write_image(ByteWriter& out, const Image& image) {
  out.write_string(fitting(image.name));
  out.write(static_cast<std::uint16_t>(image.width));
  out.write(static_cast<std::uint16_t>(image.height));
  out.write(static_cast<std::uint8_t>(image.encoding == ImageEncoding::png ? 0 : 1));
  out.write(static_cast<std::uint32_t>(image.bytes.size()));
  out.write_all(image.bytes);
}

void write_mesh(ByteWriter& out, const CharacterData& data, const Mesh& mesh) {
  out.write_string(fitting(mesh.name));
  out.write(static_cast<std::uint16_t>(mesh.image));
  out.write(static_cast<std::uint16_t>(mesh.vertex_count));
  out.write(mesh.index_count);
  out.write_all(std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count));
  out.write_all(std::span(data.indices).subspan(mesh.first_index, mesh.index_count));
}

void write_clip(ByteWriter& out, const Clip& clip) {
  out.write_string(fitting(clip.name));
  out.write(static_cast<std::uint8_t>(clip.looping ? 1 : 0));
  out.write(static_cast<std::uint16_t>(clip.frame_count));
  const BoneSamples& samples = clip.samples;
  std::byte* record = out.grow(samples.x.size() * kTransformBytes);
  for (std::size_t i = 0; i < samples.x.size(); ++i, record += kTransformBytes) {
    const float values[5] = {samples.x[i], samples.y[i], samples.rotation_degrees[i], samples.scale_x[i],
                             samples.scale_y[i]};
    const std::int16_t z_order = clamped(samples.z_order[i]);
    std::memcpy(record, values, sizeof(values));
    record[20] = std::byte{samples.visible[i] != 0};
    std::memcpy(record + 21, &z_order, sizeof(z_order));
  }
}

std::size_t approximate_bytes(const CharacterData& data, std::span<const Image> images) {
  std::size_t bytes = 4096 + data.vertices.size() * sizeof(Vertex) + data.indices.size() * sizeof(std::uint16_t);
  for (const Image& image : images) bytes += image.bytes.size();
  for (const Clip& clip : data.clips) bytes += clip.samples.x.size() * kTransformBytes;
  return bytes;
}

}  // namespace

std::vector<std::byte> write_pchr_v1(const CharacterData& data, std::span<const Image> images) {
  ByteWriter out;
  out.reserve(approximate_bytes(data, images));
  out.write_all(std::string_view("PCHR"));
  out.write(std::uint32_t{1});
  out.write(static_cast<std::uint16_t>(data.frames_per_second));
  out.write(data.reserved_flags);
  out.write(static_cast<std::uint16_t>(images.size()));
  for (const Image& image : images) write_image(out, image);
  out.write(static_cast<std::uint16_t>(data.bones.size()));
  for (const Bone& bone : data.bones) {
    out.write_string(fitting(bone.name));
    out.write(static_cast<std::int16_t>(bone.parent));
  }
  out.write(static_cast<std::uint16_t>(data.meshes.size()));
  for (const Mesh& mesh : data.meshes) write_mesh(out, data, mesh);
  out.write(static_cast<std::uint16_t>(data.clips.size()));
  for (const Clip& clip : data.clips) write_clip(out, clip);
  return out.take();
}

}  // namespace pchr

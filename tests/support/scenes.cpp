// SPDX-License-Identifier: MIT
// Characters made in code, and characters as v1 bytes.
#include "support/scenes.hpp"

#include <cmath>
#include <cstring>
#include <utility>

namespace pchr::test {
namespace {

class ByteWriter {
 public:
  template <typename T>
  void write(T value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
  void write_string(const std::string& text) {
    write(static_cast<std::uint16_t>(text.size()));
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), first, first + text.size());
  }
  Bytes bytes;
};

}  // namespace

Image plain_image(std::uint32_t width, std::uint32_t height, Rgba color, std::string name) {
  Image image{std::move(name), width, height, ImageEncoding::rgba8888, {}};
  for (std::uint32_t pixel = 0; pixel < width * height; ++pixel) {
    for (const std::uint8_t channel : color) image.bytes.push_back(std::byte{channel});
  }
  return image;
}

void add_quad(CharacterData& data, std::string name, std::uint32_t image, const Rect& area, std::uint16_t bone) {
  Mesh mesh{std::move(name),
            ImageId{image},
            static_cast<std::uint32_t>(data.vertices.size()),
            4,
            static_cast<std::uint32_t>(data.indices.size()),
            6};
  const auto corner = [&](float x, float y, float u, float v) {
    data.vertices.push_back({x, y, u, v, {bone, 0, 0, 0}, {1, 0, 0, 0}});
  };
  corner(area.min.x, area.max.y, 0, 0);
  corner(area.max.x, area.max.y, 1, 0);
  corner(area.max.x, area.min.y, 1, 1);
  corner(area.min.x, area.min.y, 0, 1);
  for (const int index : {0, 1, 2, 0, 2, 3}) data.indices.push_back(static_cast<std::uint16_t>(index));
  data.meshes.push_back(std::move(mesh));
}

Clip resting_clip(std::string name, std::uint32_t frames, std::size_t bone_count, double frames_per_second) {
  Clip clip;
  clip.name = std::move(name);
  clip.frames_per_second = frames_per_second;
  clip.frame_count = frames;
  clip.samples.resize(frames * bone_count);
  clip.samples.opacity.clear();
  return clip;
}

CharacterData sliding_quad() {
  CharacterData data;
  data.frames_per_second = 24;
  data.images.push_back(plain_image(4, 4, {255, 255, 255, 255}));
  data.bones.push_back({"root", BoneId::none});
  add_quad(data, "quad", 0, {{-8, -8}, {8, 8}}, 0);
  data.clips.push_back(resting_clip("bind", 1, 1));
  Clip slide = resting_clip("slide", 4, 1);
  slide.looping = true;
  slide.samples.x = {0, 4, 8, 12};
  data.clips.push_back(std::move(slide));
  return data;
}

CharacterData two_bone_arm() {
  CharacterData data;
  data.frames_per_second = 12;
  data.images.push_back(plain_image(8, 32, {200, 120, 60, 255}, "arm"));
  data.images.push_back(plain_image(4, 4, {40, 80, 160, 255}, "badge"));
  data.bones = {{"upper", BoneId::none}, {"lower", BoneId{0}}, {"badge", BoneId{0}}};

  Mesh strip{"strip", ImageId{0}, 0, 0, 0, 0};
  constexpr int kRows = 9;
  for (int row = 0; row < kRows; ++row) {
    const float along = static_cast<float>(row) / (kRows - 1);
    const float lower = along < 0.4F ? 0.0F : along > 0.6F ? 1.0F : (along - 0.4F) / 0.2F;
    for (const float side : {-1.0F, 1.0F}) {
      data.vertices.push_back(
          {side * 10, along * 80, side * 0.5F + 0.5F, 1 - along, {0, 1, 0, 0}, {1 - lower, lower, 0, 0}});
    }
    if (row == 0) continue;
    const auto first = static_cast<std::uint16_t>(2 * row - 2);
    for (const int offset : {0, 1, 2, 1, 3, 2}) data.indices.push_back(static_cast<std::uint16_t>(first + offset));
  }
  strip.vertex_count = static_cast<std::uint32_t>(data.vertices.size());
  strip.index_count = static_cast<std::uint32_t>(data.indices.size());
  data.meshes.push_back(std::move(strip));
  add_quad(data, "badge", 1, {{-6, 14}, {6, 26}}, 2);

  constexpr std::uint32_t kFrames = 8;
  const auto pose_arm = [&](Clip& clip, std::uint32_t frame, float elbow_degrees) {
    clip.samples.y[frame * 3 + 1] = 40;
    clip.samples.y[frame * 3 + 2] = 20;
    clip.samples.rotation_degrees[frame * 3 + 1] = elbow_degrees;
    clip.samples.z_order[frame * 3 + 2] = 1;
  };
  data.clips.push_back(resting_clip("bind", 1, 3, 12));
  pose_arm(data.clips[0], 0, 0);
  Clip bend = resting_clip("bend", kFrames, 3, 12);
  bend.looping = true;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    pose_arm(bend, frame, 22.5F * static_cast<float>(frame <= 4 ? frame : kFrames - frame));
    bend.samples.visible[frame * 3 + 2] = frame % 2 == 0;
    if (frame >= kFrames / 2) bend.samples.z_order[frame * 3 + 2] = -1;
  }
  data.clips.push_back(std::move(bend));
  return data;
}

Bytes write_v1(const CharacterData& data) {
  ByteWriter out;
  for (const char letter : {'P', 'C', 'H', 'R'}) out.write(letter);
  out.write(std::uint32_t{1});
  out.write(static_cast<std::uint16_t>(data.frames_per_second));
  out.write(data.reserved_flags);
  out.write(static_cast<std::uint16_t>(data.images.size()));
  for (const Image& image : data.images) {
    out.write_string(image.name);
    out.write(static_cast<std::uint16_t>(image.width));
    out.write(static_cast<std::uint16_t>(image.height));
    out.write(static_cast<std::uint8_t>(image.encoding));
    out.write(static_cast<std::uint32_t>(image.bytes.size()));
    out.bytes.insert(out.bytes.end(), image.bytes.begin(), image.bytes.end());
  }
  out.write(static_cast<std::uint16_t>(data.bones.size()));
  for (const Bone& bone : data.bones) {
    out.write_string(bone.name);
    out.write(static_cast<std::int16_t>(bone.parent));
  }
  out.write(static_cast<std::uint16_t>(data.meshes.size()));
  for (const Mesh& mesh : data.meshes) {
    out.write_string(mesh.name);
    out.write(static_cast<std::uint16_t>(mesh.image));
    out.write(static_cast<std::uint16_t>(mesh.vertex_count));
    out.write(mesh.index_count);
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) out.write(data.vertices[mesh.first_vertex + i]);
    for (std::uint32_t i = 0; i < mesh.index_count; ++i) out.write(data.indices[mesh.first_index + i]);
  }
  out.write(static_cast<std::uint16_t>(data.clips.size()));
  for (const Clip& clip : data.clips) {
    out.write_string(clip.name);
    out.write(static_cast<std::uint8_t>(clip.looping));
    out.write(static_cast<std::uint16_t>(clip.frame_count));
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) {
      out.write(clip.samples.x[i]);
      out.write(clip.samples.y[i]);
      out.write(clip.samples.rotation_degrees[i]);
      out.write(clip.samples.scale_x[i]);
      out.write(clip.samples.scale_y[i]);
      out.write(clip.samples.visible[i]);
      out.write(static_cast<std::int16_t>(clip.samples.z_order[i]));
    }
  }
  return out.bytes;
}

}  // namespace pchr::test

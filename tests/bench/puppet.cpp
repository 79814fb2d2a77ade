// SPDX-License-Identifier: MIT
#include "bench/puppet.hpp"

#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pchr::bench {

namespace {

float between(std::minstd_rand& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random() % (1U << 24)) / static_cast<float>(1U << 24);
}

void move_bones(std::minstd_rand& random, BoneSamples& samples) {
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    samples.x[i] = between(random, -100, 100);
    samples.y[i] = between(random, -100, 100);
    samples.rotation_degrees[i] = between(random, -180, 180);
    samples.scale_x[i] = between(random, 0.9F, 1.1F);
    samples.z_order[i] = static_cast<std::int32_t>(random() % 50);
  }
}

/// Adds a mesh of `quads` quads in a row, each moved by one bone or two.
void add_strip(std::minstd_rand& random, CharacterData& data, std::uint32_t vertices, std::uint16_t bone, bool bends) {
  const std::uint32_t quads = vertices / 2 - 1;
  data.meshes.push_back({"strip " + std::to_string(data.meshes.size()), ImageId{0},
                         static_cast<std::uint32_t>(data.vertices.size()), vertices,
                         static_cast<std::uint32_t>(data.indices.size()), 6 * quads});
  for (std::uint32_t i = 0; i < vertices; ++i) {
    const float weight = bends ? between(random, 0.5F, 1) : 1;
    data.vertices.push_back({10.0F * static_cast<float>(i / 2),
                             10.0F * static_cast<float>(i % 2),
                             between(random, 0, 1),
                             between(random, 0, 1),
                             {bone, static_cast<std::uint16_t>(bends ? bone - 1 : 0), 0, 0},
                             {weight, 1 - weight, 0, 0}});
  }
  for (std::uint32_t quad = 0; quad < quads; ++quad) {
    for (const std::uint32_t corner : {0, 1, 2, 2, 1, 3}) {
      data.indices.push_back(static_cast<std::uint16_t>(2 * quad + corner));
    }
  }
}

}  // namespace

const Character& kiri() {
  static const Character character = load(PCHR_ASSETS_DIR "/kiri.pchr").value();
  return character;
}

Character small_puppet() {
  constexpr std::uint32_t kBones = 67;
  std::minstd_rand random(1);
  CharacterData data;
  data.images.push_back(test::plain_image(64, 64, {255, 255, 255, 255}));
  for (std::uint32_t bone = 0; bone < kBones; ++bone) {
    data.bones.push_back({"bone " + std::to_string(bone), BoneId(static_cast<std::int32_t>(bone) / 2 - (bone == 0))});
  }
  // Sixteen quads on one bone each, and ten meshes that bend.
  for (std::uint16_t i = 0; i < 16; ++i) add_strip(random, data, 4, static_cast<std::uint16_t>(4 * i), false);
  for (std::uint16_t i = 0; i < 10; ++i) {
    add_strip(random, data, i < 4 ? 20 : 22, static_cast<std::uint16_t>(6 * i + 6), true);
  }
  data.clips.push_back(test::resting_clip("walk", 8, kBones, 30));
  move_bones(random, data.clips[0].samples);
  return build(std::move(data));
}

Character puppet(std::uint32_t frames) {
  constexpr std::uint32_t kBones = 40, kFramesPerClip = 500, kVerticesPerMesh = 200;
  std::minstd_rand random(1);
  CharacterData data;
  data.frames_per_second = 30;
  data.images.push_back(test::plain_image(64, 64, {255, 255, 255, 255}));
  for (std::uint32_t bone = 0; bone < kBones; ++bone) {
    data.bones.push_back({"bone " + std::to_string(bone), BoneId(static_cast<std::int32_t>(bone) / 2 - (bone == 0))});
  }
  const std::uint32_t meshes = std::max(1U, frames * kBones / 10 / kVerticesPerMesh);
  for (std::uint32_t number = 0; number < meshes; ++number) {
    Mesh mesh{"mesh " + std::to_string(number),
              ImageId{0},
              static_cast<std::uint32_t>(data.vertices.size()),
              kVerticesPerMesh,
              static_cast<std::uint32_t>(data.indices.size()),
              3 * kVerticesPerMesh};
    for (std::uint32_t i = 0; i < kVerticesPerMesh; ++i) {
      const float weight = between(random, 0.5F, 1);
      const auto bone = static_cast<std::uint16_t>(random() % kBones), other = static_cast<std::uint16_t>(i % kBones);
      data.vertices.push_back({between(random, -300, 300),
                               between(random, -300, 300),
                               between(random, 0, 1),
                               between(random, 0, 1),
                               {bone, other, 0, 0},
                               {weight, 1 - weight, 0, 0}});
      for (std::uint32_t corner = 0; corner < 3; ++corner) {
        data.indices.push_back(static_cast<std::uint16_t>((i + corner) % kVerticesPerMesh));
      }
    }
    data.meshes.push_back(std::move(mesh));
  }
  for (std::uint32_t left = frames; left > 0;) {
    const std::uint32_t count = std::min(left, kFramesPerClip);
    Clip clip = test::resting_clip("clip " + std::to_string(data.clips.size()), count, kBones, 30);
    move_bones(random, clip.samples);
    data.clips.push_back(std::move(clip));
    left -= count;
  }
  return build(std::move(data));
}

}  // namespace pchr::bench

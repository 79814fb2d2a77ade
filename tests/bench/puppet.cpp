// SPDX-License-Identifier: MIT
#include "bench/puppet.hpp"

#include "support/scenes.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pchr::bench {

Character puppet(std::uint32_t frames) {
  constexpr std::uint32_t kBones = 40, kFramesPerClip = 500, kVerticesPerMesh = 200;
  std::minstd_rand random(1);
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % (1U << 24)) / static_cast<float>(1U << 24);
  };
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
      const float weight = between(0.5F, 1);
      const auto bone = static_cast<std::uint16_t>(random() % kBones), other = static_cast<std::uint16_t>(i % kBones);
      data.vertices.push_back({between(-300, 300),
                               between(-300, 300),
                               between(0, 1),
                               between(0, 1),
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
    BoneSamples& samples = clip.samples;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
      samples.x[i] = between(-100, 100);
      samples.y[i] = between(-100, 100);
      samples.rotation_degrees[i] = between(-180, 180);
      samples.scale_x[i] = between(0.9F, 1.1F);
      samples.z_order[i] = static_cast<std::int32_t>(random() % 50);
    }
    data.clips.push_back(std::move(clip));
    left -= count;
  }
  auto character = Character::build(std::move(data));
  if (!character) std::abort();
  return *std::move(character);
}

}  // namespace pchr::bench

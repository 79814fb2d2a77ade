// SPDX-License-Identifier: MIT
// What the fuzz targets share: small limits, and everything that a caller does with a character.
#include "use.hpp"

#include <pchr/bone.hpp>
#include <pchr/bounds.hpp>
#include <pchr/hit_test.hpp>
#include <pchr/image.hpp>
#include <pchr/pose.hpp>
#include <pchr/validate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pchr::fuzz {
namespace {

void use_posed(const Character& character, const PosedCharacter& posed, const HitImages& images) {
  const Rect area = bounds(character, posed);
  std::vector<Hit> hits;
  hit_test_all(character, posed, images, area.centre(), hits, {0});
  for (const Hit& hit : hits) require(hit.mesh < character.meshes().size(), "a hit names a mesh");
  const PoseView pose = posed.pose.frame(0, character.bones().size());
  for (std::uint32_t bone = 0; bone < std::min<std::size_t>(character.bones().size(), 8); ++bone) {
    const float degrees = rotation_towards(character.bones(), pose, bone, area.max);
    require(!(std::abs(degrees) > 180) || degrees == pose.rotation_degrees[bone],
            "a bone turns by half a turn at most");
  }
}

}  // namespace

LoadOptions small_options() {
  LoadOptions options;
  options.limits.max_image_pixels = 1U << 16;
  options.limits.max_bone_samples = 1U << 20;
  return options;
}

void load_and_use(std::span<const std::byte> bytes) {
  const auto character = load(bytes, small_options());
  if (character) {
    use(*character);
  } else {
    require(character.error().byte_offset.value_or(0) <= bytes.size(), "an error lies inside the file");
    require(!describe(character.error(), "input").empty(), "an error has words");
  }
}

void use(const Character& character) {
  for (const Finding& warning : character.warnings()) (void)describe(warning, "input");
  const auto masks = alpha_masks(character, small_options().limits);
  (void)validate(character);
  PosedCharacter posed;
  pose_bind(character, posed);
  use_posed(character, posed, {});
  const std::size_t most_clips = std::min<std::size_t>(character.clips().size(), 8);
  for (std::uint32_t clip = 0; clip < most_clips; ++clip) {
    const std::uint32_t frames = std::min(character.clips()[clip].frame_count, 8U);
    (void)clip_bounds(character, clip);
    if (!character.meshes().empty()) (void)mesh_bounds(character, clip, 0);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(character, clip, {frame, (frame + 1) % frames, 0.5F}, posed);
      use_posed(character, posed, masks ? HitImages(*masks) : HitImages());
      (void)describe(character, posed.pose.frame(0, character.bones().size()), posed.draw_list);
    }
  }
}

std::vector<std::byte> pack(std::span<const std::byte> json, std::span<const std::byte> png) {
  constexpr std::size_t kHeaderBytes = 16;
  std::vector<std::byte> bytes(kHeaderBytes + json.size() + png.size());
  const std::uint32_t header[] = {1, static_cast<std::uint32_t>(json.size()), static_cast<std::uint32_t>(png.size())};
  std::memcpy(bytes.data(), "PCHR", 4);
  std::memcpy(bytes.data() + 4, header, sizeof(header));
  std::copy(png.begin(), png.end(), std::copy(json.begin(), json.end(), bytes.begin() + kHeaderBytes));
  return bytes;
}

void require(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", claim);
  std::abort();
}

}  // namespace pchr::fuzz

// SPDX-License-Identifier: MIT
// What the fuzz targets share: small limits, and everything that a caller does with a character.
#include "use.hpp"

#include <pchr/bounds.hpp>
#include <pchr/image.hpp>
#include <pchr/pose.hpp>
#include <pchr/validate.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pchr::fuzz {

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
  (void)decode_images(character, small_options().limits);
  (void)validate(character);
  PosedCharacter posed;
  pose_bind(character, posed);
  const std::size_t most_clips = std::min<std::size_t>(character.clips().size(), 8);
  for (std::uint32_t clip = 0; clip < most_clips; ++clip) {
    const std::uint32_t frames = std::min(character.clips()[clip].frame_count, 8U);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(character, clip, {frame, (frame + 1) % frames, 0.5F}, posed);
      (void)bounds(character, posed);
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

// SPDX-License-Identifier: MIT
// Any bytes: load them, decode the images, and use whatever loads.
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace {

void play(const pchr::Character& character) {
  pchr::PosedCharacter posed;
  pchr::pose_bind(character, posed);
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
    const std::uint32_t frames = std::min(character.clips()[clip].frame_count, 8U);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pchr::pose_clip(character, clip, {frame, (frame + 1) % frames, 0.5F}, posed);
      (void)pchr::bounds(character, posed);
      (void)pchr::describe(character, posed.pose.frame(0, character.bones().size()), posed.draw_list);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pchr::LoadOptions options;
  options.limits.max_image_pixels = 1U << 20;
  options.limits.max_bone_samples = 1U << 20;
  const auto character = pchr::load(std::as_bytes(std::span(data, size)), options);
  if (!character) {
    if (character.error().byte_offset.value_or(0) > size) std::abort();
    (void)pchr::describe(character.error(), "input");
    return 0;
  }
  for (const pchr::Finding& warning : character->warnings()) (void)pchr::describe(warning, "input");
  (void)pchr::decode_images(*character, options.limits);
  play(*character);
  return 0;
}

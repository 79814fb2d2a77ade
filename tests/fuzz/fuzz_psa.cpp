// SPDX-License-Identifier: MIT
// Loads bytes as an Unreal animation for bones with its names. The first byte selects how many bones do not move, and
// whether a .config file follows it, up to the first zero byte.
#include "use.hpp"

#include "import/psk/psk.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace psk = pchr::psk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t choice = data[0];
  auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  std::optional<psk::Config> config;
  if ((choice & 1) != 0) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t end = std::min(text.find('\0'), text.size());
    config = psk::read_config(text.substr(0, end));
    bytes = bytes.subspan(std::min(end + 1, text.size()));
  }
  pchr::Warnings warnings;
  const auto animation = psk::read_animation(bytes, warnings);
  if (!animation) return 0;
  auto bones = animation->bones;
  bones.resize(std::max<std::size_t>(bones.size() - std::min<std::size_t>(bones.size(), choice >> 1), 1));
  const psk::Skeleton skeleton = psk::make_skeleton(bones, warnings);
  if (psk::frames_of(*animation) > pchr::fuzz::small_options().limits.max_bone_samples / skeleton.bones.size())
    return 0;
  if (skeleton.bones.size() > 65535) return 0;

  pchr::CharacterData made;
  made.is_3d = true;
  made.bones = skeleton.bones;
  made.frames_per_second = 30;
  psk::add_clips(*animation, skeleton, psk::match_bones(animation->bones, skeleton), config, made);
  const auto character = pchr::Character::build(std::move(made));
  pchr::fuzz::require(character.has_value(), "a built character is valid");
  pchr::fuzz::use(*character);
  return 0;
}

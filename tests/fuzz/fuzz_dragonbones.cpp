// SPDX-License-Identifier: MIT
// Loads text as a DragonBones skeleton next to an atlas, and as the atlas next to a skeleton.
#include "use.hpp"

#include <string_view>

namespace {

constexpr std::string_view kSkeleton =
    R"({"armature":[{"bone":[{"name":"root"}],"slot":[{"name":"flag","parent":"root"}],)"
    R"("skin":[{"slot":[{"name":"flag","display":[{"name":"white"}]}]}],"animation":[{"name":"wave","duration":2}]}]})";
constexpr std::string_view kAtlas =
    R"({"imagePath":"white.png","width":4,"height":4,"SubTexture":[{"name":"white","width":4,"height":4}]})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pchr::fuzz::load_rig_and_use({"hero_ske.json", text}, {"hero_tex.json", kAtlas}, "hero_ske.json");
  pchr::fuzz::load_rig_and_use({"hero_ske.json", kSkeleton}, {"hero_tex.json", text}, "hero_tex.json");
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads bytes as a Spine skeleton next to an atlas, and as the atlas next to a skeleton.
#include "use.hpp"

#include <string_view>

namespace {

constexpr std::string_view kSkeleton =
    R"({"skeleton":{"spine":"4.2.22"},"bones":[{"name":"root"}],"slots":[{"name":"flag","bone":"root",)"
    R"("attachment":"white"}],"skins":[{"name":"default","attachments":{"flag":{"white":{"width":4,"height":4}}}}],)"
    R"("animations":{"wave":{"bones":{"root":{"rotate":[{"value":10},{"time":0.1}]}}}}})";
constexpr std::string_view kAtlas =
    "white.png\nsize:4,4\nplain\nbounds:0,0,4,4\ncloth\nbounds:1,0,2,3\noffsets:1,0,4,4\nrotate:90\nwhite\n"
    "bounds:0,0,4,4\nwalk_01\nbounds:0,0,2,2\nwalk_02\nbounds:2,2,2,2\nimages/cloth\nbounds:0,0,4,4\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A skeleton is recognized by its contents.
  pchr::fuzz::load_rig_and_use({"hero.json", text}, {"hero.atlas", kAtlas}, "hero.json");
  pchr::fuzz::load_rig_and_use({"hero.json", kSkeleton}, {"hero.atlas", text}, "hero.atlas");
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads bytes as a Spine skeleton next to an atlas, and as the atlas next to a skeleton.
#include "use.hpp"

#include <string>
#include <string_view>

namespace {

constexpr std::string_view kSkeleton =
    R"({"skeleton":{"spine":"4.2.22"},"bones":[{"name":"root"}],"slots":[{"name":"flag","bone":"root",)"
    R"("attachment":"white"}],"skins":[{"name":"default","attachments":{"flag":{"white":{"width":4,"height":4}}}}],)"
    R"("animations":{"wave":{"bones":{"root":{"rotate":[{"value":10},{"time":0.1}]}}}}})";
constexpr std::string_view kAtlas =
    "white.png\nsize:4,4\nplain\nbounds:0,0,4,4\ncloth\nbounds:1,0,2,3\noffsets:1,0,4,4\nrotate:90\nwhite\n"
    "bounds:0,0,4,4\nwalk_01\nbounds:0,0,2,2\nwalk_02\nbounds:2,2,2,2\nimages/cloth\nbounds:0,0,4,4\n";

void load(std::string_view skeleton, std::string_view atlas, const char* opened) {
  pchr::ImportOptions options = pchr::fuzz::small_options();
  const auto read_file = [&](const std::string& path) -> pchr::Expected<std::vector<std::byte>, std::string> {
    const bool is_skeleton = path == "hero.json";
    if (!is_skeleton && path != "hero.atlas") return pchr::Unexpected(std::string("there is no such file"));
    const auto bytes = std::as_bytes(std::span(is_skeleton ? skeleton : atlas));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  options.read_file = read_file;
  const auto imported = pchr::import_character(std::string(opened), options);
  if (imported) {
    pchr::fuzz::use(imported->character);
  } else {
    pchr::fuzz::require(!describe(imported.error(), "input").empty(), "an error has a description");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A skeleton is recognized by its contents.
  load(text, kAtlas, "hero.json");
  load(kSkeleton, text, "hero.atlas");
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads text as a DragonBones skeleton next to an atlas, and as the atlas next to a skeleton.
#include "use.hpp"

#include <string>
#include <string_view>

namespace {

constexpr std::string_view kSkeleton =
    R"({"armature":[{"bone":[{"name":"root"}],"slot":[{"name":"flag","parent":"root"}],)"
    R"("skin":[{"slot":[{"name":"flag","display":[{"name":"white"}]}]}],"animation":[{"name":"wave","duration":2}]}]})";
constexpr std::string_view kAtlas =
    R"({"imagePath":"white.png","width":4,"height":4,"SubTexture":[{"name":"white","width":4,"height":4}]})";

void load(std::string_view skeleton, std::string_view atlas, const char* opened) {
  pchr::ImportOptions options = pchr::fuzz::small_options();
  const auto read_file = [&](const std::string& path) -> pchr::Expected<std::vector<std::byte>, std::string> {
    const bool is_skeleton = path == "hero_ske.json";
    if (!is_skeleton && path != "hero_tex.json") return pchr::Unexpected(std::string("there is no such file"));
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
  load(text, kAtlas, "hero_ske.json");
  load(kSkeleton, text, "hero_tex.json");
  return 0;
}

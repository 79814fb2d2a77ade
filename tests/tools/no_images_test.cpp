// SPDX-License-Identifier: MIT
// `pchr` with a character without images.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

namespace no_images_test {
namespace {

using namespace pchr::test;

std::string bare_arm() {
  pchr::CharacterData data = two_bone_arm();
  data.images.clear();
  for (pchr::Mesh& mesh : data.meshes) mesh.image = pchr::ImageId{0};
  return character_file("bare_arm.pchr", data);
}

}  // namespace

TEST_CASE("inspect reports a character without images", "[tools][no_images]") {
  const Outcome outcome = run_pchr({"inspect", bare_arm()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("\n0 images; meshes are drawn in a checker pattern\n"));
  const Outcome json = run_pchr({"inspect", bare_arm(), "--json"});
  CHECK(json.exit_code == 0);
  CHECK_THAT(json.out, contains("\"images\": []"));
  CHECK(run_pchr({"validate", bare_arm()}).exit_code == 0);
}

TEST_CASE("a character without an image is not rendered blank", "[tools][no_images]") {
  const std::filesystem::path path = output("tools/bare_arm.png");
  REQUIRE(run_pchr({"render", bare_arm(), "--size", "64x64", "-o", path.string()}).exit_code == 0);
  const pchr::Bitmap bitmap = pchr::load_png(path).value();
  const auto opaque = std::ranges::count(bitmap.rgba, std::uint8_t{255});
  CHECK(opaque > 100);
  CHECK(std::ranges::count(bitmap.rgba, std::uint8_t{168}) > 30);
  CHECK(std::ranges::count(bitmap.rgba, std::uint8_t{120}) > 30);
}

TEST_CASE("a character without an image survives a round trip through every format", "[tools][no_images]") {
  const std::string file = bare_arm();
  const std::filesystem::path folder = output("tools/bare_arm/x").parent_path();
  std::string last = file;
  for (const char* name : {"bare.json", "packed.pchr", "back.pchr"}) {
    std::vector<std::string> arguments{"convert", last, "-o", (folder / name).string(), "--force"};
    if (name == std::string("packed.pchr"))
      arguments.insert(arguments.end(), {"--to", "packed", "--json-dialect", "v1"});
    const Outcome outcome = run_pchr(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    last = (folder / name).string();
  }
  CHECK(read_file(last) == read_file(file));
}

}  // namespace no_images_test

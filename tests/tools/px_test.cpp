// SPDX-License-Identifier: MIT
// The tool on artworks.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/px.hpp"

#include <pchr/load.hpp>

#include <simdjson.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace pchr::test;

constexpr PxColour kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// A red and then a blue layer, and above them a hidden white one in a group.
std::string artwork_file() {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("colour", {{kRed, kRed}, {kBlue, kBlue}});
  auto& hidden = artwork.add_layer("cover", {PxPixels(2, {255, 255, 255, 255}), PxPixels(2, {255, 255, 255, 255})});
  hidden.visible = false;
  hidden.blend = 9;
  hidden.opacity = 0.5F;
  artwork.groups.push_back({.id = "g", .name = "group", .children = {{PxType::layer, hidden.id}}});
  artwork.entries = {{PxType::layer, "id of colour"}, {PxType::group, "g"}};
  artwork.palette = {kRed, kBlue};
  artwork.tags = {{"blink", 0, 1, 2, 3}};
  const std::filesystem::path path = output("tools/px/artwork.px");
  write_file(path, write_px(artwork));
  return path.string();
}

/// The picture of the first frame as a PNG's bytes.
Bytes rendered(std::vector<std::string> options) {
  const std::string picture = output("tools/px/rendered.png").string();
  std::vector<std::string> arguments{"render", artwork_file(), "--clip", "all", "--size", "2x1", "-o", picture};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_pchr(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return read_file(picture);
}

}  // namespace

TEST_CASE("inspect shows what an artwork is made of", "[tools][px]") {
  const Outcome outcome = run_pchr({"inspect", artwork_file()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("\nartwork of 2 x 1 px: 2 frames in 200 ms, 2 colours\n"));
  CHECK_THAT(outcome.out, contains("3 layers\n"
                                   "  #  name     kind   blend       opacity  visible  drawn\n"
                                   "  0  group    group  normal        100 %  yes      yes\n"
                                   "  1    cover  layer  soft light     50 %  no       no\n"
                                   "  2  colour   layer  normal        100 %  yes      yes\n"));
  CHECK_THAT(outcome.out, contains("1 tag\n"
                                   "  #  name   frames  direction  plays    enabled  clip\n"
                                   "  0  blink  0 to 1  ping-pong  3 times  yes      0 blink\n"));
}

TEST_CASE("inspect gives an artwork's parts to programs", "[tools][px]") {
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", artwork_file(), "--json", "--layers", "all"}).out;
  const simdjson::dom::element artwork = parser.parse(json)["artwork"];
  CHECK(std::uint64_t(artwork["width"]) == 2);
  CHECK(std::uint64_t(artwork["frameMs"].at(1)) == 100);
  CHECK(std::string_view(artwork["layers"].at(1)["name"]) == "cover");
  CHECK(std::int64_t(artwork["layers"].at(1)["parent"]) == 0);
  CHECK_FALSE(bool(artwork["layers"].at(1)["visible"]));
  CHECK(bool(artwork["layers"].at(1)["drawn"]));
  CHECK(std::string_view(artwork["tags"].at(0)["direction"]) == "ping-pong");
  CHECK(std::uint64_t(artwork["palette"].at(1).at(2)) == 255);
  const std::string other = run_pchr({"inspect", asset("quad.pchr").string(), "--json"}).out;
  CHECK(parser.parse(other)["artwork"].is_null());
}

TEST_CASE("the layers that are drawn are chosen on the command line", "[tools][px]") {
  CHECK(rendered({}) == rendered({"--layers", "visible"}));
  CHECK(rendered({}) == rendered({"--layers", "colour"}));
  CHECK(rendered({}) != rendered({"--layers", "all"}));
  CHECK(rendered({"--layers", "all"}) == rendered({"--layers", "colour", "--layers", "cover"}));
  const Outcome outcome = run_pchr({"inspect", artwork_file(), "--layers", "nobody"});
  CHECK_THAT(outcome.out, contains("W246"));
}

TEST_CASE("an artwork is converted, and shows the same", "[tools][px]") {
  for (const std::string name : {"converted.pchr", "converted.json"}) {
    const std::string path = output("tools/px/" + name).string();
    const Outcome outcome = run_pchr({"convert", artwork_file(), "-o", path, "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const auto original = pchr::load(artwork_file()), converted = pchr::load(path);
    REQUIRE(converted);
    CHECK(converted->clips().size() == 2);
    CHECK(converted->clips()[0].frame_count == 6);
    CHECK(converted->clips()[0].samples == original->clips()[0].samples);
    CHECK(converted->data().vertices == original->data().vertices);
  }
}

TEST_CASE("validate finds nothing in a sound artwork", "[tools][px]") {
  const Outcome outcome = run_pchr({"validate", "--strict", artwork_file()});
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
}

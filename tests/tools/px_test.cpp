// SPDX-License-Identifier: MIT
// `pchr` with artworks.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/px.hpp"

#include <pchr/load.hpp>

#include <simdjson.h>

#include <filesystem>
#include <string>
#include <vector>

namespace px_test {
namespace {

using namespace pchr::test;

constexpr PxColor kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// A red layer, a blue layer and above them a hidden white layer in a group.
std::string artwork_file() {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("color", {{kRed, kRed}, {kBlue, kBlue}});
  auto& hidden = artwork.add_layer("cover", {PxPixels(2, {255, 255, 255, 255}), PxPixels(2, {255, 255, 255, 255})});
  hidden.visible = false;
  hidden.blend = 9;
  hidden.opacity = 0.5F;
  artwork.groups.push_back({.id = "g", .name = "group", .children = {{PxType::layer, hidden.id}}});
  artwork.entries = {{PxType::layer, "id of color"}, {PxType::group, "g"}};
  artwork.palette = {kRed, kBlue};
  artwork.tags = {{"blink", 0, 1, 2, 3}};
  artwork.references.push_back({.id = "r",
                                .name = "photo",
                                .png = png_of(1, 1, std::vector<std::uint8_t>{0, 255, 0, 255}),
                                .left = -1,
                                .top = -2,
                                .width = 3,
                                .height = 4,
                                .radians = 1.5707964F,
                                .flips = 1});
  artwork.entries.push_back({PxType::reference, "r"});
  artwork.symmetry_lines = {{.color = kBlue, .x = 1.5F, .y = 0.5F, .segments = 2}};
  artwork.guide = {.type = 1, .width = 8, .height = 4, .color = kRed};
  artwork.canvas_grid = {16, 16, {255, 255, 255, 255}, kBlue};
  const std::filesystem::path path = output("tools/px/artwork.px");
  write_file(path, write_px(artwork));
  return path.string();
}

/// Returns the first frame as PNG bytes.
Bytes rendered(std::vector<std::string> options) {
  const std::string image = output("tools/px/rendered.png").string();
  const Outcome outcome =
      run_pchr(joined({"render", artwork_file(), "--clip", "all", "--size", "2x1", "-o", image}, options));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return read_file(image);
}

}  // namespace

TEST_CASE("inspect shows the parts of an artwork", "[tools][px]") {
  const Outcome outcome = run_pchr({"inspect", artwork_file()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("\nartwork of 2 x 1 px: 2 frames in 200 ms, 2 colors\n"));
  CHECK_THAT(outcome.out, contains("4 layers\n"
                                   "  #  name     kind       blend       opacity  visible  drawn\n"
                                   "  0  photo    reference  normal        100 %  yes      no\n"
                                   "  1  group    group      normal        100 %  yes      yes\n"
                                   "  2    cover  layer      soft light     50 %  no       no\n"
                                   "  3  color    layer      normal        100 %  yes      yes\n"));
  CHECK_THAT(outcome.out, contains("1 tag\n"
                                   "  #  name   frames  direction  plays    enabled  clip\n"
                                   "  0  blink  0 to 1  ping-pong  3 times  yes      0 blink\n"));
  CHECK_THAT(outcome.out, contains("1 reference layer, drawn only if named by --layers\n"
                                   "  #  name   image   size      at  angle  flipped\n"
                                   "  0  photo  1 x 1  3 x 4  -1, -2     90  horizontally\n"));
  CHECK_THAT(outcome.out, contains("1 symmetry line\n"
                                   "  #  kind    enabled        at  angle  segments  color\n"
                                   "  0  mirror  yes      1.5, 0.5      0         2  #0000ff\n"));
  CHECK_THAT(outcome.out, contains("\nisometric guide: cells of 8 x 4 px, #ff0000, hidden\n"));
  CHECK_THAT(outcome.out, contains("\ncanvas grid: cells of 16 x 16 px, #ffffff and #0000ff\n"));
}

TEST_CASE("inspect --json lists the parts of an artwork", "[tools][px]") {
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", artwork_file(), "--json", "--layers", "all"}).out;
  const simdjson::dom::element artwork = parser.parse(json)["artwork"];
  CHECK(std::uint64_t(artwork["width"]) == 2);
  CHECK(std::uint64_t(artwork["frameMs"].at(1)) == 100);
  const simdjson::dom::element photo = artwork["layers"].at(0)["reference"], cover = artwork["layers"].at(2);
  CHECK(std::string_view(cover["name"]) == "cover");
  CHECK(std::int64_t(cover["parent"]) == 1);
  CHECK_FALSE(bool(cover["visible"]));
  CHECK(bool(cover["drawn"]));
  CHECK(cover["reference"].is_null());
  CHECK(std::uint64_t(photo["imageWidth"]) == 1);
  CHECK(std::int64_t(photo["left"]) == -1);
  CHECK(std::uint64_t(photo["height"]) == 4);
  CHECK(double(photo["rotation"]) == 90);
  CHECK(bool(photo["flippedHorizontally"]));
  CHECK_FALSE(bool(photo["flippedVertically"]));
  CHECK(std::string_view(artwork["symmetryLines"].at(0)["kind"]) == "mirror");
  CHECK(std::string_view(artwork["guide"]["kind"]) == "isometric");
  CHECK(std::uint64_t(artwork["guide"]["cellHeight"]) == 4);
  CHECK(std::uint64_t(artwork["canvasGrid"]["cellWidth"]) == 16);
  CHECK(std::string_view(artwork["tags"].at(0)["direction"]) == "ping-pong");
  CHECK(std::uint64_t(artwork["palette"].at(1).at(2)) == 255);
  const std::string other = run_pchr({"inspect", asset("quad.pchr").string(), "--json"}).out;
  CHECK(parser.parse(other)["artwork"].is_null());
}

TEST_CASE("option --layers selects the layers to draw", "[tools][px]") {
  CHECK(rendered({}) == rendered({"--layers", "visible"}));
  CHECK(rendered({}) == rendered({"--layers", "color"}));
  CHECK(rendered({}) != rendered({"--layers", "all"}));
  CHECK(rendered({"--layers", "all"}) == rendered({"--layers", "color", "--layers", "cover"}));
  const Outcome outcome = run_pchr({"inspect", artwork_file(), "--layers", "nobody"});
  CHECK_THAT(outcome.out, contains("W246"));
}

TEST_CASE("a reference layer is drawn if it is named, and drawing nothing is a warning", "[tools][px]") {
  CHECK(rendered({"--layers", "photo"}) != rendered({"--layers", "nobody"}));
  CHECK(rendered({"--layers", "photo", "--layers", "color"}) != rendered({"--layers", "color"}));
  CHECK_THAT(run_pchr({"inspect", artwork_file(), "--layers", "photo"}).out,
             contains("reference  normal        100 %  yes      yes"));
}

TEST_CASE("options limit the output of a small artwork", "[tools][px]") {
  // A canvas of 2,000 x 1,000 pixels in two colors, which compresses well as PNG.
  PxArtwork artwork{.width = 2000, .height = 1000};
  artwork.add_layer("layer", {PxPixels(2'000'000, kRed), PxPixels(2'000'000, kBlue)});
  const std::string file = output("tools/px/large.px").string();
  write_file(file, write_px(artwork));
  const std::string target = output("tools/px/limited.pchr").string();
  const auto packed = [&](const std::string& megabytes, const std::vector<std::string>& options) {
    return run_pchr(joined({"pack", file, "-o", target, "--force", "--max-output-mb", megabytes}, options));
  };
  std::filesystem::remove(target);
  const Outcome refused = packed("15", {"--rgba"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("E314"));
  CHECK_THAT(refused.err, contains("--max-output-mb"));
  CHECK_FALSE(std::filesystem::exists(target));
  CHECK(packed("16", {"--rgba"}).exit_code == 0);

  const std::string image = output("tools/px/limited.png").string();
  for (const std::string subcommand : {"render", "sheet"}) {
    std::filesystem::remove(image);
    std::vector<std::string> arguments{subcommand, file, "-o", image, "--scale", "1", "--max-output-megapixels", "1"};
    const Outcome too_many = run_pchr(arguments);
    CHECK(too_many.exit_code == 2);
    CHECK_THAT(too_many.err, contains("\n  hint: raise the limit with --max-output-megapixels"));
    CHECK_FALSE(std::filesystem::exists(image));
    arguments.back() = "8";
    CHECK(run_pchr(arguments).exit_code == 0);
  }
}

TEST_CASE("a converted artwork looks the same", "[tools][px]") {
  for (const std::string name : {"converted.pchr", "converted.json"}) {
    const std::string path = output("tools/px/" + name).string();
    const Outcome outcome = run_pchr({"convert", artwork_file(), "-o", path, "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const auto original = pchr::load_character(artwork_file()), converted = pchr::load_character(path);
    REQUIRE(converted);
    CHECK(converted->clips().size() == 3);
    CHECK(converted->clips()[0].name == "bind");
    CHECK(converted->clips()[1].frame_count == 6);
    CHECK(converted->clips()[1].samples == original->clips()[0].samples);
    CHECK(converted->data().vertices == original->data().vertices);
  }
}

TEST_CASE("validate finds nothing in a valid artwork", "[tools][px]") {
  const Outcome outcome = run_pchr({"validate", "--strict", artwork_file()});
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
}

}  // namespace px_test

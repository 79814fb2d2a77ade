// SPDX-License-Identifier: MIT
// Compares artworks' frames with those of an independent program.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/px_image.hpp"

#include "image/image.hpp"

#include <pchr/load.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace px_conformance_test {
using namespace pchr;
using simdjson::dom::element;
namespace fs = std::filesystem;

namespace {

Bitmap expected_image(const fs::path& path, const Artwork& artwork) {
  Image image{"expected", artwork.width, artwork.height, ImageEncoding::png, test::read_file(path)};
  return decode_straight(image, Limits{}).value();
}

/// Returns the largest difference of a channel. Ignores pixels that are transparent in both.
int largest_difference(const Bitmap& a, const Bitmap& b) {
  int largest = 0;
  for (std::size_t pixel = 0; pixel < a.rgba.size(); pixel += 4) {
    if (a.rgba[pixel + 3] == 0 && b.rgba[pixel + 3] == 0) continue;
    for (std::size_t i = pixel; i < pixel + 4; ++i) largest = std::max(largest, std::abs(a.rgba[i] - b.rgba[i]));
  }
  return largest;
}

void check_tags(const Artwork& artwork, const element& expected) {
  REQUIRE(artwork.tags.size() == expected.get_array().size());
  for (std::size_t i = 0; i < artwork.tags.size(); ++i) {
    const ArtworkTag& tag = artwork.tags[i];
    const element tag_expected = expected.at(i);
    CHECK(tag.name == std::string_view(tag_expected["name"]));
    CHECK(tag.first_frame == std::int64_t(tag_expected["from"]));
    CHECK(tag.last_frame == std::int64_t(tag_expected["to"]));
    CHECK(static_cast<std::int64_t>(tag.direction) == std::int64_t(tag_expected["direction"]));
    CHECK(tag.repeats == std::int64_t(tag_expected["loops"]));
    CHECK(tag.enabled == bool(tag_expected["enabled"]));
  }
}

/// The expected tree is bottom to top; the artwork's is top to bottom. Returns the layer after the last.
std::size_t check_layers(const Artwork& artwork, const element& expected, std::size_t layer) {
  for (std::size_t i = expected.get_array().size(); i-- > 0;) {
    const element item = expected.at(i);
    REQUIRE(layer < artwork.layers.size());
    const ArtworkLayer& found = artwork.layers[layer++];
    CHECK(found.name == std::string_view(item["name"]));
    CHECK(name_of(found.kind) == std::string_view(item["kind"]));
    CHECK(found.visible == bool(item["visible"]));
    CHECK(found.opacity == Approx(double(item["opacity"])).margin(1e-4));
    layer = check_layers(artwork, item["clipping"], layer);
    layer = check_layers(artwork, item["cropping"], layer);
    if (found.kind == LayerKind::group) layer = check_layers(artwork, item["children"], layer);
  }
  return layer;
}

}  // namespace

TEST_CASE("third-party artworks match an independent program", "[px][conformance]") {
  for (const fs::path& path : test::conformance_files("px", ".px")) {
    INFO(path.filename().string());
    const auto character = load_character(path);
    REQUIRE(character);
    CHECK(character->warnings().empty());
    CHECK(character->data().pixel_art);
    const Artwork& artwork = character->file.artwork.value();
    simdjson::dom::parser parser;
    const element expected = parser.load(fs::path(path).replace_extension(".json").string());
    CHECK(artwork.width == std::int64_t(expected["canvas"].at(0)));
    CHECK(artwork.height == std::int64_t(expected["canvas"].at(1)));
    CHECK(artwork.palette.size() == expected["palette"].get_array().size());
    check_tags(artwork, expected["tags"]);
    CHECK(check_layers(artwork, expected["tree(bottom to top)"], 0) == artwork.layers.size());
    REQUIRE(artwork.frame_ms.size() == expected["frames"].get_array().size());
    for (const element frame : expected["frames"].get_array()) {
      const auto number = static_cast<std::uint32_t>(std::int64_t(frame["index"]));
      INFO("frame " << number);
      CHECK(artwork.frame_ms[number] == std::int64_t(frame["ms"]));
      const fs::path image = path.parent_path() / std::string_view(frame["png"]);
      CHECK(largest_difference(test::image_of(*character, number), expected_image(image, artwork)) <= 2);
    }
  }
}

}  // namespace px_conformance_test

// SPDX-License-Identifier: MIT
// Limits of the output size.
#include "support/catch.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/import/save.hpp>

#include <string>

namespace output_limit_test {
using namespace pchr;

namespace {

std::uint64_t bytes_of(const Saved& saved) {
  std::uint64_t bytes = saved.file.bytes.size();
  for (const SavedFile& image : saved.images) bytes += image.bytes.size();
  return bytes;
}

/// Checks that a character is saved at a limit of exactly its size, and refused at one byte less.
void check_limit(const Character& character, Format format, SaveOptions options = {}) {
  const auto whole = save(character, format, "a", options);
  REQUIRE(whole);
  options.max_output_bytes = bytes_of(*whole);
  CHECK(save(character, format, "a", options)->file.bytes == whole->file.bytes);
  for (const std::uint64_t fewer : {options.max_output_bytes - 1, options.max_output_bytes / 2, std::uint64_t{0}}) {
    options.max_output_bytes = fewer;
    const auto refused = save(character, format, "a", options);
    REQUIRE_FALSE(refused);
    CHECK(code(refused.error().id) == "E314");
    CHECK_THAT(refused.error().detail, test::contains("but the limit is " + std::to_string(fewer)));
  }
}

}  // namespace

TEST_CASE("no format exceeds the output limit, all files together", "[save]") {
  const Character character = Character::build(test::two_bone_arm()).value();
  for (const Format format : {Format::v1, Format::json, Format::packed})
    check_limit(character, format, {.lossy = true});
  check_limit(character, Format::json, {.json_dialect = JsonDialect::pachario, .lossy = true});
  check_limit(character, Format::v1, {.raw_pixels = true, .lossy = true});
}

TEST_CASE("a small artwork with a large output is refused unless the limit allows it", "[save][px]") {
  // 6,000 frames of 1,000 images: 138 MB of samples.
  test::PxArtwork artwork{.width = 64, .height = 16};
  std::vector<test::PxPixels> images(1000, test::PxPixels(1024, {255, 0, 0, 255}));
  for (std::size_t i = 0; i < images.size(); ++i) images[i][i] = {};
  artwork.add_layer("layer", images);
  artwork.tags.assign(5, {"tag", 0, 999});
  const test::Bytes bytes = test::write_px(artwork);
  CHECK(bytes.size() < 200'000);
  const Character character = load_character(bytes).value();
  SaveOptions options;
  options.max_output_bytes = std::uint64_t{100} << 20;
  CHECK(code(save(character, Format::v1, "a", options).error().id) == "E314");
  options.max_output_bytes = kMaxOutputBytes;
  CHECK(save(character, Format::v1, "a", options));
  CHECK(code(save(character, Format::json, "a", options).error().id) == "E314");
}

TEST_CASE("glTF never exceeds the output limit", "[save][gltf]") {
  const Character character = load_character(test::bytes_of(test::small_psk())).value();
  const auto whole = save_gltf(character);
  REQUIRE(whole);
  CHECK(save_gltf(character, {}, whole->size()).value() == *whole);
  const auto refused = save_gltf(character, {}, whole->size() - 1);
  REQUIRE_FALSE(refused);
  CHECK(code(refused.error().id) == "E314");
}

}  // namespace output_limit_test

// SPDX-License-Identifier: MIT
// Characters without images.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/import/save.hpp>

#include <algorithm>
#include <string_view>

namespace no_images_test {
namespace {

using namespace pchr;

CharacterData bare_arm() {
  CharacterData data = test::two_bone_arm();
  data.images.clear();
  for (Mesh& mesh : data.meshes) mesh.image = ImageId{0};
  return data;
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("a character without images is drawn with a placeholder that it does not own", "[no_images]") {
  const auto character = load_character(test::write_v1(bare_arm()));
  REQUIRE(character);
  CHECK(character->warnings().empty());
  CHECK(character->data().images.empty());
  REQUIRE(character->images().size() == 1);
  CHECK(character->images()[0].encoding == ImageEncoding::absent);
  const auto bitmaps = decode_images(*character);
  REQUIRE(bitmaps);
  REQUIRE(bitmaps->size() == 1);
  const auto& rgba = bitmaps->front().rgba;
  for (std::size_t i = 3; i < rgba.size(); i += 4) CHECK(rgba[i] == 255);
  CHECK(std::ranges::count(rgba, rgba[0]) < std::ranges::ssize(rgba) / 4 * 3);
}

TEST_CASE("a character without images and meshes has no placeholder", "[no_images]") {
  CharacterData data = bare_arm();
  data.meshes.clear();
  data.vertices.clear();
  data.indices.clear();
  const auto character = load_character(test::write_v1(data));
  REQUIRE(character);
  CHECK(character->images().empty());
}

TEST_CASE("without images, a mesh with an image other than 0 is an error", "[no_images]") {
  CharacterData data = bare_arm();
  data.meshes[1].image = ImageId{1};
  const auto loaded = load_character(test::write_v1(data));
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().id == DiagnosticId::image_out_of_range);
  CHECK(loaded.error().path == "meshes[1].image");
}

TEST_CASE("a character without images is saved without images, byte for byte in each format", "[no_images]") {
  const Character character = Character::build(bare_arm()).value();
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    for (const Format format : {Format::v1, Format::json, Format::packed}) {
      INFO("format " << static_cast<int>(format) << ", dialect " << static_cast<int>(dialect));
      SaveOptions options;
      options.json_dialect = dialect;
      const auto saved = save(character, format, "arm", options);
      REQUIRE(saved);
      CHECK(saved->images.empty());
      CHECK(saved->losses.empty());
      if (format != Format::v1) CHECK(text_of(saved->file.bytes).find("\"images\": []") != std::string_view::npos);
      const auto loaded = load_character(saved->file.bytes);
      REQUIRE(loaded);
      CHECK(loaded->data().images.empty());
      CHECK(loaded->warnings().empty());
      CHECK(save(*loaded, format, "arm", options).value().file.bytes == saved->file.bytes);
    }
  }
  CHECK(save(character, Format::v1, "arm").value().file.bytes == test::write_v1(bare_arm()));
}

}  // namespace no_images_test

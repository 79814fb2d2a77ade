// SPDX-License-Identifier: MIT
// Compares every pixel of real artworks' frames with images that Aseprite wrote.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/px_image.hpp"

#include "image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace aseprite_conformance_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

/// Returns how many pixels differ. Those that are transparent in both are equal.
std::size_t count_differences(const Bitmap& a, const Bitmap& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    const bool is_clear = a.rgba[i + 3] == 0 && b.rgba[i + 3] == 0;
    count += is_clear || std::equal(&a.rgba[i], &a.rgba[i] + 4, &b.rgba[i]) ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("real artworks look as in Aseprite in every pixel", "[aseprite][conformance]") {
  for (const fs::path& path : test::conformance_files("aseprite", ".aseprite")) {
    INFO(path.filename().string());
    const auto character = load_character(path);
    REQUIRE(character);
    const Artwork& artwork = character->file.artwork.value();
    for (std::uint32_t frame = 0; frame < artwork.frame_ms.size(); ++frame) {
      INFO("frame " << frame);
      fs::path image = fs::path(path).replace_extension(".png");
      if (!fs::exists(image)) image = path.parent_path() / fmt::format("{}_{:02}.png", path.stem().string(), frame + 1);
      if (!fs::exists(image)) continue;
      const Image expected{"expected", artwork.width, artwork.height, ImageEncoding::png, test::read_file(image)};
      CHECK(count_differences(test::image_of(*character, frame), decode_straight(expected, Limits{}).value()) == 0);
    }
  }
}

}  // namespace aseprite_conformance_test

// SPDX-License-Identifier: MIT
// Where pictures lie in the images of an artwork's character.
#include "support/catch.hpp"

#include "import/px/build.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace pchr;
using px::PictureSize;

namespace {

/// Every picture is within its page, and at least a pixel from every other.
void check_places(const std::vector<PictureSize>& pictures, const px::Atlas& atlas) {
  REQUIRE(atlas.places.size() == pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const px::AtlasPlace& place = atlas.places[i];
    REQUIRE(place.page < atlas.pages.size());
    CHECK(place.x + pictures[i].width <= atlas.pages[place.page].width);
    CHECK(place.y + pictures[i].height <= atlas.pages[place.page].height);
    for (std::size_t j = 0; j < i; ++j) {
      const px::AtlasPlace& other = atlas.places[j];
      const bool apart = other.page != place.page || other.x > place.x + pictures[i].width ||
                         place.x > other.x + pictures[j].width || other.y > place.y + pictures[i].height ||
                         place.y > other.y + pictures[j].height;
      if (!apart) FAIL("picture " << i << " is too near to picture " << j);
    }
  }
}

}  // namespace

TEST_CASE("pictures are packed apart, into about a square", "[px]") {
  std::minstd_rand random(1);
  std::vector<PictureSize> pictures;
  std::uint64_t area = 0;
  for (int i = 0; i < 300; ++i) {
    pictures.push_back({1 + static_cast<std::uint32_t>(random() % 60), 1 + static_cast<std::uint32_t>(random() % 60)});
    area += std::uint64_t{pictures.back().width + 1} * (pictures.back().height + 1);
  }
  const px::Atlas atlas = px::pack(pictures);
  check_places(pictures, atlas);
  REQUIRE(atlas.pages.size() == 1);
  const PictureSize& page = atlas.pages[0];
  CHECK(std::uint64_t{page.width} * page.height < area * 5 / 4);
  CHECK(page.height < page.width * 2);
}

TEST_CASE("one picture has an image of its size, and no picture has none", "[px]") {
  const px::Atlas atlas = px::pack(std::vector<PictureSize>{{5, 3}});
  REQUIRE(atlas.pages.size() == 1);
  CHECK(atlas.pages[0].width == 5);
  CHECK(atlas.pages[0].height == 3);
  CHECK(px::pack({}).pages.empty());
}

TEST_CASE("pages are at most 4096 pixels wide and high, but for a picture that is larger", "[px]") {
  std::vector<PictureSize> pictures(70, {1000, 1000});
  const px::Atlas atlas = px::pack(pictures);
  check_places(pictures, atlas);
  CHECK(atlas.pages.size() == 5);
  for (const PictureSize& page : atlas.pages) CHECK(std::max(page.width, page.height) <= 4096);
  pictures = {{10, 9000}, {9000, 10}, {10, 10}};
  check_places(pictures, px::pack(pictures));
}

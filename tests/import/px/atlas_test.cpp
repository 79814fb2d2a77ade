// SPDX-License-Identifier: MIT
// Packing of an artwork's images into atlas pages.
#include "support/catch.hpp"

#include "import/px/build.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace atlas_test {
using namespace pchr;
using px::PixelSize;

namespace {

/// Checks that every image is within its page and at least a pixel from all others.
void check_places(const std::vector<PixelSize>& images, const px::Atlas& atlas) {
  REQUIRE(atlas.places.size() == images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const px::AtlasPlace& place = atlas.places[i];
    REQUIRE(place.page < atlas.pages.size());
    CHECK(place.x + images[i].width <= atlas.pages[place.page].width);
    CHECK(place.y + images[i].height <= atlas.pages[place.page].height);
    for (std::size_t j = 0; j < i; ++j) {
      const px::AtlasPlace& other = atlas.places[j];
      const bool apart = other.page != place.page || other.x > place.x + images[i].width ||
                         place.x > other.x + images[j].width || other.y > place.y + images[i].height ||
                         place.y > other.y + images[j].height;
      if (!apart) FAIL("image " << i << " is too close to image " << j);
    }
  }
}

}  // namespace

TEST_CASE("images are packed with gaps into a roughly square page", "[px]") {
  std::minstd_rand random(1);
  std::vector<PixelSize> images;
  std::uint64_t area = 0;
  for (int i = 0; i < 300; ++i) {
    images.push_back({1 + static_cast<std::uint32_t>(random() % 60), 1 + static_cast<std::uint32_t>(random() % 60)});
    area += std::uint64_t{images.back().width + 1} * (images.back().height + 1);
  }
  const px::Atlas atlas = px::pack(images);
  check_places(images, atlas);
  REQUIRE(atlas.pages.size() == 1);
  const PixelSize& page = atlas.pages[0];
  CHECK(std::uint64_t{page.width} * page.height < area * 5 / 4);
  CHECK(page.height < page.width * 2);
}

TEST_CASE("a single image gets a page of its size, and no images no page", "[px]") {
  const px::Atlas atlas = px::pack(std::vector<PixelSize>{{5, 3}});
  REQUIRE(atlas.pages.size() == 1);
  CHECK(atlas.pages[0].width == 5);
  CHECK(atlas.pages[0].height == 3);
  CHECK(px::pack({}).pages.empty());
}

TEST_CASE("pages are at most 4096 pixels wide and high, except for larger images", "[px]") {
  std::vector<PixelSize> images(70, {1000, 1000});
  const px::Atlas atlas = px::pack(images);
  check_places(images, atlas);
  CHECK(atlas.pages.size() == 5);
  for (const PixelSize& page : atlas.pages) CHECK(std::max(page.width, page.height) <= 4096);
  images = {{10, 9000}, {9000, 10}, {10, 10}};
  check_places(images, px::pack(images));
}

}  // namespace atlas_test

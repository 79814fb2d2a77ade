// SPDX-License-Identifier: MIT
// Packing of rectangles onto pages.
#include "export/sheet_layout.hpp"

#include "support/catch.hpp"

#include <bit>
#include <random>
#include <vector>

namespace pack_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

bool apart(const FrameSize& a, const Place& at_a, const FrameSize& b, const Place& at_b) {
  return at_b.x >= at_a.x + a.width || at_a.x >= at_b.x + b.width || at_b.y >= at_a.y + a.height ||
         at_a.y >= at_b.y + b.height;
}

std::uint64_t area_of(const std::vector<FrameSize>& extents) {
  std::uint64_t area = 0;
  for (const FrameSize& each : extents) area += std::uint64_t{each.width} * each.height;
  return area;
}

}  // namespace

TEST_CASE("packed rectangles are on the page, disjoint and dense", "[export]") {
  std::mt19937 random(3);
  for (const bool power_of_two : {false, true}) {
    for (const std::size_t count : {1U, 2U, 17U, 200U}) {
      std::vector<FrameSize> extents(count);
      for (FrameSize& each : extents) {
        each = {static_cast<std::uint32_t>(1 + random() % 90), static_cast<std::uint32_t>(1 + random() % 60)};
      }
      const auto page = pack(extents, 4096, power_of_two);
      REQUIRE(page);
      REQUIRE(page->places.size() == count);
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(page->places[i].x + extents[i].width <= page->size.width);
        CHECK(page->places[i].y + extents[i].height <= page->size.height);
        for (std::size_t j = 0; j < i; ++j) CHECK(apart(extents[i], page->places[i], extents[j], page->places[j]));
      }
      const std::uint64_t taken = std::uint64_t{page->size.width} * page->size.height;
      if (power_of_two) {
        CHECK(std::has_single_bit(page->size.width));
        CHECK(std::has_single_bit(page->size.height));
      } else if (count == 200) {
        CHECK(taken < area_of(extents) * 5 / 4);
      }
    }
  }
}

TEST_CASE("equal rectangles fill a page completely", "[export]") {
  const std::vector<FrameSize> extents(16, {10, 10});
  const auto page = pack(extents, 64, false);
  REQUIRE(page);
  CHECK(page->size == FrameSize{40, 40});
}

TEST_CASE("rectangles that do not fit on any page are not packed", "[export]") {
  CHECK_FALSE(pack(std::vector<FrameSize>{{65, 1}}, 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>{{1, 65}}, 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>(5, {32, 32}), 64, false));
  CHECK(pack(std::vector<FrameSize>(4, {32, 32}), 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>{{33, 1}}, 63, true));
}

}  // namespace pack_test

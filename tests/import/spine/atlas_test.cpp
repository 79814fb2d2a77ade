// SPDX-License-Identifier: MIT
// Spine's texture atlases, and that parts show the same pixels however they were packed.
#include "import/rig/rig.hpp"
#include "import/spine/spine.hpp"
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace spine_atlas_test {
using namespace pchr;

namespace {

spine::Atlas read(std::string_view text) {
  auto atlas = spine::read_atlas(text);
  if (!atlas) FAIL(describe(atlas.error(), "hero.atlas"));
  return *std::move(atlas);
}

std::string error_of(std::string_view text) {
  const auto atlas = spine::read_atlas(text);
  return atlas ? "" : describe(atlas.error(), "hero.atlas");
}

constexpr std::string_view kOld =
    "\nhero.png\nsize: 64, 32\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n"
    "head\n  rotate: false\n  xy: 2, 4\n  size: 10, 20\n  orig: 10, 20\n  offset: 0, 0\n  index: -1\n"
    "arm/left hand\n  rotate: true\n  xy: 20, 4\n  size: 10, 20\n  split: 1, 2, 3, 4\n  pad: 1, 1, 1, 1\n"
    "  orig: 16, 32\n  offset: 1, 2\n  index: 3\n"
    "\nhero2.png\nsize: 8,8\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n"
    "head\n  rotate: 180\n  xy: 0, 0\n  size: 8, 4\n  orig: 8, 4\n  offset: 0, 0\n  index: -1\n";
constexpr std::string_view kNew =
    "hero.png\nsize:64,32\nfilter:Linear,Linear\nscale:0.5\nhead\nbounds:2,4,10,20\narm/left hand\nbounds:20,4,10,20\n"
    "offsets:1,2,16,32\nrotate:90\nindex:3\n\nhero2.png\nsize:8,8\nfilter:Linear,Linear\nhead\nbounds:0,0,8,4\n"
    "rotate:180\n";

std::string with_line_ends(std::string_view text, std::string_view ends) {
  std::string result;
  for (const char letter : text) letter == '\n' ? result += ends : result += letter;
  return result;
}

/// A page with one part, drawn by a function of the part's own pixels.
struct Page {
  std::uint32_t width, height;
  std::vector<std::uint32_t> pixels;
};

/// Puts an image of `width` x `height` pixels on a page, turned counter-clockwise.
Page packed(const std::vector<std::uint32_t>& image, std::uint32_t width, std::uint32_t height, std::uint32_t degrees,
            std::uint32_t x, std::uint32_t y) {
  Page page{32, 32, std::vector<std::uint32_t>(32 * 32)};
  for (std::uint32_t row = 0; row < height; ++row) {
    for (std::uint32_t column = 0; column < width; ++column) {
      std::uint32_t to_x = column, to_y = row;
      // The right edge becomes the top edge.
      if (degrees == 90) to_x = row, to_y = width - 1 - column;
      if (degrees == 180) to_x = width - 1 - column, to_y = height - 1 - row;
      if (degrees == 270) to_x = height - 1 - row, to_y = column;
      page.pixels[(y + to_y) * page.width + x + to_x] = image[row * width + column];
    }
  }
  return page;
}

}  // namespace

TEST_CASE("the lines of a Spine atlas end with LF, CR LF or CR", "[spine]") {
  for (const std::string_view text : {kOld, kNew}) {
    const spine::Atlas atlas = read(text);
    for (const std::string_view ends : {"\r\n", "\r"}) {
      const std::string converted = with_line_ends(text, ends);
      CHECK(spine::looks_like_atlas(converted));
      const spine::Atlas other = read(converted);
      REQUIRE((other.pages.size() == 2 && other.regions.size() == atlas.regions.size()));
      for (std::size_t i = 0; i < atlas.regions.size(); ++i) {
        CHECK(other.regions[i].name == atlas.regions[i].name);
        CHECK(other.regions[i].page == atlas.regions[i].page);
        CHECK(other.regions[i].x == atlas.regions[i].x);
      }
    }
  }
  CHECK(error_of("hero.png\rsize: 8, 8\r\nhead\rrotate: 45\r").ends_with("(line 4, column 1)"));
}

TEST_CASE("both dialects of a Spine atlas mean the same", "[spine]") {
  for (const std::string_view text : {kOld, kNew}) {
    const spine::Atlas atlas = read(text);
    REQUIRE(atlas.pages.size() == 2);
    CHECK(atlas.pages[0].file == "hero.png");
    CHECK(atlas.pages[1].file == "hero2.png");
    CHECK(atlas.pages[0].width == 64);
    CHECK(atlas.pages[0].height == 32);
    CHECK_FALSE(atlas.pages[0].is_premultiplied);
    REQUIRE(atlas.regions.size() == 3);
    CHECK(atlas.indices == std::vector<std::int32_t>{-1, 3, -1});
    const rig::Region& head = atlas.regions[0];
    CHECK(head.name == "head");
    CHECK(head.page == 0);
    CHECK((head.x == 2 && head.y == 4 && head.width == 10 && head.height == 20));
    CHECK((head.turns == 0 && head.full_width == 0));
    const rig::Region& hand = atlas.regions[1];
    CHECK(hand.name == "arm/left hand");
    // It lies on its side. Of 32 rows, 2 are cut off at the bottom and 10 at the top.
    CHECK((hand.x == 20 && hand.y == 4 && hand.width == 20 && hand.height == 10 && hand.turns == 3));
    CHECK((hand.trim_left == 1 && hand.trim_top == 10 && hand.full_width == 16 && hand.full_height == 32));
    CHECK((atlas.regions[2].name == "head" && atlas.regions[2].page == 1 && atlas.regions[2].turns == 2));
  }
}

TEST_CASE("a Spine atlas can have other line ends, spaces, headers and unknown entries", "[spine]") {
  std::string windows = "\xEF\xBB\xBF\r\n\r\n";
  for (const char each : kNew) windows += each == '\n' ? std::string("\r\n") : std::string(1, each);
  CHECK(read(windows).regions.size() == 3);
  const spine::Atlas atlas = read(
      "packer: mine\n\n\n  a.png \n\tsize :  4 , 4\npma: true\nquality: high\n left \n weight: 3, 4, 5, 6, 7\n"
      " bounds: 1, 2, 3, 4\n\n\nb.png\nright");
  REQUIRE(atlas.pages.size() == 2);
  CHECK((atlas.pages[0].file == "a.png" && atlas.pages[0].is_premultiplied && atlas.pages[0].width == 4));
  CHECK((atlas.pages[1].width == 0 && !atlas.pages[1].is_premultiplied));
  REQUIRE(atlas.regions.size() == 2);
  CHECK((atlas.regions[0].name == "left" && atlas.regions[0].height == 4));
  CHECK((atlas.regions[1].name == "right" && atlas.regions[1].page == 1));
}

TEST_CASE("a wrong value in a Spine atlas is an error with its line", "[spine]") {
  const std::string start = "a.png\nsize:4,4\npart\n";
  CHECK(error_of(start + "bounds:0,0,x,4\n") ==
        "hero.atlas: error E109: value 3 of \"bounds:0,0,x,4\" must be a number (line 4, column 1)");
  CHECK(error_of(start + "bounds:0,0,4\n").find("value 4 of") != std::string::npos);
  CHECK(error_of(start + "bounds:0,0,-4,4\n").find("must not be negative") != std::string::npos);
  CHECK(error_of(start + "bounds:1e30,0,4,4\n").find("E125") != std::string::npos);
  CHECK(error_of(start + "xy:nan,0\n").find("E1") != std::string::npos);
  CHECK(error_of(start + "rotate:45\n").find("must be 0, 90, 180 or 270 (line 4, column 1)") != std::string::npos);
  CHECK(error_of("\xFF.png\n").find("E105") != std::string::npos);
  CHECK(error_of("").find("E108: the atlas has no pages") != std::string::npos);
}

TEST_CASE("Spine atlases are recognized", "[spine]") {
  CHECK(spine::looks_like_atlas(kOld));
  CHECK(spine::looks_like_atlas(kNew));
  CHECK(spine::looks_like_atlas("\r\nhero.png\r\nformat: RGBA8888\r\n"));
  for (const std::string_view other :
       {"", "hero.png", "hero.png\nhead\n", "{\"size\":\nsize: 1", "#name: x\nsize: 1, 1\n", "hero.png\nwidth: 4\n"}) {
    CHECK_FALSE(spine::looks_like_atlas(other));
  }
}

TEST_CASE("a part shows the same pixels however a Spine atlas packs it", "[spine]") {
  constexpr std::uint32_t kWidth = 8, kHeight = 5;
  std::vector<std::uint32_t> image;
  for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) image.push_back(i + 1);
  for (const std::uint32_t degrees : {0U, 90U, 180U, 270U}) {
    // 3 columns at the left and 1 row at the bottom of the whole image of 13 x 7 pixels are cut off.
    const std::string text =
        "a.png\nsize:32,32\npart\nbounds:9,11,8,5\noffsets:3,1,13,7\nrotate:" + std::to_string(degrees);
    const Page page = packed(image, kWidth, kHeight, degrees, 9, 11);
    const spine::Atlas atlas = read(text);
    rig::Model model;
    model.regions = atlas.regions;
    rig::Page& stored = model.pages.emplace_back();
    stored.width = stored.height = 32;
    stored.image = {"a.png", 32, 32, ImageEncoding::rgba8888, {}};
    const auto bytes = std::as_bytes(std::span(page.pixels));
    stored.image.bytes.assign(bytes.begin(), bytes.end());
    rig::Armature& armature = model.armatures.emplace_back();
    armature.bones.emplace_back().name = "root";
    armature.steps.push_back({});
    rig::Slot& slot = armature.slots.emplace_back();
    slot.name = "part";
    rig::Attachment& attachment = slot.attachments.emplace_back();
    attachment.kind = rig::AttachmentKind::region;
    attachment.name = "part";
    attachment.region = 0;
    const auto imported = rig::import_rig(std::move(model), 0, {}, "Spine", {});
    REQUIRE(imported);
    const std::span<const Vertex> corners = imported->character.vertices();
    REQUIRE(corners.size() == 4);
    for (std::uint32_t row = 0; row < kHeight; ++row) {
      for (std::uint32_t column = 0; column < kWidth; ++column) {
        // The center of a pixel, from the center of the whole image.
        const double x = 3 + column + 0.5 - 6.5, y = 3.5 - (1 + row + 0.5);
        const double across = (x - corners[0].x) / (corners[1].x - corners[0].x);
        const double down = (y - corners[0].y) / (corners[2].y - corners[0].y);
        const double u = corners[0].u + across * (corners[1].u - corners[0].u) + down * (corners[2].u - corners[0].u);
        const double v = corners[0].v + across * (corners[1].v - corners[0].v) + down * (corners[2].v - corners[0].v);
        const auto at_x = static_cast<std::uint32_t>(std::floor(u * 32)), at_y = static_cast<std::uint32_t>(v * 32);
        INFO(degrees << " degrees, pixel " << column << ", " << row);
        REQUIRE((at_x < 32 && at_y < 32));
        REQUIRE(page.pixels[at_y * 32 + at_x] == image[row * kWidth + column]);
      }
    }
  }
}

}  // namespace spine_atlas_test

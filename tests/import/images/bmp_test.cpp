// SPDX-License-Identifier: MIT
#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/png.hpp"

#include "import/images/image_file.hpp"

#include <string>
#include <vector>

namespace bmp_test {
using namespace pchr;
using test::bmp_of;
using test::BmpParts;

namespace {

constexpr std::uint64_t kMany = 1U << 20;

/// Returns the rows from top to bottom, with a letter for each pixel: a pure color, or ? for any other.
std::string letters(const Bitmap& bitmap) {
  std::string text;
  for (std::size_t pixel = 0; pixel < bitmap.rgba.size() / 4; ++pixel) {
    const auto* rgba = &bitmap.rgba[pixel * 4];
    if (pixel > 0 && pixel % bitmap.width == 0) text += '/';
    const int color = (rgba[0] == 255 ? 4 : 0) + (rgba[1] == 255 ? 2 : 0) + (rgba[2] == 255 ? 1 : 0);
    const bool pure = (rgba[0] % 255 == 0) && (rgba[1] % 255 == 0) && (rgba[2] % 255 == 0) && rgba[3] == 255;
    text += pure ? "kbgcrmyw"[color] : '?';
  }
  return text;
}

std::string decoded(const BmpParts& parts) {
  const auto bitmap = decode_bmp(bmp_of(parts), kMany);
  return bitmap ? letters(*bitmap) : "rejected: " + bitmap.error();
}

/// Black, blue, green, red, white; four bytes each.
const std::vector<std::uint8_t> kPalette{0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0};

BmpParts indexed(std::uint16_t bits, std::int32_t width, std::int32_t height, std::vector<std::uint8_t> pixels,
                 std::uint32_t compression = 0) {
  return {40, width, height, bits, compression, 5, kPalette, std::move(pixels)};
}

}  // namespace

TEST_CASE("BMP rows are bottom-up, or top-down if the height is negative", "[bmp]") {
  const std::vector<std::uint8_t> rows{0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0};
  CHECK(decoded({40, 2, 2, 24, 0, 0, {}, rows}) == "bw/rg");
  CHECK(decoded({40, 2, -2, 24, 0, 0, {}, rows}) == "rg/bw");
}

TEST_CASE("the fourth byte of a pixel is not alpha", "[bmp]") {
  CHECK(decoded({40, 2, 1, 32, 0, 0, {}, {255, 0, 0, 0, 0, 255, 0, 128}}) == "bg");
}

TEST_CASE("pixels of 1, 4 and 8 bits are colors of the palette", "[bmp]") {
  CHECK(decoded(indexed(8, 3, 1, {3, 1, 4, 0})) == "rbw");
  CHECK(decoded(indexed(4, 5, 1, {0x31, 0x42, 0x10, 0})) == "rbwgb");
  BmpParts two = indexed(1, 10, 1, {0b1010'0001, 0b1100'0000, 0, 0});
  two.colors = 0;
  two.after_header.resize(8);
  CHECK(decoded(two) == "bkbkkkkbbb");
}

TEST_CASE("an index outside of the palette is black", "[bmp]") {
  CHECK(decoded(indexed(8, 2, 1, {200, 3, 0, 0})) == "kr");
  BmpParts none = indexed(8, 1, 1, {3, 0, 0, 0});
  none.after_header.clear();
  none.colors = 300;
  CHECK(decoded(none).starts_with("k"));
}

TEST_CASE("16-bit pixels have five bits per channel, unless masks define others", "[bmp]") {
  CHECK(decoded({40, 3, 1, 16, 0, 0, {}, {0x00, 0x7C, 0xE0, 0x03, 0x1F, 0x00, 0, 0}}) == "rgb");
  const std::vector<std::uint8_t> masks{0, 0xF8, 0, 0, 0xE0, 0x07, 0, 0, 0x1F, 0, 0, 0};
  CHECK(decoded({40, 3, 1, 16, 3, 0, masks, {0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00, 0, 0}}) == "rgb");
}

TEST_CASE("masks can place channels anywhere, also in longer headers", "[bmp]") {
  std::vector<std::uint8_t> masks{255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255};
  CHECK(decoded({40, 2, 1, 32, 3, 0, masks, {255, 0, 9, 0, 0, 0, 9, 255}}) == "rb");
  masks.resize(108 - 40);
  BmpParts version4{108, 2, 1, 32, 3, 0, {}, {255, 0, 9, 0, 0, 0, 9, 255}, 14 + 108};
  version4.after_header = masks;
  CHECK(decoded(version4) == "rb");
  CHECK(decoded({40, 1, 1, 32, 3, 0, std::vector<std::uint8_t>(12), {9, 9, 9, 9}}) == "k");
}

TEST_CASE("OS/2 bitmaps have short headers and palettes of three bytes", "[bmp]") {
  CHECK(decoded({12, 2, 1, 8, 0, 0, {0, 0, 0, 0, 0, 255}, {1, 0, 0, 0}, 14 + 12 + 6}) == "rk");
  CHECK(decoded({12, 1, 1, 24, 0, 0, {}, {0, 255, 0, 0}}) == "g");
}

TEST_CASE("run-length encoding supports runs, line ends, moves and an end code", "[bmp]") {
  CHECK(decoded(indexed(8, 4, 2, {2, 3, 2, 1, 0, 0, 0, 3, 4, 3, 2, 0, 0, 1}, 1)) == "wrgk/rrbb");
  CHECK(decoded(indexed(4, 4, 2, {4, 0x31, 0, 0, 0, 3, 0x43, 0x20, 0, 1}, 2)) == "wrgk/rbrb");
  CHECK(decoded(indexed(8, 3, 3, {1, 3, 0, 2, 1, 1, 1, 4, 0, 1}, 1)) == "kkk/kkw/rkk");
  CHECK(decoded(indexed(8, 2, 1, {200, 3}, 1)) == "rr");
  CHECK(decoded(indexed(8, 2, 2, {2, 3}, 1)) == "kk/rr");
  CHECK(decoded(indexed(8, 2, 1, {0, 9, 3}, 1)) == "kk");
  CHECK(decoded(indexed(8, 2, 1, {0, 2, 255, 255, 1, 3}, 1)) == "kk");
}

TEST_CASE("the padding of the last row can be missing, and the pixel offset wrong", "[bmp]") {
  CHECK(decoded({40, 1, 2, 24, 0, 0, {}, {255, 0, 0, 0, 0, 0, 255}}) == "r/b");
  CHECK(decoded({40, 1, 1, 24, 0, 0, {}, {255, 0, 0, 0}, 0}) == "b");
  CHECK(decoded({40, 1, 1, 24, 0, 0, {}, {255, 0, 0, 0}, 0xFFFFFFFF}) == "b");
}

TEST_CASE("a damaged or unsupported BMP is rejected with a reason", "[bmp]") {
  CHECK(decoded({40, 0, 1, 24, 0, 0, {}, {0, 0, 0, 0}}).starts_with("rejected: the BMP is 0 x 1"));
  CHECK(decoded({40, 1, INT32_MIN, 24, 0, 0, {}, {0, 0, 0, 0}}).starts_with("rejected: the BMP is 1 x 2147483648"));
  CHECK(decoded({40, 65535, 65535, 8, 1, 0, {}, {0, 1}}).find("are allowed") != std::string::npos);
  CHECK(decoded({40, 2, 2, 24, 0, 0, {}, {0, 0, 0, 0}}).find("truncated") != std::string::npos);
  CHECK(decoded({40, 1, 1, 24, 5, 0, {}, {0, 0, 0, 0}}).find("compression 5") != std::string::npos);
  CHECK(decoded({40, 1, -1, 8, 1, 0, {}, {0, 1}}).find("compression 1") != std::string::npos);
  CHECK(decoded({40, 1, 1, 7, 0, 0, {}, {0, 0, 0, 0}}).find("7 bits") != std::string::npos);
}

TEST_CASE("no prefix of a BMP reads past its end", "[bmp]") {
  std::vector<std::uint8_t> rows(12 * 3, 77);
  for (const BmpParts& parts :
       {BmpParts{40, 4, 3, 24, 0, 0, {}, rows}, indexed(4, 4, 2, {4, 0x31, 0, 0, 0, 3, 0x43, 0x20, 0, 1}, 2),
        BmpParts{12, 2, 1, 8, 0, 0, {0, 0, 0, 0, 0, 255}, {1, 0, 0, 0}, 14 + 12 + 6}}) {
    const test::Bytes whole = bmp_of(parts);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const test::Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const auto bitmap = decode_bmp(prefix, kMany);
      if (bitmap) CHECK(bitmap->rgba.size() == std::size_t{4} * bitmap->width * bitmap->height);
    }
    CHECK(decode_bmp(whole, kMany));
  }
}

TEST_CASE("the format of an image file is detected by content", "[bmp]") {
  CHECK(decode_image_file(bmp_of({40, 1, 1, 24, 0, 0, {}, {255, 0, 0, 0}}), kMany));
  const std::vector<std::uint8_t> rgba{1, 2, 3, 4};
  const auto png = decode_image_file(test::png_of(1, 1, rgba), kMany);
  REQUIRE(png);
  CHECK(png->rgba == rgba);
  CHECK_FALSE(decode_image_file(test::png_of(1, 1, rgba), 0));
  CHECK_FALSE(decode_image_file({}, kMany));
  const test::Bytes whole = test::png_of(1, 1, rgba);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(decode_image_file(std::span(whole).first(size), kMany));
}

}  // namespace bmp_test

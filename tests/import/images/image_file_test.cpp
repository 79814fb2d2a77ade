// SPDX-License-Identifier: MIT
// Decoding of image files, and detection of their formats.
#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/image_files.hpp"
#include "support/png.hpp"

#include "import/images/image_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace image_file_test {
using namespace pchr;
using test::bmp_of;
using test::BmpParts;
using test::Bytes;

namespace {

constexpr std::uint64_t kMany = 1'000'000;

using Pixel = std::array<int, 4>;

Bitmap decoded(const Bytes& bytes) {
  auto bitmap = decode_image_file(bytes, kMany);
  if (!bitmap) FAIL(bitmap.error());
  return *std::move(bitmap);
}

Pixel pixel(const Bitmap& bitmap, std::size_t x, std::size_t y) {
  const std::size_t at = (y * bitmap.width + x) * 4;
  return {bitmap.rgba[at], bitmap.rgba[at + 1], bitmap.rgba[at + 2], bitmap.rgba[at + 3]};
}

bool is_near(const Pixel& a, const Pixel& b, int tolerance) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(a[i] - b[i]) > tolerance) return false;
  }
  return true;
}

std::vector<std::uint8_t> plain(int pixels, std::initializer_list<int> values) {
  std::vector<std::uint8_t> samples;
  for (int i = 0; i < pixels; ++i) {
    for (const int value : values) samples.push_back(static_cast<std::uint8_t>(value));
  }
  return samples;
}

Bytes prefix(const Bytes& bytes, std::size_t size) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// Checks that decoding fails for every prefix that is too short, each in memory of exactly its size.
void check_prefixes(const Bytes& whole, std::size_t needed) {
  for (std::size_t size = 0; size < needed; ++size) {
    INFO(size << " of " << whole.size() << " bytes");
    const auto bitmap = decode_image_file(prefix(whole, size), kMany);
    REQUIRE_FALSE(bitmap);
    CHECK_FALSE(bitmap.error().empty());
  }
}

void check_limit(const Bytes& whole, std::uint64_t pixels) {
  CHECK(decode_image_file(whole, pixels));
  const auto rejected = decode_image_file(whole, pixels - 1);
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().find("pixels, but the total must be 1 to") != std::string::npos);
}

/// Replaces each byte by several values, and checks for an error or a complete image.
void check_damage(const Bytes& whole) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      Bytes damaged = whole;
      damaged[at] = static_cast<std::byte>(value);
      const auto bitmap = decode_image_file(damaged, 10'000);
      if (bitmap) REQUIRE(bitmap->rgba.size() == std::size_t{4} * bitmap->width * bitmap->height);
    }
  }
}

std::vector<std::uint8_t> noise(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::uint32_t state = 7;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

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

constexpr std::uint8_t kTopDown = 0x20;

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// Makes a file of 2 x 2 pixels.
Bytes tga(int kind, int bits, int layout, const Bytes& data) {
  Bytes bytes = bytes_of({0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, bits, layout});
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

using Pixels = std::vector<std::uint8_t>;

const Pixels kRedGreenBlueWhite{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};

}  // namespace

TEST_CASE("JPEG files can be color, grayscale and progressive", "[images]") {
  for (const bool progressive : {false, true}) {
    CAPTURE(progressive);
    const Bitmap color = decoded(test::jpeg_of(20, 9, plain(180, {200, 100, 50}), {3, progressive}));
    CHECK(color.width == 20);
    CHECK(color.height == 9);
    CHECK(is_near(pixel(color, 19, 8), {200, 100, 50, 255}, 2));
    const Bitmap gray = decoded(test::jpeg_of(3, 17, plain(51, {77}), {1, progressive}));
    CHECK(is_near(pixel(gray, 2, 16), {77, 77, 77, 255}, 1));
  }
}

TEST_CASE("a CMYK JPEG becomes RGB, inverted if it is from Adobe", "[images]") {
  // 50% cyan, 100% magenta, 0% yellow, 20% black.
  const Bitmap ink = decoded(test::jpeg_of(8, 8, plain(64, {128, 255, 0, 51}), {4}));
  CHECK(is_near(pixel(ink, 0, 0), {102, 0, 204, 255}, 2));
  const Bitmap light = decoded(test::jpeg_of(8, 8, plain(64, {127, 0, 255, 204}), {4, false, true}));
  CHECK(is_near(pixel(light, 0, 0), {102, 0, 204, 255}, 2));
}

TEST_CASE("a truncated, damaged or too large JPEG is rejected with a reason", "[images]") {
  for (const bool progressive : {false, true}) {
    const Bytes whole = test::jpeg_of(17, 9, noise(17 * 9 * 3), {3, progressive});
    check_prefixes(whole, whole.size());
    check_limit(whole, 17 * 9);
    check_damage(whole);
  }
}

TEST_CASE("a JPEG with more scans than any encoder writes is rejected", "[images]") {
  const Bytes whole = test::jpeg_of(8, 8, noise(64), {1, true, false, true});
  CHECK(decode_image_file(whole, kMany).error() == "the JPEG is damaged: more than 100 scans");
}

TEST_CASE("the first frame of a GIF is placed on its canvas", "[images]") {
  for (const bool interlaced : {false, true}) {
    for (const bool own_colors : {false, true}) {
      test::GifOptions options;
      options.canvas_width = 9;
      options.canvas_height = 30;
      options.left = 2;
      options.top = 5;
      options.interlaced = interlaced;
      options.own_colors = own_colors;
      options.transparent = 2;
      std::vector<std::uint8_t> indices;
      for (int y = 0; y < 19; ++y) {
        for (int x = 0; x < 6; ++x) indices.push_back(static_cast<std::uint8_t>((x + y * 3) % 4));
      }
      const Bitmap bitmap = decoded(test::gif_of(6, 19, indices, options));
      REQUIRE(bitmap.width == 9);
      REQUIRE(bitmap.height == 30);
      for (std::size_t y = 0; y < 30; ++y) {
        for (std::size_t x = 0; x < 9; ++x) {
          CAPTURE(interlaced, own_colors, x, y);
          const bool inside = x >= 2 && x < 8 && y >= 5 && y < 24;
          if (!inside) {
            CHECK(pixel(bitmap, x, y) == Pixel{0, 0, 0, 0});
            continue;
          }
          const std::uint8_t index = indices[(y - 5) * 6 + (x - 2)];
          const auto [red, green, blue] = test::gif_color(index);
          CHECK(pixel(bitmap, x, y) == Pixel{red, green, blue, index == 2 ? 0 : 255});
        }
      }
    }
  }
}

TEST_CASE("a GIF frame is clipped to its canvas", "[images]") {
  const std::vector<std::uint8_t> indices = plain(100, {1});
  test::GifOptions options;
  options.canvas_width = 4;
  options.canvas_height = 3;
  options.left = 2;
  options.top = 1;
  const Bitmap bitmap = decoded(test::gif_of(10, 10, indices, options));
  CHECK(bitmap.rgba.size() == 4 * 3 * 4);
  CHECK(pixel(bitmap, 1, 1)[3] == 0);
  CHECK(pixel(bitmap, 3, 2)[3] == 255);
  options.left = 60'000;
  CHECK(pixel(decoded(test::gif_of(10, 10, indices, options)), 3, 2)[3] == 0);
}

TEST_CASE("a GIF with a truncated, damaged or too large first frame is rejected with a reason", "[images]") {
  const Bytes whole = test::gif_of(20, 10, plain(50, {0, 1, 2, 3}));
  // The byte after the frame ends the file.
  check_prefixes(whole, whole.size() - 1);
  CHECK(decode_image_file(prefix(whole, whole.size() - 1), kMany));
  check_limit(whole, 200);
  check_damage(whole);
  test::GifOptions small;
  small.canvas_width = small.canvas_height = 1;
  // The limit also applies to the frame, because it determines the decoding time.
  check_limit(test::gif_of(20, 10, plain(50, {0, 1, 2, 3}), small), 200);
  Bytes no_frame = prefix(test::gif_of(1, 1, plain(1, {0})), 25);
  no_frame.push_back(std::byte{0x3B});
  CHECK(decode_image_file(no_frame, kMany).error() == "the GIF has no frames");
}

TEST_CASE("WebP files can be lossy and lossless", "[images]") {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 7 * 11; ++i) {
    for (const int value : {i * 3, 255 - i, i, 1 + i * 3}) rgba.push_back(static_cast<std::uint8_t>(value));
  }
  CHECK(decoded(test::webp_of(7, 11, rgba, true)).rgba == rgba);
  const Bitmap lossy = decoded(test::webp_of(20, 9, plain(180, {200, 100, 50, 128}), false));
  CHECK(is_near(pixel(lossy, 19, 8), {200, 100, 50, 128}, 4));
}

TEST_CASE("a truncated, damaged or too large WebP is rejected with a reason", "[images]") {
  for (const bool lossless : {false, true}) {
    const Bytes whole = test::webp_of(17, 9, noise(17 * 9 * 4), lossless);
    check_prefixes(whole, whole.size());
    check_limit(whole, 17 * 9);
    check_damage(whole);
  }
}

TEST_CASE("an animated WebP is rejected as unsupported", "[images]") {
  Bytes bytes;
  for (const char letter : std::string("RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\x02\0\0\0\x01\0\0\x01\0\0", 30)) {
    bytes.push_back(static_cast<std::byte>(letter));
  }
  CHECK(decode_image_file(bytes, kMany).error() == "animated WebP files are not supported");
}

TEST_CASE("a TGA is detected by its header", "[images]") {
  Bytes tga(18 + 3);
  tga[2] = std::byte{2};
  tga[12] = tga[14] = std::byte{1};
  tga[16] = std::byte{24};
  tga[20] = std::byte{9};
  CHECK(pixel(decoded(tga), 0, 0) == Pixel{9, 0, 0, 255});
  for (const std::string text :
       {"", "8BPS", "DDS |...............", "#CharName text\n", "<svg width=\"20\" height=\"9\">"}) {
    const auto bytes = std::as_bytes(std::span(text));
    CHECK(decode_image_file({bytes.data(), bytes.size()}, kMany).error().starts_with("the format is unknown"));
  }
}

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
    const Bytes whole = bmp_of(parts);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
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
  const Bytes whole = test::png_of(1, 1, rgba);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(decode_image_file(std::span(whole).first(size), kMany));
}

TEST_CASE("a 24-bit TGA is blue, green, red, and bottom-up unless marked as top-down", "[tga]") {
  const Bytes data = bytes_of({0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255});
  CHECK(decode_tga(tga(2, 24, kTopDown, data), kMany)->rgba == kRedGreenBlueWhite);
  const Pixels flipped = decode_tga(tga(2, 24, 0, data), kMany)->rgba;
  CHECK(Pixels(flipped.begin() + 8, flipped.end()) ==
        Pixels(kRedGreenBlueWhite.begin(), kRedGreenBlueWhite.begin() + 8));
}

TEST_CASE("TGA alpha is only used if the header declares it", "[tga]") {
  const Bytes data = bytes_of({1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(decode_tga(tga(2, 32, kTopDown | 8, data), kMany)->rgba[3] == 4);
  CHECK(decode_tga(tga(2, 32, kTopDown, data), kMany)->rgba[3] == 255);
}

TEST_CASE("a TGA can mix runs and single pixels", "[tga]") {
  const Bytes data = bytes_of({0x81, 9, 8, 7, 0x01, 1, 2, 3, 4, 5, 6});
  CHECK(decode_tga(tga(10, 24, kTopDown, data), kMany)->rgba ==
        Pixels{7, 8, 9, 255, 7, 8, 9, 255, 3, 2, 1, 255, 6, 5, 4, 255});
  // Runs end at the last pixel.
  CHECK(decode_tga(tga(10, 24, kTopDown, bytes_of({0xFF, 9, 8, 7})), kMany)->rgba[12] == 7);
}

TEST_CASE("an unused TGA color table of any entry size is skipped", "[tga]") {
  const Bytes pixels = bytes_of({1, 2, 3, 4});
  for (const int entry_bits : {0, 8, 24, 32, 40, 255}) {
    CAPTURE(entry_bits);
    Bytes file = bytes_of({0, 1, 3, 0, 0, 2, 0, entry_bits, 0, 0, 0, 0, 2, 0, 2, 0, 8, kTopDown});
    file.resize(file.size() + 2 * static_cast<std::size_t>((entry_bits + 7) / 8), std::byte{9});
    file.insert(file.end(), pixels.begin(), pixels.end());
    const auto bitmap = decode_tga(file, kMany);
    REQUIRE(bitmap);
    CHECK(bitmap->rgba == Pixels{1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255, 4, 4, 4, 255});
  }
}

TEST_CASE("TGA files can be gray, 16-bit and indexed", "[tga]") {
  CHECK(decode_tga(tga(3, 8, kTopDown, bytes_of({1, 2, 3, 4})), kMany)->rgba[4] == 2);
  const Pixels red = decode_tga(tga(2, 16, kTopDown, bytes_of({0, 0x7C, 0, 0x7C, 0, 0x7C, 0, 0x7C})), kMany)->rgba;
  CHECK(Pixels(red.begin(), red.begin() + 4) == Pixels{255, 0, 0, 255});
  Bytes mapped = bytes_of({0, 1, 1, 0, 0, 2, 0, 24, 0, 0, 0, 0, 2, 0, 2, 0, 8, kTopDown});
  const Bytes table = bytes_of({10, 20, 30, 40, 50, 60, 1, 0, 1, 9});
  mapped.insert(mapped.end(), table.begin(), table.end());
  CHECK(decode_tga(mapped, kMany)->rgba == Pixels{60, 50, 40, 255, 30, 20, 10, 255, 60, 50, 40, 255, 0, 0, 0, 255});
}

TEST_CASE("an invalid, too large or truncated TGA is rejected with a reason", "[tga]") {
  const Bytes whole = tga(2, 24, 0, bytes_of({0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto bitmap = decode_tga(prefix, kMany);
    REQUIRE_FALSE(bitmap);
    CHECK_FALSE(bitmap.error().empty());
  }
  CHECK_FALSE(decode_tga(whole, 3));
  CHECK_FALSE(decode_tga(tga(32, 24, 0, whole), kMany));
  CHECK_FALSE(decode_tga(tga(2, 12, 0, whole), kMany));
  CHECK_FALSE(decode_tga(tga(2, 24, 0x10, whole), kMany));
}

}  // namespace image_file_test

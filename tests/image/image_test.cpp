// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include "image/image.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <string>
#include <utility>

namespace image_test {
using namespace pchr;
using test::Bytes;
using test::png_chunk;
using test::PngHeader;

namespace {

Image png_image(std::uint32_t width, std::uint32_t height, Bytes bytes) {
  return {"image", width, height, ImageEncoding::png, std::move(bytes)};
}

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::uint8_t> decoded(const Image& image) {
  const auto bitmap = decode(image);
  if (!bitmap) FAIL(describe(bitmap.error(), "image"));
  return bitmap->rgba;
}

DiagnosticId failure(const Image& image, const Limits& limits = {}) {
  const auto bitmap = decode(image, limits);
  REQUIRE_FALSE(bitmap);
  return bitmap.error().id;
}

const std::uint8_t kPixels[] = {255, 0, 0, 255, 200, 100, 50, 128, 10, 20, 30, 0, 255, 255, 255, 1};

}  // namespace

TEST_CASE("pixels are premultiplied, rounded to nearest", "[image]") {
  const std::vector<std::uint8_t> expected = {255, 0, 0, 255, 100, 50, 25, 128, 0, 0, 0, 0, 1, 1, 1, 1};
  CHECK(decoded(png_image(2, 2, test::png_of(2, 2, kPixels))) == expected);
  Image raw{"raw", 2, 2, ImageEncoding::rgba8888, {}};
  for (const std::uint8_t value : kPixels) raw.bytes.push_back(std::byte{value});
  CHECK(decoded(raw) == expected);
}

TEST_CASE("premultiplying is exact for every color and alpha", "[image]") {
  Image image{"all", 256, 256, ImageEncoding::rgba8888, {}};
  for (int alpha = 0; alpha < 256; ++alpha) {
    for (int color = 0; color < 256; ++color) {
      for (const int value : {color, color, color, alpha}) image.bytes.push_back(static_cast<std::byte>(value));
    }
  }
  const auto pixels = decoded(image);
  for (int alpha = 0; alpha < 256; ++alpha) {
    for (int color = 0; color < 256; ++color) {
      const int exact = (2 * color * alpha + 255) / (2 * 255);
      if (pixels[static_cast<std::size_t>((alpha * 256 + color) * 4)] != exact) FAIL(color << " at alpha " << alpha);
    }
  }
}

namespace {

constexpr std::pair<std::uint8_t, std::uint8_t> kTypesAndDepths[] = {{0, 1}, {0, 2},  {0, 4},  {0, 8}, {0, 16},
                                                                     {2, 8}, {2, 16}, {3, 1},  {3, 2}, {3, 4},
                                                                     {3, 8}, {4, 8},  {4, 16}, {6, 8}, {6, 16}};

/// Converts a sample of any depth to eight bits.
std::uint8_t in_eight_bits(unsigned sample, unsigned depth) {
  return static_cast<std::uint8_t>(depth == 16 ? sample >> 8 : sample * 255 / ((1U << depth) - 1));
}

/// Encodes samples in a format, and returns the file with its decoded straight-alpha pixels.
struct AnyPng {
  explicit AnyPng(const PngHeader& header) {
    const std::size_t count = std::size_t{header.width} * header.height * test::channels_of(header);
    std::vector<std::uint16_t> samples(count);
    // Samples repeat to keep the file small, because the decoder's memory grows with both.
    for (std::size_t i = 0; i < count; ++i) {
      samples[i] =
          static_cast<std::uint16_t>(static_cast<std::uint32_t>(i % 251) * 2654435761U >> (32 - header.bit_depth));
    }
    Bytes palette;
    if (header.color_type == 3) {
      for (unsigned i = 0; i < 3U << header.bit_depth; ++i) palette.push_back(static_cast<std::byte>(i * 89 + 5));
    }
    file = test::png_of_samples(header, samples, palette);
    rgba.reserve(std::size_t{header.width} * header.height * 4);
    for (std::size_t i = 0; i < count; i += test::channels_of(header)) {
      const auto eight = [&](std::size_t channel) { return in_eight_bits(samples[i + channel], header.bit_depth); };
      const auto color = [&](std::size_t c) { return std::to_integer<std::uint8_t>(palette[samples[i] * 3U + c]); };
      std::array<std::uint8_t, 4> pixel{};
      switch (header.color_type) {
        case 0:
          pixel = {eight(0), eight(0), eight(0), 255};
          break;
        case 2:
          pixel = {eight(0), eight(1), eight(2), 255};
          break;
        case 3:
          pixel = {color(0), color(1), color(2), 255};
          break;
        case 4:
          pixel = {eight(0), eight(0), eight(0), eight(1)};
          break;
        default:
          pixel = {eight(0), eight(1), eight(2), eight(3)};
      }
      rgba.insert(rgba.end(), pixel.begin(), pixel.end());
    }
  }

  Bytes file;
  std::vector<std::uint8_t> rgba;
};

}  // namespace

TEST_CASE("every PNG color type and depth decodes to what was encoded, interlaced or not, at any size", "[image]") {
  constexpr std::pair<std::uint32_t, std::uint32_t> kSizes[] = {
      {1, 1},   {2, 1},    {1, 2},     {3, 5},     {8, 8},     {9, 9},     {1, 4096}, {4096, 1},
      {2, 999}, {4096, 2}, {127, 128}, {128, 128}, {129, 131}, {300, 200}, {8, 4096}, {4096, 40}};
  for (const auto& [width, height] : kSizes) {
    for (const auto& [type, depth] : kTypesAndDepths) {
      for (const std::uint8_t interlace : {std::uint8_t{0}, std::uint8_t{1}}) {
        INFO(width << " x " << height << ", type " << int(type) << ", depth " << int(depth) << ", interlace "
                   << int(interlace));
        const AnyPng png({width, height, depth, type, interlace});
        const auto bitmap = decode_straight(png_image(width, height, png.file), {});
        if (!bitmap) FAIL(describe(bitmap.error(), "image"));
        // CHECK(a == b) would print megabytes.
        REQUIRE((bitmap->rgba == png.rgba));
      }
    }
  }
}

TEST_CASE("no prefix of a PNG decodes, and each error is named", "[image]") {
  const Bytes whole = test::png_of(2, 2, kPixels);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto bitmap =
        decode(png_image(2, 2, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
    INFO("prefix of " << size);
    REQUIRE_FALSE(bitmap);
    CHECK(bitmap.error().byte_offset.value_or(0) <= size);
  }
}

TEST_CASE("any flipped bit of a PNG is detected", "[image]") {
  const Bytes whole = test::png_of(2, 2, kPixels);
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes broken = whole;
    broken[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    INFO("bit " << bit);
    CHECK_FALSE(decode(png_image(2, 2, broken)));
  }
}

TEST_CASE("each kind of PNG damage has its own error", "[image]") {
  const Bytes good = test::png_of(2, 2, kPixels);
  CHECK(failure(png_image(2, 2, {})) == DiagnosticId::not_png);
  CHECK(failure(png_image(2, 2, bytes_of({0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F'}))) ==
        DiagnosticId::not_png);
  CHECK(failure(png_image(2, 3, good)) == DiagnosticId::png_size_mismatch);
  Bytes bad_crc = good;
  bad_crc[45] ^= std::byte{1};
  CHECK(failure(png_image(2, 2, bad_crc)) == DiagnosticId::png_checksum);
  CHECK(failure(png_image(2, 2, Bytes(good.begin(), good.end() - 12))) == DiagnosticId::broken_png);

  Bytes no_pixels = test::png_start({2, 2, 8, 6, 0});
  png_chunk(no_pixels, "IEND", {});
  CHECK(failure(png_image(2, 2, no_pixels)) == DiagnosticId::broken_png);

  Bytes no_header(good.begin(), good.begin() + 8);
  png_chunk(no_header, "IDAT", {});
  CHECK(failure(png_image(2, 2, no_header)) == DiagnosticId::broken_png);

  Bytes not_deflate = test::png_start({2, 2, 8, 6, 0});
  png_chunk(not_deflate, "IDAT", bytes_of({1, 2, 3, 4}));
  png_chunk(not_deflate, "IEND", {});
  CHECK(failure(png_image(2, 2, not_deflate)) == DiagnosticId::png_undecodable);
  CHECK(failure(png_image(2, 2, test::png_of_rows({2, 2, 8, 6, 0}, bytes_of({0, 1, 2})))) ==
        DiagnosticId::png_undecodable);
}

TEST_CASE("image data can start with an empty chunk", "[image]") {
  Bytes png = test::png_start({1, 1, 8, 6, 0});
  png_chunk(png, "IDAT", {});
  png_chunk(png, "IDAT", test::deflate(bytes_of({0, 9, 8, 7, 255})));
  png_chunk(png, "IEND", {});
  CHECK(decoded(png_image(1, 1, png)) == std::vector<std::uint8_t>{9, 8, 7, 255});
}

TEST_CASE("a PNG that inflates to far more than its size is rejected", "[image]") {
  const Bytes bomb = test::png_of_rows({1, 1, 8, 6, 0}, Bytes(std::size_t{64} << 20));
  REQUIRE(bomb.size() < (std::size_t{1} << 17));
  CHECK(failure(png_image(1, 1, bomb)) == DiagnosticId::png_undecodable);
}

TEST_CASE("images past the limits are rejected before they are decoded", "[image]") {
  Limits limits;
  limits.max_image_pixels = 3;
  CHECK(failure(png_image(2, 2, test::png_of(2, 2, kPixels)), limits) == DiagnosticId::limit_exceeded);
  CHECK(failure(png_image(65535, 65535, test::png_start({65535, 65535, 8, 6, 0}))) == DiagnosticId::limit_exceeded);
  CHECK(failure(png_image(0, 5, {})) == DiagnosticId::image_size_zero);
  CHECK(failure({"raw", 2, 2, ImageEncoding::rgba8888, Bytes(15)}) == DiagnosticId::image_data_size);
}

TEST_CASE("decoding a character names the broken image", "[image]") {
  CharacterData data = test::two_bone_arm();
  data.images[1].encoding = ImageEncoding::png;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  const auto bitmaps = decode_images(*character);
  REQUIRE_FALSE(bitmaps);
  CHECK(bitmaps.error().path == "images[1].data");
  CHECK(bitmaps.error().name == "badge");
}

namespace {

/// A character with enough images to decode on several threads.
CharacterData with_images(std::size_t count) {
  CharacterData data = test::sliding_quad();
  data.images.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto shade = static_cast<std::uint8_t>(i * 5);
    Image image = test::plain_image(128, 128, {shade, 200, 9, static_cast<std::uint8_t>(255 - i)}, std::to_string(i));
    if (i % 2 == 0) {
      const auto* pixels = reinterpret_cast<const std::uint8_t*>(image.bytes.data());
      image.bytes = test::png_of(image.width, image.height, std::span(pixels, image.bytes.size()));
      image.encoding = ImageEncoding::png;
    }
    data.images.push_back(std::move(image));
  }
  return data;
}

Diagnostic decoding_failure(CharacterData data, const Limits& limits = {}) {
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  const auto bitmaps = decode_images(*character, limits);
  REQUIRE_FALSE(bitmaps);
  return bitmaps.error();
}

}  // namespace

TEST_CASE("encoding a bitmap as PNG is lossless", "[image]") {
  Bitmap bitmap{37, 11, {}};
  for (std::uint32_t i = 0; i < bitmap.width * bitmap.height; ++i) {
    const auto shade = static_cast<std::uint8_t>(i * 7);
    const bool opaque = i % 3 != 0;
    for (const int channel : {3, 5, 11}) {
      bitmap.rgba.push_back(opaque ? static_cast<std::uint8_t>(shade * channel) : std::uint8_t{0});
    }
    bitmap.rgba.push_back(opaque ? 255 : 0);
  }
  CHECK(decoded(png_image(bitmap.width, bitmap.height, encode_png(bitmap))) == bitmap.rgba);
}

TEST_CASE("every PNG compression stores the same pixels", "[image]") {
  std::mt19937 random(3);
  const std::pair<std::uint32_t, std::uint32_t> sizes[]{{1, 1},   {2, 1},    {1, 5},    {67, 3},
                                                        {64, 64}, {129, 65}, {401, 333}};
  for (const auto& [width, height] : sizes) {
    std::vector<std::byte> clear(std::size_t{4} * width * height), noise = clear, runs = clear;
    std::size_t run = 0;
    for (std::size_t i = 0; i < clear.size(); i += 4) {
      for (std::size_t channel = 0; channel < 4; ++channel) {
        noise[i + channel] = static_cast<std::byte>(random());
        runs[i + channel] = run == 0 ? noise[i + channel] : runs[i + channel - 4];
      }
      run = run == 0 ? random() % 200 : run - 1;
    }
    for (const std::vector<std::byte>& rgba : {clear, noise, runs}) {
      for (const auto compression : {PngCompression::fast, PngCompression::normal, PngCompression::best}) {
        INFO(width << " x " << height << ", compression " << static_cast<int>(compression));
        const Image image = png_image(width, height, write_png(width, height, rgba, compression));
        CHECK_FALSE(check_png(image.bytes, width, height));
        const auto straight = decode_straight(image, {});
        REQUIRE(straight);
        CHECK(std::ranges::equal(std::as_bytes(std::span(straight->rgba)), rgba));
      }
    }
  }
}

TEST_CASE("a small PNG does not grow with the fast compression", "[image]") {
  const std::vector<std::byte> rgba(4);
  CHECK(write_png(1, 1, rgba, PngCompression::fast).size() == write_png(1, 1, rgba, PngCompression::normal).size());
}

TEST_CASE("the images of a character decode as each does alone, in order", "[image]") {
  const auto character = Character::build(with_images(20));
  REQUIRE(character);
  const auto bitmaps = decode_images(*character);
  REQUIRE(bitmaps);
  REQUIRE(bitmaps->size() == 20);
  for (std::size_t i = 0; i < 20; ++i) CHECK((*bitmaps)[i].rgba == decoded(character->images()[i]));
}

TEST_CASE("of several broken images the first is the error, in any decoding order", "[image]") {
  CharacterData data = with_images(20);
  for (const std::size_t broken : {8, 10, 12, 18}) data.images[broken].bytes.pop_back();
  for (int again = 0; again < 50; ++again) CHECK(decoding_failure(data).path == "images[8].data");
}

TEST_CASE("the image that exceeds the total pixel limit is the error, unless an earlier one is broken", "[image]") {
  CharacterData data = with_images(20);
  Limits limits;
  limits.max_image_pixels = 5 * 128 * 128;
  CHECK(decoding_failure(data, limits).path == "images[5].data");
  CHECK(decoding_failure(data, limits).id == DiagnosticId::limit_exceeded);
  data.images[4].bytes.pop_back();
  CHECK(decoding_failure(data, limits).path == "images[4].data");
}

}  // namespace image_test

// SPDX-License-Identifier: MIT
// TGA files, assembled byte by byte.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/images/image_file.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tga_test {
using namespace pchr;

namespace {

constexpr std::uint64_t kMany = 1'000'000;
constexpr std::uint8_t kTopDown = 0x20;

test::Bytes bytes_of(std::initializer_list<int> values) {
  test::Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// Makes a file of 2 x 2 pixels.
test::Bytes tga(int kind, int bits, int layout, const test::Bytes& data) {
  test::Bytes bytes = bytes_of({0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, bits, layout});
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

using Pixels = std::vector<std::uint8_t>;

const Pixels kRedGreenBlueWhite{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};

}  // namespace

TEST_CASE("a 24-bit TGA is blue, green, red, and bottom-up unless marked as top-down", "[tga]") {
  const test::Bytes data = bytes_of({0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255});
  CHECK(decode_tga(tga(2, 24, kTopDown, data), kMany)->rgba == kRedGreenBlueWhite);
  const Pixels flipped = decode_tga(tga(2, 24, 0, data), kMany)->rgba;
  CHECK(Pixels(flipped.begin() + 8, flipped.end()) ==
        Pixels(kRedGreenBlueWhite.begin(), kRedGreenBlueWhite.begin() + 8));
}

TEST_CASE("TGA alpha is only used if the header declares it", "[tga]") {
  const test::Bytes data = bytes_of({1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(decode_tga(tga(2, 32, kTopDown | 8, data), kMany)->rgba[3] == 4);
  CHECK(decode_tga(tga(2, 32, kTopDown, data), kMany)->rgba[3] == 255);
}

TEST_CASE("a TGA can mix runs and single pixels", "[tga]") {
  const test::Bytes data = bytes_of({0x81, 9, 8, 7, 0x01, 1, 2, 3, 4, 5, 6});
  CHECK(decode_tga(tga(10, 24, kTopDown, data), kMany)->rgba ==
        Pixels{7, 8, 9, 255, 7, 8, 9, 255, 3, 2, 1, 255, 6, 5, 4, 255});
  // Runs end at the last pixel.
  CHECK(decode_tga(tga(10, 24, kTopDown, bytes_of({0xFF, 9, 8, 7})), kMany)->rgba[12] == 7);
}

TEST_CASE("an unused TGA color table of any entry size is skipped", "[tga]") {
  const test::Bytes pixels = bytes_of({1, 2, 3, 4});
  for (const int entry_bits : {0, 8, 24, 32, 40, 255}) {
    CAPTURE(entry_bits);
    test::Bytes file = bytes_of({0, 1, 3, 0, 0, 2, 0, entry_bits, 0, 0, 0, 0, 2, 0, 2, 0, 8, kTopDown});
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
  test::Bytes mapped = bytes_of({0, 1, 1, 0, 0, 2, 0, 24, 0, 0, 0, 0, 2, 0, 2, 0, 8, kTopDown});
  const test::Bytes table = bytes_of({10, 20, 30, 40, 50, 60, 1, 0, 1, 9});
  mapped.insert(mapped.end(), table.begin(), table.end());
  CHECK(decode_tga(mapped, kMany)->rgba == Pixels{60, 50, 40, 255, 30, 20, 10, 255, 60, 50, 40, 255, 0, 0, 0, 255});
}

TEST_CASE("an invalid, too large or truncated TGA is rejected with a reason", "[tga]") {
  const test::Bytes whole = tga(2, 24, 0, bytes_of({0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const test::Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto bitmap = decode_tga(prefix, kMany);
    REQUIRE_FALSE(bitmap);
    CHECK_FALSE(bitmap.error().empty());
  }
  CHECK_FALSE(decode_tga(whole, 3));
  CHECK_FALSE(decode_tga(tga(32, 24, 0, whole), kMany));
  CHECK_FALSE(decode_tga(tga(2, 12, 0, whole), kMany));
  CHECK_FALSE(decode_tga(tga(2, 24, 0x10, whole), kMany));
}

}  // namespace tga_test

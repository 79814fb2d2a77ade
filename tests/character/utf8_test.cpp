// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "character/utf8.hpp"

#include <string>

namespace utf8_test {
using pchr::find_invalid_utf8;

TEST_CASE("well-formed UTF-8 is accepted", "[utf8]") {
  for (const std::string text : {"", "plain", "\x7f", "é", "紙", "\xF0\x9F\xA6\x8A", "\xED\x9F\xBF", "\xEE\x80\x80",
                                 "\xF4\x8F\xBF\xBF", "\xC2\x80", "\xE0\xA0\x80", "\xF0\x90\x80\x80"}) {
    INFO(text);
    CHECK_FALSE(find_invalid_utf8(text));
  }
  CHECK_FALSE(find_invalid_utf8(std::string("a\0b", 3)));
}

TEST_CASE("malformed UTF-8 is found where it starts", "[utf8]") {
  const std::pair<std::string, std::size_t> cases[] = {{"\x80", 0},
                                                       {"ab\xFF", 2},
                                                       {"\xC3\x28", 0},
                                                       {"\xC0\xAF", 0},
                                                       {"\xC1\xBF", 0},
                                                       {"\xE2\x82", 0},
                                                       {"a\xED\xA0\x80", 1},
                                                       {"\xE0\x9F\xBF", 0},
                                                       {"\xF0\x8F\xBF\xBF", 0},
                                                       {"\xF4\x90\x80\x80", 0},
                                                       {"\xF5\x80\x80\x80", 0},
                                                       {"\xF0\x9F\xA6", 0},
                                                       {"紙\xC3", 3}};
  for (const auto& [text, offset] : cases) {
    INFO(offset);
    CHECK(find_invalid_utf8(text) == offset);
  }
}

TEST_CASE("every two-byte string is valid or invalid as in Unicode's table", "[utf8]") {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const bool ascii = first < 0x80 && second < 0x80;
      const bool pair = first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
      const char text[] = {static_cast<char>(first), static_cast<char>(second)};
      if (find_invalid_utf8({text, 2}).has_value() == (ascii || pair)) FAIL(first << " " << second);
    }
  }
}

}  // namespace utf8_test

// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "import/text_decoding.hpp"
#include "character/utf8.hpp"

#include <string>
#include <string_view>

namespace text_decoding_test {
using namespace pchr;
using namespace std::string_view_literals;

namespace {

DecodedText decoded(std::string_view bytes, const std::string& encoding = {}) {
  const auto text = decode_text(std::as_bytes(std::span(bytes)), encoding);
  REQUIRE(text);
  CHECK_FALSE(find_invalid_utf8(text->utf8));
  return *text;
}

}  // namespace

TEST_CASE("a byte order mark determines the encoding and is not part of the text", "[text]") {
  CHECK(decoded("\xEF\xBB\xBF#湯").utf8 == "#湯");
  CHECK(decoded("\xFF\xFE#\0\x6F\x6E"sv).utf8 == "#湯");
  CHECK(decoded("\xFE\xFF\0#\x6E\x6F"sv).utf8 == "#湯");
}

TEST_CASE("without a mark, zeros mean UTF-16, valid UTF-8 is UTF-8, and all else is CP932", "[text]") {
  CHECK(decoded("#\0S\0i\0z\0e\0"sv).encoding == "UTF-16LE");
  CHECK(decoded("#\0S\0i\0z\0e\0"sv).utf8 == "#Size");
  CHECK(decoded("\0#\0S\0i\0z\0e"sv).utf8 == "#Size");
  CHECK(decoded("#湯のみ").encoding == "UTF-8");
  const DecodedText japanese = decoded("\x93\x92\x82\xCC\x82\xDD \x95\x5C");
  CHECK(japanese.encoding == "CP932");
  CHECK(japanese.utf8 == "湯のみ 表");
  CHECK(decoded("").utf8.empty());
}

TEST_CASE("a backslash byte within a CP932 character is not a backslash", "[text]") {
  CHECK(decoded("\x83\x5C\x5C\x95\x5C").utf8 == "ソ\\表");
}

TEST_CASE("a specified encoding disables detection", "[text]") {
  CHECK(decoded("\xB0\xA1", "EUC-KR").utf8 == "가");
  CHECK(decoded("\xE6\xB9\xAF", "CP932").utf8 != "湯");
  CHECK_FALSE(decode_text({}, "no such encoding"));
}

TEST_CASE("invalid bytes are replaced, and line endings stay", "[text]") {
  const DecodedText text = decoded("\x81\n#Size\x93");
  CHECK(text.utf8 == "\xEF\xBF\xBD\n#Size\xEF\xBF\xBD");
  CHECK(text.replacements == 2);
  CHECK(decoded("a\xFF", "UTF-8").utf8 == "a\xEF\xBF\xBD");
  CHECK(decoded("a\0\0\xD8z\0x"sv, "UTF-16LE").utf8 == "a\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST_CASE("any bytes become valid text in every encoding", "[text]") {
  std::string bytes;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      bytes += static_cast<char>(first);
      bytes += static_cast<char>(second);
    }
  }
  for (const char* const encoding : {"", "UTF-8", "CP932", "UTF-16LE", "UTF-16BE"}) (void)decoded(bytes, encoding);
}

}  // namespace text_decoding_test

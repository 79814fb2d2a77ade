// SPDX-License-Identifier: MIT
// Formatted and shortened text.
#include "document/text.hpp"
#include "support/catch.hpp"

namespace pchr::player::text_test {
namespace {

/// Shortens text to a number of characters.
std::string in(std::string_view text, float characters, Ellipsis where = Ellipsis::end) {
  return ellipsized(text, characters, where, [](std::string_view) { return 1.0F; });
}

}  // namespace

TEST_CASE("text that fits is not shortened", "[player][text]") {
  CHECK(in("idle", 4) == "idle");
  CHECK(in("", 0).empty());
  CHECK(in("\u7d75\u6587\u5b57", 3) == "\u7d75\u6587\u5b57");
}

TEST_CASE("longer text ends with an ellipsis", "[player][text]") {
  CHECK(in("attack_heavy", 7) == "attack\u2026");
  CHECK(in("attack_heavy", 11) == "attack_hea\u2026");
  CHECK(in("attack_heavy", 1) == "\u2026");
  CHECK(in("attack_heavy", 0) == "\u2026");
  CHECK(in("\u7d75\u6587\u5b57", 2) == "\u7d75\u2026");
}

TEST_CASE("a path is shortened in the middle", "[player][text]") {
  CHECK(in("/home/kiri/animations/run.pchr", 16, Ellipsis::middle) == "/home/k\u2026run.pchr");
  CHECK(in("\u00e4\u00f6\u00fc\u00df\u00e9\u00e8", 3, Ellipsis::middle) == "\u00e4\u2026\u00e8");
  CHECK(in("abc", 0, Ellipsis::middle) == "\u2026");
}

TEST_CASE("no character is cut in half, whatever the bytes are", "[player][text]") {
  for (const std::string_view text : {std::string_view("\xC3\xA4\xC3\xB6\xC3\xBC\xE7\xB5\xB5x\xF0\x9F\x98\x80y")}) {
    for (int width = 0; width < 9; ++width) {
      for (const Ellipsis where : {Ellipsis::end, Ellipsis::middle}) {
        const std::string cut = in(text, static_cast<float>(width), where);
        CHECK((cut == text || cut.find("\u2026") != std::string::npos));
        CHECK((static_cast<unsigned char>(cut.front()) & 0xC0) != 0x80);
      }
    }
  }
  CHECK_FALSE(in("\x80\x80\xFF\xC3", 1).empty());
  CHECK_FALSE(in("\x80\x80\xFF\xC3", 1, Ellipsis::middle).empty());
}

}  // namespace pchr::player::text_test

namespace pchr::player::zoom_text_test {

TEST_CASE("a zoom is shown with a sensible number of digits", "[player]") {
  CHECK(zoom_text(1.0F) == "100%");
  CHECK(zoom_text(0.856F) == "86%");
  CHECK(zoom_text(0.0996F) == "10%");
  CHECK(zoom_text(0.0316F) == "3.2%");
  CHECK(zoom_text(0.00004F) == "0.004%");
  CHECK(zoom_text(64.0F) == "6400%");
  CHECK(zoom_text(72'000.0F) == "72000x");
}

TEST_CASE("a zoom can be typed in percent, as a factor and as a ratio", "[player]") {
  CHECK(parse_zoom("150") == 1.5F);
  CHECK(parse_zoom(" 12.5 % ") == 0.125F);
  CHECK(parse_zoom("3x") == 3.0F);
  CHECK(parse_zoom("1:1") == 1.0F);
  CHECK(parse_zoom("1 : 4") == 0.25F);
  CHECK(parse_zoom(zoom_text(72'000.0F)) == 72'000.0F);
  for (const char* wrong : {"", "%", "big", "0", "-50", "1:0", "1:", "100%%", "100 texels", "nan", "inf", "1e999"}) {
    INFO(wrong);
    CHECK_FALSE(parse_zoom(wrong));
  }
}

}  // namespace pchr::player::zoom_text_test

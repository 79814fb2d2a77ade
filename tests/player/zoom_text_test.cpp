// SPDX-License-Identifier: MIT
// The zoom as text.
#include "view/zoom_text.hpp"

#include "support/catch.hpp"

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

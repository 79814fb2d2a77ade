// SPDX-License-Identifier: MIT
#include "platform/numbers.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace numbers_test {
namespace {

double number(const std::string& text) { return pchr::nearest_double(text.data(), text.data() + text.size()); }

}  // namespace

TEST_CASE("numbers of a JSON text become the nearest doubles, whatever their exponents", "[numbers]") {
  CHECK(number("0.1") == 0.1);
  CHECK(number("123456789012345678901234567890e-12") == 123456789012345678.0);
  CHECK(number("5e-324") == std::numeric_limits<double>::denorm_min());
  for (const char* const tiny : {"1e-400", "12345.6e-99999999999999999999", "0.00001e-340", "0e9999", "0.0"}) {
    CHECK(number(tiny) == 0);
  }
  CHECK(std::signbit(number("-1e-400")));
  for (const char* const huge : {"1e400", "1E+400", "0.001e99999999999999999999", "1e309"}) {
    CHECK(number(huge) >= std::numeric_limits<double>::max());
    CHECK(number(std::string("-") + huge) <= std::numeric_limits<double>::lowest());
  }
}

}  // namespace numbers_test

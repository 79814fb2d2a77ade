// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "character/decimal.hpp"
#include "character/format.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

using namespace pchr;

namespace {

/// Writes a number as std::to_chars() does.
template <typename Float>
std::string scientific(Float value) {
  const auto [digits, exponent] = shortest_decimal(value);
  std::string text = digits.substr(0, 1);
  if (digits.size() > 1) text += '.' + digits.substr(1);
  text += exponent < 0 ? "e-" : "e+";
  if (std::abs(exponent) < 10) text += '0';
  return text + std::to_string(std::abs(exponent));
}

template <typename Float>
void check_digits(Float value) {
  char expected[40];
  const char* const end =
      std::to_chars(expected, std::end(expected), std::abs(value), std::chars_format::scientific).ptr;
  const std::string_view text(expected, end);
  if (scientific(value) != text) CHECK(scientific(value) == text);
}

}  // namespace

TEST_CASE("the shortest digits are those of the standard library", "[format]") {
  for (const double value : {0.0, 1.0, 0.1, 0.3, 1e15, 1e16, 1e23, 8e22, 9007199254740993.0, 4503599627370496.0}) {
    check_digits(value);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(narrow)) check_digits(narrow);
    const auto wide = std::bit_cast<double>(random());
    if (std::isfinite(wide)) check_digits(wide);
    check_digits(static_cast<double>(random() % 2'000'000) / 1000.0);
    check_digits(static_cast<float>(random() % 2'000'000) / 100.0F);
  }
  for (std::uint64_t exponent = 0; exponent < 0x7FF; ++exponent) {
    // Below a power of two, numbers are closer to each other than above.
    check_digits(std::bit_cast<double>(exponent << 52));
    check_digits(std::bit_cast<double>((exponent << 52) + 1));
    if (exponent < 0xFF) check_digits(std::bit_cast<float>(static_cast<std::uint32_t>(exponent << 23)));
  }
  check_digits(std::numeric_limits<double>::max());
  check_digits(std::numeric_limits<float>::denorm_min());
}

TEST_CASE("messages have an exponent only in very small and very large numbers", "[format]") {
  CHECK(format_text("{} {} {} {}", 0.5F, -2.0, 1e15, 0.0001) == "0.5 -2 1000000000000000 0.0001");
  CHECK(format_text("{} {} {}", 1e16, 0.00001F, -1.5e300) == "1e+16 1e-05 -1.5e+300");
  CHECK(format_text("{} {}", -0.0, std::numeric_limits<float>::infinity()) == "-0 inf");
  CHECK(format_text("{}", -std::numeric_limits<double>::quiet_NaN()) == "-nan");
  CHECK(format_text("{:.2f} {:.2f} {:.3f} {:.2f}", 18.754, -0.5, 12.0F, 1e20) == "18.75 -0.50 12.000 1e+20");
}

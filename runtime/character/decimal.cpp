// SPDX-License-Identifier: MIT
#include "character/decimal.hpp"

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace pchr {
namespace {

/// A natural number below 2^1280, which is enough for every double times a power of ten.
class Natural {
 public:
  explicit Natural(std::uint64_t value)
      : words_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {}

  Natural& operator+=(const Natural& other) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return *this;
  }
  /// Subtracts a number that is not larger.
  Natural& operator-=(const Natural& other) noexcept {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t difference = std::uint64_t{words_[i]} - other.words_[i] - borrow;
      words_[i] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
    return *this;
  }
  Natural& operator*=(std::uint32_t factor) noexcept {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{word} * factor;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return *this;
  }
  [[nodiscard]] Natural shifted(int bits) const noexcept {
    Natural result = *this;
    for (; bits >= 16; bits -= 16) result *= 1U << 16;
    return result *= 1U << bits;
  }
  friend Natural operator+(Natural left, const Natural& right) noexcept { return left += right; }
  friend std::strong_ordering operator<=>(const Natural& left, const Natural& right) noexcept {
    for (std::size_t i = left.words_.size(); i-- > 0;) {
      if (left.words_[i] != right.words_[i]) return left.words_[i] <=> right.words_[i];
    }
    return std::strong_ordering::equal;
  }

 private:
  std::array<std::uint32_t, 40> words_{};
};

/// Generates the digits of mantissa * 2^exponent like Steele, White, Burger and Dybvig: until they differ from all
/// numbers outside the interval that reads back as the same value. `narrow_below`: the next smaller value is only half
/// as far as the next larger one.
Decimal generate(std::uint64_t mantissa, int exponent, bool narrow_below) {
  if (mantissa == 0) return {"0", 0};
  // The value is `rest / unit`, and the borders of the interval are `below / unit` and `above / unit` away from it.
  const int up = exponent > 0 ? exponent : 0, down = exponent < 0 ? -exponent : 0, extra = narrow_below ? 1 : 0;
  Natural rest = Natural(mantissa).shifted(up + 1 + extra), unit = Natural(1).shifted(down + 1 + extra);
  Natural below = Natural(1).shifted(up), above = below.shifted(extra);
  // A reader rounds ties to even, so the borders belong to an even mantissa.
  const bool with_borders = mantissa % 2 == 0;
  const auto reaches = [&](const Natural& number) {
    const auto order = number + above <=> unit;
    return order > 0 || (with_borders && order == 0);
  };
  Decimal result;
  for (; reaches(rest); ++result.exponent) unit *= 10;
  const auto next_digit = [&] {
    for (Natural* number : {&rest, &below, &above}) *number *= 10;
    --result.exponent;
  };
  for (next_digit(); !reaches(rest);) next_digit();
  // Now the first digit is before the decimal point.
  const int first = result.exponent;
  for (;;) {
    char digit = '0';
    for (; rest >= unit; ++digit) rest -= unit;
    const auto order = rest <=> below;
    const bool low = order < 0 || (with_borders && order == 0), high = reaches(rest);
    if (low || high) {
      const auto half = rest + rest <=> unit;
      if (high && (!low || half > 0 || (half == 0 && digit % 2 != 0))) ++digit;
      result.digits += digit;
      result.exponent = first;
      return result;
    }
    result.digits += digit;
    next_digit();
  }
}

template <typename Float, typename Bits>
Decimal decimal_of(Float value) {
  constexpr int kMantissaBits = std::numeric_limits<Float>::digits - 1;
  constexpr int kBias = std::numeric_limits<Float>::max_exponent - 1 + kMantissaBits;
  const auto bits = std::bit_cast<Bits>(value);
  const Bits mantissa = bits & ((Bits{1} << kMantissaBits) - 1);
  const auto exponent = static_cast<int>(bits << 1 >> (kMantissaBits + 1));
  if (exponent == 0) return generate(mantissa, 1 - kBias, false);
  return generate(mantissa | Bits{1} << kMantissaBits, exponent - kBias, mantissa == 0 && exponent > 1);
}

}  // namespace

Decimal shortest_decimal(float value) { return decimal_of<float, std::uint32_t>(value); }
Decimal shortest_decimal(double value) { return decimal_of<double, std::uint64_t>(value); }

}  // namespace pchr

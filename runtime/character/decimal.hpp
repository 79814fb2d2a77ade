// SPDX-License-Identifier: MIT
// Decimal digits of floating-point numbers, exact and without tables: those of the standard library take more space
// than the rest of a small program.
#pragma once

#include <pchr/api.hpp>

#include <string>

namespace PCHR_API pchr {

/// The number d.ddd * 10^exponent, where `digits` are all of its digits.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

/// Return the fewest digits that read back as `value`, which must be finite, and the nearest of these to it. The sign
/// is ignored.
/// @{
[[nodiscard]] Decimal shortest_decimal(float value);
[[nodiscard]] Decimal shortest_decimal(double value);
/// @}

}  // namespace pchr

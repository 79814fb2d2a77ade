// SPDX-License-Identifier: MIT
// Catch2, version 2 or 3.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace pchr::test {

/// Matches text that contains `part`. Same name for Catch2 versions 2 and 3.
[[nodiscard]] inline auto contains(const std::string& part) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace pchr::test

// SPDX-License-Identifier: MIT
// Minimal text formatting for messages, so that the runtime needs no formatting library.
#pragma once

#include <pchr/api.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace PCHR_API pchr {

using FormatValue = std::variant<std::string_view, std::int64_t, std::uint64_t, float, double>;

template <typename Value>
[[nodiscard]] FormatValue format_value(const Value& value) noexcept {
  if constexpr (std::signed_integral<Value>) {
    return std::int64_t{value};
  } else if constexpr (std::unsigned_integral<Value>) {
    return std::uint64_t{value};
  } else if constexpr (std::floating_point<Value>) {
    return value;
  } else {
    return std::string_view(value);
  }
}

/// Replaces each pair of braces in `pattern` with the next value.
[[nodiscard]] std::string format_values(std::string_view pattern, std::span<const FormatValue> values);

/// Replaces each `{}` in `pattern` with the next of `values`. Floats are written with the shortest digits that read
/// back as the same value. Integers also support `{:x}` and `{:04x}`, and floats `{:.2f}`, with any digit.
template <typename... Values>
[[nodiscard]] std::string format_text(std::string_view pattern, const Values&... values) {
  const FormatValue all[] = {format_value(values)...};
  return format_values(pattern, all);
}

/// Returns a number and its noun: "1 bone", "23 bones". Without `plural`, appends an "s".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});

/// Describes bytes that are missing: "needs 4 bytes, but only 2 remain".
[[nodiscard]] std::string needs_bytes(std::uint64_t needed, std::string_view purpose, std::uint64_t remaining);

}  // namespace pchr

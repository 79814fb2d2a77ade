// SPDX-License-Identifier: MIT
// Text of messages: the little that the runtime needs of a formatting library.
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

/// Replaces the first braces in `pattern` by the first value, and so on.
[[nodiscard]] std::string format_values(std::string_view pattern, std::span<const FormatValue> values);

/// Replaces each `{}` in `pattern` by the next of `values`, floats by the shortest digits that give them back. Numbers
/// also take `{:x}`, `{:04x}`, `{:.2f}` and `{:.4g}`, with any digits.
template <typename... Values>
[[nodiscard]] std::string format_text(std::string_view pattern, const Values&... values) {
  const FormatValue all[] = {format_value(values)...};
  return format_values(pattern, all);
}

}  // namespace pchr

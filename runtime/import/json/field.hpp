// SPDX-License-Identifier: MIT
// Fields of the objects in a JSON text.
#pragma once

#include "import/json/pachario_json.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pchr::json {

template <typename T>
using Wide = std::conditional_t<std::integral<T> && sizeof(T) < sizeof(std::int64_t), T, std::int64_t>;

/// Key of an object and the destination of its value. If the key appears twice, both values must be equal.
template <typename T>
struct Field {
  JsonKey key;
  T& target;
  std::int64_t min = std::numeric_limits<Wide<T>>::min();  ///< Range of a whole number.
  std::int64_t max = std::numeric_limits<Wide<T>>::max();
  bool required = true;
  bool seen = false;
};

template <typename T>
Field<T> optional(JsonKey key, T& target) {
  return {.key = key, .target = target, .required = false};
}

}  // namespace pchr::json

// SPDX-License-Identifier: MIT
// What the two dialects of Pachario JSON name differently.
#pragma once

#include <string_view>

namespace pchr {

/// A key as PCHR v1's tool spells it, and as the exporter does.
struct JsonKey {
  std::string_view v1;
  std::string_view pachario = v1;

  constexpr JsonKey(const char* key) : v1(key) {}  // NOLINT(google-explicit-constructor)
  constexpr JsonKey(const char* v1_key, const char* pachario_key) : v1(v1_key), pachario(pachario_key) {}

  [[nodiscard]] constexpr std::string_view in(bool pachario_dialect) const { return pachario_dialect ? pachario : v1; }
};

inline constexpr JsonKey kParentKey{"parent", "parentIdx"};
inline constexpr JsonKey kImageKey{"image", "imageIdx"};
inline constexpr JsonKey kIndicesKey{"indices", "triangles"};

}  // namespace pchr

// SPDX-License-Identifier: MIT
// Several texts as one, for another process of this program.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::tools {

[[nodiscard]] inline std::string pack_texts(std::span<const std::string> texts) {
  std::string packed;
  for (const std::string& text : texts) {
    const auto size = std::bit_cast<std::array<char, 8>>(std::uint64_t{text.size()});
    packed.append(size.data(), size.size()).append(text);
  }
  return packed;
}

/// Returns what pack_texts() was given, or nothing if the text is not from there.
[[nodiscard]] inline std::vector<std::string> unpack_texts(std::string_view packed) {
  std::vector<std::string> texts;
  while (!packed.empty()) {
    std::uint64_t size = 0;
    if (packed.size() < sizeof(size)) return {};
    std::memcpy(&size, packed.data(), sizeof(size));
    packed.remove_prefix(sizeof(size));
    if (packed.size() < size) return {};
    texts.emplace_back(packed.substr(0, static_cast<std::size_t>(size)));
    packed.remove_prefix(static_cast<std::size_t>(size));
  }
  return texts;
}

}  // namespace pchr::tools

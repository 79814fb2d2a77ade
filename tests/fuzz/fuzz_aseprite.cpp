// SPDX-License-Identifier: MIT
// Loads bytes as an Aseprite artwork: unchanged, and after a valid header with all layers including reference layers.
#include "use.hpp"

#include <algorithm>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pchr::fuzz::load_and_use(std::as_bytes(std::span(data, size)));

  constexpr std::size_t kHeaderBytes = 128;
  std::vector<std::byte> bytes(std::max(size, kHeaderBytes));
  std::memcpy(bytes.data(), data, size);
  const auto set_word = [&](std::size_t offset, std::uint16_t word) {
    std::memcpy(bytes.data() + offset, &word, sizeof(word));
  };
  constexpr std::uint16_t kDepths[] = {8, 16, 32};
  constexpr std::size_t kDepth = 12;
  set_word(4, 0xA5E0);
  set_word(8, static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[8]) % 64 + 1));
  set_word(10, static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[10]) % 64 + 1));
  set_word(kDepth, kDepths[std::to_integer<std::size_t>(bytes[kDepth]) / 8 % 3]);
  pchr::fuzz::load_artwork_and_use(bytes);
  return 0;
}

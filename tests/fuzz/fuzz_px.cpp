// SPDX-License-Identifier: MIT
// Loads bytes as an artwork: unchanged, after a valid header, and with all layers including reference layers.
#include "support/load.hpp"

#include "use.hpp"

#include <algorithm>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHeaderBytes = 64, kIdBytes = 36;
  pchr::fuzz::load_and_use(std::as_bytes(std::span(data, size)));

  std::vector<std::byte> bytes(std::max(size, kHeaderBytes + kIdBytes));
  std::memcpy(bytes.data(), data, size);
  std::fill_n(bytes.begin(), kHeaderBytes, std::byte{0});
  std::fill_n(bytes.begin() + kHeaderBytes, kIdBytes, std::byte{'0'});
  const std::uint64_t content_bytes = bytes.size() - kHeaderBytes;
  std::memcpy(bytes.data(), &content_bytes, sizeof(content_bytes));
  bytes[8] = std::byte{kIdBytes};
  pchr::ImportOptions options = pchr::fuzz::small_options();
  options.layers.which = pchr::LayerChoice::Which::all;
  // Only overrides draw reference layers.
  for (std::uint32_t layer = 0; layer < 16; ++layer) options.layers.overrides.push_back({layer, true});
  const auto character = pchr::load_character(bytes, options);
  if (!character) return 0;
  pchr::fuzz::require(character->file.artwork.has_value(), "a file with an artwork header is an artwork");
  pchr::fuzz::use(*character);
  return 0;
}

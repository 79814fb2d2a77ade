// SPDX-License-Identifier: MIT
// Loads bytes as an artwork: unchanged, after a valid header, and with all layers including reference layers.
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
  pchr::fuzz::load_artwork_and_use(bytes);
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads the older binary unchanged and with corrected lengths, which the fuzzer rarely gets right.
#include "use.hpp"

#include <algorithm>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHeaderBytes = 16;
  const auto file = std::as_bytes(std::span(data, size));
  pchr::fuzz::load_and_use(file);
  if (size < kHeaderBytes) return 0;
  std::uint32_t image_bytes;
  std::memcpy(&image_bytes, data + 12, sizeof(image_bytes));
  const auto rest = file.subspan(kHeaderBytes);
  const auto image = rest.last(std::min<std::size_t>(image_bytes, rest.size()));
  pchr::fuzz::load_and_use(pchr::fuzz::pack(rest.first(rest.size() - image.size()), image));
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads text as JSON, with and without images.
#include "use.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = std::as_bytes(std::span(data, size));
  pchr::fuzz::load_and_use(text);
  // JSON from memory fails for lack of image files. Packed without an image, it loads.
  pchr::fuzz::load_and_use(pchr::fuzz::pack(text));
  return 0;
}

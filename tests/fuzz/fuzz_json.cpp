// SPDX-License-Identifier: MIT
// Any text as JSON, with and without its images at hand.
#include "use.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = std::as_bytes(std::span(data, size));
  pchr::fuzz::load_and_use(text);
  // In memory a JSON character has no images and ends there; packed without one, it goes on.
  pchr::fuzz::load_and_use(pchr::fuzz::pack(text));
  return 0;
}

// SPDX-License-Identifier: MIT
// Loads bytes as a v1 file.
#include "use.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pchr::fuzz::load_and_use(std::as_bytes(std::span(data, size)));
  return 0;
}

// SPDX-License-Identifier: MIT
// Reads what a worker process says, which a file from a stranger could have taken over, and what a stamp says.
#include "task.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pchr::tools;
  const auto task = task_from_bytes({reinterpret_cast<const char*>(data), size});
  if (!task) return 0;
  const std::string bytes = task_to_bytes(*task);
  const auto again = task_from_bytes(bytes);
  if (!again || task_to_bytes(*again) != bytes) std::abort();
  return 0;
}

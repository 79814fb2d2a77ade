// SPDX-License-Identifier: MIT
#include "platform/system_error.hpp"

#include "platform/windows_text.hpp"

#include <windows.h>

namespace pchr {

std::error_code last_error() noexcept { return {static_cast<int>(GetLastError()), std::system_category()}; }

std::string error_text(const std::error_code& error) {
  if (error.category() != std::system_category()) return error.message();
  switch (static_cast<unsigned>(error.value())) {
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return "another program is using it";
    case ERROR_INVALID_NAME:
      return "its name has characters that Windows does not allow";
    case ERROR_BAD_DEVICE:
      return "Windows reserves its name for a device";
    default:
      break;
  }
  const std::error_condition known = error.default_error_condition();
  if (known.category() == std::generic_category()) return known.message();
  return "Windows error " + std::to_string(error.value());
}

std::string error_text(unsigned long code) {
  return error_text(std::error_code(static_cast<int>(code), std::system_category()));
}

}  // namespace pchr
